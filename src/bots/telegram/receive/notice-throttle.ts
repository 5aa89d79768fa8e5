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
  readonly #toldAtMs = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  note(address: ChatAddress, sentence: string): void {
    const key = keyOf(address, sentence);
    this.#toldAtMs.delete(key);
    this.#toldAtMs.set(key, this.#now());
    const [oldest] = this.#toldAtMs.keys();
    if (this.#toldAtMs.size > maxRemembered && oldest !== undefined)
      this.#toldAtMs.delete(oldest);
  }

  has(address: ChatAddress, sentence: string): boolean {
    const atMs = this.#toldAtMs.get(keyOf(address, sentence));
    return atMs !== undefined && this.#now() - atMs < quietMs;
  }
}

const keyOf = ({ chat, thread = "" }: ChatAddress, sentence: string): string =>
  `${chat}:${thread} ${sentence}`;
