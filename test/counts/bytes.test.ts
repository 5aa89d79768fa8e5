/**
 * What a further turn of a chat reads and writes in Redis does not depend on how long the chat's
 * history is.
 */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { seedParley } from "../../bench/support/seed-parley.ts";
import { maxRecordBytes } from "../../src/store/traces/trace-json.ts";
import { timeoutMs, type TestChat } from "../support/parley/stage.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { Wire, type WireCommand } from "../support/redis/wire-watch.ts";
import { startDeployment, type Deployment } from "./deployment.ts";

/** Of the bot whose chats `seedParley` fills. */
const token = "100000001:AAtesttesttesttesttesttesttesttest12";
const few = 20;
const many = 2_000;
const answers = ["once", "more", "last"];
/** Numbers have more digits in a longer chat. */
const tolerance = 1.1;

const redis = await testDatabase();
const wire = new Wire();
vi.setConfig({ testTimeout: 3 * timeoutMs, hookTimeout: 3 * timeoutMs });
let deployment: Deployment;

beforeAll(async () => {
  deployment = await startDeployment({
    botsUrl: redis.url,
    workerUrl: await wire.to(redis.port),
    token,
  });
});
afterAll(async () => {
  await deployment[Symbol.asyncDispose]();
  await wire[Symbol.asyncDispose]();
});

interface Cost {
  readonly readBytes: number;
  readonly writtenBytes: number;
  /** What the model was asked, for operators; written behind the answer. */
  readonly traceBytes: number;
}

let people = 5_000;

async function chatWith(history: number): Promise<TestChat> {
  people += 1;
  await seedParley({ redisUrl: redis.url, chats: [people], history });
  const chat = deployment.telegram.direct("Ann", people);
  // The worker reads what it has not seen.
  await costOf(chat, "zero");
  return chat;
}

/**
 * What the worker and Redis say to each other about a chat, from a question to all that its turn
 * leaves behind.
 */
async function costOf(chat: TestChat, answer: string): Promise<Cost> {
  const from = wire.commands.length;
  const name = deployment.chatOf(chat);
  const own = (): WireCommand[] =>
    wire.commands.slice(from).filter(({ parts }) => parts.some((part) => part.includes(name)));
  chat.say(`say ${answer}`);
  await chat.wait(answer);
  await vi.waitUntil(() => own().some((each) => isTrace(each) && each.replySize !== undefined), {
    timeout: timeoutMs,
  });
  const of = (isWanted: (command: WireCommand) => boolean) => own().filter(isWanted);
  const others = of((each) => !isTrace(each));
  return {
    readBytes: sum(others.map(({ replySize = 0 }) => replySize)),
    writtenBytes: sum(others.map(({ size }) => size)),
    traceBytes: sum(of(isTrace).map(({ size }) => size)),
  };
}

const isTrace = ({ parts }: WireCommand): boolean =>
  parts.some((part) => /^parley:\{s\d+\}:trace:/.test(part));

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

/**
 * Of several turns the one that cost least: a slow machine writes the growing text, or renews a
 * lease.
 */
async function leastOf(chat: TestChat): Promise<Cost> {
  const costs: Cost[] = [];
  for (const answer of answers) costs.push(await costOf(chat, answer));
  const least = (read: (cost: Cost) => number) => Math.min(...costs.map(read));
  return {
    readBytes: least(({ readBytes }) => readBytes),
    writtenBytes: least(({ writtenBytes }) => writtenBytes),
    traceBytes: least(({ traceBytes }) => traceBytes),
  };
}

it("a further turn reads and writes as much after 2,000 messages as after 20", async () => {
  const short = await leastOf(await chatWith(few));
  const long = await leastOf(await chatWith(many));
  for (const bytes of ["readBytes", "writtenBytes"] as const) {
    expect(short[bytes]).toBeGreaterThan(0);
    expect(long[bytes] / short[bytes], bytes).toBeLessThanOrEqual(tolerance);
  }
  // The request, which operators can look at; packed, and cut to its own limit before.
  expect(long.traceBytes).toBeGreaterThan(short.traceBytes);
  expect(long.traceBytes).toBeLessThanOrEqual(maxRecordBytes);
});

it("the first turn of a worker reads a history once, and the next one what is new", async () => {
  people += 1;
  await seedParley({ redisUrl: redis.url, chats: [people], history: many });
  const chat = deployment.telegram.direct("Ann", people);
  const first = await costOf(chat, "first");
  const { readBytes } = await leastOf(chat);
  // Each of the messages has more characters than this.
  expect(first.readBytes).toBeGreaterThan(many * 50);
  expect(readBytes).toBeLessThan(first.readBytes / 50);
});
