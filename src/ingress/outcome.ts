import type { CommandAnswer } from "../commands/command.ts";
import type {
  Acceptance,
  InboundCommand,
  InboundMessage,
} from "../core/inbound.ts";

/** Something to say without a turn: by the adapter where it answers by itself, else through the outbox. */
export interface Reply extends Omit<CommandAnswer, "atMostOnce"> {
  readonly type: "reply";
  /** The platform's id of the message that it answers; absent: the one that arrived, and none in a direct chat. */
  readonly replyTo?: string | undefined;
  /** It says why nothing was done. */
  readonly refuses?: true;
  /** Does not count the event as seen, so that it can be accepted when it is delivered again. */
  readonly leavesUnseen?: true;
}

/** What a step decides. A step that decides nothing returns undefined, and the next step runs. */
export type Outcome =
  | Acceptance
  | Reply
  /** A tap that stands for something typed: the steps for that decide. */
  | {
      readonly type: "typed";
      readonly inbound: InboundMessage | InboundCommand;
    };
