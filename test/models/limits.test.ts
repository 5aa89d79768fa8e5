import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import type { Model, ModelEvent } from "../../src/core/model.ts";
import { lifeSign } from "../../src/models/events.ts";
import type { Schedule } from "../../src/models/limits.ts";
import { withTimeLimits } from "../../src/models/limits.ts";
import { answerOf, ask, card, ListedModel, never, request, said } from "./helpers.ts";

// The only way to have the collector run when a test says so, without an option of the whole run.
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const limits = { firstEventMs: 100, idleMs: 30, totalMs: 1000 };

/** Timers that run when the test says so. */
class Timers {
  readonly waiting = new Set<{ run: () => void; ms: number }>();
  readonly schedule: Schedule = (run, ms) => {
    const timer = { run, ms };
    this.waiting.add(timer);
    return () => this.waiting.delete(timer);
  };

  expire(ms: number): void {
    for (const timer of this.waiting) if (timer.ms === ms) timer.run();
  }
}

/** A model that yields what it is given, when it is given it. */
class PushedModel implements Model {
  readonly card = card;
  signal: AbortSignal | undefined;
  #next = Promise.withResolvers<ModelEvent>();

  push(event: ModelEvent): void {
    this.#next.resolve(event);
  }

  async *stream(_: unknown, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    this.signal = signal;
    for (;;) {
      const event = await this.#next.promise;
      this.#next = Promise.withResolvers();
      yield event;
    }
  }
}

function start(model: Model, signal = never()) {
  const timers = new Timers();
  const stream = withTimeLimits(model, limits, timers).stream(request("hello"), signal);
  return { timers, events: stream[Symbol.asyncIterator]() };
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

  it("keep nothing of a stream's events, however many there are", async () => {
    const kept: WeakRef<ModelEvent>[] = [];
    const endless: Model = {
      card,
      async *stream() {
        for (;;) {
          const event = text("word ");
          kept.push(new WeakRef(event));
          await Promise.resolve();
          yield event;
        }
      },
    };
    const { events } = start(endless);
    for (let heard = 0; heard < 1_000; heard += 1) await events.next();
    // Whatever is held only by what is under way goes with the next look.
    await expect
      .poll(() => {
        collectGarbage();
        return kept.filter((each) => each.deref() !== undefined).length;
      })
      .toBeLessThan(10);
    await events.return?.();
  });

  it("end a silent model, abort its request and leave no timer behind", async () => {
    const model = new PushedModel();
    const { timers, events } = start(model);
    const first = events.next();
    timers.expire(limits.firstEventMs);
    expect(await first).toMatchObject({
      value: { type: "failure", failure: { kind: "timeout" } },
    });
    expect((await events.next()).done).toBe(true);
    expect(model.signal?.aborted).toBe(true);
    expect(timers.waiting.size).toBe(0);
  });

  it("end a model that falls silent in the middle", async () => {
    const model = new PushedModel();
    const { timers, events } = start(model);
    model.push(text("one"));
    expect((await events.next()).value).toEqual(text("one"));
    const second = events.next();
    timers.expire(limits.firstEventMs);
    timers.expire(limits.idleMs);
    expect((await second).value).toMatchObject({ type: "failure" });
  });

  it("take an empty delta for a sign of life and keep it", async () => {
    const model = new PushedModel();
    const { timers, events } = start(model);
    const first = events.next();
    model.push(lifeSign);
    await expect.poll(() => [...timers.waiting].map(({ ms }) => ms)).toContain(limits.idleMs);
    model.push(text("one"));
    expect((await first).value).toEqual(text("one"));
  });

  it("do not count the time in which the consumer is busy as idle", async () => {
    const model = new PushedModel();
    const { timers, events } = start(model);
    model.push(text("one"));
    await events.next();
    expect([...timers.waiting].map(({ ms }) => ms)).toEqual([limits.totalMs]);
    await events.return?.();
    expect(timers.waiting.size).toBe(0);
  });

  it("end an answer that takes too long in all", async () => {
    const model = new PushedModel();
    const { timers, events } = start(model);
    model.push(text("one"));
    await events.next();
    timers.expire(limits.totalMs);
    expect((await events.next()).value).toMatchObject({
      type: "failure",
      failure: { kind: "timeout", message: "the answer took longer than 1 s" },
    });
  });

  it("end without an event when it is aborted from outside", async () => {
    const stopping = new AbortController();
    const model = new PushedModel();
    const { timers, events } = start(model, stopping.signal);
    const first = events.next();
    stopping.abort();
    expect((await first).done).toBe(true);
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

  it("give every stream exactly one end", async () => {
    const model = new ListedModel("a/b", [text("cut")], [...said("x"), ...said("y")]);
    const limited = withTimeLimits(model, limits);
    const cut = await ask(limited, request("hi"));
    expect(cut.failure?.kind).toBe("network");
    const twice = await ask(limited, request("hi"));
    expect(answerOf(twice.events)).toMatchObject({ text: "x", finish: "stop" });
  });
});
