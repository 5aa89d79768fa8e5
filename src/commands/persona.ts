import { draftTargets } from "../core/persona-draft.ts";
import { answer, typed, type Command, type CommandCall } from "./command.ts";
import { described, optional } from "./menu.ts";
import { beginDraft, cancelDraft, changeDraft, showAgain, tapAnswer } from "./persona/dialogue.ts";
import { personaForm, submitForm } from "./persona/form.ts";
import {
  deletePersona,
  editPersona,
  rollBack,
  showHistory,
  showPersona,
} from "./persona/manage.ts";
import { pickPersona, showPersonas } from "./persona/pick.ts";
import { approveDraft } from "./persona/save.ts";

const nameOf = (required: boolean) => ({
  ...described("name", ({ persona }) => persona.persona),
  required,
});
const forArgument = optional("for", ({ persona }) => persona.for, {
  choices: ["me", "chat", "place"],
});
const managed = (action: "edit" | "show" | "delete" | "history") => ({
  ...described(action, ({ persona }) => persona[action]),
  action,
  arguments: [nameOf(true)],
});

/**
 * `/persona [name] [me|chat|place]` chooses who answers; `new`, `edit`, `show`, `delete`, `history`
 * and a name do what they say. The buttons below its answers are more of its actions.
 */
export const personaCommand: Command = {
  spec: {
    ...described("persona", ({ persona }) => persona.description),
    arguments: [
      optional("name", ({ persona }) => persona.name),
      optional("for", ({ persona }) => persona.for),
    ],
    isInOrder: true,
    subcommands: [
      {
        ...described("pick", ({ persona }) => persona.pick),
        action: "pick",
        arguments: [nameOf(false), forArgument],
      },
      {
        ...described("new", ({ persona }) => persona.new),
        action: "new",
        arguments: [optional("called", ({ persona }) => persona.newName)],
        opens: "new",
      },
      { ...managed("edit"), opens: "edit" },
      managed("show"),
      managed("delete"),
      managed("history"),
    ],
  },
  role: "guest",
  isPrivate: false,
  form: personaForm,
  async run(call, deps) {
    const { options } = call;
    if (options?.["form"] !== undefined)
      return await submitForm(call, deps, { argument: options["form"], filled: options });
    const { action, token, first, second, rest } = requestOf(call);
    switch (action) {
      case "":
        return await showPersonas(call, deps);
      case "pick":
        return first === ""
          ? await showPersonas(call, deps)
          : await pickPersona(call, deps, { name: first, scope: second });
      case "new":
        return await beginDraft(call, deps, `${first} ${second}`.trim());
      case "edit":
        return await editPersona(call, deps, { name: first, text: rest });
      case "show":
        return first === "" ? await showPersonas(call, deps) : await showPersona(call, deps, first);
      case "delete":
        return await deletePersona(call, deps, { name: first, isSure: /^yes$/i.test(second) });
      case "history":
        return await showHistory(call, deps, { name: first, version: second });
      case "rollback":
        return await rollBack(call, deps, { name: first, version: second });
      case "answer":
        return await tapAnswer(call, deps, { token, text: first });
      case "approve": {
        const target = draftTargets.find((each) => each === (first.toLowerCase() || "me"));
        return target === undefined
          ? answer(call.locale.personas.badTarget(typed(first)))
          : await approveDraft(call, deps, { token, target });
      }
      case "change":
        return await changeDraft(call, deps, { token, field: first });
      case "preview":
        return await showAgain(call, deps);
      case "cancel":
        return await cancelDraft(call, deps);
      default:
        return await pickPersona(call, deps, { name: action, scope: first });
    }
  },
};

/** Buttons add which preview they were below: `k3x9Qa.7`. */
const isToken = (word: string): boolean => /^[\w-]{6}\.\d{1,6}$/.test(word);

/** What is typed, or selected in fields. */
function requestOf({ argument, options }: CommandCall) {
  if (options !== undefined) {
    const [action, first, second] = ["action", "name", "for"].map((each) =>
      (options[each] ?? "").trim(),
    );
    const named = first || (options["called"] ?? "").trim();
    return { action: action || "pick", token: "", first: named, second: second ?? "", rest: "" };
  }
  const [action = "", ...words] = argument.split(/\s+/);
  const [first = "", second = ""] = words.filter((word) => !isToken(word));
  const token = words.find(isToken) ?? "";
  const rest = argument.replace(/^\S*\s*\S*\s*/, "").trim();
  return { action: action.toLowerCase(), token, first, second, rest };
}
