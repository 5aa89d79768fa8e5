import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createLimitCounters } from "../../src/store/limits/limit-counters.ts";
import { openStore } from "../../src/store/redis/redis.ts";
import { costOf } from "../../src/models/cost.ts";
import type { RecordedRequest } from "../emulators/model/scripted-model.ts";
import { openWorld } from "../support/parley/open-world.ts";
import type { ParleyProcess } from "../support/parley/parley-process.ts";
import { timeoutMs, type TestChat } from "../support/parley/stage.ts";

const world = await openWorld();
const { model } = world;
const store = openStore(world.redis.url, () => undefined);
afterAll(() => store.redis.disconnect());

/** Tokens of the longest answer that is allowed: what everybody asks for. */
const cap = 100;
// The emulated server counts two characters more.
const question = `long ${4 * cap - 2}`;
const prices = { usdPerMillionTokens: { input: 1, output: 100 } };
const card = { id: "openai/gpt-4o-mini", ...prices } as const;
const room = 10;
const people = 50;

const configFor = (limits: string): string => `
models: { ${card.id}: { usdPerMillionTokens: { input: 1, output: 100 } } }
tiers: { balanced: { models: [${card.id}], maxOutputTokens: ${cap} } }
limits: { ${limits} }
`;
const costLimit = (usd: number): string =>
  configFor(`global: { cost: "${usd.toFixed(9)}usd/month" }`);

const costUsd = (inputTokens: number, outputTokens: number): number =>
  costOf(card as never, { inputTokens, outputTokens }) ?? 0;

/** What counts as used of everybody's, with what is reserved. US dollars. */
async function counted(): Promise<number> {
  const usage = await createLimitCounters(store).usage("global", "all");
  return usage.month.costUsd;
}

/** As the model's server counts it: whole answers only, for it reports no others. */
const served = (requests: readonly RecordedRequest[]): number =>
  requests
    .filter(({ state }) => state === "finished")
    .reduce((sum, { promptTokens }) => sum + costUsd(promptTokens, cap), 0);

const start = (role: "bots" | "worker", config: string) =>
  world.start({
    config,
    environment: {
      ...(role === "bots" ? world.environment : world.services),
      PARLEY_ROLE: role,
    },
  });

/** What Parley reserves for one such call, and what of that is its request. US dollars. */
let reservedUsd = 0;
let requestUsd = 0;

/**
 * One process for the platforms, and three workers, with a budget for ten calls more than what is
 * counted already.
 */
async function startAll() {
  const limit = (await counted()) + (room + 0.5) * reservedUsd;
  const config = costLimit(limit);
  const bots = await start("bots", config).ready();
  const workers = await Promise.all([1, 2, 3].map(() => start("worker", config).ready()));
  await Promise.all(world.stages.map((stage) => stage.connected()));
  const all = [bots, ...workers];
  return {
    limit,
    workers,
    startAnother: async () => {
      all.push(await start("worker", config).ready());
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(all.map((each) => each[Symbol.asyncDispose]()));
    },
  };
}

const crowd = (): readonly TestChat[] =>
  Array.from({ length: people }, (_, index) => {
    const stage = world.stages[index % world.stages.length];
    if (!stage) throw new Error("two platforms");
    return stage.direct(`Person${index}`);
  });

/** Messages but those that say that a budget is nearly spent. */
const repliesIn = (chat: TestChat): readonly string[] =>
  chat
    .shown()
    .map(({ text }) => text)
    .filter((text) => !text.includes("% of the limit"));
const isRefusal = (text: string): boolean =>
  /^(?:There isn't enough left for an answer|The limit) .*\(for everyone together\).* It resets /.test(
    text,
  );
const answered = (chats: readonly TestChat[]): number =>
  chats.filter((chat) => repliesIn(chat).some((text) => text.startsWith("1 2"))).length;
const refused = (chats: readonly TestChat[]): number =>
  chats.filter((chat) => repliesIn(chat).some(isRefusal)).length;

const report = (what: string, figures: Record<string, number>): void => {
  const said = Object.entries(figures).map(([name, value]) => {
    const figure = Number.isInteger(value) ? `${value}` : value.toFixed(6);
    return `${name} ${figure}`;
  });
  process.stdout.write(`${what}: ${said.join(", ")}\n`);
};

const until = (read: () => unknown, wanted: unknown) =>
  expect.poll(read, { timeout: timeoutMs }).toEqual(wanted);

