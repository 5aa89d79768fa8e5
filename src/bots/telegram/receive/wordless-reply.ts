import type { ChatAddress } from "../../../core/chat.ts";
import type { Sender } from "../../../core/ports.ts";

/** Milliseconds within which a chat is told only once: an album is many messages. */
const quietMs = 10_000;
const maxChats = 1_000;

/** Tells whoever sends a picture or a sticker that only words are read. A courtesy: sent once, and not retried. */
export class WordlessReply {
  readonly #sender: Sender;
  readonly #toldAtMs = new Map<string, number>();

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  reply(message: {
    readonly address: ChatAddress;
    readonly messageId: string;
  }): void {
    const { address, messageId } = message;
    const key = `${address.chat}:${address.thread ?? ""}`;
    const now = Date.now();
    if (now - (this.#toldAtMs.get(key) ?? 0) < quietMs) return;
    this.#toldAtMs.delete(key);
    this.#toldAtMs.set(key, now);
    for (const oldest of this.#toldAtMs.keys()) {
      if (this.#toldAtMs.size <= maxChats) break;
      this.#toldAtMs.delete(oldest);
    }
    const options = {
      replyTo: messageId,
      nonce: `wordless-${messageId}`,
      silent: true,
      final: true,
    };
    for (const chunk of this.#sender.plain("I can only read text for now."))
      void this.#sender.send(address, chunk, options);
  }
}
