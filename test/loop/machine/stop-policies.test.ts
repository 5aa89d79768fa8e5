import { describe, expect, it } from "vitest";
import { failureKinds, type FailureKind } from "../../../src/core/history.ts";
import {
  turnStateSchema,
  type Call,
  type Counters,
  type TurnPolicy,
  type TurnState,
} from "../../../src/core/turn.ts";
import { apply } from "../../../src/loop/machine/apply.ts";
import { decide } from "../../../src/loop/machine/decide.ts";
import { stopReason } from "../../../src/loop/machine/stop-policies.ts";

const policy: TurnPolicy = {
  maxModelCalls: 20,
  maxToolExecutions: 80,
  deadlineMs: 900_000,
  stopOn: { toolFailure: false, confirmationDenied: true, policyDenied: false },
  loop: { sameCall: 3, sameTool: 5, hints: 5 },
};

function stateWith(
  counters: Partial<Counters> = {},
  failures: readonly FailureKind[] = [],
): TurnState {
  return {
    v: 1,
    phase: failures.length === 0 ? "thinking" : "acting",
    turn: 1,
    round: 1,
    requester: { id: "telegram:1", name: "Ann" },
    spent: {},
    counters: {
      modelCalls: 1,
      toolExecutions: 0,
      inputTokens: 0,
      outputTokens: 0,
      costUsd: 0,
      activeMs: 0,
      ...counters,
    },
    modelCallOpen: false,
    calls: failures.map((failure, index): Call => ({
      index,
      wireId: "",
      name: "tool",
      arguments: "{}",
      status: "failed",
      effect: "read",
      failure,
    })),
  };
}

const stopsOn = (failure: FailureKind, stopOn: Partial<TurnPolicy["stopOn"]>): string | undefined =>
  stopReason(stateWith({}, [failure]), {
    ...policy,
    stopOn: { ...policy.stopOn, ...stopOn },
  })?.reason;

