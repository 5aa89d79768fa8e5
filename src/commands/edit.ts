import { editApproval } from "../approvals/edit-approval.ts";
import { displayedId } from "../core/approval.ts";
import {
  isNumber,
  readTarget,
  waitingCards,
  type DecisionTarget,
  type WaitingCard,
} from "../approvals/waiting-cards.ts";
import { answer, answerTo, typed, type Command, type CommandCall } from "./command.ts";
import { described, optional } from "./menu.ts";

/**
 * `/edit [id] <name=value … | JSON>`: changes a pending call; it is shown again
 * and approved as changed.
 */
export const editCommand: Command = {
  spec: {
    ...described("edit", ({ edit }) => edit.description),
    arguments: [
      optional("id", ({ edit }) => edit.id),
      optional("change", ({ edit }) => edit.change),
    ],
  },
  role: "member",
  isPrivate: false,
  async run(call, deps) {
    const { locale, person, chatRole, chat } = call;
    const cards = waitingCards(await deps.approvals.shownOf(chat));
    const { id, change } = partsOf(call, cards);
    const read = readTarget(id === "" ? ["all"] : id.split(/\s+/), cards);
    if (read.type === "no-call") return answer(locale.decisions.noCall(typed(read.typed), "edit"));
    if (read.type === "unknown" || read.rest !== "") {
      if (cards.length === 0) return answer(locale.approvals.none);
      return answer(
        id === "" ? locale.decisions.which("edit") : locale.decisions.unknownId(typed(id)),
      );
    }
    const { target } = read;
    if (needsNumber(target, cards)) return answer(locale.decisions.which("edit"));
    const { approvalId } = target;
    if (change === "") {
      const asked = await deps.approvals.find(approvalId);
      return answer(locale.edits.how(asked ? displayedId(asked.approval) : id));
    }
    const outcome = await editApproval(
      deps,
      { approvalId, person, role: chatRole, chat },
      { type: "text", text: change },
    );
    return answerTo(outcome);
  },
};

/**
 * The first word is an id where it can be one: a change has a `=` in it, or begins with a brace.
 */
function partsOf(
  { argument, options }: CommandCall,
  cards: readonly WaitingCard[],
): { readonly id: string; readonly change: string } {
  if (options !== undefined) {
    const { id = "", change = "" } = options;
    // The first field is the one that people fill in.
    return isChange(id)
      ? { id: "", change: `${id} ${change}`.trim() }
      : { id: id.trim(), change: change.trim() };
  }
  const [, first = "", rest = ""] = /^(\S*)\s*([^]*)$/.exec(argument) ?? [];
  const isUnknown = readTarget([first], cards).type === "unknown";
  if (isChange(first) || (rest === "" && isUnknown)) return { id: "", change: argument };
  const [, number = "", change = ""] = /^(\S+)\s+([^]+)$/.exec(rest) ?? [];
  return isNumber(number) ? { id: `${first} ${number}`, change } : { id: first, change: rest };
}

const isChange = (word: string): boolean => /^\s*[{`]|=/.test(word);

/** Whether it means several calls of a card. Pure. */
export const needsNumber = (
  { approvalId, which }: DecisionTarget,
  cards: readonly WaitingCard[],
): boolean =>
  which === "all"
    ? cards.some(({ ids }) => ids.includes(approvalId) && ids.length > 1)
    : which !== "one";
