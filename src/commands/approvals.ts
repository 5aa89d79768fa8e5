import { showHidden } from "../approvals/show-hidden.ts";
import { readTarget, waitingCards } from "../approvals/waiting-cards.ts";
import { displayedId, type ApprovalView } from "../core/approval.ts";
import { decisionLine } from "../text/argument-line.ts";
import { visible } from "../text/visible-text.ts";
import { deciders } from "../locales/deciders.ts";
import { span } from "../locales/span.ts";
import { toolTitleAndName } from "../locales/tool-title.ts";
import {
  answer,
  typed,
  type Command,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "./command.ts";
import { described, optional } from "./menu.ts";
import { commandIn } from "../locales/locale-for.ts";

/** Approvals in one answer. */
const maxShown = 10;
/**
 * Characters of an answer after which no further approval begins: where an action goes is never
 * cut.
 */
const maxLength = 6_000;

/**
 * `/approvals`: what is pending for a person in this chat, who may decide it,
 * and how to do so without its card. `/approvals <id>` shows in private what
 * its card hides.
 */
export const approvalsCommand: Command = {
  spec: {
    ...described("approvals", ({ approvals }) => approvals.description),
    arguments: [optional("id", ({ approvals }) => approvals.id)],
  },
  role: "member",
  isPrivate: false,
  async run(call, deps) {
    const { locale, argument } = call;
    const pending = await deps.approvals.shownOf(call.chat);
    if (argument !== "") return await hiddenOf(call, deps, pending);
    if (pending.length === 0) return answer(locale.approvals.none);
    const lines: string[] = [];
    let shown = 0;
    let length = 0;
    for (const view of pending.slice(0, maxShown)) {
      if (length >= maxLength) break;
      const about = linesOf(view, call, deps.now());
      length += about.join("\n").length;
      lines.push(...about);
      shown += 1;
    }
    const hidden = pending.length - shown;
    return answer(
      locale.approvals.heading(pending.length),
      ...lines,
      ...(hidden > 0 ? ["", locale.approvals.more(hidden)] : []),
    );
  },
};

async function hiddenOf(
  { argument, locale, person, chatRole, chat, eventId }: CommandCall,
  deps: CommandDeps,
  pending: readonly ApprovalView[],
): Promise<CommandAnswer> {
  const read = readTarget(argument.split(/\s+/), waitingCards(pending));
  if (read.type !== "target" || read.rest !== "")
    return answer(locale.decisions.unknownId(typed(argument)));
  const { approvalId, which } = read.target;
  const attempt = { approvalId, eventId, person, role: chatRole, chat };
  const outcome = await showHidden(deps, attempt, which);
  return outcome.type === "shown" ? { text: outcome.text, isPrivate: true } : answer(outcome.text);
}

function linesOf(
  { approval, approvedFirst }: ApprovalView,
  { locale }: CommandCall,
  nowMs: number,
): readonly string[] {
  const title = toolTitleAndName(approval, locale);
  const { requester, expiresAtMs, persons, direct } = approval;
  const id = displayedId(approval);
  const { askedFor, expiresIn } = locale.approvals;
  const who = deciders(locale.decisions, approval, visible(requester.name));
  const { decides, youDecide, twoDecide, firstOfTwo } = locale.cards;
  const shown = decisionLine(approval.arguments, locale.cards);
  return [
    "",
    `${visible(title)}: ${askedFor(visible(requester.name))}, ${expiresIn(leftOf(expiresAtMs - nowMs, locale.cards))}`,
    ...(shown === "" ? [] : [shown]),
    direct ? youDecide : persons === 2 ? twoDecide(who) : decides(who),
    ...(approvedFirst ? [firstOfTwo(visible(approvedFirst.name))] : []),
    commandIn(locale, `/approve {id:${id}}`),
    commandIn(locale, `/deny {id:${id}}`),
  ];
}

/** At least a minute: ended ones are not listed. */
const leftOf = (ms: number, words: CommandCall["locale"]["cards"]): string =>
  span(Math.max(1, Math.ceil(ms / 60_000)) * 60_000, words);
