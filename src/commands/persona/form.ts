import type { InboundForm } from "../../core/inbound.ts";
import type { DraftQuestion, PersonaDraft } from "../../core/persona-draft.ts";
import type { PersonaExtrasFormat } from "../../core/persona.ts";
import { answer, type CommandAnswer, type CommandCall, type CommandDeps } from "../command.ts";
import { automatic, maxChatPrompt, missingIn, readAnswer, toolWords } from "./answer-question.ts";
import { formButton } from "./available.ts";
import {
  contextOf,
  keepDraft,
  newDraft,
  openDraft,
  showDraft,
  takenNames,
  whyNotMake,
} from "./dialogue.ts";
import { composePrompt, extrasOf } from "./draft-persona.ts";
import { draftOfChange } from "./manage.ts";
import { nameFrom, nameIn } from "./name-from.ts";
import { tokenOf } from "./preview.ts";
import { changeable } from "./questions.ts";

/** A form's title and the labels of its fields may have so many characters. */
const maxLabel = 45;
const longFields: ReadonlySet<DraftQuestion> = new Set(["purpose", "style", "prompt", "extras"]);
/** Fields of a form. */
const maxFields = 5;

/** What a form asks for: what fits. */
const fieldsOf = (draft: PersonaDraft, format: PersonaExtrasFormat): readonly DraftQuestion[] =>
  changeable(draft)
    .filter((field) => valueOf(draft, field, format).length <= maxChatPrompt)
    .slice(0, maxFields);

const valueOf = (
  draft: PersonaDraft,
  field: DraftQuestion,
  format: PersonaExtrasFormat,
): string => {
  switch (field) {
    case "extras":
      return format.write(extrasOf(draft));
    case "tools":
      if (draft.tools === undefined) return toolWords.all;
      return draft.tools.length === 0 ? toolWords.none : draft.tools.join(", ");
    case "model":
      return draft.model ?? draft.tier ?? automatic;
    default:
      return draft[field] ?? (field === "prompt" ? composePrompt(draft) : "");
  }
};

/**
 * The form of `/persona new`, `edit <name>` and `change <token>`, where forms can be opened.
 * @param argument what would be typed.
 */
export async function personaForm(
  call: CommandCall,
  deps: CommandDeps,
  argument: string,
): Promise<{ readonly form: InboundForm } | { readonly problem: string }> {
  const begun = await formDraft(call, deps, argument);
  if ("problem" in begun) return begun;
  const { draft } = begun;
  const { personas } = call.locale;
  const title =
    draft.of === undefined ? personas.formTitle : personas.formTitleOfChange(draft.name);
  return {
    form: {
      data: formButton("", argument).data,
      title: title.slice(0, maxLabel),
      fields: fieldsOf(draft, deps.personaExtras).map((field) => ({
        id: field,
        label: personas.fields[field].slice(0, maxLabel),
        value: valueOf(draft, field, deps.personaExtras),
        long: longFields.has(field),
      })),
    },
  };
}

async function formDraft(
  call: CommandCall,
  deps: CommandDeps,
  argument: string,
): Promise<{ readonly draft: PersonaDraft } | { readonly problem: string }> {
  const [action = "", ...words] = argument.split(" ");
  const rest = words.join(" ");
  const refusal = whyNotMake(call);
  if (refusal !== undefined) return { problem: refusal };
  if (action === "new") return { draft: newDraft(call, { name: nameIn(rest) }) };
  return action === "edit"
    ? await draftOfChange(call, deps, rest)
    : await openDraft(call, deps, rest);
}

/** A form that was sent: its preview, or what is wrong with it and a way to correct it. */
export async function submitForm(
  call: CommandCall,
  deps: CommandDeps,
  {
    argument,
    filled,
  }: { readonly argument: string; readonly filled: Readonly<Record<string, string>> },
): Promise<CommandAnswer> {
  const begun = await formDraft(call, deps, argument);
  if ("problem" in begun) return answer(begun.problem);
  const { personas } = call.locale;
  const context = await contextOf(call, deps);
  let draft: PersonaDraft = {
    ...begun.draft,
    step: "preview",
    isComplete: true,
    revision: begun.draft.revision + 1,
    eventId: call.eventId,
  };
  const problems: string[] = [];
  let wrong: DraftQuestion | undefined;
  const format = deps.personaExtras;
  for (const field of fieldsOf(begun.draft, format)) {
    const text = filled[field]?.trim() ?? "";
    const isSame = text === valueOf(begun.draft, field, format);
    const isLeft = isSame && (text !== "" || field === "description");
    if (isLeft || (text === "" && (field === "name" || field === "extras"))) continue;
    // The only one that may be emptied.
    if (field === "description" && text === "") {
      draft = { ...draft, description: "" };
      continue;
    }
    const answered = readAnswer(field, text, { ...context, draft });
    if ("problem" in answered) {
      problems.push(`${personas.fields[field]}: ${answered.problem}`);
      wrong ??= field;
    } else draft = { ...draft, ...answered.fields };
  }
  if (begun.draft.of === undefined) {
    const taken = await takenNames(call, deps);
    if (draft.name === "") draft = { ...draft, name: nameFrom(draft.purpose, taken) };
    else if (taken.has(draft.name)) {
      problems.push(personas.taken(draft.name));
      wrong ??= "name";
    }
  }
  // What is wrong stays an open question.
  draft = { ...draft, step: missingIn(draft) ?? wrong ?? "preview" };
  await keepDraft(deps, call.person, draft);
  if (problems.length === 0) return await showDraft(call, deps, draft);
  const again = formButton(personas.change, `change ${tokenOf(draft)}`, "change");
  return { ...answer(...problems), buttons: [again] };
}
