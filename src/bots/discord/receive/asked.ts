import { isUserInstall } from "../../../core/chat.ts";
import type { InboundCommand, InboundMessage, InboundTap } from "../../../core/inbound.ts";
import type { PointedAt } from "./pointed-messages.ts";
import type { Typing } from "./suggest.ts";

/** The kinds of interactions, which are acknowledged differently. */
export type Asked =
  | {
      readonly type: "question";
      readonly inbound: InboundMessage;
      /** The question as everyone sees it. */
      readonly echo: string;
    }
  | {
      readonly type: "command";
      readonly inbound: InboundCommand;
      /** A turn answers, for everyone: its request is shown to everyone too. */
      readonly startsTurn: boolean;
    }
  | { readonly type: "tap"; readonly inbound: InboundTap }
  /** A button that opens a form, which the ingress fills: it cannot be acknowledged before. */
  | { readonly type: "opening"; readonly tap: InboundTap }
  /** A message was chosen; what is to be known about it is asked with a form. */
  | { readonly type: "form"; readonly about: PointedAt }
  /**
   * The user is typing and wants suggestions. Undefined: for another app's
   * command.
   */
  | { readonly type: "suggestions"; readonly typing: Typing | undefined }
  /** A component that isn't ours; the user is notified. */
  | { readonly type: "nothing"; readonly text: string };

/** Kinds that the ingress decides. */
export type Decidable = Extract<Asked, { readonly inbound: unknown }>;

/** Everyone sees the turn's answer, so everyone sees the request too. */
export const isShownToAll = (asked: Decidable): boolean =>
  !isUserInstall(asked.inbound.address) &&
  (asked.type === "question" || (asked.type === "command" && asked.startsTurn));
