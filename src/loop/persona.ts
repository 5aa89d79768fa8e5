import type { MessageEntry } from "../core/history.ts";
import {
  chosenPersonas,
  parsePersonaRef,
  type ChosenPersona,
  type PersonaSource,
} from "../core/persona.ts";
import type { BegunTurn } from "../core/ports.ts";
import type { TurnPersona } from "../core/turn-persona.ts";
import { stateVersion, type TurnState } from "../core/turn.ts";
import { narrowingOf } from "./narrowing.ts";
import type { TurnContext } from "./turn-context.ts";

/** The persona with which a turn of this message begins; undefined: none. */
export async function personaFor(
  source: PersonaSource | undefined,
  { session: { chat }, settings, personas }: Pick<BegunTurn, "session" | "settings" | "personas">,
  message: MessageEntry,
): Promise<TurnPersona | undefined> {
  if (message.sampleOf !== undefined) return message.sampleOf;
  if (source === undefined) return undefined;
  const { id: personId, anonymous } = message.person;
  const choices = {
    person: parsePersonaRef(anonymous ? undefined : personas?.get(personId)),
    chat: parsePersonaRef(settings.persona),
    place: parsePersonaRef(message.persona),
  };
  const { usual } = source;
  return await firstOf(source, chosenPersonas(choices, { chat, personId, usual }));
}

/** Of what was chosen, the first that exists. */
export async function firstOf(
  source: Pick<PersonaSource, "find">,
  chosen: readonly ChosenPersona[],
): Promise<TurnPersona | undefined> {
  for (const { ref, by } of chosen) {
    const found = await source.find(ref);
    if (found !== undefined) return { ...found, by };
  }
  return undefined;
}

/**
 * A turn that `begin` has opened, with the persona of its message. Also one that another session
 * left before its first commit: nothing says yet which persona it has.
 */
export async function withPersona(
  source: PersonaSource | undefined,
  begun: BegunTurn,
): Promise<BegunTurn> {
  const { state, opened, isUncommitted = opened } = begun;
  if (!isUncommitted || state === undefined) return begun;
  const message = begun.transcript.findLast((entry) => entry.kind === "message");
  const persona = message && (await personaFor(source, begun, message));
  return { ...begun, state: inPersona(state, persona) };
}

export const inPersona = (state: TurnState, persona: TurnPersona | undefined): TurnState =>
  persona === undefined ? state : { ...state, persona, v: stateVersion({ ...state, persona }) };

/** Loads the content of the open turn's persona. */
export async function takePersona({ deps, session }: TurnContext): Promise<void> {
  const { persona } = session.state;
  if (persona === undefined) return;
  const content = await deps.personas?.content(persona);
  if (content === undefined)
    deps.log.warn(
      { chat: session.chat, persona: `${persona.owner}/${persona.name}` },
      "a turn's persona is not kept any more: the turn goes on without tools",
    );
  session.narrowing = narrowingOf(content);
}
