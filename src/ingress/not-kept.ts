import type { ChatKey } from "../core/chat.ts";
import { unreachable } from "../core/errors.ts";
import { isAtLeast } from "../core/roles.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import type { Outcome } from "./outcome.ts";

/** A chat is notified once in this time, in ms; a person who waits for an answer every time. */
const windowMs = 60_000;
const maxRemembered = 10_000;

type Refused = Pick<Arrived, "inbound" | "chat" | "role" | "locale" | "pace">;

/**
 * Answers events that could not be stored, since the store's memory is full. Remembers the notified
 * chats in this process: they could not be stored either.
 */
export class NotKept {
  readonly #deps: Pick<AcceptDeps, "log" | "newErrorId" | "now">;
  /** By chat, oldest first. */
  readonly #notifiedAtMs = new Map<ChatKey, number>();

  constructor(deps: Pick<AcceptDeps, "log" | "newErrorId" | "now">) {
    this.#deps = deps;
  }

  decide(arrived: Refused): Outcome {
    const { inbound, chat, role, pace } = arrived;
    const isKnown = isAtLeast(role, "guest");
    switch (inbound.type) {
      case "edit":
      case "join":
        return { type: "ignored" };
      case "tap":
        return { type: "refused", text: this.#say(arrived, "notDone") };
      case "command":
        return inbound.answersItself || isKnown || this.#isFirst(chat)
          ? {
              type: "reply",
              text: this.#say(arrived, "notDone"),
              ...(inbound.answersItself ? { refuses: true } : {}),
            }
          : { type: "refused" };
      case "message":
        if (inbound.answersItself || (isKnown && this.#isFirst(chat)))
          return { type: "not-kept", text: this.#say(arrived, "notKept") };
        return isKnown ? pace.marked(inbound.person) : { type: "refused" };
      default:
        return unreachable(inbound);
    }
  }

  #say({ inbound, chat, locale }: Refused, sentence: "notKept" | "notDone"): string {
    const { log, newErrorId } = this.#deps;
    const errorId = newErrorId();
    log.warn(
      { chat, what: inbound.type, errorId },
      "the store's memory is full: an event wasn't saved, and its sender is notified",
    );
    return locale.ingress[sentence](errorId);
  }

  /** Whether this chat has not been notified within the window. */
  #isFirst(chat: ChatKey): boolean {
    const nowMs = this.#deps.now();
    if (nowMs - (this.#notifiedAtMs.get(chat) ?? -Infinity) < windowMs) return false;
    this.#notifiedAtMs.delete(chat);
    const [oldest] = this.#notifiedAtMs.keys();
    if (oldest !== undefined && this.#notifiedAtMs.size >= maxRemembered)
      this.#notifiedAtMs.delete(oldest);
    this.#notifiedAtMs.set(chat, nowMs);
    return true;
  }
}
