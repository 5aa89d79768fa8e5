import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ChatTierName } from "../../../src/core/model.ts";
import type { TurnState } from "../../../src/core/turn.ts";
import { Deadline } from "../../../src/loop/session/deadline.ts";
import type { LoopDeps } from "../../../src/loop/deps.ts";
import { Billing } from "../../../src/loop/model/billing.ts";
import { effective } from "../../../src/loop/model/effective-settings.ts";
import { openTurn } from "../../../src/loop/machine/open-turn.ts";
import type { TurnSession } from "../../../src/loop/session/turn-session.ts";
import { ann, defaultPolicy } from "../scene.ts";

const opened = openTurn(1, {
  kind: "message",
  v: 1,
  id: "m1",
  messageId: "7",
  person: ann,
  text: "```ts\nlet x = 1;\n```",
  group: true,
  atMs: 0,
});

const models = { chain: (tier: ChatTierName) => tier, aliases: new Map() };

type Parts = Pick<LoopDeps, "policy" | "tierPolicies">;

/** What holds for a turn in this state; a chain is its tier's name. */
function holds(
  state: Partial<TurnState>,
  {
    policy = defaultPolicy,
    tierPolicies = {},
    affordable,
  }: Partial<Parts> & { readonly affordable?: ChatTierName | undefined } = {},
) {
  const deps = { models, policy, tierPolicies };
  const session = {
    state: { ...opened, ...state },
    settings: {},
  };
  const billing = new Billing();
  billing.affordable = affordable;
  return effective({
    deps: deps as unknown as LoopDeps,
    session: session as unknown as TurnSession,
    billing,
  });
}

describe("what holds for a turn", () => {
  it("follows from the turn alone, whatever became of its message", () => {
    expect(opened).toMatchObject({ group: true, replyTo: "7" });
    expect(holds({})).toMatchObject({ tier: "coding", chain: "coding" });
    expect(holds({ traits: {} })).toMatchObject({ tier: "balanced" });
  });

  it("has the limits of the tier that a loop leads to", () => {
    const tierPolicies = { deep: { maxModelCalls: 60 } };
    const loop = { recent: [], detections: 1 };
    expect(holds({}, { tierPolicies }).policy.maxModelCalls).toBe(20);
    expect(holds({ loop }, { tierPolicies }).policy.maxModelCalls).toBe(60);
  });

  it("steps down when the budget of its own tier is nearly spent", () => {
    const tierPolicies = { coding: { maxCostUsd: 1 } };
    const at = (costUsd: number) =>
      holds({ counters: { ...opened.counters, costUsd } }, { tierPolicies });
    expect(at(0.79).tier).toBe("coding");
    expect(at(0.8).tier).toBe("balanced");
  });
});

describe("the limits of a lowered tier", () => {
  const tierPolicies = {
    coding: { maxCostUsd: 1, maxModelCalls: 60 },
    balanced: { maxModelCalls: 7 },
    fast: { maxModelCalls: 3 },
  };
  const limits = (costUsd: number, affordable?: ChatTierName) =>
    holds({ counters: { ...opened.counters, costUsd } }, { tierPolicies, affordable });

  it("are those of the tier below, once the budget is nearly spent", () => {
    expect(limits(0.79)).toMatchObject({
      isLowered: false,
      policy: { maxModelCalls: 60, maxCostUsd: 1 },
    });
    const lowered = limits(0.8);
    expect(lowered).toMatchObject({ isLowered: true, tier: "balanced" });
    expect(lowered.policy).toEqual({ ...defaultPolicy, maxModelCalls: 7 });
  });

  it("are those of the tier that a limit leaves room for", () => {
    const lowered = limits(0, "fast");
    expect(lowered).toMatchObject({ isLowered: true, tier: "fast" });
    expect(lowered.policy).toEqual({ ...defaultPolicy, maxModelCalls: 3 });
  });
});

const session = (activeMs = 0) => ({
  interrupt: vi.fn(),
  state: { counters: { activeMs } },
});

describe("a turn's deadline", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([
    [1_000, 5_000, 5_000],
    [5_000, 1_000, 1_000],
    [Infinity, 2_000, 2_000],
  ])("moves from %d to %d with its tier", (first, second, atMs) => {
    const turn = session();
    using deadline = new Deadline(turn as unknown as TurnSession);
    deadline.keep(first);
    deadline.keep(second);
    vi.advanceTimersByTime(atMs - 1);
    expect(turn.interrupt).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(turn.interrupt).toHaveBeenCalledExactlyOnceWith("deadline");
  });

  it("counts what was used before, and is kept when nothing changes", () => {
    const turn = session(900);
    using deadline = new Deadline(turn as unknown as TurnSession);
    deadline.keep(1_000);
    vi.advanceTimersByTime(60);
    deadline.keep(1_000);
    vi.advanceTimersByTime(40);
    expect(turn.interrupt).toHaveBeenCalledOnce();
  });

  it("ends with its session, and never fires where there is none", () => {
    const turn = session();
    {
      using deadline = new Deadline(turn as unknown as TurnSession);
      deadline.keep(10);
    }
    using none = new Deadline(turn as unknown as TurnSession);
    none.keep(Infinity);
    vi.advanceTimersByTime(86_400_000);
    expect(turn.interrupt).not.toHaveBeenCalled();
  });
});
