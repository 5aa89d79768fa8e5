import type { ChatAddress } from "../../../core/chat.ts";

/**
 * Milliseconds within which a chat gets the same notice only once: an album is
 * many messages.
 */
const quietMs = 10_000;
const maxRemembered = 1_000;

/** Recent notices, by chat. */
export class NoticeThrottle {
  /** By chat and sentence, the oldest first. */
  readonly #notifiedAtMs = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  note(address: ChatAddress, sentence: string): void {
    const key = keyOf(address, sentence);
    this.#notifiedAtMs.delete(key);
    this.#notifiedAtMs.set(key, this.#now());
    const [oldest] = this.#notifiedAtMs.keys();
    if (this.#notifiedAtMs.size > maxRemembered && oldest !== undefined)
      this.#notifiedAtMs.delete(oldest);
  }

  has(address: ChatAddress, sentence: string): boolean {
    const atMs = this.#notifiedAtMs.get(keyOf(address, sentence));
    return atMs !== undefined && this.#now() - atMs < quietMs;
  }
}

const keyOf = ({ chat, thread = "" }: ChatAddress, sentence: string): string =>
  `${chat}:${thread} ${sentence}`;
