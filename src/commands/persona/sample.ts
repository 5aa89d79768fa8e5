import type { PersonaDraft } from "../../core/persona-draft.ts";
import { limitSentence } from "../../locales/limit-sentence.ts";
import type { CommandCall, CommandDeps } from "../command.ts";
import { askerFields, put } from "../control.ts";
import { personaOf } from "./draft-persona.ts";

/**
 * Asks for a sample answer, as an ordinary message under the draft's prompt and model, without
 * tools: limits count it, and a worker answers it. Asked once per event.
 * @returns what the preview says about it.
 */
export async function personaSampleOf(
  call: CommandCall,
  deps: CommandDeps,
  draft: PersonaDraft,
): Promise<{ readonly text: string; readonly isAsked: boolean }> {
  const { person, chat, role, locale, eventId } = call;
  const { personas } = locale;
  const id = `${eventId}-sample`;
  const spender = { person, chat, role };
  const counted = (await deps.messageLimits.isLimited(spender))
    ? await deps.messageLimits.count(spender, { id, countedAs: id })
    : undefined;
  if (counted?.type === "refused" && !(await deps.inbox.hasSeen(chat, id))) {
    const reader = { language: person.language, nowMs: deps.now() };
    return { text: personas.noSample(limitSentence(counted.hit, reader)), isAsked: false };
  }
  if (counted === undefined) deps.messageLimits.countUnlimited(spender, { countedAs: id });
  const persona = await deps.personaDrafts.writeSample(person.id, {
    ...personaOf(draft),
    tools: [],
    skills: [],
    memory: "off",
  });
  const outcome = await put(deps, call, {
    kind: "message",
    v: 1,
    id,
    ...askerFields(call),
    role,
    text: personas.sample,
    sampleOf: persona,
    atMs: deps.now(),
  });
  return outcome.type === "full"
    ? { text: personas.noSample(personas.busy), isAsked: false }
    : { text: personas.sampleFollows(personas.sample), isAsked: true };
}
