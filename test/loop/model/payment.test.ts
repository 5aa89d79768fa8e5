import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ModelCard, ModelOptions } from "../../../src/core/model.ts";
import { answerRoom, mostOn, outputCapOf } from "../../../src/loop/model/payment.ts";
import type { ModelChain } from "../../../src/models/chain.ts";
import { costOf } from "../../../src/models/cost.ts";

const card = (id: string, more: Partial<ModelCard> = {}): ModelCard => ({
  id,
  tools: true,
  vision: false,
  thinking: false,
  toolChoiceNone: true,
  streaming: true,
  jsonMode: true,
  embeddings: false,
  settableTemperature: true,
  settableKeepAlive: false,
  settableContext: false,
  contextWindow: 128_000,
  ...more,
});

/** A chain of these models, each asked with these options. */
function chainOf(
  cards: readonly [ModelCard, ...ModelCard[]],
  options: Readonly<Record<string, ModelOptions>> = {},
): ModelChain {
  const [first] = cards;
  return {
    card: first,
    cards,
    optionsFor: ({ id }) => options[id] ?? {},
    stream: () => Promise.resolve(), // No one asks it.
  };
}

describe("how long an answer may be where its cost is limited", () => {
  it.each<[string, ModelOptions, Partial<ModelCard>, number]>([
    ["as the tier or the model says", { maxOutputTokens: 9_000 }, {}, 9_000],
    ["4,096 tokens where nobody says", {}, {}, 4_096],
    ["a quarter of a small window", {}, { contextWindow: 2_048 }, 512],
    [
      "a quarter of the window that is asked for",
      { contextWindow: 8_192 },
      { contextWindow: 128_000, settableContext: true },
      2_048,
    ],
  ])("%s", (_what, options, more, tokens) => {
    const only = card("a/b", more);
    expect(outputCapOf(chainOf([only], { "a/b": options }), only)).toBe(tokens);
  });
});

describe("the most that a call can take", () => {
  const cheap = card("a/cheap", {
    usdPerMillionTokens: { input: 1, output: 2 },
  });
  const dear = card("a/dear", {
    usdPerMillionTokens: { input: 10, output: 20 },
  });
  const free = card("a/free");

  it("has room for a quarter more than was counted, the longest answer and the dearest model", () => {
    const chain = chainOf([cheap, dear, free], {
      "a/cheap": { maxOutputTokens: 500 },
      "a/dear": { maxOutputTokens: 100 },
      "a/free": { maxOutputTokens: 900 },
    });
    expect(mostOn(chain, 1_000)).toEqual({
      inputTokens: 1_250,
      outputTokens: 900,
      costUsd: (1_250 * 10 + 100 * 20) / 1_000_000,
    });
  });

  it("is what the request says, and never more than there is room for", () => {
    const chain = chainOf([cheap], { "a/cheap": { maxOutputTokens: 500 } });
    expect(mostOn(chain, 0, { capTokens: 60 }).outputTokens).toBe(60);
    expect(mostOn(chain, 0, { roomTokens: 70 }).outputTokens).toBe(70);
    expect(mostOn(chain, 0, { roomTokens: 700 }).outputTokens).toBe(500);
  });

  it("costs nothing where no price is known", () => {
    expect(mostOn(chainOf([free]), 1_000).costUsd).toBe(0);
  });
});

describe("the room that a turn's limits leave for an answer", () => {
  const price = fc.double({ min: 0, max: 1_000, noNaN: true });
  const given = fc.record({
    prices: fc.array(fc.record({ input: price, output: price }), {
      minLength: 1,
      maxLength: 3,
    }),
    counted: fc.integer({ min: 0, max: 100_000 }),
    tokens: fc.integer({ min: -1_000, max: 200_000 }),
    costUsd: fc.double({ min: -1, max: 50, noNaN: true }),
  });

  it("is such that the call stays within them, whichever model answers", () => {
    fc.assert(
      fc.property(given, ({ prices, counted, tokens, costUsd }) => {
        const [first, ...others] = prices.map((usdPerMillionTokens, index) =>
          card(`a/${index}`, { usdPerMillionTokens }),
        ) as [ModelCard, ...ModelCard[]];
        const cards = [first, ...others] as const;
        const room = answerRoom(chainOf(cards), counted, { tokens, costUsd });
        if (room === undefined) return;
        expect(room).toBeGreaterThanOrEqual(64);
        expect(counted + room).toBeLessThanOrEqual(tokens);
        for (const each of cards)
          expect(costOf(each, { inputTokens: counted, outputTokens: room })).toBeLessThanOrEqual(
            // What costs nothing fits, also where more than everything is spent.
            Math.max(0, costUsd) + 2.1e-9,
          );
      }),
    );
  });

  it("is unbounded without limits, and none where the request alone is too much", () => {
    const chain = chainOf([card("a/b", { usdPerMillionTokens: { input: 1, output: 2 } })]);
    const none = { tokens: Infinity, costUsd: Infinity };
    expect(answerRoom(chain, 1_000, none)).toBe(Infinity);
    expect(answerRoom(chain, 1_000, { ...none, tokens: 1_300 })).toBeUndefined();
    expect(answerRoom(chain, 1_000, { ...none, tokens: 1_314 })).toBe(64);
    expect(answerRoom(chain, 1_000, { ...none, costUsd: 0.001 })).toBeUndefined();
  });
});
