import type { Usage } from "../core/history.ts";
import type { Model, ModelCard, ModelFailure } from "../core/model.ts";
import type { ChainObserver } from "./chain-observer.ts";
import { isUsage } from "./usage.ts";

/**
 * One request to one model, which may be a chain and then reports for its own
 * models. `running → ended`; reports once, at its end.
 */
export class Attempt {
  readonly observer: Omit<ChainObserver, "onEvent">;
  /** The newest figure. */
  usage: Usage | undefined;
  readonly #model: Model;
  readonly #told: ChainObserver;
  #card: ModelCard | undefined;
  #accounted = false;
  #ended = false;

  constructor(model: Model, told: ChainObserver) {
    this.#model = model;
    this.#told = told;
    this.observer = {
      onModel: (card) => {
        this.#card = card;
      },
      onUsage: (card, usage) => {
        this.#accounted = true;
        if (isUsage(usage)) told.onUsage?.(card, usage);
      },
      onAttempt: (attempt) => {
        this.#accounted = true;
        told.onAttempt?.(attempt);
      },
      onOmitted: (card, omission) => told.onOmitted?.(card, omission),
      onRefused: (card, part) => told.onRefused?.(card, part),
    };
  }

  /** As it is known by now: a card may be asked for with the first request. */
  get card(): ModelCard {
    return this.#card ?? this.#model.card;
  }

  /** @param failure undefined: the model has answered. */
  end(failure?: ModelFailure | "stopped"): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#accounted) return;
    const { card, usage } = this;
    if (usage !== undefined) this.#told.onUsage?.(card, usage);
    this.#told.onAttempt?.({
      card,
      ...(failure === "stopped" ? { stopped: true } : failure && { failure }),
      ...(usage === undefined ? {} : { usage }),
    });
  }
}
