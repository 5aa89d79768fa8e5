import type { Approval } from "../../src/core/approval.ts";
import type { ChatKey } from "../../src/core/chat.ts";
import type { BegunTurn, Commit, TurnStore } from "../../src/core/ports.ts";
import { approvalOf, begun, committed, stateOf, waitingFor } from "./support.ts";

/** The commit with which a chat's first turn asks for these, and gives the chat back. */
export const asking = (turn: Pick<BegunTurn, "state">, approvals: readonly Approval[]): Commit => ({
  state: waitingFor(stateOf(turn), approvals),
  turn: 1,
  ask: [...approvals],
  release: {},
});

/** The same calls, in their order, as one card asks for them. */
function onOneCard(calls: readonly Approval[]): readonly Approval[] {
  const together = calls.map(({ id }) => id);
  return calls.length === 1 ? calls : calls.map((each) => ({ ...each, together }));
}

/** As many calls as there are changes to an ordinary one, on one card. */
export const callsOnOneCard = (
  turns: TurnStore,
  chat: ChatKey,
  changes: readonly Partial<Approval>[],
): readonly Approval[] =>
  onOneCard(changes.map((more, index) => approvalOf(turns, chat, { index, ...more })));

/** Begins the first turn of a chat in which a message waits: it asks for one call, and waits. */
export async function askedIn(
  turns: TurnStore,
  chat: ChatKey,
  more: Partial<Approval> = {},
): Promise<Approval> {
  const turn = await begun(turns, chat);
  const approval = approvalOf(turns, chat, more);
  await committed(turns, turn, asking(turn, [approval]));
  return approval;
}