describe("limits compare with >=", () => {
  it.each([
    [0, undefined],
    [1, undefined],
    [18, undefined],
    // The last call that is allowed is spent on an answer.
    [19, { reason: "max-model-calls", allowsLastCall: true }],
    [20, { reason: "max-model-calls", allowsLastCall: false }],
    [21, { reason: "max-model-calls", allowsLastCall: false }],
    [1_000, { reason: "max-model-calls", allowsLastCall: false }],
  ])("after %i of 20 model calls", (modelCalls, expected) => {
    const stop = stopReason(stateWith({ modelCalls }), policy);
    if (expected === undefined) expect(stop).toBeUndefined();
    else expect(stop).toMatchObject(expected);
  });

  it.each([
    [1, "max-model-calls"],
    [2, undefined],
  ])("the one call under way is the last of %i", (maxModelCalls, closing) => {
    const asked: TurnState = { ...stateWith(), modelCallOpen: true };
    expect(decide(asked, { ...policy, maxModelCalls })).toEqual({
      type: "await-model",
      ...(closing === undefined ? {} : { closing }),
    });
  });

  it.each([
    [899_999, undefined],
    [899_999.9, undefined],
    [900_000, "deadline"],
    [900_001, "deadline"],
    [Number.MAX_SAFE_INTEGER, "deadline"],
  ])("after %d ms of 900,000", (activeMs, expected) => {
    expect(stopReason(stateWith({ activeMs }), policy)?.reason).toBe(expected);
  });

  it("no deadline is one that is never reached", () => {
    const off = { ...policy, deadlineMs: Number.MAX_SAFE_INTEGER };
    expect(stopReason(stateWith({ activeMs: 1e12 }), off)).toBeUndefined();
  });

  it.each([
    [500, 499, undefined],
    [500, 500, "max-tokens"],
    [600, 500, "max-tokens"],
  ])("after %i input and %i output tokens of 1,000", (inputTokens, outputTokens, expected) => {
    const limited = { ...policy, maxTokens: 1_000 };
    const state = stateWith({ inputTokens, outputTokens });
    expect(stopReason(state, limited)?.reason).toBe(expected);
    expect(stopReason(state, policy)).toBeUndefined();
    expect(stopReason(state, { ...policy, maxTokens: Infinity })).toBeUndefined();
  });

  it.each([
    [0.99, undefined],
    [1, "max-cost"],
    [1.01, "max-cost"],
  ])("after $%d of $1", (costUsd, expected) => {
    const limited = { ...policy, maxCostUsd: 1 };
    expect(stopReason(stateWith({ costUsd }), limited)?.reason).toBe(expected);
    expect(stopReason(stateWith({ costUsd }), policy)).toBeUndefined();
  });

  it.each([
    [5, 5, undefined],
    [6, 5, { reason: "loop-detected", allowsLastCall: true }],
    [7, 5, { reason: "loop-detected", allowsLastCall: true }],
    [0, 0, undefined],
    [1, 0, { reason: "loop-detected", allowsLastCall: true }],
  ])("%i loops found, %i hints allowed", (detections, hints, expected) => {
    const state = { ...stateWith(), loop: { recent: [], detections } };
    const stop = stopReason(state, {
      ...policy,
      loop: { ...policy.loop, hints },
    });
    if (expected === undefined) expect(stop).toBeUndefined();
    else expect(stop).toMatchObject(expected);
  });

  it("no last call where it would cost what is used up", () => {
    const state = stateWith({ inputTokens: 10, costUsd: 2 });
    for (const limited of [{ maxTokens: 10 }, { maxCostUsd: 2 }])
      expect(decide(state, { ...policy, ...limited }).type).toBe("give-up");
  });

  it.each([
    [79, "start-calls"],
    [80, "refuse-calls"],
    [81, "refuse-calls"],
  ])("after %i of 80 tool executions", (toolExecutions, expected) => {
    const state = stateWith({ toolExecutions }, ["tool-error"]);
    const [call] = state.calls;
    if (call === undefined) throw new TypeError("no call");
    const { failure: _, ...open } = call;
    const acting = {
      ...state,
      calls: [{ ...open, status: "authorised" as const }],
    };
    expect(decide(acting, policy).type).toBe(expected);
  });

  it.each([
    [0, 80, 8],
    [0, 3, 3],
    [1, 3, 2],
    [2, 3, 1],
    [79, 80, 1],
  ])(
    "after %i executions of %i there is room for %i of ten reads",
    (toolExecutions, maxToolExecutions, room) => {
      const state = stateWith(
        { toolExecutions },
        Array.from({ length: 10 }, () => "tool-error" as const),
      );
      const acting: TurnState = {
        ...state,
        calls: state.calls.map((call) => ({ ...call, status: "authorised" })),
      };
      expect(decide(acting, { ...policy, maxToolExecutions })).toEqual({
        type: "start-calls",
        indexes: Array.from({ length: room }, (_, index) => index),
      });
    },
  );
});

