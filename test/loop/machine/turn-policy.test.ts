import { describe, expect, it } from "vitest";
import type { ChatSettings } from "../../../src/core/chat-settings.ts";
import type { TurnPolicy } from "../../../src/core/turn.ts";
import { policyFor } from "../../../src/loop/machine/turn-policy.ts";

const base: TurnPolicy = {
  maxModelCalls: 20,
  maxToolExecutions: 80,
  deadlineMs: 900_000,
  stopOn: { toolFailure: false, confirmationDenied: true, policyDenied: false },
  loop: { sameCall: 3, sameTool: 5, hints: 5 },
};

describe("the policy of a turn", () => {
  it("is the deployment's where nothing else is said", () => {
    expect(policyFor(base, undefined, {})).toEqual(base);
    expect(policyFor(base, {}, {})).toEqual(base);
  });

  it("is the tier's over the deployment's, and the chat's over both", () => {
    const tier = { maxModelCalls: 40, maxTokens: 1_000, deadlineMs: 60_000 };
    expect(policyFor(base, tier, { maxModelCalls: 5 })).toEqual({
      ...base,
      maxModelCalls: 5,
      maxTokens: 1_000,
      deadlineMs: 60_000,
    });
  });

  it("is never above what people's limits allow, and below it as it was", () => {
    const chat = { maxModelCalls: 50, maxToolExecutions: 3, maxTokens: 900 };
    const caps = {
      maxModelCalls: 10,
      maxToolExecutions: 10,
      deadlineMs: 1_000,
      maxTokens: 1_000,
      maxCostUsd: 2,
    };
    expect(policyFor(base, undefined, chat, caps)).toEqual({
      ...base,
      maxModelCalls: 10,
      maxToolExecutions: 3,
      deadlineMs: 1_000,
      maxTokens: 900,
      maxCostUsd: 2,
    });
    const off = { maxTokens: Infinity, maxCostUsd: Infinity };
    expect(policyFor(base, off, {}, caps)).toMatchObject({
      maxTokens: 1_000,
      maxCostUsd: 2,
    });
  });

  it("changes parts of a group and leaves the rest", () => {
    const tier = { stopOn: { toolFailure: true }, loop: { hints: 2 } };
    expect(policyFor(base, tier, { confirmationDenied: "off" })).toEqual({
      ...base,
      stopOn: {
        toolFailure: true,
        confirmationDenied: false,
        policyDenied: false,
      },
      loop: { sameCall: 3, sameTool: 5, hints: 2 },
    });
  });

  it("takes every limit that a chat can set", () => {
    const chat: ChatSettings = {
      maxModelCalls: 1,
      maxToolExecutions: 2,
      deadline: 3,
      maxTokens: 4,
      maxCost: 0.5,
      toolFailure: "on",
      confirmationDenied: "off",
      policyDenied: "on",
      loopSameCall: 6,
      loopSameTool: 7,
      loopHints: 8,
    };
    expect(policyFor(base, undefined, chat)).toEqual({
      maxModelCalls: 1,
      maxToolExecutions: 2,
      deadlineMs: 3,
      maxTokens: 4,
      maxCostUsd: 0.5,
      stopOn: {
        toolFailure: true,
        confirmationDenied: false,
        policyDenied: true,
      },
      loop: { sameCall: 6, sameTool: 7, hints: 8 },
    });
  });

  it("lifts a tier's limit where a chat says so", () => {
    const policy = policyFor(base, { maxTokens: 10 }, { maxTokens: Infinity });
    expect(policy.maxTokens).toBe(Infinity);
  });
});
