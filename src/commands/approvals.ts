import type { Approval } from "../core/approval.ts";
import { duration } from "./amounts.ts";
import { answer, type Command, type CommandCall } from "./command.ts";
import { described } from "./menu.ts";

/** Approvals in one answer. */
const maxShown = 10;

/**
 * `/approvals`: what waits for a person in this chat, and how to decide it without its card. Arguments are on the card
 * alone, which shows them as they may be shown.
 */
export const approvalsCommand: Command = {
  spec: described("approvals", ({ approvals }) => approvals.description),
  role: "member",
  isPrivate: false,
  async run(call, { approvals, now }) {
    const { words } = call;
    const pending = await approvals.shownOf(call.chat);
    if (pending.length === 0) return answer(words.approvals.none);
    const hidden = pending.length - maxShown;
    return answer(
      words.approvals.heading(pending.length),
      ...pending
        .slice(0, maxShown)
        .flatMap(({ approval }) => linesOf(approval, call, now())),
      ...(hidden > 0 ? ["", words.approvals.more(hidden)] : []),
    );
  },
};

function linesOf(
  { id, tool, requester, expiresAtMs }: Approval,
  { words }: CommandCall,
  nowMs: number,
): readonly string[] {
  const { askedFor, expiresIn } = words.approvals;
  const leftMinutes = Math.max(1, Math.ceil((expiresAtMs - nowMs) / 60_000));
  return [
    "",
    `${tool}: ${askedFor(requester.name)}, ${expiresIn(duration(leftMinutes * 60_000))}`,
    `/approve ${id}`,
    `/deny ${id}`,
  ];
}
