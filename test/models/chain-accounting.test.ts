import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Usage } from "../../src/core/history.ts";
import type { Model, ModelEvent } from "../../src/core/model.ts";
import { Breakers } from "../../src/models/breaker.ts";
import type { ChainObserver, ModelAttempt } from "../../src/models/chain-observer.ts";
import type { ModelChain } from "../../src/models/chain.ts";
import { createModelChain } from "../../src/models/chain.ts";
import { createModels } from "../../src/models/create-models.ts";
import { isLast } from "../../src/models/events.ts";
import { cloudLimits, withTimeLimits } from "../../src/models/limits.ts";
import { OpenAiServer } from "../emulators/model/openai-server.ts";
import {
  eventsOf,
  failing,
  HangingModel,
  ListedModel,
  request,
  said,
  streamOf,
  timer,
} from "./helpers.ts";

const used = (inputTokens: number): Usage => ({ inputTokens, outputTokens: 1 });
const usage = (inputTokens: number): ModelEvent => ({
  type: "usage",
  usage: used(inputTokens),
});
const text: ModelEvent = { type: "text-delta", text: "half" };

const chainOf = (...models: Model[]): ModelChain =>
  createModelChain({
    models,
    random: () => 0.5,
    sleep: () => Promise.resolve(),
    breakers: new Breakers({ now: () => 0 }),
  });

/** What a chain has told, attempt by attempt, as short lines. */
class Accounts {
  readonly attempts: ModelAttempt[] = [];
  readonly usages: [string, number][] = [];
  readonly observer: Partial<ChainObserver> = {
    onUsage: ({ id }, { inputTokens }) => this.usages.push([id, inputTokens]),
    onAttempt: (attempt) => this.attempts.push(attempt),
  };

  get lines(): string[] {
    return this.attempts.map(
      ({ card, failure, usage: each }) =>
        `${card.id} ${failure?.kind ?? "-"} ${each?.inputTokens ?? "-"}`,
    );
  }
}

/** Reads up to the last event, or to one that is enough, and not a step further. */
async function readOnly(
  chain: ModelChain,
  accounts: Accounts,
  enough: (event: ModelEvent) => boolean = isLast,
): Promise<ModelEvent | undefined> {
  for await (const event of streamOf(chain, request("hi"), accounts.observer))
    if (enough(event)) return event;
  return undefined;
}

describe("an attempt is accounted for before the last event is seen", () => {
  it.each<[string, Model[], string[]]>([
    ["of an answer", [new ListedModel("a/1", [text, usage(3), ...said("!")])], ["a/1 - 3"]],
    ["of an answer whose model never says", [new ListedModel("a/1", said("hello"))], ["a/1 - -"]],
    ["of a failure", [new ListedModel("a/1", [usage(3), ...failing("auth")])], ["a/1 auth 3"]],
    [
      "of an answer that broke",
      [new ListedModel("a/1", [text, usage(3), ...failing("network")])],
      ["a/1 network 3"],
    ],
    [
      "of an answer that ends without an end",
      [new ListedModel("a/1", [text, usage(3)])],
      ["a/1 network 3"],
    ],
    [
      "after retries and a fallback",
      [
        new ListedModel("a/1", [usage(1), ...failing("overloaded")], failing("rate-limited"), [
          usage(2),
          usage(3),
          ...failing("auth"),
        ]),
        new ListedModel("b/2", [usage(4), ...said("yes")]),
      ],
      ["a/1 overloaded 1", "a/1 rate-limited -", "a/1 auth 3", "b/2 - 4"],
    ],
  ])("%s", async (_what, models, lines) => {
    const accounts = new Accounts();
    expect(await readOnly(chainOf(...models), accounts)).toBeDefined();
    expect(accounts.lines).toEqual(lines);
    expect(accounts.usages).toEqual(
      accounts.attempts.flatMap(({ card, usage: each }) =>
        each === undefined ? [] : [[card.id, each.inputTokens]],
      ),
    );
  });

  it("with the words of the failure", async () => {
    const accounts = new Accounts();
    await readOnly(chainOf(new ListedModel("a/1", failing("auth"))), accounts);
    expect(accounts.attempts[0]?.failure?.message).toBe("it was auth");
  });
});

describe("an attempt that is stopped", () => {
  it("is accounted for at once, and once", async () => {
    const stopping = new AbortController();
    const accounts = new Accounts();
    const chain = chainOf(new HangingModel("a/1", text, usage(3)));
    const { signal } = stopping;
    const events = streamOf(chain, request("hi"), { ...accounts.observer, signal });
    expect((await events.next()).value).toEqual(text);
    expect((await events.next()).value).toEqual(usage(3));
    const next = events.next();
    expect(accounts.lines).toEqual([]);
    stopping.abort();
    expect(accounts.lines).toEqual(["a/1 - 3"]);
    expect((await next).done).toBe(true);
    expect(accounts.lines).toEqual(["a/1 - 3"]);
    expect(accounts.usages).toEqual([["a/1", 3]]);
  });

  it("because no one reads on is accounted for, too", async () => {
    const accounts = new Accounts();
    const chain = chainOf(new ListedModel("a/1", [text, usage(3), ...said("")]));
    for await (const event of streamOf(chain, request("hi"), accounts.observer))
      if (event.type === "usage") break;
    expect(accounts.lines).toEqual(["a/1 - 3"]);
  });

  it("while it waits before a repetition has nothing to tell", async () => {
    const stopping = new AbortController();
    const accounts = new Accounts();
    const chain = createModelChain({
      models: [new ListedModel("a/1", failing("overloaded"), said("no"))],
      random: () => 0.5,
      breakers: new Breakers({ now: () => 0 }),
      sleep: () => {
        stopping.abort();
        return Promise.resolve();
      },
    });
    await eventsOf(chain, request("hi"), { ...accounts.observer, signal: stopping.signal });
    expect(accounts.lines).toEqual(["a/1 overloaded -"]);
  });

  it("by its own time limit is a failure", async () => {
    const accounts = new Accounts();
    const limited = withTimeLimits(new HangingModel("a/1", text, usage(3)), cloudLimits, {
      schedule: (run, ms) => {
        if (ms === cloudLimits.totalMs) setImmediate(run);
        return timer();
      },
    });
    await readOnly(chainOf(limited), accounts);
    expect(accounts.lines).toEqual(["a/1 timeout 3"]);
  });
});

