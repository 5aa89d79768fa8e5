import type { Approval, ApprovalEdit } from "../core/approval.ts";
import type { Person } from "../core/chat.ts";
import type { Role } from "../core/roles.ts";

/** One person's try to decide an approval. */
export interface Attempt {
  readonly approvalId: string;
  /** The tap, command or message that it came with: delivered again, it is the same try. */
  readonly eventId?: string | undefined;
  /** `changed`: they have written other arguments, which are to be asked about instead. */
  readonly status: "approved" | "denied" | "changed";
  readonly person: Person;
  readonly role: Role;
  /** The chat in which the person did it. */
  readonly chat: string;
  /** The platform's id of the message whose button was tapped; absent when typed. */
  readonly messageId?: string | undefined;
  readonly reason?: string | undefined;
  /** Given with `changed`. */
  readonly edit?: ApprovalEdit | undefined;
  /** Milliseconds since the epoch: the person has been told by then that it did not count. */
  readonly notAfterMs?: number | undefined;
}

/** What of a card an attempt is about: the call that it names, all of them, or those with these ids. */
export type Which = "one" | "all" | readonly string[];

export type AttemptOutcome =
  | {
      readonly type: "decided";
      readonly approval: Approval;
      readonly text: string;
    }
  /** As the first of two approvals that are needed: it goes on waiting. */
  | {
      readonly type: "counted";
      readonly approval: Approval;
      readonly text: string;
    }
  /** `expired`: it turned out to have expired just now, which its chat does not know yet. */
  | {
      readonly type: "refused";
      readonly text: string;
      readonly expired?: Approval;
      /** It was decided before, on another card than the tapped one. */
      readonly isStale?: true;
    };
