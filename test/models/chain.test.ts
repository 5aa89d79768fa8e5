import { describe, expect, it } from "vitest";
import type { Usage } from "../../src/core/history.ts";
import type { Model, ModelCard, ModelEvent } from "../../src/core/model.ts";
import { Breakers } from "../../src/models/breaker.ts";
import type { ModelRetry } from "../../src/models/chain-observer.ts";
import type { ModelChain } from "../../src/models/chain.ts";
import { createModelChain } from "../../src/models/chain.ts";
import type { Schedule } from "../../src/models/limits.ts";
import { cloudLimits, withTimeLimits } from "../../src/models/limits.ts";
import { withDefaultOptions } from "../../src/models/options.ts";
import type { Sleep } from "../../src/util/sleep.ts";
import {
  ask,
  eventsOf,
  failing,
  HangingModel,
  ListedModel,
  request,
  said,
  streamOf,
  timer,
} from "./helpers.ts";

/** A chain with a clock of its own: sleeping only moves it. */
class World {
  nowMs = 0;
  readonly slept: number[] = [];
  readonly retries: ModelRetry[] = [];
  readonly chain: ModelChain;

  constructor(...models: Model[]) {
    const sleep: Sleep = (ms) => {
      this.slept.push(ms);
      this.nowMs += ms;
      return Promise.resolve();
    };
    this.chain = createModelChain({
      models,
      sleep,
      random: () => 0.5,
      breakers: new Breakers({ now: () => this.nowMs }),
      onRetry: (retry) => this.retries.push(retry),
    });
  }

  async ask(): Promise<{
    events: readonly ModelEvent[];
    text: string;
    failure: string | undefined;
    answeredBy: string[];
  }> {
    const answeredBy: string[] = [];
    const onModel = (card: ModelCard): void => void answeredBy.push(card.id);
    const stream = {
      card: this.chain.card,
      stream: (...[asked, signal, observer]: Parameters<ModelChain["stream"]>) =>
        this.chain.stream(asked, signal, { ...observer, onModel }),
    };
    const { events, text, failure } = await ask(stream, request("hi"));
    return { events, text, failure: failure?.kind, answeredBy };
  }
}

const usage = (inputTokens: number): ModelEvent => ({
  type: "usage",
  usage: { inputTokens, outputTokens: 0 },
});

const cut: readonly ModelEvent[] = [{ type: "text-delta", text: "half" }, ...failing("network")];