it("a chain within a chain speaks for its own models", async () => {
  const inner = chainOf(
    new ListedModel("a/1", [usage(1), ...failing("auth")]),
    new ListedModel("b/2", [usage(2), ...said("yes")]),
  );
  const accounts = new Accounts();
  await readOnly(chainOf(inner), accounts);
  expect(accounts.lines).toEqual(["a/1 auth 1", "b/2 - 2"]);
});

const kinds = ["overloaded", "network", "timeout", "auth", "refused"] as const;
const answers = fc
  .tuple(
    fc.array(
      fc.oneof(
        fc.nat({ max: 9 }).map(usage),
        fc.constantFrom<ModelEvent>(
          text,
          { type: "reasoning-delta", text: "hm" },
          { type: "usage", usage: used(0.5) },
        ),
      ),
      { maxLength: 4 },
    ),
    fc.oneof(
      fc.constant(said("!")),
      fc.constant([]),
      fc.constantFrom(...kinds).map((kind) => failing(kind)),
    ),
  )
  .map(([events, end]) => [...events, ...end]);

it("every attempt is told once, whatever models do and wherever the reader stops", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(answers, { maxLength: 5 }), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.option(fc.nat({ max: 6 }), { nil: undefined }),
      async (scripts, stopAfter) => {
        const models = scripts.map((script, index) => new ListedModel(`m/${index}`, ...script));
        const accounts = new Accounts();
        let seen = 0;
        const stopping = new AbortController();
        const onEvent = (event: ModelEvent): void => {
          expect(stopping.signal.aborted).toBe(false);
          const asked = models.flatMap(({ requests }) => requests).length;
          if (isLast(event)) expect(accounts.attempts).toHaveLength(asked);
          if (seen === stopAfter) stopping.abort();
          seen += 1;
        };
        await chainOf(...models).stream(request("hi"), stopping.signal, {
          ...accounts.observer,
          onEvent,
        });
        const told = models.map(({ card }) =>
          accounts.attempts.filter((each) => each.card.id === card.id),
        );
        expect(told.map(({ length }) => length)).toEqual(
          models.map(({ requests }) => requests.length),
        );
        const figures = accounts.attempts.filter((each) => each.usage);
        expect(accounts.usages).toHaveLength(figures.length);
      },
    ),
    { numRuns: 200 },
  );
});

it("counts what real servers say: a failure, a broken answer, a whole one", async () => {
  await using server = await OpenAiServer.start();
  server.model.reply(
    { failure: { status: 500 } },
    {
      text: ["One ", "two "],
      failure: "late-error",
      usage: { inputTokens: 7, outputTokens: 2 },
      quirks: ["usage-every-chunk"],
      failAfterChunks: 2,
    },
    { text: "One two.", usage: { inputTokens: 9, outputTokens: 3 } },
  );
  const models = createModels(
    {
      providers: { openai: { type: "openai", baseUrl: server.baseUrl } },
      tiers: {
        balanced: { models: [{ provider: "openai", model: "gpt-4o" }] },
      },
    },
    { sleep: () => Promise.resolve() },
  );
  const accounts = new Accounts();
  const broken = await readOnly(models.chain("balanced"), accounts);
  expect(broken).toMatchObject({ type: "failure" });
  await readOnly(models.chain("balanced"), accounts);
  expect(accounts.lines).toEqual([
    "openai/gpt-4o overloaded -",
    "openai/gpt-4o overloaded 7",
    "openai/gpt-4o - 9",
  ]);
});

describe("a chain that is watched for all its answers", () => {
  it("tells every attempt once: failed, answered, or stopped from outside", async () => {
    const told: ModelAttempt[] = [];
    const watched = (...models: Model[]): ModelChain =>
      createModelChain({
        models,
        random: () => 0.5,
        sleep: () => Promise.resolve(),
        breakers: new Breakers({ now: () => 0 }),
        onAttempt: (attempt) => told.push(attempt),
      });
    const accounts = new Accounts();
    const failingOnce = new ListedModel("a/1", failing("auth"));
    await readOnly(watched(failingOnce, new ListedModel("b/1", said("hello"))), accounts);
    // The caller hears of them as before.
    expect(accounts.lines).toEqual(["a/1 auth -", "b/1 - -"]);
    const stopping = new AbortController();
    const hanging = new HangingModel("c/1");
    const asked = eventsOf(watched(hanging), request("hi"), { signal: stopping.signal });
    await expect.poll(() => hanging.asked).toBe(1);
    stopping.abort();
    await asked;
    const outcomes = told.map(({ card, failure, stopped }) => [card.id, failure?.kind, stopped]);
    expect(outcomes.slice(0, 2)).toEqual([
      ["a/1", "auth", undefined],
      ["b/1", undefined, undefined],
    ]);
    expect(outcomes.slice(2)).toEqual([["c/1", undefined, true]]);
  });
});
