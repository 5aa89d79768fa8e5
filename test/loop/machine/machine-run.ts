import * as fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import type { ApprovalStatus } from "../../../src/core/approval.ts";
import type { EndReason, FailureKind } from "../../../src/core/history.ts";
import {
  effectSchema,
  terminalStatuses,
  turnStateSchema,
  type Call,
  type TurnPolicy,
  type TurnState,
} from "../../../src/core/turn.ts";
import { apply, type TurnEvent } from "../../../src/loop/machine/apply.ts";
import { decide, type Command } from "../../../src/loop/machine/decide.ts";
import { openTurn } from "../../../src/loop/machine/open-turn.ts";
import { totalOf, type Spent } from "../../../src/loop/machine/spending.ts";

/** More than any turn of these sizes can need: a run that gets there does not end. */
const maxSteps = 2_000;
const maxCrashes = 20;

export const policies: fc.Arbitrary<TurnPolicy> = fc.record({
  maxModelCalls: fc.integer({ min: 1, max: 6 }),
  maxToolExecutions: fc.integer({ min: 0, max: 8 }),
  deadlineMs: fc.integer({ min: 1, max: 500 }),
  stopOn: fc.record({
    toolFailure: fc.boolean(),
    confirmationDenied: fc.boolean(),
    policyDenied: fc.boolean(),
  }),
  maxTokens: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
  maxCostUsd: fc.option(fc.double({ min: 0.01, max: 4, noNaN: true }), {
    nil: undefined,
  }),
  loop: fc.record({
    sameCall: fc.constant(3),
    sameTool: fc.constant(5),
    hints: fc.integer({ min: 0, max: 2 }),
  }),
});

interface Proposal {
  readonly effect: Call["effect"];
  readonly is: "run" | "ask" | FailureKind;
}

