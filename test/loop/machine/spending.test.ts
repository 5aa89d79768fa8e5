import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ModelCard } from "../../../src/core/model.ts";
import type { Spending } from "../../../src/core/turn.ts";
import {
  addSpending,
  estimatedUsage,
  spentOn,
  totalOf,
} from "../../../src/loop/machine/spending.ts";

const card: ModelCard = {
  id: "openai/gpt",
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
  contextWindow: 1_000,
};

const spendings = fc.dictionary(
  fc.constantFrom("a/1", "b/2", "constructor"),
  fc.record<Spending>(
    {
      requests: fc.nat(9),
      inputTokens: fc.nat(99),
      outputTokens: fc.nat(99),
      costUsd: fc.nat(9),
    },
    { requiredKeys: ["requests", "inputTokens", "outputTokens"] },
  ),
);

describe("what models have cost", () => {
  it("is summed by model, in any order, and in all", () => {
    fc.assert(
      fc.property(spendings, spendings, (left, right) => {
        const sum = addSpending(left, right);
        expect(addSpending(right, left)).toEqual(sum);
        const [a, b] = [totalOf(left), totalOf(right)];
        expect(totalOf(sum)).toEqual({
          inputTokens: a.inputTokens + b.inputTokens,
          outputTokens: a.outputTokens + b.outputTokens,
          costUsd: a.costUsd + b.costUsd,
        });
      }),
    );
  });

  it("knows free from unknown", () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 0 };
    expect(spentOn(card, usage)["openai/gpt"]).not.toHaveProperty("costUsd");
    const free = { ...card, usdPerMillionTokens: { input: 0, output: 0 } };
    expect(spentOn(free, usage)["openai/gpt"]?.costUsd).toBe(0);
    const priced = { ...card, usdPerMillionTokens: { input: 2, output: 0 } };
    const sum = addSpending(spentOn(card, usage), spentOn(priced, usage));
    expect(sum["openai/gpt"]).toEqual({
      requests: 2,
      inputTokens: 2_000_000,
      outputTokens: 0,
      costUsd: 2,
    });
  });

  it("stays marked where a part of it was counted by us", () => {
    const usage = { inputTokens: 1, outputTokens: 1 };
    const sum = addSpending(spentOn(card, usage, { estimated: true }), spentOn(card, usage));
    expect(sum["openai/gpt"]).toMatchObject({ requests: 2, estimated: true });
  });

  it("is estimated from everything that was sent and said", () => {
    const parameters = { type: "object", properties: {} };
    const request = {
      messages: [
        { role: "user" as const, text: "x".repeat(400) },
        {
          role: "assistant" as const,
          text: "",
          calls: [{ id: "1", name: "n".repeat(10), arguments: "{}".repeat(45) }],
        },
      ],
      tools: [{ name: "t", description: "d".repeat(57), parameters }],
      toolChoice: "auto" as const,
      options: {},
    };
    expect(JSON.stringify(parameters)).toHaveLength(33);
    expect(estimatedUsage(request, "y".repeat(41))).toEqual({
      inputTokens: 148,
      outputTokens: 11,
    });
  });
});
