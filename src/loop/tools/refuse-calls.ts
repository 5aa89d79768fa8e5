import { journalKey } from "../../core/turn.ts";
import type { Command } from "../machine/decide.ts";
import { notBegun } from "../sentences.ts";
import type { TurnContext } from "../turn-context.ts";
import { closeApprovals } from "./approvals.ts";

/**
 * Settles calls that will not run. Their cards are closed; one that isn't posted yet never is.
 * @throws TurnLeft
 */
export async function refuseCalls(
  { session }: TurnContext,
  { indexes, because }: Command & { type: "refuse-calls" },
): Promise<void> {
  if (because === "max-tool-executions") {
    for (const index of indexes)
      session.record({
        type: "call-settled",
        index,
        status: "failed",
        failure: "limit-reached",
        elapsedMs: 0,
      });
    return;
  }
  // A decision made just now turns the commit away that closes its card: results must not be lost then.
  if (session.hasPostedCards) await session.commit();
  closeApprovals(session, because);
  const { turn, round } = session.state;
  for (const index of indexes) {
    session.write(journalKey(turn, round, index), {
      v: 1,
      text: notBegun(because),
      failure: "superseded",
    });
    session.record({
      type: "call-settled",
      index,
      status: "superseded",
      failure: "superseded",
      elapsedMs: 0,
    });
  }
}