describe("a chain of models", () => {
  it("asks the first model and says that it answered", async () => {
    const second = new ListedModel("b/2");
    const world = new World(new ListedModel("a/1", said("yes")), second);
    expect(await world.ask()).toMatchObject({
      text: "yes",
      answeredBy: ["a/1"],
    });
    expect(second.requests).toEqual([]);
    expect(world.chain.card.id).toBe("a/1");
    expect(world.chain.cards.map(({ id }) => id)).toEqual(["a/1", "b/2"]);
  });

  it.each(["rate-limited", "overloaded", "network"] as const)(
    "tries again after %s, three times, each time twice as late",
    async (kind) => {
      const model = new ListedModel(
        "a/1",
        failing(kind),
        failing(kind),
        failing(kind),
        said("yes"),
      );
      const world = new World(model);
      expect(await world.ask()).toMatchObject({
        text: "yes",
        answeredBy: ["a/1"],
      });
      expect(world.slept).toEqual([375, 750, 1500]);
      expect(world.retries.map(({ attempt, delayMs }) => [attempt, delayMs])).toEqual([
        [1, 375],
        [2, 750],
        [3, 1500],
      ]);
    },
  );

  it("goes on to the next model when trying again did not help", async () => {
    const failures = [1, 2, 3, 4].map(() => failing("overloaded"));
    const first = new ListedModel("a/1", ...failures);
    const world = new World(first, new ListedModel("b/2", said("yes")));
    expect(await world.ask()).toMatchObject({
      text: "yes",
      answeredBy: ["b/2"],
    });
    expect(first.requests).toHaveLength(4);
    expect(world.retries.at(-1)).toMatchObject({
      attempt: 4,
      delayMs: undefined,
    });
  });

  it("waits as long as the server asks", async () => {
    const world = new World(
      new ListedModel("a/1", failing("rate-limited", { retryAfterMs: 5000 }), said("yes")),
    );
    await world.ask();
    expect(world.slept).toEqual([5375]);
  });

  it("does not wait longer than half a minute", async () => {
    const world = new World(
      new ListedModel("a/1", failing("rate-limited", { retryAfterMs: 30_001 })),
      new ListedModel("b/2", said("yes")),
    );
    expect(await world.ask()).toMatchObject({ answeredBy: ["b/2"] });
    expect(world.slept).toEqual([]);
  });

  it.each(["timeout", "auth", "invalid-request"] as const)(
    "goes on to the next model at once after %s",
    async (kind) => {
      const first = new ListedModel("a/1", failing(kind));
      const world = new World(first, new ListedModel("b/2", said("yes")));
      expect(await world.ask()).toMatchObject({ text: "yes" });
      expect(first.requests).toHaveLength(1);
    },
  );

  it.each(["context-overflow", "refused"] as const)(
    "passes %s on: no other model helps",
    async (kind) => {
      const second = new ListedModel("b/2", said("yes"));
      const world = new World(new ListedModel("a/1", failing(kind)), second);
      expect(await world.ask()).toMatchObject({
        failure: kind,
        answeredBy: [],
      });
      expect(second.requests).toEqual([]);
    },
  );

  it.each([
    ["text", { type: "text-delta", text: "half" }],
    ["reasoning", { type: "reasoning-delta", text: "half" }],
    ["a call", { type: "tool-call", id: "", name: "x", arguments: "{}" }],
  ] as const)("passes a failure on after %s was shown", async (_, event) => {
    const model = new ListedModel("a/1", [event, ...failing("network")], said("no"));
    const world = new World(model, new ListedModel("b/2", said("no")));
    expect(await world.ask()).toMatchObject({
      failure: "network",
      answeredBy: ["a/1"],
    });
    expect(model.requests).toHaveLength(1);
  });

  it("tries again when only usage came, which is no part of the answer", async () => {
    const world = new World(
      new ListedModel("a/1", [usage(5), ...failing("overloaded")], said("yes")),
    );
    const answer = await world.ask();
    expect(answer).toMatchObject({ text: "yes" });
    expect(answer.events).not.toContainEqual(usage(5));
  });

  it("passes on the usage of an answer that says nothing else", async () => {
    const finish: ModelEvent = { type: "finish", reason: "stop" };
    const world = new World(new ListedModel("a/1", [usage(5), finish]));
    expect((await world.ask()).events).toEqual([usage(5), finish]);
  });

  it("accounts for every attempt, the failed ones and the one cut short too", async () => {
    const { chain } = new World(
      new ListedModel("a/1", [usage(1), ...failing("overloaded")], failing("overloaded"), [
        usage(2),
        usage(3),
        ...failing("auth"),
      ]),
      new ListedModel("b/2", [
        { type: "text-delta", text: "half" },
        usage(4),
        ...said("never heard"),
      ]),
    );
    const accounts: [string, number][] = [];
    const onUsage = (card: ModelCard, used: Usage): void =>
      void accounts.push([card.id, used.inputTokens]);
    for await (const event of streamOf(chain, request("hi"), { onUsage }))
      if (event.type === "usage") break;
    expect(accounts).toEqual([
      ["a/1", 1],
      ["a/1", 3],
      ["b/2", 4],
    ]);
  });

  it("tells of the model within a chain within", async () => {
    const inner = new World(
      new ListedModel("a/1", [usage(1), ...failing("auth")]),
      new ListedModel("b/2", [usage(2), ...said("yes")]),
    );
    const limited = withTimeLimits(
      withDefaultOptions(inner.chain, { temperature: 1 }),
      cloudLimits,
    );
    const outer = new World(limited);
    const told: unknown[] = [];
    await eventsOf(outer.chain, request("hi"), {
      onModel: (card) => told.push(card.id),
      onUsage: (card, { inputTokens }) => told.push([card.id, inputTokens]),
    });
    expect(told).toEqual([["a/1", 1], "b/2", ["b/2", 2]]);
  });

  it("tells of every model in one failure, the kind that may pass first", async () => {
    const world = new World(
      new ListedModel("a/1", failing("rate-limited", { retryAfterMs: 60_000 })),
      new ListedModel("b/2", failing("auth")),
    );
    const { events } = await world.ask();
    expect(events).toEqual([
      {
        type: "failure",
        failure: {
          kind: "rate-limited",
          message: "a/1: it was rate-limited; b/2: it was auth",
          retryAfterMs: 60_000,
        },
      },
    ]);
  });

  it("says the shortest wait, since the model that may be asked first decides", async () => {
    const world = new World(
      new ListedModel("a/1", failing("overloaded", { retryAfterMs: 40_000 })),
      new ListedModel("b/2", failing("auth", { retryAfterMs: 31_000 })),
      new ListedModel("c/3", failing("rate-limited", { retryAfterMs: 600_000 })),
    );
    const { events } = await world.ask();
    expect(events).toMatchObject([{ failure: { kind: "rate-limited", retryAfterMs: 40_000 } }]);
  });

  it("takes a stream without an end for a lost one", async () => {
    const world = new World(new ListedModel("a/1", [], said("yes")));
    expect(await world.ask()).toMatchObject({ text: "yes" });
  });

  it("says nothing more once it is aborted while it waits", async () => {
    const stopping = new AbortController();
    const model = new ListedModel("a/1", failing("overloaded"), said("no"));
    const chain = createModelChain({
      models: [model],
      random: () => 0.5,
      breakers: new Breakers({ now: () => 0 }),
      sleep: () => {
        stopping.abort();
        return Promise.resolve();
      },
    });
    const { events } = await ask(chain, request("hi"), stopping.signal);
    expect(events).toEqual([]);
    expect(model.requests).toHaveLength(1);
  });

  it("does not ask a model again that has timed out, even if there is no other", async () => {
    const model = new ListedModel("a/1", failing("timeout"), said("no"));
    const world = new World(model);
    expect(await world.ask()).toMatchObject({ failure: "timeout" });
    expect(model.requests).toHaveLength(1);
    expect(world.slept).toEqual([]);
  });

  it("asks a model again whose gateway has timed out, only if there is no other", async () => {
    const timedOut = failing("timeout", { isReported: true });
    const model = new ListedModel("a/1", timedOut, timedOut, said("yes"));
    expect(await new World(model).ask()).toMatchObject({ text: "yes" });
    const first = new ListedModel("a/1", timedOut, said("no"));
    const world = new World(first, new ListedModel("b/2", timedOut, said("yes")));
    expect(await world.ask()).toMatchObject({ text: "yes" });
    expect(first.requests).toHaveLength(1);
  });

  it("takes a stream that ends in the middle for a failure, and does not say it twice", async () => {
    const world = new World(
      new ListedModel("a/1", [{ type: "text-delta", text: "half" }], said("x")),
    );
    expect(await world.ask()).toMatchObject({
      text: "half",
      failure: "network",
    });
  });

  it("refuses to be empty", () => {
    expect(() => new World()).toThrow("at least one model");
  });
});

