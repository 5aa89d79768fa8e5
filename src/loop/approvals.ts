import type { Approval } from "../core/approval.ts";
import type { CallRequest, EndReason } from "../core/history.ts";
import { PermanentError } from "../core/errors.ts";
import { wordsFor } from "../words/words-for.ts";
import { cutText } from "./view/cut-text.ts";
import type { LoopDeps } from "./deps.ts";
import type { PreparedCall } from "./prepare-call.ts";
import type { TurnSession } from "./turn-session.ts";

/** The approval of one prepared call: for exactly these arguments, decided once, by somebody entitled. */
export function approvalFor(
  deps: LoopDeps,
  session: TurnSession,
  request: CallRequest,
  prepared: PreparedCall & { type: "ready" },
): Approval {
  if (prepared.verdict.type !== "confirm")
    throw new PermanentError(`${prepared.tool.name} needs no approval`);
  const { turn, round, requester } = session.state;
  const about = firstSentence(prepared.tool.description);
  return {
    v: 1,
    id: deps.store.newApprovalId(session.chat),
    chat: session.chat,
    turn,
    round,
    index: request.index,
    tool: prepared.tool.name,
    ...(about === "" ? {} : { about }),
    arguments: prepared.canonical,
    digest: prepared.digest,
    requester,
    approvers: prepared.verdict.approvers,
    askedAtMs: deps.clock.wall(),
    expiresAtMs: deps.clock.wall() + deps.approvalTtlMs,
  };
}

/** Characters of what a tool says of itself on a card. */
const maxAboutLength = 200;

function firstSentence(description: string): string {
  const line = description.trim().replaceAll(/\s+/g, " ");
  const [sentence = ""] = /^.*?[.!?](?=\s|$)/.exec(line) ?? [line];
  return cutText(sentence, maxAboutLength);
}

/** Calls on one card, where the chat has cards of several. */
const maxCallsPerCard = 8;

/** Asks for what one answer wants, in as few cards as may be: who may decide one call of a card may decide all. */
export function askAll(
  deps: Pick<LoopDeps, "callsPerCard">,
  session: TurnSession,
  approvals: readonly Approval[],
  reply: { readonly replyTo?: string },
): void {
  const most = deps.callsPerCard?.(session.chat) ?? maxCallsPerCard;
  const byApprovers = Map.groupBy(approvals, (each) => each.approvers);
  for (const same of byApprovers.values())
    for (let at = 0; at < same.length; at += most) {
      const [first, ...others] = same.slice(at, at + most);
      if (first === undefined) return;
      session.ask([first, ...others], reply);
    }
}

/** Closes every approval that the open round still waits for; its card says why. */
export function closeApprovals(session: TurnSession, reason: EndReason): void {
  for (const approval of session.pendingApprovals) {
    const say = wordsFor(approval.requester.language).decisions;
    if (reason === "superseded")
      session.close(approval, "superseded", say.superseded);
    else session.close(approval, "cancelled", say.stopped);
  }
}