beforeAll(async () => {
  await using probe = await probing();
  const before = await counted();
  const gate = model.hold(question, { at: "headers" });
  const chat = world.telegram.direct("Paula");
  chat.say(question);
  await gate.waitUntilHeld();
  reservedUsd = (await counted()) - before;
  // A quarter more than was counted is reserved for a request.
  requestUsd = (reservedUsd - costUsd(0, cap)) / 1.25;
  gate.release();
  await chat.wait("1 2 3");
  // What it took is counted in place of what was reserved, and that is never the same.
  await vi.waitUntil(async () => (await counted()) !== before + reservedUsd, {
    timeout: timeoutMs,
  });
  expect(probe.isRunning).toBe(true);
});

async function probing(): Promise<ParleyProcess> {
  const probe = await world
    .start({ config: costLimit(1_000), environment: world.environment })
    .ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
  return probe;
}

describe("a budget for 10 model calls, 50 people who write at once, and 3 workers", () => {
  it("10 are answered while the calls are open, the other 40 get one message each, and the limit holds", async () => {
    await using running = await startAll();
    const from = model.requests.length;
    const before = await counted();
    const gate = model.hold(question, { at: "headers" });
    const chats = crowd();
    for (const chat of chats) chat.say(question);
    await until(() => refused(chats), people - room);
    const requests = () => model.requests.slice(from);
    await until(() => requests().filter(({ heldAt }) => heldAt).length, room);
    const reserved = (await counted()) - before;
    expect(before + reserved).toBeLessThanOrEqual(running.limit);
    gate.release();
    await until(() => answered(chats), room);
    await world.delivered();
    expect(requests()).toHaveLength(room);
    for (const chat of chats) expect(repliesIn(chat)).toHaveLength(1);
    const spent = served(requests());
    const perCall = spent / room;
    const error = Math.abs(reservedUsd - perCall);
    expect(before + spent).toBeLessThanOrEqual(running.limit + error);
    await until(async () => Math.abs((await counted()) - before - spent) < 1e-8, true);
    report("budget, all at once", {
      "left for them": running.limit - before,
      "reserved at most": reserved,
      "served by the model": spent,
      "one call": perCall,
      "its estimate": reservedUsd,
      answered: answered(chats),
      refused: refused(chats),
    });
  });

  it("however they come, spending passes the limit by no more than one call's error", async () => {
    await using running = await startAll();
    const from = model.requests.length;
    const before = await counted();
    const chats = crowd();
    for (const chat of chats) chat.say(question);
    await until(() => answered(chats) + refused(chats), people);
    await world.delivered();
    for (const chat of chats) expect(repliesIn(chat)).toHaveLength(1);
    const requests = model.requests.slice(from);
    const spent = served(requests);
    const error = Math.abs(reservedUsd - spent / requests.length);
    expect(answered(chats)).toBe(requests.length);
    expect(requests.length).toBeGreaterThanOrEqual(room);
    expect(before + spent).toBeLessThanOrEqual(running.limit + error);
    report("budget, as they come", {
      "left for them": running.limit - before,
      "served by the model": spent,
      answered: answered(chats),
      refused: refused(chats),
    });
  });

  it("workers that are killed leave nothing reserved: what counts is what was served, and the dead calls' requests", async () => {
    await using running = await startAll();
    const from = model.requests.length;
    const before = await counted();
    const gate = model.hold(question, { at: "headers" });
    const chats = crowd();
    for (const chat of chats) chat.say(question);
    await until(() => refused(chats), people - room);
    const requests = () => model.requests.slice(from);
    await until(() => requests().filter(({ heldAt }) => heldAt).length, room);
    // All of them: any one may have taken every turn.
    await Promise.all(running.workers.map((each) => each.kill()));
    await running.startAnother();
    gate.release();
    await until(() => answered(chats) + refused(chats), people);
    await world.delivered();
    for (const chat of chats) expect(repliesIn(chat)).toHaveLength(1);
    const dead = requests().filter(({ state }) => state === "aborted").length;
    expect(dead).toBeGreaterThan(0);
    const spent = served(requests());
    await until(
      async () =>
        Math.abs((await counted()) - before - spent - dead * requestUsd) < 0.01 * reservedUsd,
      true,
    );
    expect(before + spent).toBeLessThanOrEqual(running.limit + reservedUsd);
    report("budget, two workers killed", {
      "left for them": running.limit - before,
      "served by the model": spent,
      "counted at the end": (await counted()) - before,
      "calls that died": dead,
      "a request's share": requestUsd,
      answered: answered(chats),
      refused: refused(chats),
    });
  });
});
