import type { CommandAnswer } from "../commands/command.ts";
import type { ChatKey } from "../core/chat.ts";
import type { Acceptance, InboundCommand, InboundMessage } from "../core/inbound.ts";

/**
 * A message without a turn: shown by the adapter if it answers itself, otherwise sent through the
 * outbox.
 */
export interface Reply extends Omit<CommandAnswer, "atMostOnce"> {
  readonly type: "reply";
  /**
   * The platform's id of the message that it replies to; absent: the one that arrived, and none in
   * a direct chat.
   */
  readonly replyTo?: string | undefined;
  /** Where the reply goes; absent: where the event came from. */
  readonly chat?: ChatKey;
  /** It says why nothing was done. */
  readonly refuses?: true;
  /** Does not count the event as seen, so that it can be accepted when it is delivered again. */
  readonly leavesUnseen?: true;
}

/** What a step decides. A step that decides nothing returns undefined, and the next step runs. */
export type Outcome =
  | Acceptance
  | Reply
  /**
   * A tap that is equivalent to a typed message, or a message that is meant for the bot after all: the
   * steps for messages decide. `near`: it is read in another place than that of its event.
   */
  | {
      readonly type: "typed";
      readonly inbound: InboundMessage | InboundCommand;
      readonly near?: { readonly chat: ChatKey };
    };