const proposals: fc.Arbitrary<Proposal> = fc.record({
  effect: fc.constantFrom(...effectSchema.options),
  is: fc.oneof(
    { weight: 3, arbitrary: fc.constant("run" as const) },
    { weight: 2, arbitrary: fc.constant("ask" as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<FailureKind>("invalid-arguments", "unknown-tool", "policy-denied"),
    },
  ),
});

const answers = fc.record({
  text: fc.constantFrom("", "  ", "an answer"),
  calls: fc.oneof(
    { weight: 1, arbitrary: fc.constant<Proposal[]>([]) },
    { weight: 3, arbitrary: fc.array(proposals, { maxLength: 4 }) },
  ),
});

const outcomes = fc.constantFrom(
  { status: "done" as const },
  { status: "failed" as const, failure: "tool-error" as const },
  { status: "failed" as const, failure: "timeout" as const },
  { status: "unknown" as const, failure: "outcome-unknown" as const },
);

type Ends = "stopped" | "deadline" | "superseded";

class Broken extends Error {}

function ensure(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Broken(what);
}

/**
 * A turn as `runTurn` would run it, with everything around it left to chance: what the model says,
 * what tools do, who taps when, when someone stops, and when the worker dies. What a real one keeps
 * in Redis is `#committed` here, and goes through JSON and the schema. Throws `Broken` as soon as
 * something does not hold.
 */
export class MachineRun {
  readonly #any: fc.GeneratorValue;
  readonly #policy: TurnPolicy;
  #state: TurnState;
  #results = new Set<string>();
  #committed: { state: TurnState; results: Set<string> };
  /** The truth about approvals, which taps change at any time. */
  readonly #approvals = new Map<string, ApprovalStatus>();
  readonly #runs = new Map<string, number>();
  #executions = 0;
  readonly events: TurnEvent[] = [];
  #crashes = 0;
  #modelCalls = 1;
  #ended: Ends | undefined;

  constructor(any: fc.GeneratorValue, policy: TurnPolicy) {
    this.#any = any;
    this.#policy = policy;
    this.#state = openTurn(1, {
      kind: "message",
      v: 1,
      id: "m1",
      person: { id: "telegram:1", name: "Ann" },
      text: "hello",
      atMs: 0,
    });
    this.#committed = { state: this.#state, results: new Set() };
  }

  /** The finished state. */
  run(): TurnState {
    if (this.#chance(4)) this.#waitForPlace();
    for (let step = 0; step < maxSteps; step += 1) {
      this.#around();
      const command = this.#decide();
      if (command.type === "finish") return this.#finish();
      this.#perform(command);
    }
    throw new Broken(
      `the turn does not end: ${JSON.stringify({ state: this.#state, policy: this.#policy })}`,
    );
  }

  /** Taps, stops and crashes come between any two steps. */
  #around(): void {
    if (this.#chance(4)) this.#tap();
    if (this.#chance(8)) this.#applyDecisions();
    if (this.#chance(20)) this.#stop("stopped");
    if (this.#chance(30)) this.#stop("deadline");
    if (this.#chance(8)) this.#crash();
  }

  #decide(): Command {
    const command = decide(this.#state, this.#policy);
    ensure(
      isDeepStrictEqual(command, decide(this.#state, this.#policy)),
      "decide is a function of the state",
    );
    ensure(
      isDeepStrictEqual(command, decide(stored(this.#state), this.#policy)),
      "decide says the same of a stored state",
    );
    return command;
  }

  #perform(command: Exclude<Command, { type: "finish" }>): void {
    switch (command.type) {
      case "call-model":
        this.#modelCalls += 1;
        this.#apply({
          type: "model-call-started",
          ...(command.closing === undefined ? {} : { closing: command.closing }),
        });
        return this.#commit();
      case "await-model":
        // The view is too long, or turns out to be: a detour that any crash may cut short.
        if (this.#chance(10)) {
          this.#apply({ type: "compaction-started" });
          return this.#commit();
        }
        return this.#answer(command.closing);
      case "compact":
        if (this.#chance(10)) return this.#crash();
        this.#apply({
          type: "compaction-ended",
          spent: this.#spent(),
          elapsedMs: 1,
        });
        return this.#commit();
      case "start-calls":
        return this.#start(command.indexes);
      case "refuse-calls":
        ensure(command.indexes.length > 0, "there is something to refuse");
        for (const index of command.indexes)
          this.#apply({
            type: "call-settled",
            index,
            ...(command.because === "max-tool-executions"
              ? { status: "failed", failure: "limit-reached" }
              : { status: "superseded", failure: "superseded" }),
            elapsedMs: 0,
          });
        return;
      case "close-round":
        this.#keepResults();
        return this.#apply({
          type: "round-closed",
          loop: {
            recent: [],
            detections: (this.#state.loop?.detections ?? 0) + (this.#chance(4) ? 1 : 0),
          },
          ...(command.closing === undefined ? {} : { closing: command.closing }),
        });
      case "wait":
        return this.#wait();
      case "keep":
        this.#commit();
        if (this.#chance(3)) this.#crash();
        if (this.#chance(6)) return this.#stop("superseded");
        return this.#apply({ type: "kept-ended" });
      case "give-up":
        return this.#apply({
          type: "ended",
          reason: command.reason,
          text: "a limit",
          failure: "limit-reached",
          elapsedMs: 0,
        });
      default:
        return command satisfies never;
    }
  }

  #answer(closing: EndReason | undefined): void {
    ensure(this.#modelCalls <= this.#policy.maxModelCalls, "no model call beyond the limit");
    const elapsedMs = this.#any(fc.nat, { max: 60 });
    if (this.#chance(10))
      return this.#apply({
        type: "model-call-lost",
        ...(this.#chance(2) ? { empty: "test/model" } : {}),
        spent: this.#spent(),
        elapsedMs,
      });
    if (this.#chance(10))
      return this.#apply({ type: "kept", untilMs: 1, spent: this.#spent(), elapsedMs });
    const { text, calls } = this.#any(() => answers);
    const offered = closing === undefined ? calls : [];
    this.#apply({
      type: "model-answered",
      model: "test/model",
      text,
      usage: { inputTokens: 3, outputTokens: 2 },
      calls: offered.map((call, index) => this.#prepared(call, index)),
      emptySentence: "it said nothing",
      spent: this.#spent(),
      ...(closing === undefined ? {} : { closing }),
      elapsedMs,
    });
    // A worker that dies here has asked no one: the cards leave with the next commit.
    if (this.#state.phase === "acting" && this.#chance(8)) this.#crash();
  }

  /** What an answer costs: at times nothing is known of its price. */
  #spent(): Spent {
    const priced = this.#chance(2) ? { costUsd: 0.5 } : {};
    const used = { requests: 1, inputTokens: 3, outputTokens: 2, ...priced };
    return this.#chance(3) ? {} : { "test/model": used };
  }

  #prepared({ effect, is }: Proposal, index: number): Call {
    const { round } = this.#state;
    const request = { index, wireId: "", name: "tool", arguments: "{}" };
    if (is === "run") return { ...request, effect, status: "authorised" };
    if (is === "ask")
      return {
        ...request,
        effect,
        status: "awaiting",
        approvalId: `${round}.${index}.${this.#crashes}`,
      };
    return { ...request, effect: "read", status: "failed", failure: is };
  }

  #start(indexes: readonly number[]): void {
    ensure(indexes.length > 0, "there is something to start");
    ensure(new Set(indexes).size === indexes.length, "no call starts twice");
    const { calls, closing } = this.#state;
    ensure(closing === undefined, "no call starts in a closing turn");
    const { toolFailure, policyDenied } = this.#policy.stopOn;
    ensure(
      calls.every(
        ({ failure = "" }) =>
          !(policyDenied && failure === "policy-denied") &&
          !(toolFailure && /^(?:tool-error|timeout|invalid|unknown|outcome)/.test(failure)),
      ),
      "no call starts behind one that ends the turn",
    );
    for (const index of indexes) {
      const call = calls[index];
      ensure(call?.status === "authorised", "only authorised calls start");
      if (call.approvalId === undefined) continue;
      ensure(
        this.#approvals.get(call.approvalId) === "approved",
        "no call that asks starts unapproved",
      );
      ensure(
        calls.every(({ status }) => status !== "awaiting"),
        "no call that asks starts before all are decided",
      );
    }
    const started = indexes.map((index) => calls[index]);
    ensure(
      started.length === 1 || started.every((call) => call?.effect === "read"),
      "only reads run side by side",
    );
    this.#apply({ type: "calls-started", indexes });
    this.#commit();
    if (this.#chance(10)) return this.#apply({ type: "calls-withdrawn", indexes });
    for (const index of indexes) {
      this.#ran(index);
      if (this.#chance(10)) return this.#crash();
      if (this.#chance(15)) return this.#stop("stopped");
      const event = {
        type: "call-settled" as const,
        index,
        ...this.#any(() => outcomes),
        elapsedMs: this.#any(fc.nat, { max: 60 }),
      };
      this.#apply(event);
      // A result that comes twice changes nothing.
      if (this.#chance(10)) {
        const before = this.#state.calls;
        this.#apply({ ...event, elapsedMs: 0, status: "failed" });
        ensure(isDeepStrictEqual(before, this.#state.calls), "a settled call stays as it is");
      }
    }
  }

  #ran(index: number): void {
    const call = this.#state.calls[index];
    const key = `${this.#state.round}.${index}`;
    const runs = (this.#runs.get(key) ?? 0) + 1;
    this.#runs.set(key, runs);
    ensure(call?.effect !== "once" || runs === 1, "once means once");
    this.#executions += 1;
    ensure(this.#executions <= this.#policy.maxToolExecutions, "no execution beyond the limit");
  }

  /** Lets go, and comes back when there is news. */
  #wait(): void {
    this.#commit();
    const pending = this.#pending();
    ensure(pending.length > 0, "somebody is waited for");
    if (this.#chance(6)) {
      this.#apply(endings.superseded);
      return;
    }
    if (this.#chance(3)) this.#crash();
    this.#tap(pending[0]);
    this.#applyDecisions();
  }

  #pending(): string[] {
    return this.#state.calls.flatMap(({ status, approvalId }) =>
      status === "awaiting" && approvalId !== undefined ? [approvalId] : [],
    );
  }

  /** Someone decides, if no one has yet. Only what is committed has a card. */
  #tap(id?: string): void {
    const asked = this.#committed.state.calls.flatMap(({ approvalId }) =>
      approvalId === undefined ? [] : [approvalId],
    );
    if (asked.length === 0) return;
    const chosen = id ?? asked[this.#any(fc.nat, { max: asked.length - 1 })];
    if (chosen === undefined || this.#approvals.has(chosen)) return;
    const status = this.#any(() =>
      fc.constantFrom<ApprovalStatus>("approved", "denied", "expired", "changed"),
    );
    this.#approvals.set(chosen, status);
  }

  #applyDecisions(): void {
    for (const approvalId of this.#pending()) {
      const status = this.#approvals.get(approvalId) ?? "pending";
      this.#apply({ type: "approval-decided", approvalId, status });
      // A second tap, and a tap on something else, change nothing.
      const before = this.#state;
      if (status === "pending") continue;
      if (status === "changed") {
        ensure(isDeepStrictEqual(before, this.#state), "a change is no decision");
        this.#askAgain(approvalId);
        continue;
      }
      this.#apply({ type: "approval-decided", approvalId, status: "denied" });
      this.#apply({
        type: "approval-decided",
        approvalId: "foreign",
        status: "approved",
      });
      ensure(isDeepStrictEqual(before, this.#state), "decided once");
    }
  }

  /**
   * Someone wrote other arguments: another approval asks about them, and the old one means nothing
   * any more.
   */
  #askAgain(approvalId: string): void {
    const call = this.#state.calls.find((each) => each.approvalId === approvalId);
    if (call === undefined) throw new Error("the changed call");
    const { index } = call;
    const next = {
      ...call,
      arguments: '{"changed":true}',
      changedBy: "Ann",
      approvalId: `${approvalId}+`,
    };
    this.#apply({ type: "call-asked-again", index, call: next });
    const before = this.#state;
    this.#apply({ type: "approval-decided", approvalId, status: "approved" });
    this.#apply({ type: "call-asked-again", index: -1, call: next });
    ensure(isDeepStrictEqual(before, this.#state), "the old card decides nothing");
  }

  #stop(why: Ends): void {
    if (this.#ended !== undefined || this.#state.phase === "finished") return;
    this.#ended = why;
    this.#apply(endings[why]);
  }

  /** Everything since the last commit is gone; another worker goes on. */
  #crash(): void {
    if (this.#crashes >= maxCrashes) return;
    this.#crashes += 1;
    this.#ended = undefined;
    this.#modelCalls = this.#committed.state.counters.modelCalls;
    this.#state = stored(this.#committed.state);
    this.#results = new Set(this.#committed.results);
    if (this.#state.phase === "waiting") this.#applyDecisions();
    else {
      this.#apply({ type: "resumed" });
      if (this.#state.phase !== "finished" && this.#chance(4)) this.#waitForPlace();
    }
  }

  /** Others run: the turn is given back before anything was asked, and taken up again. */
  #waitForPlace(): void {
    if (this.#state.modelCallOpen) this.#modelCalls -= 1;
    this.#apply({ type: "model-call-withdrawn" });
    this.#apply({ type: "model-call-withdrawn" });
    this.#apply({ type: "told-to-wait" });
    this.#apply({ type: "reading-started", of: "message", blob: "file" });
    ensure(this.#state.reading?.blob === "file", "a file is being read");
    this.#apply({ type: "reading-ended" });
    ensure(this.#state.reading === undefined, "no file is being read");
    ensure(!this.#state.modelCallOpen, "no call is open");
    ensure(
      this.#state.counters.modelCalls === this.#modelCalls,
      "a call that was not made is not counted",
    );
    this.#commit();
    this.#apply({ type: "resumed" });
  }

  #commit(): void {
    this.#committed = {
      state: stored(this.#state),
      results: new Set(this.#results),
    };
  }

  /** Every call of the round ends with exactly one result. */
  #keepResults(): void {
    for (const { index, status, effect } of this.#state.calls) {
      ensure(terminalStatuses.has(status), "a closed round has no open call");
      const key = `${this.#state.round}.${index}`;
      ensure(!this.#results.has(key), "one result per call");
      ensure(
        effect !== "once" || !this.#runs.has(key) || mayHaveRun.has(status),
        "a result does not deny what may have happened",
      );
      this.#results.add(key);
    }
  }

  #finish(): TurnState {
    this.#keepResults();
    const { counters } = this.#state;
    ensure(
      counters.modelCalls <= this.#policy.maxModelCalls,
      "model calls stay within their limit",
    );
    ensure(
      counters.toolExecutions <= this.#policy.maxToolExecutions,
      "executions stay within their limit",
    );
    const { inputTokens, outputTokens, costUsd } = totalOf(this.#state.spent);
    ensure(
      inputTokens === counters.inputTokens &&
        outputTokens === counters.outputTokens &&
        costUsd === counters.costUsd,
      "what the models have cost is what the turn has cost",
    );
    ensure(this.#state.outcome !== undefined, "a finished turn has an outcome");
    return this.#state;
  }

  #apply(event: TurnEvent): void {
    const before = this.#state;
    const frozen = JSON.stringify(before);
    const after = apply(before, event);
    this.events.push(event);
    ensure(JSON.stringify(before) === frozen, "apply changes nothing in place");
    ensure(isDeepStrictEqual(after, apply(before, event)), "apply is a function");
    ensure(
      transitions[before.phase].includes(after.phase),
      `${event.type}: ${before.phase} → ${after.phase}`,
    );
    for (const counter of Object.keys(before.counters) as (keyof typeof before.counters)[])
      ensure(
        after.counters[counter] >= before.counters[counter] - returned(event, counter),
        `${counter} never goes down`,
      );
    if (after.round === before.round)
      for (const call of before.calls) {
        const now = after.calls[call.index];
        ensure(
          !terminalStatuses.has(call.status) || isDeepStrictEqual(call, now),
          "what is settled stays",
        );
      }
    ensure(isDeepStrictEqual(after, stored(after)), "a state survives its storage");
    this.#state = after;
  }

  /** True once in about `n` times; false when there is nothing left to shrink to. */
  #chance(n: number): boolean {
    return this.#any(fc.nat, { max: n - 1 }) === n - 1;
  }
}

/** How a call may end that was begun. */
const mayHaveRun: ReadonlySet<string> = new Set(["done", "failed", "unknown"]);

const stored = (state: TurnState): TurnState =>
  turnStateSchema.parse(JSON.parse(JSON.stringify(state)));

const transitions: Record<TurnState["phase"], readonly TurnState["phase"][]> = {
  thinking: ["thinking", "compacting", "acting", "waiting", "finished"],
  compacting: ["compacting", "thinking", "finished"],
  acting: ["acting", "waiting", "thinking", "finished"],
  waiting: ["waiting", "acting", "finished"],
  finished: ["finished"],
};

/** What an event gives back of what was counted: a call that was not made. */
const returned = ({ type }: TurnEvent, counter: string): number =>
  type === "model-call-withdrawn" && counter === "modelCalls" ? 1 : 0;

const endings: Record<Ends, TurnEvent & { type: "ended" }> = {
  stopped: {
    type: "ended",
    reason: "cancelled",
    text: "",
    failure: "cancelled",
    elapsedMs: 0,
  },
  deadline: {
    type: "ended",
    reason: "deadline",
    text: "too long",
    failure: "deadline",
    elapsedMs: 0,
  },
  superseded: {
    type: "ended",
    reason: "superseded",
    text: "",
    failure: "superseded",
    elapsedMs: 0,
  },
};
