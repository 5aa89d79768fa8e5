import { createHash } from "node:crypto";
import { personaSampleOf } from "./sample.ts";
import type { Person } from "../../core/chat.ts";
import { questionOf, type PersonaDraft } from "../../core/persona-draft.ts";
import type { Persona } from "../../core/persona.ts";
import { isAtLeast } from "../../core/roles.ts";
import {
  typed,
  answer,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "../command.ts";
import { availablePersonas } from "../personas.ts";
import { answerQuestion, readName, type DraftContext } from "./answer-question.ts";
import { nameFrom } from "./name-from.ts";
import { changesOf, previewButtons, previewOf, tokenOf } from "./preview.ts";
import { personaOf } from "./draft-persona.ts";
import { askQuestion, askWhatToChange, changeable } from "./questions.ts";

/** Stores the draft, and for the next message whether it answers a question. */
export async function keepDraft(
  { personaDrafts, access }: Pick<CommandDeps, "personaDrafts" | "access">,
  person: Pick<Person, "id">,
  draft: PersonaDraft,
): Promise<void> {
  await access.setDrafting(person, await personaDrafts.write(person.id, draft));
}

export async function dropDraft(
  { personaDrafts, access }: Pick<CommandDeps, "personaDrafts" | "access">,
  person: Pick<Person, "id">,
): Promise<void> {
  await access.setDrafting(person, undefined);
  await personaDrafts.remove(person.id);
}

/** Why they can't make or change personas at all; undefined: they can. */
export function whyNotMake({ person, role, chatRole, locale }: CommandCall): string | undefined {
  const { personas } = locale;
  if (person.anonymous) return personas.notAnonymously;
  return isAtLeast(role, "member") || isAtLeast(chatRole, "member")
    ? undefined
    : personas.mayNotMake;
}

/** The same event makes the same draft. */
export const newDraft = (
  { chat, eventId }: Pick<CommandCall, "chat" | "eventId">,
  fields: Partial<PersonaDraft>,
): PersonaDraft => ({
  v: 1,
  id: createHash("sha256").update(`${chat} ${eventId}`).digest("base64url").slice(0, 6),
  chat,
  step: "purpose",
  eventId,
  revision: 1,
  isComplete: false,
  name: "",
  purpose: "",
  style: "",
  ...fields,
});

/** `/persona new [name]` */
export async function beginDraft(
  call: CommandCall,
  deps: CommandDeps,
  name: string,
): Promise<CommandAnswer> {
  const { personas } = call.locale;
  const refusal = whyNotMake(call);
  if (refusal !== undefined) return answer(refusal);
  const named = name === "" ? { fields: {} } : readName(name, personas);
  if ("problem" in named) return answer(named.problem);
  const draft = newDraft(call, named.fields);
  if ((await takenNames(call, deps)).has(draft.name)) return answer(personas.taken(draft.name));
  await keepDraft(deps, call.person, draft);
  return await showDraft(call, deps, draft, { lines: [personas.begin] });
}

/** Names that would be mistaken for one another. */
export async function takenNames(
  call: CommandCall,
  deps: CommandDeps,
): Promise<ReadonlySet<string>> {
  return new Set((await availablePersonas(deps, call)).map(({ ref }) => ref.name));
}

/** The draft that this person is making in this chat. */
export async function draftOf(
  { person, chat }: Pick<CommandCall, "person" | "chat">,
  { personaDrafts }: Pick<CommandDeps, "personaDrafts">,
): Promise<PersonaDraft | undefined> {
  const draft = person.anonymous ? undefined : await personaDrafts.read(person.id);
  return draft?.chat === chat ? draft : undefined;
}

/**
 * The draft that isn't saved yet, or why it can't be changed.
 * @param token of the button that was tapped; empty: it was typed.
 */
export async function openDraft(
  call: CommandCall,
  deps: Pick<CommandDeps, "personaDrafts">,
  token = "",
): Promise<{ readonly draft: PersonaDraft } | { readonly problem: string }> {
  const { personas } = call.locale;
  const draft = await draftOf(call, deps);
  if (draft === undefined) return { problem: personas.noDraft };
  if (draft.step === "saved") return { problem: personas.alreadySaved(draft.name) };
  const isShown = [tokenOf(draft), ""].includes(token) || draft.eventId === call.eventId;
  return isShown ? { draft } : { problem: personas.outdated };
}

/**
 * A person's text as the answer to the open question; delivered again, it gets the same answer.
 * Undefined: no question is open.
 */
export async function answerDraft(
  call: CommandCall,
  deps: CommandDeps,
  text: string,
): Promise<CommandAnswer | undefined> {
  const draft = await draftOf(call, deps);
  if (draft === undefined) return undefined;
  if (draft.eventId === call.eventId) return await showDraft(call, deps, draft);
  if (questionOf(draft) === undefined) return undefined;
  const answered = answerQuestion(draft, text, await contextOf(call, deps));
  if ("problem" in answered) {
    // The clock begins again: who answers at all is still there.
    await keepDraft(deps, call.person, draft);
    return await showDraft(call, deps, draft, { problem: answered.problem });
  }
  const named = await withName(call, deps, answered.draft);
  const next = { ...named.draft, eventId: call.eventId };
  await keepDraft(deps, call.person, next);
  return await showDraft(call, deps, next, { lines: named.lines });
}

/** A name is made where none was given, and asked for where another persona has it. */
async function withName(
  call: CommandCall,
  deps: CommandDeps,
  draft: PersonaDraft,
): Promise<{ readonly draft: PersonaDraft; readonly lines: readonly string[] }> {
  const { of, name, purpose } = draft;
  if (of !== undefined || purpose === "") return { draft, lines: [] };
  const taken = await takenNames(call, deps);
  const isTaken = taken.has(name);
  return {
    draft: name === "" || isTaken ? { ...draft, name: nameFrom(name || purpose, taken) } : draft,
    lines: isTaken ? [call.locale.personas.taken(name)] : [],
  };
}

export const contextOf = async (
  { locale }: Pick<CommandCall, "locale">,
  { models, nearest, tools, skillReviews, personaExtras }: CommandDeps,
): Promise<DraftContext> => {
  const [offered, skills] = await Promise.all([tools(), skillReviews.list()]);
  return { models, nearest, locale, offered, skills, extras: personaExtras };
};

/** Its question, or its preview. */
export async function showDraft(
  call: CommandCall,
  deps: CommandDeps,
  draft: PersonaDraft,
  { lines = [], problem }: { readonly lines?: readonly string[]; readonly problem?: string } = {},
): Promise<CommandAnswer> {
  const question = questionOf(draft);
  if (question !== undefined)
    return askQuestion({ draft, question, lines, problem }, call, await contextOf(call, deps));
  const before = await beforeOf(draft, deps);
  const { personas } = call.locale;
  if (before !== undefined && changesOf(before, personaOf(draft, before), call.locale).length === 0)
    return {
      text: [...lines, personas.nothingChanged].join("\n"),
      buttons: previewButtons(draft, call).slice(1),
    };
  const sample = before === undefined ? await personaSampleOf(call, deps, draft) : undefined;
  return {
    text: [
      ...lines,
      previewOf(draft, before, call.locale),
      "",
      ...(sample === undefined ? [] : [sample.text]),
      personas.notSavedYet,
    ].join("\n"),
    buttons: previewButtons(draft, call),
    ...(sample?.isAsked ? { startsTurn: true } : {}),
  };
}

/** The persona that a draft changes, as it was when the change began. */
export async function beforeOf(
  { of }: PersonaDraft,
  { personas: { store } }: Pick<CommandDeps, "personas">,
): Promise<Persona | undefined> {
  return of && (await store.content(of.owner, of.hash));
}

/** `/persona answer <token> <text>`: a tap on one of a question's buttons. */
export async function tapAnswer(
  call: CommandCall,
  deps: CommandDeps,
  { token, text }: { readonly token: string; readonly text: string },
): Promise<CommandAnswer> {
  const open = await openDraft(call, deps, token);
  if ("problem" in open) return answer(open.problem);
  return (await answerDraft(call, deps, text)) ?? answer(call.locale.personas.outdated);
}

/** `/persona change [question]`: asks one of the questions again. */
export async function changeDraft(
  call: CommandCall,
  deps: CommandDeps,
  { token, field }: { readonly token: string; readonly field: string },
): Promise<CommandAnswer> {
  const open = await openDraft(call, deps, token);
  if ("problem" in open) return answer(open.problem);
  const { draft } = open;
  if (draft.eventId === call.eventId || draft.step !== "preview")
    return await showDraft(call, deps, draft);
  if (field === "") return askWhatToChange(draft, call);
  const parts = changeable(draft);
  const step = parts.find((each) => each === field.toLowerCase());
  if (step === undefined)
    return answer(
      `${call.locale.personas.badAction(typed(`change ${field}`))} ${parts.join(", ")}`,
    );
  const next = { ...draft, step, revision: draft.revision + 1, eventId: call.eventId };
  await keepDraft(deps, call.person, next);
  return await showDraft(call, deps, next);
}

/** `/persona preview`: shows again what would be saved, or the open question. */
export async function showAgain(call: CommandCall, deps: CommandDeps): Promise<CommandAnswer> {
  const open = await openDraft(call, deps);
  return "problem" in open ? answer(open.problem) : await showDraft(call, deps, open.draft);
}

/** `/persona cancel` */
export async function cancelDraft(call: CommandCall, deps: CommandDeps): Promise<CommandAnswer> {
  const open = await openDraft(call, deps);
  if ("problem" in open) return answer(open.problem);
  await dropDraft(deps, call.person);
  return answer(call.locale.personas.cancelled);
}
