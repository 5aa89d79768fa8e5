import type { Approval } from "../core/approval.ts";
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
  const pending = await pendingFor(deps, attempt);
  if (pending.type === "refused") return pending;
  const locale = localeFor(attempt.person.language);
  const editable = await editableOf(deps, pending.approval, attempt);
  const read = inputOf(editable, written);
  if (read.type === "problem") {
    const isVague = written.type === "reply" && read.problem.type === "not-json";
    const text = isVague
      ? questionText(editable, locale.edits)
      : problemText(locale.edits, read.problem);
    return { type: "refused", text };
  }
  const edit = {
    v: 1 as const,
    arguments: JSON.stringify(read.arguments),
    by: attempt.person,
  };
  return await decideAndWake(deps, { ...attempt, status: "changed", edit }, "one");
}

/** The form in which arguments can be changed. */
export async function editForm(
  deps: EditingDeps,
  attempt: DecisionRequest,
): Promise<{ readonly type: "form"; readonly form: InboundForm } | Refusal> {
  const pending = await pendingFor(deps, attempt);
  if (pending.type === "refused") return pending;
  const { approval } = pending;
  const locale = localeFor(attempt.person.language);
  const editable = await editableOf(deps, approval, attempt);
  const fields = formFields(editable, locale.edits);
  return fields === undefined
    ? { type: "refused", text: locale.edits.noForm }
    : {
        type: "form",
        form: {
          data: editData(approval.id),
          title: locale.edits.title,
          fields,
        },
      };
}

/** What a person is asked where there are no forms: for the new value, or for what to change. */
export async function editQuestion(
  deps: EditingDeps,
  attempt: DecisionRequest,
): Promise<
  { readonly type: "question"; readonly approval: Approval; readonly text: string } | Refusal
> {
  const pending = await pendingFor(deps, attempt);
  if (pending.type === "refused") return pending;
  const { approval } = pending;
  const { edits } = localeFor(attempt.person.language);
  const editable = await editableOf(deps, approval, attempt);
  return { type: "question", approval, text: questionText(editable, edits) };
}

function questionText(editable: Editable, say: Locale["edits"]): string {
  const only = onlyArgument(editable);
  return only === undefined
    ? say.newValues(listed(Object.keys(editable.arguments)))
    : say.newValue(shortly(only));
}

async function editableOf(
  { toolSchemas }: EditingDeps,
  approval: Approval,
  { person, role }: DecisionRequest,
): Promise<Editable> {
  const { requester, tool } = approval;
  return {
    arguments: JSON.parse(approval.arguments) as Fields,
    schema: readSchema(await toolSchemas.read(tool)),
    charactersOf: localeFor(person.language).cards.characters,
    // The requester gave the value to the model, and admins run the bot; anyone
    // else was only asked whether the call may run.
    keepsHidden: person.id === requester.id || isAtLeast(role, "admin"),
  };
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
function formFields(editable: Editable, say: Locale["edits"]): InboundForm["fields"] | undefined {
  const given = Object.entries(editable.arguments);
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
    texts.every(({ length }) => length <= maxFieldLength);
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
  return value.length > maxFieldLength
    ? undefined
    : [{ id: allField, label: say.asJson, value, long: true }];
}

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