describe("each policy reads failure kinds, and only its own", () => {
  it.each([
    ["confirmation-denied", { confirmationDenied: true }],
    ["confirmation-expired", { confirmationDenied: true }],
  ] as const)("%s", (failure, stopOn) => {
    expect(stopsOn(failure, stopOn)).toBe("confirmation-denied");
    expect(stopsOn(failure, { confirmationDenied: false })).toBeUndefined();
  });

  it("policy-denied is off until it is asked for", () => {
    expect(stopsOn("policy-denied", {})).toBeUndefined();
    expect(stopsOn("policy-denied", { policyDenied: true })).toBe("policy-denied");
    expect(stopsOn("policy-denied", { toolFailure: true })).toBeUndefined();
  });

  it.each(["tool-error", "timeout", "invalid-arguments", "unknown-tool"] as const)(
    "%s stops where tool failures do",
    (failure) => {
      expect(stopsOn(failure, {})).toBeUndefined();
      expect(stopsOn(failure, { toolFailure: true })).toBe("tool-failure");
    },
  );

  it("limit-reached stops where the limit of executions is reached, not for too many questions", () => {
    const at = (toolExecutions: number) =>
      stopReason(stateWith({ toolExecutions }, ["limit-reached"]), policy)?.reason;
    expect(at(policy.maxToolExecutions)).toBe("max-tool-executions");
    expect(at(policy.maxToolExecutions + 1)).toBe("max-tool-executions");
    expect(at(policy.maxToolExecutions - 1)).toBeUndefined();
  });

  it("no failure stops that no one asked about", () => {
    for (const failure of failureKinds)
      expect(stopsOn(failure, { confirmationDenied: false })).toBeUndefined();
  });

  it("a limit that forbids the last call comes first", () => {
    const state = stateWith({ activeMs: 900_000, modelCalls: 20 }, [
      "limit-reached",
      "confirmation-denied",
    ]);
    expect(stopReason(state, policy)).toMatchObject({
      reason: "deadline",
      allowsLastCall: false,
    });
  });
});

describe("a turn that stops is closed for good", () => {
  const denied = stateWith({}, ["confirmation-denied"]);

  it("closes its round, makes one last call without tools, and no more", () => {
    const close = decide(denied, policy);
    expect(close).toEqual({
      type: "close-round",
      closing: "confirmation-denied",
    });
    const thinking = apply(denied, {
      type: "round-closed",
      closing: "confirmation-denied",
    });
    expect(decide(thinking, policy)).toEqual({
      type: "call-model",
      closing: "confirmation-denied",
    });
    const asked = apply(thinking, {
      type: "model-call-started",
      closing: "confirmation-denied",
    });
    const answered = apply(asked, {
      type: "model-answered",
      model: "test/model",
      text: "Then not.",
      calls: [
        {
          index: 0,
          wireId: "",
          name: "tool",
          arguments: "{}",
          status: "authorised",
          effect: "once",
        },
      ],
      emptySentence: "",
      spent: {},
      elapsedMs: 1,
    });
    expect(answered).toMatchObject({
      phase: "finished",
      calls: [],
      outcome: { reason: "confirmation-denied", text: "Then not." },
    });
  });

  it("also after it was stored and resumed at any point", () => {
    let state = denied;
    const steps: string[] = [];
    for (let step = 0; step < 4; step += 1) {
      state = turnStateSchema.parse(JSON.parse(JSON.stringify(state)));
      state = apply(state, { type: "resumed" });
      const command = decide(state, policy);
      steps.push(command.type);
      if (command.type === "close-round")
        state = apply(state, { ...command, type: "round-closed" });
      else if (command.type === "call-model")
        state = apply(state, { ...command, type: "model-call-started" });
      expect(state.closing).toBe("confirmation-denied");
    }
    expect(steps).toEqual(["close-round", "call-model", "call-model", "call-model"]);
  });

  it("a resumed turn that has used up its calls ends with the reason that closed it", () => {
    const closing = {
      ...stateWith({ modelCalls: 20 }),
      closing: "confirmation-denied" as const,
    };
    expect(decide(closing, policy)).toEqual({
      type: "give-up",
      reason: "confirmation-denied",
    });
  });

  it.each([1, 2, 3, 20])(
    "with a limit of %i model calls a resumed turn stays within it",
    (maxModelCalls) => {
      let state: TurnState = {
        ...stateWith({ modelCalls: 1 }),
        modelCallOpen: true,
      };
      const tight = { ...policy, maxModelCalls };
      let calls = 1;
      for (;;) {
        state = apply(state, { type: "resumed" });
        const command = decide(state, tight);
        if (command.type === "give-up") break;
        expect(command.type).toBe("call-model");
        state = apply(state, { type: "model-call-started" });
        calls += 1;
      }
      expect(calls).toBe(maxModelCalls);
    },
  );
});
