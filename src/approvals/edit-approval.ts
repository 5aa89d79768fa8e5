import { displayedId, type Approval } from "../core/approval.ts";
import type { InboundForm } from "../core/inbound.ts";
import { editData } from "../core/outbox.ts";
import { isAtLeast } from "../core/roles.ts";
import { visible } from "../text/visible-text.ts";
import type { ToolSchemas } from "../store/approvals/tool-schemas.ts";
import { localeFor } from "../locales/locale-for.ts";
import type { Locale } from "../locales/locale.ts";
import { decideAndWake, type AttemptOutcome, type DecidingDeps } from "./decide-approval.ts";
import {
  formJson,
  formText,
  onlyArgument,
  readEdit,
  readForm,
  readReply,
  type Editable,
  type EditInput,
  type EditProblem,
} from "./edit-input.ts";
import type { Fields } from "./hidden-values.ts";
import { pendingFor, type Refusal, type DecisionRequest } from "./pending-for.ts";
import { readSchema } from "./schema-problems.ts";

export interface EditingDeps extends DecidingDeps {
  readonly toolSchemas: Pick<ToolSchemas, "read">;
}

/** The edit, from a message or from the fields of `editForm`. */
export type Written =
  | { readonly type: "text"; readonly text: string }
  /** An answer to `editQuestion`. */
  | { readonly type: "reply"; readonly text: string }
  | {
      readonly type: "form";
      readonly filled: Readonly<Record<string, string>>;
    };

/**
 * Closes an approval as changed, if the person may decide it; a worker then
 * asks again with the new arguments. An invalid edit is explained and changes
 * nothing.
 */
export async function editApproval(
  deps: EditingDeps,
  attempt: DecisionRequest,
  written: Written,
): Promise<AttemptOutcome> {
  const asked = await askedAbout(deps, attempt);
  if (asked.type === "refused") return asked;
  const { editable, edits } = asked;
  const read = inputOf(editable, written);
  if (read.type === "problem") {
    const isVague = written.type === "reply" && read.problem.type === "not-json";
    const text = isVague ? questionText(editable, edits) : problemText(edits, read.problem);
    return { type: "refused", text, isInvalid: true };
  }
  const edit = {
    v: 1 as const,
    arguments: JSON.stringify(read.arguments),
    by: attempt.person,
  };
  return await decideAndWake(deps, { ...attempt, status: "changed", edit }, "one");
}

/** The calls of a card that this person may change. */
export async function callsToEdit(
  deps: EditingDeps,
  attempt: DecisionRequest,
): Promise<{ readonly type: "calls"; readonly calls: readonly Approval[] } | Refusal> {
  const { approvalId } = attempt;
  const card = await deps.approvals.find(approvalId);
  const views = await Promise.all(
    (card?.approval.together ?? []).map((id) => deps.approvals.find(id)),
  );
  const calls = views.flatMap((view) =>
    view?.status === "pending" && view.approval.arguments !== "{}" ? [view.approval] : [],
  );
  // They are decided by the same people.
  const first = await pendingFor(deps, { ...attempt, approvalId: calls[0]?.id ?? approvalId });
  if (first.type === "refused") return first;
  const { nothingToChange } = localeFor(attempt.person.language, attempt.person.id).edits;
  return calls.length === 0 ? { type: "refused", text: nothingToChange } : { type: "calls", calls };
}

/** The form in which arguments can be changed, and what to type where there are no forms. */
export async function editForm(
  deps: EditingDeps,
  attempt: DecisionRequest,
): Promise<{ readonly type: "form"; readonly form: InboundForm; readonly text: string } | Refusal> {
  const asked = await askedAbout(deps, attempt);
  if (asked.type === "refused") return asked;
  const { approval, editable, edits } = asked;
  const fields = formFields(editable, edits, maxFieldLength);
  if (fields === undefined) return { type: "refused", text: edits.noForm };
  const form = { data: editData(approval.id), title: edits.title, fields };
  return { type: "form", form, text: edits.how(displayedId(approval)) };
}

/**
 * The fields of such a form where it may be as long as the arguments. Changes nothing.
 * @param who may decide the approval.
 */
export async function fieldsToEdit(
  deps: Pick<EditingDeps, "toolSchemas">,
  approval: Approval,
  who: Pick<DecisionRequest, "person" | "role">,
): Promise<InboundForm["fields"]> {
  const { editable, edits } = await editableOf(deps, approval, who);
  return formFields(editable, edits, Infinity) ?? [];
}

/** What a person is asked where there are no forms: for the new value, or for what to change. */
export async function editQuestion(
  deps: EditingDeps,
  attempt: DecisionRequest,
): Promise<
  { readonly type: "question"; readonly approval: Approval; readonly text: string } | Refusal
> {
  const asked = await askedAbout(deps, attempt);
  if (asked.type === "refused") return asked;
  const { approval, editable, edits } = asked;
  return { type: "question", approval, text: questionText(editable, edits) };
}

