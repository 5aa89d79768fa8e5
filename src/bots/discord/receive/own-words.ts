/** Channels remembered; the oldest are forgotten, and a reply there has its quotation. */
const remembered = 10_000;
/** Messages of one answer that are remembered. */
const longest = 20;

interface Run {
  readonly ids: string[];
  /** No one else has written since. */
  isOpen: boolean;
}

/**
 * Knows what the bot has said last in a channel: a reply to that says nothing that the conversation
 * does not.
 */
export class OwnWords {
  readonly #runs = new Map<string, Run>();

  /** Any message of the channel. */
  saw(channelId: string, messageId: string, isOwn: boolean): void {
    const run = this.#runs.get(channelId);
    if (!isOwn) {
      if (run) run.isOpen = false;
      return;
    }
    const ids = run?.isOpen === true ? run.ids : [];
    this.#runs.delete(channelId);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size >= remembered && oldest !== undefined) this.#runs.delete(oldest);
    this.#runs.set(channelId, {
      ids: [...ids, messageId].slice(-longest),
      isOpen: true,
    });
  }

  isLast(channelId: string, messageId: string): boolean {
    return this.#runs.get(channelId)?.ids.includes(messageId) === true;
  }
}
