import type { ChatKey } from "../../core/chat.ts";
import {
  parsePersonaRef,
  personaRefText,
  type PersonaChoices,
  type PersonaRef,
} from "../../core/persona.ts";
import type { Place } from "../../core/places.ts";
import { chatKeys } from "../keys.ts";
import type { PlaceRules } from "../people/place-rules.ts";
import type { Store } from "../redis/redis.ts";
import { expireWithChat } from "../turns/chat-settings.ts";
import type { PersonaStore } from "./personas.ts";

/** Who a choice is for. */
export type PersonaTarget =
  | { readonly scope: "person"; readonly chat: ChatKey; readonly personId: string }
  | { readonly scope: "chat"; readonly chat: ChatKey }
  | { readonly scope: "place"; readonly place: Place };

/** Which personas were chosen. Turns read the same with what they read anyway. */
export interface PersonaChoiceStore {
  /** @param where.places the narrowest first. */
  read(where: {
    readonly chat: ChatKey;
    readonly personId: string;
    readonly places: readonly Place[];
  }): Promise<PersonaChoices>;
  /** @param ref undefined: nothing is chosen any more. */
  set(target: PersonaTarget, ref: PersonaRef | undefined): Promise<void>;
}

/** What commands know of personas. */
export interface Personas {
  readonly store: PersonaStore;
  readonly choices: PersonaChoiceStore;
  /** The name of the operator's default, a file. */
  readonly usual: string | undefined;
}

/** A person's choice is a field of the chat's settings, so that it ends with the chat. */
const personPrefix = "persona:";
export const personField = (personId: string): string => `${personPrefix}${personId}`;

/** Of a chat's settings: what people have chosen for themselves, by their ids. Pure. */
export const personalPersonas = (
  settings: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> =>
  new Map(
    [...settings].flatMap(([field, ref]): [string, string][] =>
      field.startsWith(personPrefix) ? [[field.slice(personPrefix.length), ref]] : [],
    ),
  );

/** @param options.retentionMs as of the chats' settings. */
export function createPersonaChoices(
  { redis }: Store,
  places: Pick<PlaceRules, "placePersonas" | "setPlacePersona">,
  { retentionMs }: { readonly retentionMs?: number } = {},
): PersonaChoiceStore {
  return {
    async read({ chat, personId, places: here }) {
      const [[ofPerson, ofChat], ofPlaces] = await Promise.all([
        redis.hmget(chatKeys(chat).settings, personField(personId), "persona"),
        places.placePersonas(here),
      ]);
      return {
        person: parsePersonaRef(ofPerson ?? undefined),
        chat: parsePersonaRef(ofChat ?? undefined),
        place: ofPlaces.map(parsePersonaRef).find((ref) => ref !== undefined),
      };
    },
    async set(target, ref) {
      const chosen = ref === undefined ? undefined : personaRefText(ref);
      if (target.scope === "place") {
        await places.setPlacePersona(target.place, chosen);
        return;
      }
      const key = chatKeys(target.chat).settings;
      const field = target.scope === "chat" ? "persona" : personField(target.personId);
      if (chosen === undefined) {
        await redis.hdel(key, field);
        return;
      }
      await redis.hset(key, field, chosen);
      // The end of the chat's next turn renews it.
      if (retentionMs !== undefined) await expireWithChat(redis, target.chat, { key, retentionMs });
    },
  };
}