function questionText(editable: Editable, say: Locale["edits"]): string {
  const only = onlyArgument(editable);
  return only === undefined
    ? say.newValues(listed(Object.keys(editable.arguments)))
    : say.newValue(shortly(only));
}

/** The call, if this person may change it, and in what words they are asked. */
async function askedAbout(deps: EditingDeps, attempt: DecisionRequest) {
  const pending = await pendingFor(deps, attempt);
  if (pending.type === "refused") return pending;
  return { ...pending, ...(await editableOf(deps, pending.approval, attempt)) };
}

async function editableOf(
  deps: Pick<EditingDeps, "toolSchemas">,
  { requester, tool, arguments: given }: Approval,
  { person, role }: Pick<DecisionRequest, "person" | "role">,
) {
  const { edits, cards } = localeFor(person.language, person.id);
  const editable: Editable = {
    arguments: JSON.parse(given) as Fields,
    schema: readSchema(await deps.toolSchemas.read(tool)),
    charactersOf: cards.characters,
    // The requester gave the value to the model, and admins run the bot; anyone
    // else was only asked whether the call may run.
    keepsHidden: person.id === requester.id || isAtLeast(role, "admin"),
  };
  return { edits, editable };
}

/** Ids of the form's fields: one per argument, or one for all. */
const fieldPrefix = "=";
const allField = "json";

function inputOf(editable: Editable, written: Written): EditInput {
  if (written.type === "text") return readEdit(written.text, editable);
  if (written.type === "reply") return readReply(written.text, editable);
  const { [allField]: all, ...fields } = written.filled;
  if (all !== undefined) return readEdit(all, editable);
  return readForm(
    Object.fromEntries(
      Object.entries(fields).map(([field, text]) => [field.slice(fieldPrefix.length), text]),
    ),
    editable,
  );
}

/** Discord's limits for a form: fields, characters in a field, characters of a field's label. */
const maxFields = 5;
const maxFieldLength = 4_000;
const maxLabelLength = 45;
/** Characters that fit into a single-line field. */
const maxLineLength = 100;

/**
 * One field per argument if all are few and plain, else one for all; undefined: too long for a
 * form.
 */
function formFields(
  editable: Editable,
  say: Locale["edits"],
  maxLength: number,
): InboundForm["fields"] | undefined {
  const given = Object.entries(editable.arguments).toSorted(
    ([one], [other]) => Number(isChoice(one, editable)) - Number(isChoice(other, editable)),
  );
  const texts = given.map(([name, value]) => formText(name, value, editable));
  const isPlain =
    given.length > 0 &&
    given.length <= maxFields &&
    given.every(
      ([name, value]) =>
        name.trim() !== "" &&
        visible(name).length <= maxLabelLength &&
        (typeof value !== "object" || value === null),
    ) &&
    texts.every(({ length }) => length <= maxLength);
  if (isPlain)
    return given.map(([name], index) => {
      const value = texts[index] ?? "";
      return {
        id: `${fieldPrefix}${name}`,
        label: visible(name),
        value,
        long: value.length > maxLineLength || value.includes("\n"),
      };
    });
  const value = formJson(editable);
  return value.length > maxLength
    ? undefined
    : [{ id: allField, label: say.asJson, value, long: true }];
}

/** Asked for last: who types at once what the call is to say means another argument. */
const isChoice = (name: string, { schema }: Editable): boolean =>
  schema.properties?.[name]?.enum !== undefined;

/** Names and choices that a sentence lists, and characters of one of them. */
const maxListed = 20;
const maxNameLength = 100;

/** Names from tools and people, without invisible characters. */
const shortly = (name: string): string =>
  visible(name.length > maxNameLength ? `${name.slice(0, maxNameLength).toWellFormed()}…` : name);

const listed = (names: readonly string[]): string =>
  [...names.slice(0, maxListed).map(shortly), ...(names.length > maxListed ? ["…"] : [])].join(
    ", ",
  );

function problemText(say: Locale["edits"], problem: EditProblem): string {
  switch (problem.type) {
    case "not-json":
      return say.notJson;
    case "hidden":
      return say.isHidden(shortly(problem.path));
    case "kept-hidden":
      return say.keptHidden(shortly(problem.path));
    case "same":
      return say.same;
    case "too-long":
      return say.tooLong(problem.most);
    case "missing":
      return say.isMissing(shortly(problem.path));
    case "unknown":
      return say.unknownName(shortly(problem.path), listed(problem.known));
    case "type": {
      const what = problem.expected.map((type) => say.types[type]).join(" / ");
      return say.expected(shortly(problem.path), what);
    }
    case "choice": {
      const choices = problem.choices.map((each) => JSON.stringify(each));
      return say.expected(shortly(problem.path), say.oneOf(listed(choices)));
    }
    default:
      return problem satisfies never;
  }
}
