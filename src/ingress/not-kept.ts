import type { ChatKey } from "../core/chat.ts";
import { unreachable } from "../core/errors.ts";
import type { Acceptance } from "../core/inbound.ts";
import { isAtLeast } from "../core/roles.ts";
import { answerOnce } from "./answers.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";

/** A chat hears of it once in this time, in ms; whoever waits for an answer hears it every time. */
const windowMs = 60_000;
const maxRemembered = 10_000;

/**
 * What becomes of what could not be written down, since the store's memory is full. Whom it has told it remembers itself:
 * that could not be written down either.
 */
export class NotKept {
  readonly #deps: AcceptDeps;
  /** By chat, oldest first. */
  readonly #toldAtMs = new Map<ChatKey, number>();

  constructor(deps: AcceptDeps) {
    this.#deps = deps;
  }

  async notify(arrived: Arrived): Promise<Acceptance> {
    const { inbound, chat, role } = arrived;
    const isKnown = isAtLeast(role, "guest");
    switch (inbound.type) {
      case "edit":
        return { type: "ignored" };
      case "tap":
        return { type: "refused", text: this.#say(arrived, "notDone") };
      case "command":
        if (inbound.answersItself)
          return { type: "refused", text: this.#say(arrived, "notDone") };
        if (!isKnown && !this.#isFirst(chat)) return { type: "refused" };
        return await answerOnce(this.#deps, arrived, {
          text: this.#say(arrived, "notDone"),
        });
      case "message":
        if (inbound.answersItself)
          return { type: "not-kept", text: this.#say(arrived, "notKept") };
        return isKnown && this.#isFirst(chat)
          ? { type: "not-kept", text: this.#say(arrived, "notKept") }
          : { type: "refused" };
      default:
        return unreachable(inbound);
    }
  }

  #say(
    { inbound, chat, locale }: Arrived,
    sentence: "notKept" | "notDone",
  ): string {
    const { log, newErrorId } = this.#deps;
    const errorId = newErrorId();
    log.warn(
      { chat, what: inbound.type, errorId },
      "the store's memory is full: somebody is told that this was not kept",
    );
    return locale.ingress[sentence](errorId);
  }

  /** Whether this chat has not been told within the window. */
  #isFirst(chat: ChatKey): boolean {
    const nowMs = this.#deps.commandDeps.now();
    if (nowMs - (this.#toldAtMs.get(chat) ?? -Infinity) < windowMs)
      return false;
    this.#toldAtMs.delete(chat);
    const [oldest] = this.#toldAtMs.keys();
    if (oldest !== undefined && this.#toldAtMs.size >= maxRemembered)
      this.#toldAtMs.delete(oldest);
    this.#toldAtMs.set(chat, nowMs);
    return true;
  }
}
