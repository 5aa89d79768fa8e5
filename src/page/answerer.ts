import { effectiveChain, effectiveChoices } from "../commands/choice.ts";
import type { ChatKey } from "../core/chat.ts";
import { personaModels } from "../core/choices.ts";
import { messageOf } from "../core/errors.ts";
import type { MessageEntry } from "../core/history.ts";
import { chosenPersonas, parsePersonaRef, type PersonaSource } from "../core/persona.ts";
import type { TurnPersona } from "../core/turn-persona.ts";
import { firstOf } from "../loop/persona.ts";
import { PersonaCache } from "../store/personas/persona-cache.ts";
import type { OngoingTurn } from "../store/turns/ongoing.ts";
import type { ViewDeps } from "./view.ts";

/** Who answers a turn. */
export interface Answerer {
  /** The one that was asked last, or that will be asked first by what person and chat have chosen. */
  readonly model: string;
  /** By name; undefined: none. Before anything is stored of the turn: the one that it begins with. */
  readonly persona: string | undefined;
}

export async function answererOf(turn: OngoingTurn, deps: ViewDeps): Promise<Answerer> {
  const { commands } = deps;
  const { chat, begins, preference, role } = turn;
  const source = personasIn(deps);
  const used = turn.persona ?? (begins && (await personaFor(chat, begins, { source, commands })));
  const persona = used?.name;
  if (turn.model !== undefined) return { model: turn.model, persona };
  const settings = await commands.settings.read(chat);
  const content = used && (await source.content(used));
  const models = personaModels({ persona: content, by: used?.by, role }, commands.models.keys);
  const choices = effectiveChoices({ preference, settings, persona: models }, commands.models);
  const [model = ""] = effectiveChain(choices, commands.models).split(", ", 1);
  return { model, persona };
}

/** As workers read them: one that can't be read has a name, and chooses no model. */
const personasIn = ({ commands: { personas }, services: { log } }: ViewDeps): PersonaSource =>
  new PersonaCache(personas.store, {
    usual: personas.usual,
    now: () => performance.now(),
    // Not a warning, which the worker logs: a live view reads it every second.
    report: (what, error) =>
      log.debug({ what, error: messageOf(error) }, "a persona can't be shown"),
  });

/** As the worker chooses it. */
async function personaFor(
  chat: ChatKey,
  { person, persona, sampleOf }: MessageEntry,
  { source, commands }: { readonly source: PersonaSource } & Pick<ViewDeps, "commands">,
): Promise<TurnPersona | undefined> {
  if (sampleOf !== undefined) return sampleOf;
  const where = { chat, personId: person.id };
  const chosen = await commands.personas.choices.read({ ...where, places: [] });
  const choices = {
    ...chosen,
    person: person.anonymous ? undefined : chosen.person,
    place: parsePersonaRef(persona),
  };
  return await firstOf(source, chosenPersonas(choices, { ...where, usual: source.usual }));
}
