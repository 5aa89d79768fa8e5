import { randomInt } from "node:crypto";
import type { Update } from "@grammyjs/types";

/** Update types sent only when asked for. https://core.telegram.org/bots/api#getupdates */
const optIn = new Set(["chat_member", "message_reaction", "message_reaction_count"]);

interface QueuedUpdate {
  readonly update: Update;
  /** Grows each time that ids restart. */
  readonly epoch: number;
  /** A redelivery ignores the offset until it was handed out once. */
  forced: boolean;
}

/**
 * The bot's updates that no one has confirmed, with the semantics of TDLib's TQueue. An update is
 * pending until an offset above its id arrives (or a webhook answers 2xx); then it is only
 * remembered, for `redeliver`.
 */
export class UpdateQueue {
  #pending: QueuedUpdate[] = [];
  readonly #all = new Map<number, Update>();
  #nextId = randomInt(500_000_000, 900_000_000);
  #epoch = 0;
  #allowed: ReadonlySet<string> | undefined;

  /**
   * Undefined when the update's type is not among the allowed ones; the update is then never seen.
   */
  add(content: Omit<Update, "update_id">): Update | undefined {
    const type = Object.keys(content)[0] ?? "";
    const wanted = this.#allowed?.has(type) ?? !optIn.has(type);
    if (!wanted) return undefined;
    const update: Update = { update_id: this.#nextId, ...content };
    this.#nextId += 1;
    this.addRaw(update);
    return update;
  }

  /** An update with its own id, as it is. */
  addRaw(update: Update): void {
    this.#all.set(update.update_id, update);
    this.#nextId = Math.max(this.#nextId, update.update_id + 1);
    this.#pending.push({ update, epoch: this.#epoch, forced: false });
  }

  /** Hands a known update out once more, under its old id, whatever the offset says. */
  redeliver(updateId: number): void {
    const update = this.#all.get(updateId);
    if (update === undefined) throw new Error(`there never was an update ${updateId}`);
    this.#pending.push({ update, epoch: this.#epoch, forced: true });
  }

  /**
   * "If there are no new updates for at least a week, then identifier of the next update will be
   * chosen randomly"
   */
  restartIds(): void {
    this.#epoch += 1;
    this.#nextId = randomInt(1_000, this.#nextId - 1_000);
  }

  /**
   * `allowed_updates` is remembered until a call names another list; an empty list restores the
   * default.
   */
  allow(types: unknown): void {
    if (!Array.isArray(types)) return;
    this.#allowed = types.length === 0 ? undefined : new Set(types.map(String));
  }

  get allowed(): readonly string[] | undefined {
    return this.#allowed === undefined ? undefined : [...this.#allowed];
  }

  get pending(): readonly Update[] {
    return this.#pending.map((entry) => entry.update);
  }

  /**
   * Confirms what lies below a positive offset, forgets all but the last n for -n, then lists the
   * oldest. An offset more than 10 above the newest id is "in the future" and confirms nothing of
   * this epoch (TQueue.cpp; that is how clients survive ids that restart).
   */
  take(offset: number, limit: number): readonly Update[] {
    if (offset < 0) this.#pending = this.#pending.slice(offset);
    if (offset > 0) {
      const inFuture = offset > this.#nextId + 10;
      this.#pending = this.#pending.filter((entry) => {
        if (entry.forced) return true;
        if (entry.epoch === this.#epoch) return inFuture || entry.update.update_id >= offset;
        return inFuture && entry.update.update_id >= offset;
      });
    }
    const taken = this.#pending.slice(0, limit);
    for (const entry of taken) entry.forced = false;
    return taken.map((entry) => entry.update);
  }

  /** A webhook confirms updates one by one. */
  confirm(update: Update): void {
    const index = this.#pending.findIndex((entry) => entry.update === update);
    if (index >= 0) this.#pending.splice(index, 1);
  }

  clear(): void {
    this.#pending = [];
  }
}
