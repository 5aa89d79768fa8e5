/** Updates in one answer of Telegram's (Bot API: getUpdates, `limit`). */
const maxInAnswer = 100;

/**
 * The updates that Telegram may still deliver again: received in this order and not yet confirmed.
 * `pending → accepted → forgotten`, the last once a request has confirmed them.
 */
export class UpdateWindow {
  /** By update id, in order of arrival: ids can restart at a lower number. */
  readonly #updates = new Map<number, "pending" | "accepted">();
  #offset = 0;

  get hasPending(): boolean {
    return this.#updates.values().some((state) => state === "pending");
  }

  /** Whether Telegram shows no newer one before some of these are confirmed. */
  get isFull(): boolean {
    return this.#updates.size >= maxInAnswer;
  }

  /** Confirms all that was accepted before the first update that was not. 0 confirms nothing. */
  get offset(): number {
    for (const [id, state] of this.#updates) {
      if (state === "pending") return id;
      this.#offset = id + 1;
    }
    return this.#offset;
  }

  /** The updates that the offset confirms. */
  get confirmable(): readonly number[] {
    const ids: number[] = [];
    for (const [id, state] of this.#updates) {
      if (state === "pending") break;
      ids.push(id);
    }
    return ids;
  }

  /** False when it is known already: delivered again because an older one is still pending. */
  add(updateId: number): boolean {
    if (this.#updates.has(updateId)) return false;
    this.#updates.set(updateId, "pending");
    return true;
  }

  accept(updateId: number): void {
    this.#updates.set(updateId, "accepted");
  }

  /**
   * A request has confirmed them: anything with these ids from now on is new.
   */
  forget(updateIds: readonly number[]): void {
    for (const id of updateIds) this.#updates.delete(id);
  }
}