/** A clock whose timers run when nothing else does; sleeping only moves it. */
class Clock {
  nowMs = 1_000_000;
  readonly waiting = new Set<() => void>();
  readonly now = (): number => this.nowMs;
  readonly sleep: Sleep = (ms) => {
    this.nowMs += ms;
    return Promise.resolve();
  };
  readonly schedule: Schedule = (run, ms) => {
    const expire = (): void => {
      if (!this.waiting.delete(expire)) return;
      this.nowMs += ms;
      run();
    };
    this.waiting.add(expire);
    setImmediate(() => setImmediate(expire));
    return timer(() => void this.waiting.delete(expire));
  };

  chain(...models: Model[]): ModelChain {
    return createModelChain({
      models,
      now: this.now,
      sleep: this.sleep,
      schedule: this.schedule,
      random: () => 0.5,
      breakers: new Breakers({ now: this.now }),
    });
  }
}

describe("models that hang", () => {
  it("have five minutes in all, and each is asked once", async () => {
    const clock = new Clock();
    const models = ["a/1", "b/2", "c/3", "d/4"].map((id) => new HangingModel(id));
    const startedAtMs = clock.nowMs;
    const { failure } = await ask(clock.chain(...models), request("hi"));
    expect(failure?.kind).toBe("timeout");
    expect(models.map(({ asked }) => asked)).toEqual([1, 1, 1, 1]);
    expect(clock.nowMs - startedAtMs).toBe(300_000);
    expect(clock.waiting.size).toBe(0);
  });

  it("leave the one behind them a minute", async () => {
    const clock = new Clock();
    const chain = clock.chain(new HangingModel("a/1"), new ListedModel("b/2", said("yes")));
    const startedAtMs = clock.nowMs;
    expect((await ask(chain, request("hi"))).text).toBe("yes");
    expect(clock.nowMs - startedAtMs).toBe(240_000);
  });

  it("are not waited for again when the time would be over", async () => {
    const clock = new Clock();
    const patient = failing("rate-limited", { retryAfterMs: 30_000 });
    const first = new ListedModel("a/1", patient, patient, said("late"));
    const slow: Model = {
      card: first.card,
      async stream(...asked) {
        clock.nowMs += 145_000;
        await first.stream(...asked);
      },
    };
    const { failure } = await ask(clock.chain(slow), request("hi"));
    expect(failure?.kind).toBe("rate-limited");
    expect(first.requests).toHaveLength(2);
  });

  it("are stopped at once from outside, and that is no failure", async () => {
    const clock = new Clock();
    const stopping = new AbortController();
    const model = new HangingModel("a/1");
    const asking = ask(clock.chain(model), request("hi"), stopping.signal);
    stopping.abort();
    expect((await asking).events).toEqual([]);
    expect(clock.waiting.size).toBe(0);
  });

  it("open their breaker", async () => {
    const clock = new Clock();
    const model = new ListedModel(
      "a/1",
      ...[1, 2, 3, 4, 5].map(() => failing("timeout")),
      said("no"),
    );
    const answers = [1, 2, 3, 4, 5, 6].map(() => said("yes"));
    const chain = clock.chain(model, new ListedModel("b/2", ...answers));
    for (let turn = 0; turn < 6; turn += 1)
      expect((await ask(chain, request("hi"))).text).toBe("yes");
    expect(model.requests).toHaveLength(5);
  });

  it("that have begun an answer are left to their own limits", async () => {
    const clock = new Clock();
    const stopping = new AbortController();
    const words: ModelEvent = { type: "text-delta", text: "half" };
    const chain = clock.chain(new HangingModel("a/1", words));
    const events = streamOf(chain, request("hi"), stopping);
    expect((await events.next()).value).toEqual(words);
    expect(clock.waiting.size).toBe(0);
    const next = events.next();
    stopping.abort();
    expect((await next).done).toBe(true);
  });
});

