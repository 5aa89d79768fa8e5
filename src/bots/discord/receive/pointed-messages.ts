import type { PointedPayload } from "./payloads.ts";

/** Forms that may be open at the same time; the oldest is forgotten. */
const remembered = 1_000;

/** A message that a user selected in order to ask about it. */
export interface PointedAt {
  readonly personId: string;
  readonly message: PointedPayload;
  /** The address at which Discord shows it. */
  readonly link: string;
}

/**
 * The chosen messages while people write their questions. Discord shows a message only with the
 * choice: what is sent with the form does not have it, and without the message content intent it
 * cannot be asked for again.
 */
export class PointedMessages {
  /** By the interaction that chose it, oldest first. */
  readonly #chosen = new Map<string, PointedAt>();

  remember(interactionId: string, at: PointedAt): void {
    const [oldest] = this.#chosen.keys();
    if (this.#chosen.size >= remembered && oldest !== undefined) this.#chosen.delete(oldest);
    this.#chosen.set(interactionId, at);
  }

  recall(interactionId: string): PointedAt | undefined {
    return this.#chosen.get(interactionId);
  }
}
