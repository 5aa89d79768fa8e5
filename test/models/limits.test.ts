import { describe, expect, it } from "vitest";
import type { Model, ModelEvent, ModelObserver } from "../../src/core/model.ts";
import { failedAs, lifeSign } from "../../src/models/events.ts";
import type { Schedule } from "../../src/models/limits.ts";
import { withTimeLimits } from "../../src/models/limits.ts";
import { answerOf, ask, card, ListedModel, never, request, said } from "./helpers.ts";

const limits = { firstEventMs: 100, idleMs: 30, totalMs: 1000 };

/** Timers that run when the test says so. */
class Timers {
  readonly waiting = new Set<{ run: () => void; ms: number }>();
  /** Milliseconds of the timers that were started again. */
  readonly refreshed: number[] = [];
  readonly schedule: Schedule = (run, ms) => {
    const timer = { run, ms };
    this.waiting.add(timer);
    return {
      refresh: () => this.refreshed.push(ms),
      [Symbol.dispose]: () => this.waiting.delete(timer),
    };
  };

  expire(ms: number): void {
    for (const timer of this.waiting) if (timer.ms === ms) timer.run();
  }
}

/** A model that says what it is given, when it is given it. */
class PushedModel implements Model {
  readonly card = card;
  signal: AbortSignal | undefined;
  push: (event: ModelEvent) => void = () => undefined;

  stream(_: unknown, signal: AbortSignal, { onEvent }: ModelObserver): Promise<void> {
    this.signal = signal;
    this.push = onEvent;
    return new Promise(() => undefined);
  }
}

function start(model: Model, signal = never()) {
  const timers = new Timers();
  const limited = withTimeLimits(model, limits, timers);
  const heard: ModelEvent[] = [];
  const onEvent = (event: ModelEvent): void => void heard.push(event);
  const ended = limited.stream(request("hello"), signal, { onEvent });
  return { timers, heard, ended };
}

const text = (words: string): ModelEvent => ({
  type: "text-delta",
  text: words,
});

describe("time limits around a model", () => {
  it("pass an answer on and leave no timer behind", async () => {
    const timers = new Timers();
    const model = withTimeLimits(new ListedModel("a/b", said("hello")), limits, timers);
    expect((await ask(model, request("hi"))).text).toBe("hello");
    expect(model.card.id).toBe("a/b");
    expect(timers.waiting.size).toBe(0);
  });

  it("end a silent model, abort its request and leave no timer behind", async () => {
    const model = new PushedModel();
    const { timers, heard, ended } = start(model);
    timers.expire(limits.firstEventMs);
    await ended;
    expect(heard).toMatchObject([{ type: "failure", failure: { kind: "timeout" } }]);
    expect(model.signal?.aborted).toBe(true);
    expect(timers.waiting.size).toBe(0);
  });

  it("end a model that falls silent in the middle", async () => {
    const model = new PushedModel();
    const { timers, heard, ended } = start(model);
    model.push(text("one"));
    timers.expire(limits.firstEventMs);
    expect(heard).toEqual([text("one")]);
    timers.expire(limits.idleMs);
    await ended;
    expect(heard).toMatchObject([text("one"), { type: "failure" }]);
  });

  it("say nothing behind their end", async () => {
    const model = new PushedModel();
    const { timers, heard, ended } = start(model);
    timers.expire(limits.totalMs);
    await ended;
    model.push(text("late"));
    expect(heard).toHaveLength(1);
  });

  it("take an empty delta for a sign of life and keep it", async () => {
    const model = new PushedModel();
    const { timers, heard } = start(model);
    model.push(lifeSign);
    expect([...timers.waiting].map(({ ms }) => ms)).toContain(limits.idleMs);
    model.push(lifeSign);
    expect(timers.refreshed).toEqual([limits.idleMs]);
    expect(heard).toEqual([]);
  });

  it("end an answer that takes too long in all", async () => {
    const model = new PushedModel();
    const { timers, heard, ended } = start(model);
    model.push(text("one"));
    timers.expire(limits.totalMs);
    await ended;
    expect(heard.at(-1)).toMatchObject({
      type: "failure",
      failure: { kind: "timeout", message: "the answer took longer than 1 s" },
    });
  });

  it("end without an event when it is aborted from outside", async () => {
    const stopping = new AbortController();
    const model = new PushedModel();
    const { timers, heard, ended } = start(model, stopping.signal);
    stopping.abort();
    await ended;
    expect(heard).toEqual([]);
    expect(model.signal?.aborted).toBe(true);
    expect(timers.waiting.size).toBe(0);
  });

  it("ask nothing when the signal is aborted already", async () => {
    const model = new ListedModel("a/b", said("hello"));
    const limited = withTimeLimits(model, limits);
    const { events } = await ask(limited, request("hi"), AbortSignal.abort());
    expect(events).toEqual([]);
    expect(model.requests).toEqual([]);
  });

  it("leave no timer and no request behind where the listener throws at the end", async () => {
    const model = new PushedModel();
    const timers = new Timers();
    const ended = withTimeLimits(model, limits, timers).stream(request("hello"), never(), {
      onEvent: () => {
        throw new Error("on purpose");
      },
    });
    expect(() => model.push(failedAs("network", "away"))).toThrow("on purpose");
    await ended;
    expect(timers.waiting.size).toBe(0);
    expect(model.signal?.aborted).toBe(true);
  });

  it("leave no timer behind where the model throws", async () => {
    const timers = new Timers();
    const model: Model = { card, stream: () => Promise.reject(new Error("on purpose")) };
    const ended = withTimeLimits(model, limits, timers).stream(request("hello"), never(), {
      onEvent: () => undefined,
    });
    await expect(ended).rejects.toThrow("on purpose");
    expect(timers.waiting.size).toBe(0);
  });

  it("give every stream exactly one end", async () => {
    const model = new ListedModel("a/b", [text("cut")], [...said("x"), ...said("y")]);
    const limited = withTimeLimits(model, limits);
    const cut = await ask(limited, request("hi"));
    expect(cut.failure?.kind).toBe("network");
    const twice = await ask(limited, request("hi"));
    expect(answerOf(twice.events)).toMatchObject({ text: "x", finish: "stop" });
  });
});