const broken = (): readonly ModelEvent[] => failing("overloaded", { retryAfterMs: 31_000 });

describe("the breaker in a chain", () => {
  it("passes over a model after five failures, and tries it again after a rest", async () => {
    const first = new ListedModel(
      "a/1",
      ...[1, 2, 3, 4, 5].map(broken),
      said("back"),
      said("back"),
    );
    const world = new World(
      first,
      new ListedModel("b/2", ...[1, 2, 3, 4, 5, 6].map(() => said("yes"))),
    );
    for (let turn = 0; turn < 6; turn += 1)
      expect(await world.ask()).toMatchObject({ text: "yes" });
    expect(first.requests).toHaveLength(5);
    world.nowMs += 30_000;
    expect(await world.ask()).toMatchObject({ text: "back" });
    expect(await world.ask()).toMatchObject({ text: "back" });
  });

  it("still tries the first model once when there is no other", async () => {
    const first = new ListedModel(
      "a/1",
      ...[1, 2, 3, 4, 5].map(broken),
      failing("overloaded"),
      said("back"),
    );
    const world = new World(first);
    for (let turn = 0; turn < 6; turn += 1)
      expect(await world.ask()).toMatchObject({ failure: "overloaded" });
    expect(world.slept).toEqual([]);
    expect(await world.ask()).toMatchObject({ text: "back" });
  });

  it("counts failures of the last minute only", () => {
    let nowMs = 0;
    const breakers = new Breakers({ now: () => nowMs });
    for (let count = 0; count < 20; count += 1) {
      breakers.failed("a/1");
      nowMs += 15_000;
    }
    expect(breakers.isOpen("a/1")).toBe(false);
  });

  it("counts attempts that failed together once", () => {
    let nowMs = 1_000;
    const breakers = new Breakers({ now: () => nowMs });
    const beganAtMs = breakers.now();
    for (let count = 0; count < 20; count += 1) {
      nowMs += 1;
      breakers.failed("a/1", beganAtMs);
    }
    expect(breakers.isOpen("a/1")).toBe(false);
    for (let count = 0; count < 4; count += 1) {
      const againAtMs = breakers.now();
      nowMs += 1;
      breakers.failed("a/1", againAtMs);
    }
    expect(breakers.isOpen("a/1")).toBe(true);
  });

  it("lets one request try, and closes or opens by its end", () => {
    let nowMs = 0;
    const breakers = new Breakers({ now: () => nowMs });
    for (let count = 0; count < 5; count += 1) breakers.failed("a/1");
    expect(breakers.admit("a/1")).toBe(false);
    expect(breakers.admit("b/2")).toBe(true);
    nowMs = 30_000;
    expect([breakers.admit("a/1"), breakers.admit("a/1")]).toEqual([true, false]);
    breakers.failed("a/1");
    nowMs = 59_999;
    expect(breakers.admit("a/1")).toBe(false);
    nowMs = 60_000;
    expect(breakers.admit("a/1")).toBe(true);
    breakers.succeeded("a/1");
    expect([breakers.admit("a/1"), breakers.admit("a/1")]).toEqual([true, true]);
  });

  it("is not asked when the signal is aborted already", async () => {
    const model = new ListedModel("a/1", cut, said("yes"));
    const world = new World(model);
    expect(await world.ask()).toMatchObject({
      text: "half",
      failure: "network",
    });
    const stopped = await ask(world.chain, request("hi"), AbortSignal.abort());
    expect(stopped.events).toEqual([]);
    expect((await ask(world.chain, request("hi"))).text).toBe("yes");
  });
});
