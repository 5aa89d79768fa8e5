import { effectiveChain, effectiveChoices } from "../commands/choice.ts";
import { firstPersona, modelsOfPersona, type EffectivePersona } from "../commands/personas.ts";
import type { ChatKey } from "../core/chat.ts";
import type { MessageEntry } from "../core/history.ts";
import { parsePersonaRef } from "../core/persona.ts";
import type { OngoingTurn } from "../store/turns/ongoing.ts";
import type { ViewDeps } from "./view.ts";

/** Who answers a turn. */
export interface Answerer {
  /** The one that was asked last, or that will be asked first by what person and chat have chosen. */
  readonly model: string;
  /** By name; undefined: none. Before anything is stored of the turn: the one that it begins with. */
  readonly persona: string | undefined;
}

export async function answererOf(turn: OngoingTurn, { commands }: ViewDeps): Promise<Answerer> {
  const { chat, begins, preference } = turn;
  const expected = begins && (await personaFor(chat, begins, commands));
  const persona = turn.persona ?? begins?.sampleOf?.name ?? expected?.ref.name;
  if (turn.model !== undefined) return { model: turn.model, persona };
  const settings = await commands.settings.read(chat);
  const models = modelsOfPersona(expected, { role: begins?.role ?? "guest" }, commands);
  const choices = effectiveChoices({ preference, settings, persona: models }, commands.models);
  const [model = ""] = effectiveChain(choices, commands.models).split(", ", 1);
  return { model, persona };
}

/** As the worker chooses it. */
async function personaFor(
  chat: ChatKey,
  { person, persona, sampleOf }: MessageEntry,
  commands: ViewDeps["commands"],
): Promise<EffectivePersona | undefined> {
  if (sampleOf !== undefined) return undefined;
  const where = { chat, personId: person.id };
  const chosen = await commands.personas.choices.read({ ...where, places: [] });
  return await firstPersona(
    commands,
    {
      ...chosen,
      person: person.anonymous ? undefined : chosen.person,
      place: parsePersonaRef(persona),
    },
    where,
  );
}
