import type { Usage } from "../core/history.ts";
import type { Model, ModelCard, ModelObserver } from "../core/model.ts";
import { isUsage } from "./usage.ts";

/** One request to one model, which may be a chain itself and then speaks for its own models. `running → ended`. */
export class Attempt {
  readonly observer: ModelObserver;
  usage: Usage | undefined;
  readonly #model: Model;
  readonly #told: ModelObserver;
  #card: ModelCard | undefined;
  #accounted = false;

  constructor(model: Model, told: ModelObserver) {
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
      onOmitted: (card, omission) => told.onOmitted?.(card, omission),
    };
  }

  /** As it is known by now: a card may be asked for with the first request. */
  get card(): ModelCard {
    return this.#card ?? this.#model.card;
  }

  end(): void {
    if (this.usage !== undefined && !this.#accounted)
      this.#told.onUsage?.(this.card, this.usage);
  }
}
