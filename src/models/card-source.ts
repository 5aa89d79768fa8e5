import type { ModelCard } from "../core/model.ts";

export type CardFields = Partial<Omit<ModelCard, "id">>;

/** A server's report on a model. */
export interface Found {
  readonly card: CardFields;
  /** False: it may say more later, e.g. once the model is loaded. */
  readonly final: boolean;
}

/**
 * After a question that was not answered in time, requests go ahead without asking for this long.
 */
const restMs = 60_000;

/**
 * A model's card: the operator's settings override the server's report, which overrides the
 * defaults. `presumed → asking → asked`, or back to `presumed` after a failure: the server may have
 * been started or the model fetched since.
 */
export class CardSource {
  readonly #said: CardFields;
  readonly #ask: (() => Promise<Found>) | undefined;
  readonly #now: () => number;
  readonly #presumed: ModelCard;
  #card: ModelCard;
  #found: CardFields = {};
  #learned: CardFields = {};
  #asking: Promise<void> | undefined;
  #restUntilMs = -Infinity;

  constructor(options: {
    readonly presumed: ModelCard;
    readonly said: CardFields;
    /** Undefined: there is no server to ask. */
    readonly ask: (() => Promise<Found>) | undefined;
    readonly now?: () => number;
  }) {
    this.#presumed = options.presumed;
    this.#said = options.said;
    this.#ask = options.ask;
    this.#now = options.now ?? (() => performance.now());
    this.#card = this.#joined({});
  }

  get card(): ModelCard {
    return this.#card;
  }

  /** A refusal has shown that the card is wrong, whatever the server has reported. */
  learn(learned: CardFields): void {
    this.#learned = { ...this.#learned, ...learned };
    this.#card = this.#joined(this.#found);
  }

  /** Fulfils when the answer is there or cannot be had. Never rejects. */
  asked(): Promise<void> {
    if (this.#asking === undefined && this.#now() < this.#restUntilMs) return Promise.resolve();
    this.#asking ??= this.#askOnce();
    return this.#asking;
  }

  async #askOnce(): Promise<void> {
    try {
      const found = await this.#ask?.();
      if (found === undefined) return;
      this.#found = found.card;
      this.#card = this.#joined(found.card);
      if (!found.final) this.#asking = undefined;
    } catch (error) {
      if (isTimeout(error)) this.#restUntilMs = this.#now() + restMs;
      this.#asking = undefined;
    }
  }

  #joined(found: CardFields): ModelCard {
    return {
      ...this.#presumed,
      ...found,
      ...this.#said,
      ...this.#learned,
      id: this.#presumed.id,
    };
  }
}

/** `AbortSignal.timeout` says TimeoutError; the clients wrap it, or say AbortError. */
function isTimeout(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause)
    if (/timeout|timed out|abort/i.test(`${each.name} ${each.message}`)) return true;
  return false;
}
