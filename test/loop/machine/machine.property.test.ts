import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  terminalStatuses,
  turnStateSchema,
  type TurnPolicy,
  type TurnState,
} from "../../../src/core/turn.ts";
import { apply } from "../../../src/loop/machine/apply.ts";
import { decide } from "../../../src/loop/machine/decide.ts";
import { openTurn } from "../../../src/loop/machine/open-turn.ts";
import { MachineRun, policies } from "./machine-run.ts";

describe("the machine, whatever the interleaving", () => {
  it("keeps every promise and ends", () => {
    fc.assert(
      fc.property(fc.gen(), policies, (any, policy) => {
        const finished = new MachineRun(any, policy).run();
        expect(finished.phase).toBe("finished");
        expect(finished.calls.every(({ status }) => terminalStatuses.has(status))).toBe(true);
      }),
      { numRuns: 1_500 },
    );
  });

  it("changes nothing once it has finished", () => {
    fc.assert(
      fc.property(fc.gen(), policies, (any, policy) => {
        const run = new MachineRun(any, policy);
        const finished = run.run();
        for (const event of run.events) expect(apply(finished, event)).toBe(finished);
        expect(decide(finished, policy)).toEqual({ type: "finish" });
      }),
      { numRuns: 200 },
    );
  });

  it("reaches all that can happen to a call and every end", () => {
    const statuses = new Set<string>();
    const reasons = new Set<string>();
    fc.assert(
      fc.property(fc.gen(), policies, (any, policy) => {
        const finished = new MachineRun(any, policy).run();
        if (finished.outcome) reasons.add(finished.outcome.reason);
        for (const { status } of finished.calls) statuses.add(status);
      }),
      { numRuns: 3_000 },
    );
    // The runs would prove nothing of what they never come to.
    expect([...statuses].toSorted()).toEqual([
      "cancelled",
      "denied",
      "done",
      "expired",
      "failed",
      "superseded",
      "unknown",
    ]);
    expect([...reasons]).toEqual(
      expect.arrayContaining([
        "answered",
        "cancelled",
        "confirmation-denied",
        "deadline",
        "loop-detected",
        "max-cost",
        "max-model-calls",
        "max-tokens",
        "max-tool-executions",
        "model-failed",
        "policy-denied",
        "superseded",
        "tool-failure",
      ]),
    );
  });

  it("says so when something does not hold", () => {
    // The run itself must be able to fail: a policy that is loosened on the way breaks the limit it
    // is held to.
    expect(() =>
      fc.assert(
        fc.property(fc.gen(), policies, (any, policy) => {
          let asked = 0;
          const loose = {
            ...policy,
            get maxModelCalls() {
              asked += 1;
              return asked > 12 ? policy.maxModelCalls : 100;
            },
          };
          new MachineRun(any, loose).run();
        }),
        // No one wants the smallest failure, and to look for it may take all memory.
        { numRuns: 500, endOnFailure: true },
      ),
    ).toThrow("Property failed");
  });
});

describe("a state of an older Parley", () => {
  it("still loads and goes on", () => {
    const state = turnStateSchema.parse({
      v: 1,
      phase: "acting",
      turn: 7,
      round: 2,
      requester: { id: "telegram:1", name: "Ann" },
      counters: {
        modelCalls: 2,
        toolExecutions: 1,
        inputTokens: 10,
        outputTokens: 5,
        activeMs: 100,
      },
      modelCallOpen: false,
      calls: [
        {
          index: 0,
          wireId: "call_1",
          name: "write_note",
          arguments: '{"note":"milk"}',
          status: "started",
          effect: "once",
          digest: "d",
        },
        {
          index: 1,
          wireId: "call_2",
          name: "read_notes",
          arguments: "{}",
          status: "started",
          effect: "read",
          digest: "d",
        },
      ],
    });
    const resumed = apply(state, { type: "resumed" });
    expect(resumed).toMatchObject({ spent: {}, counters: { costUsd: 0 } });
    expect(resumed.calls).toMatchObject([
      { status: "unknown", failure: "outcome-unknown" },
      { status: "authorised" },
    ]);
  });
});

describe("an approved call beside an undecided one", () => {
  it("lets those go first that need no one", () => {
    const request = { wireId: "", name: "buy", arguments: "{}" };
    const opened = openTurn(1, {
      kind: "message",
      v: 1,
      id: "m1",
      person: { id: "telegram:1", name: "Ann" },
      text: "buy",
      atMs: 0,
    });
    const state: TurnState = {
      ...opened,
      phase: "acting",
      modelCallOpen: false,
      calls: [
        {
          ...request,
          index: 0,
          status: "authorised",
          effect: "once",
          approvalId: "a",
        },
        {
          ...request,
          index: 1,
          status: "awaiting",
          effect: "once",
          approvalId: "b",
        },
        { ...request, index: 2, status: "authorised", effect: "once" },
      ],
    };
    const policy: TurnPolicy = {
      maxModelCalls: 20,
      maxToolExecutions: 80,
      deadlineMs: 900_000,
      stopOn: {
        toolFailure: false,
        confirmationDenied: true,
        policyDenied: false,
      },
      loop: { sameCall: 3, sameTool: 5, hints: 5 },
    };
    expect(decide(state, policy)).toEqual({
      type: "start-calls",
      indexes: [2],
    });
  });
});
