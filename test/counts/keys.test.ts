/**
 * What stays in Redis of a chat, and for how long: every key that a turn leaves behind, and none
 * besides.
 */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { chatKeySchema } from "../../src/core/chat.ts";
import { chatKeys } from "../../src/store/keys.ts";
import type { Connection } from "../../src/store/redis/connection.ts";
import { timeoutMs, type TestChat } from "../support/parley/stage.ts";
import { keysLike, openClient } from "../support/redis/test-client.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { startDeployment, type Deployment } from "./deployment.ts";

const hourMs = 3_600_000;
/** How long what is left behind may take. */
const settledMs = 20_000;

const redis = await testDatabase();
vi.setConfig({ testTimeout: 3 * timeoutMs, hookTimeout: 3 * timeoutMs });
let client: Connection;
let deployment: Deployment;

beforeAll(async () => {
  client = openClient(redis.url);
  deployment = await startDeployment({
    botsUrl: redis.url,
    workerUrl: redis.url,
  });
});
afterAll(async () => {
  await deployment[Symbol.asyncDispose]();
  client.disconnect();
});

/** How a key is called whatever its chat, its bot, its approval and the date are. */
const kindOf = (key: string): string =>
  key
    .replace(/^parley:\{(s\d+)\}/, "chat")
    .replace(/^parley:\{(\w+)(-[^}]*)?\}/, "$1")
    .replace(/telegram:\d+(:\d+)?/, "*")
    .replace(/s\d+-[\w-]{22}/, "*")
    .replace(/:m\d+$/, ":*")
    .replace(/\d{4}-\d\d(-\d\d)?$/, "*");

/** `kind: hours`, one for each key of a pattern, sorted. */
async function lifetimes(pattern: string): Promise<string[]> {
  const found: string[] = [];
  for (const key of await keysLike(client, pattern)) {
    const ttlMs = await client.pttl(key);
    // Gone meanwhile.
    if (ttlMs === -2) continue;
    found.push(`${kindOf(key)}: ${lifetime(key, ttlMs)}`);
  }
  return found.sort();
}

/** What is counted lasts as long as its period does, and so depends on the date. */
function lifetime(key: string, ttlMs: number): string {
  if (ttlMs < 0) return "stays";
  return key.startsWith("parley:{limits}:used:") ? "period" : `${Math.ceil(ttlMs / hourMs)} h`;
}

const until = (look: () => Promise<unknown>, expected: unknown) =>
  vi.waitFor(async () => expect(await look()).toEqual(expected), {
    timeout: settledMs,
    interval: 50,
  });

const ownOf = (chat: TestChat) => () =>
  lifetimes(`*${deployment.chatOf(chat).replace("telegram:", "")}*`);

/** All that does not go by itself, but for what BullMQ keeps of its queues. */
const lastingKinds = async () =>
  [
    ...new Set(
      (await lifetimes("*"))
        .filter((line) => line.endsWith(": stays"))
        .map((line) => line.replace(": stays", ""))
        .filter((kind) => !/^(turns|deliveries):/.test(kind)),
    ),
  ].sort();

const approvals = () => lifetimes("*:appr:*");

/** What the wake index holds: it has no end, but is empty where nothing is left to do. */
async function wakes(): Promise<string[]> {
  const keys = await keysLike(client, "*:wake");
  const members = await Promise.all(keys.map((key) => client.zrange(key, "0", "-1")));
  return members.flat().map(kindOf).sort();
}

/** As if a minute had passed. */
async function indexSoon(chat: TestChat): Promise<void> {
  const { wake } = chatKeys(chatKeySchema.parse(deployment.chatOf(chat)));
  await client.zadd(wake, "XX", 1, `mem:${deployment.chatOf(chat)}`);
}

/**
 * After one plain turn: 90 days of history, 48 hours against doubles, 7 days of traces, and what
 * was counted.
 */
const afterTurn = [
  "chat:log:*: 2160 h",
  "chat:seen:*: 48 h",
  "chat:sent:*:turn-1: 48 h",
  "chat:st:*: 2160 h",
  "chat:trace:*:1: 168 h",
  "chat:traces:*: 168 h",
  "chat:use:*: 2160 h",
  "limits:call:*/1.1: 24 h",
  "limits:message:*:*: 1 h",
  "limits:used:chat:*: period",
];

it("a plain turn leaves these keys of its chat behind, all of which go by themselves", async () => {
  const chat = deployment.telegram.direct("Ann");
  chat.say("say plain");
  await chat.wait("plain");
  await until(ownOf(chat), afterTurn);
  await until(wakes, ["mem:*"]);
  // What was said is indexed, and that ends with the history.
  await indexSoon(chat);
  await until(wakes, []);
  await until(ownOf(chat), [...afterTurn, "chat:mem:*: 2160 h"].toSorted());
});

it("a chat stays while it waits for someone, and goes like any other when that is decided", async () => {
  const chat = deployment.telegram.direct("Ann");
  chat.say(`call write_note ${JSON.stringify({ note: "buy tea" })}`);
  const card = await chat.wait(({ buttons }) => buttons.length > 0);
  await until(ownOf(chat), [
    "chat:log:*: stays",
    "chat:seen:*: 48 h",
    "chat:sent:*:card-*: 48 h",
    "chat:st:*: stays",
    "chat:trace:*:1: 168 h",
    "chat:traces:*: 168 h",
    "limits:call:*/1.1: 24 h",
    "limits:message:*:*: 1 h",
    "limits:used:chat:*: period",
  ]);
  await until(approvals, ["chat:appr:*: stays"]);
  await until(wakes, ["appr:*"]);

  await chat.tap(card, "Approve");
  await chat.wait("write_note said: Noted.");
  await until(ownOf(chat), [
    "chat:log:*: 2160 h",
    // As people have had it written, until they have it removed.
    "chat:notes:*: stays",
    "chat:seen:*: 48 h",
    "chat:sent:*:card-*: 48 h",
    "chat:sent:*:decided-*: 48 h",
    "chat:sent:*:turn-1-1: 48 h",
    "chat:st:*: 2160 h",
    "chat:trace:*:1: 168 h",
    "chat:traces:*: 168 h",
    "chat:use:*: 2160 h",
    "limits:call:*/1.1: 24 h",
    "limits:call:*/1.2: 24 h",
    "limits:message:*:*: 1 h",
    "limits:used:chat:*: period",
  ]);
  // Late taps are told what became of it.
  await until(approvals, ["chat:appr:*: 720 h"]);
  await until(wakes, ["mem:*"]);
  await indexSoon(chat);
  await until(wakes, []);
  // Nothing else stays, and of these only the notes are as many as there are chats.
  await until(lastingKinds, [
    "cfg:audit-events",
    "cfg:audit-events-ids",
    "cfg:audit-log",
    "cfg:audit-log-ids",
    "cfg:audit-names",
    "cfg:lease:*",
    "cfg:lease:sweeper",
    "cfg:tool-schemas",
    "cfg:tools",
    // Whether a model sees pictures.
    "cfg:vision",
    // The chats whose conversation may be over.
    "chat:idle",
    "chat:notes:*",
  ]);
});
