import type { ChatKey } from "../../core/chat.ts";
import { personaDraftSchema, questionOf, type PersonaDraft } from "../../core/persona-draft.ts";
import { personaHash, personaSchema, type Persona } from "../../core/persona.ts";
import type { TurnPersona } from "../../core/turn-persona.ts";
import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { scanKeys } from "../redis/scan-keys.ts";

/** How long a draft is kept after the last answer. Milliseconds. */
const draftTtlMs = 3_600_000;

/** Where a person's next message answers a question, and until when. */
export interface Drafting {
  readonly chat: ChatKey;
  readonly untilMs: number;
}

/** The personas that people are making. */
export interface PersonaDrafts {
  /** The person's only one. Undefined: none, or it has expired. */
  read(personId: string): Promise<PersonaDraft | undefined>;
  /**
   * Replaces the person's draft.
   * @returns for the person's profile: the chat in which a question is open; undefined: none is.
   */
  write(personId: string, draft: PersonaDraft): Promise<string | undefined>;
  /** Keeps a draft's content for a sample answer. @returns the persona of that turn. */
  writeSample(personId: string, persona: Persona): Promise<TurnPersona>;
  remove(personId: string): Promise<void>;
}

/** As `personasKey` names the personas of the owner `sample:<person>`. */
export const sampleKey = (personId: string): string => configKey(`persona-sample:${personId}`);
export const draftKey = (personId: string): string => configKey(`persona-draft:${personId}`);

export function createPersonaDrafts({ redis, clock }: Store): PersonaDrafts {
  return {
    async read(personId) {
      const key = draftKey(personId);
      const json = await redis.get(key);
      // One that can't be read must not keep its person's messages from being answered.
      return json === null ? undefined : parsedDraft(json);
    },
    async write(personId, draft) {
      await redis.set(draftKey(personId), JSON.stringify(draft), "PX", draftTtlMs);
      if (questionOf(draft) === undefined) return undefined;
      return `${clock.now() + draftTtlMs} ${draft.chat}`;
    },
    async writeSample(personId, persona) {
      const hash = personaHash(persona);
      const content = JSON.stringify({ v: 1, persona: personaSchema.parse(persona) });
      const key = sampleKey(personId);
      await redis.multi().hset(key, `c:${hash}`, content).pexpire(key, draftTtlMs).exec();
      return { owner: `sample:${personId}`, name: persona.name, hash };
    },
    async remove(personId) {
      await redis.del(draftKey(personId), sampleKey(personId));
    },
  };
}

/** As a person's profile has it, so that no message costs a look at drafts. Pure. */
export function parseDrafting(text: string | null | undefined): Drafting | undefined {
  const [, untilMs, chat] = /^(\d+) (\S+)$/.exec(text ?? "") ?? [];
  return chat === undefined ? undefined : { chat: chat as ChatKey, untilMs: Number(untilMs) };
}

function parsedDraft(json: string): PersonaDraft | undefined {
  try {
    return personaDraftSchema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

/** Those of people in these chats, with their samples. */
export async function eraseDraftsIn(store: Store, chats: ReadonlySet<ChatKey>): Promise<void> {
  if (chats.size === 0) return;
  for await (const key of scanKeys(store, draftKey("*"))) {
    const json = await store.redis.get(key);
    const draft = parsedDraft(json ?? "");
    const personId = key.slice(draftKey("").length);
    if (draft === undefined || chats.has(draft.chat))
      await Promise.all([store.redis.del(key), store.redis.del(sampleKey(personId))]);
  }
}
