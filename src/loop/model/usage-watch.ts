import type { Usage } from "../../core/history.ts";
import type { ModelCard, ModelRequest } from "../../core/model.ts";
import type { ChainObserver } from "../../models/chain-observer.ts";
import { estimatedUsage } from "../machine/spending.ts";

/** Takes what one attempt has cost; `estimated` where the model did not say. */
export type OnUsage = (card: ModelCard, usage: Usage, how: { readonly estimated: boolean }) => void;

/** What an attempt has used of which nothing came. */
const nothing: Usage = { inputTokens: 0, outputTokens: 0 };

/**
 * Hears from a chain what one answer costs, every attempt of it, and estimates it where the model
 * that answered never says.
 */
export class UsageWatch {
  readonly observer: Required<Pick<ChainObserver, "onModel" | "onUsage" | "onAttempt">>;
  readonly #onUsage: OnUsage | undefined;
  /** The model that has begun to answer and reported nothing yet. */
  #silent: ModelCard | undefined;

  constructor(onUsage: OnUsage | undefined) {
    this.#onUsage = onUsage;
    this.observer = {
      onModel: (card) => {
        this.#silent = card;
      },
      onUsage: (card, usage) => {
        this.#silent = undefined;
        onUsage?.(card, usage, { estimated: false });
      },
      onAttempt: ({ card, failure, usage }) => {
        if (usage !== undefined || this.#silent !== undefined) return;
        // The cost of an attempt that was stopped before its first word is
        // unknown.
        onUsage?.(card, nothing, { estimated: failure === undefined });
      },
    };
  }

  /** To be called when the answer has ended. @param said all that the model wrote. */
  settle(request: ModelRequest, said: string): void {
    const card = this.#silent;
    this.#silent = undefined;
    if (card !== undefined)
      this.#onUsage?.(card, estimatedUsage(request, said), { estimated: true });
  }
}
