import {
  decideAndWake,
  type Attempt,
  type AttemptOutcome,
} from "../../src/approvals/decide-approval.ts";
import type { ApprovalStore } from "../../src/store/approvals/approvals.ts";

const nothing = () => Promise.resolve();

/**
 * Decides one call where nothing is audited or woken, and everyone who approved first still may.
 */
export const decideApproval = (
  approvals: ApprovalStore,
  attempt: Attempt,
  which: "one" | "all" = "one",
): Promise<AttemptOutcome> => {
  return decideAndWake(
    {
      approvals,
      audit: { write: nothing },
      access: {
        roleOf: () => Promise.resolve("member"),
        roleNow: () => Promise.resolve("member"),
        trustsGroupAdmins: true,
      },
      wakeTurn: nothing,
      wakeDelivery: nothing,
    },
    attempt,
    which,
  );
};

/** The same for all calls of a card. */
export const decideTogether = (
  approvals: ApprovalStore,
  attempt: Attempt,
): Promise<AttemptOutcome> => decideApproval(approvals, attempt, "all");
