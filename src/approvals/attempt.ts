import type { Approval, ApprovalEdit } from "../core/approval.ts";
import type { Person } from "../core/chat.ts";
import type { Role } from "../core/roles.ts";

/** One person's attempt to decide an approval. */
export interface Attempt {
  readonly approvalId: string;
  /** Id of the tap, command or message: a repeated delivery is the same attempt. */
  readonly eventId?: string | undefined;
  /** `changed`: they wrote other arguments to ask about instead. */
  readonly status: "approved" | "denied" | "changed";
  readonly person: Person;
  readonly role: Role;
  /** The chat of the tap, command or message. */
  readonly chat: string;
  /** The platform's id of the message whose button was tapped; absent when typed. */
  readonly messageId?: string | undefined;
  readonly reason?: string | undefined;
  /** Given with `changed`. */
  readonly edit?: ApprovalEdit | undefined;
  /**
   * Milliseconds since the epoch: after this the person was informed that the attempt did not
   * count.
   */
  readonly notAfterMs?: number | undefined;
}

/** One person's attempt to act on a pending approval. */
export type DecisionRequest = Omit<Attempt, "status" | "reason" | "edit">;

/** The calls of a card that an attempt decides: the named one, all, or those with these ids. */
export type Which = "one" | "all" | readonly string[];

export type AttemptOutcome =
  | {
      readonly type: "decided";
      readonly approval: Approval;
      readonly text: string;
    }
  /** The first of two required approvals: the call is still pending. */
  | {
      readonly type: "counted";
      readonly approval: Approval;
      readonly text: string;
    }
  /** `expired`: it expired just now, and its chat has not been notified yet. */
  | {
      readonly type: "refused";
      readonly text: string;
      readonly expired?: Approval;
      /** The change itself is wrong: they may write another one. */
      readonly isInvalid?: true;
      /** It was decided before, on another card than the tapped one. */
      readonly isStale?: true;
    };
