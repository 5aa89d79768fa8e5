/**
 * How long the operator's page lets a browser wait for its first byte, in an empty deployment and
 * among many chats: `npm run bench:page`, with `-- --chats 2000` for another number than 100,000.
 * Starts a Redis of its own and leaves nothing behind.
 */
import { get } from "node:http";
import { parseArgs } from "node:util";
import pino from "pino";
import { loadSettings } from "../src/config/load.ts";
import { chatKey } from "../src/core/chat.ts";
import { noMetrics } from "../src/core/metrics.ts";
import { createModels } from "../src/models/create-models.ts";
import { startPage } from "../src/page/server.ts";
import { acceptDeps } from "../src/roles/accept-deps.ts";
import { createServices } from "../src/services.ts";
import { createPageSessions } from "../src/store/operations/page-sessions.ts";
import { createInbox } from "../src/store/turns/inbox.ts";
import { openStore, type Store } from "../src/store/redis/redis.ts";
import { startTestRedis } from "../test/support/redis/start-test-redis.ts";
import { idleChat, leaveChats } from "./idle-chats/leave-chats.ts";

const defaultChats = 100_000;
const maxChats = 2_000_000;
/** Questions that wait for a worker. */
const waiting = 500;
/** Of each page. */
const defaultRequests = 40;
const operator = { id: "console:local", name: "Operator" };
const chat = chatKey({ platform: "console", bot: "local", chat: "local" });

/** Milliseconds until the first byte of a page, from the median and the slowest of its requests. */
export interface FirstByte {
  readonly path: string;
  readonly p50: number;
  readonly most: number;
  /** Of this process, client included: what an idle machine takes, Redis aside. Milliseconds. */
  readonly cpu: number;
}

export interface PageReport {
  readonly chats: number;
  readonly empty: readonly FirstByte[];
  readonly full: readonly FirstByte[];
}

export async function benchPage({
  chats,
  requests = defaultRequests,
  say,
}: {
  readonly chats: number;
  readonly requests?: number;
  readonly say: (line: string) => void;
}): Promise<PageReport> {
  await using server = await startTestRedis();
  const store = openStore(server.url, (error) => say(error.message));
  try {
    await store.clock.read();
    await using page = await openPage(store);
    const cookie = await logIn(store, page.url);
    const measure = async () => [
      await firstByte(page.url, "/", { cookie, requests }),
      await firstByte(page.url, "/chats", { cookie, requests }),
    ];
    const empty = await measure();
    await leaveChats(store, { chats, say });
    const inbox = createInbox(store);
    for (let index = 0; index < Math.min(waiting, chats); index += 1)
      await inbox.append(idleChat(index), {
        kind: "message",
        v: 1,
        id: `waits-${index}`,
        person: { id: `telegram:${index}`, name: "Somebody" },
        text: "What is new?",
        atMs: Date.now(),
      });
    return { chats, empty, full: await measure() };
  } finally {
    store.redis.disconnect();
  }
}

async function openPage(store: Store) {
  const log = pino({ level: "silent" });
  const settings = loadSettings({ environment: {}, workingFolder: "/nowhere" });
  const services = createServices(settings, { log, metrics: noMetrics }, store);
  const models = createModels({
    providers: { demo: { type: "demo" } },
    tiers: { balanced: { models: [{ provider: "demo", model: "demo" }] } },
  });
  const commands = acceptDeps(services, models, { bots: () => [], pageUrl: () => undefined });
  const options = { host: "127.0.0.1", port: 0, url: undefined };
  return await startPage({ services, commands, costOf: () => undefined }, options);
}

async function logIn(store: Store, url: string): Promise<string> {
  const answer = await fetch(`${url}/in`, {
    method: "POST",
    headers: { origin: url },
    body: new URLSearchParams({
      code: await createPageSessions(store).createCode({ person: operator, chat }),
    }),
    redirect: "manual",
  });
  const [cookie] = answer.headers.getSetCookie();
  if (cookie === undefined) throw new Error(`not logged in: ${answer.status}`);
  return cookie.split(";", 1)[0] ?? "";
}

/** One request after the other, as of one person; the first ones warm up. */
async function firstByte(
  url: string,
  path: string,
  { cookie, requests }: { readonly cookie: string; readonly requests: number },
): Promise<FirstByte> {
  const times: number[] = [];
  let before = process.cpuUsage();
  for (let count = -5; count < requests; count += 1) {
    if (count === 0) before = process.cpuUsage();
    const ms = await timed(url + path, cookie);
    if (count >= 0) times.push(ms);
  }
  const { user, system } = process.cpuUsage(before);
  const sorted = times.toSorted((one, other) => one - other);
  return {
    path,
    p50: sorted[Math.floor(requests / 2)] ?? NaN,
    most: sorted.at(-1) ?? NaN,
    cpu: (user + system) / 1_000 / requests,
  };
}

function timed(address: string, cookie: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const startedMs = performance.now();
  get(address, { headers: { cookie } }, (response) => {
    if (response.statusCode !== 200)
      reject(new Error(`${address} answered ${response.statusCode}`));
    let ms = NaN;
    response.once("data", () => {
      ms = performance.now() - startedMs;
    });
    response
      .on("error", reject)
      .on("end", () => resolve(ms))
      .resume();
  }).on("error", reject);
  return promise;
}

/** The report for people. */
export function describeReport({ chats, empty, full }: PageReport): string {
  const lines = full.map(({ path, p50, most, cpu }, index) => {
    const before = empty[index]?.p50 ?? NaN;
    const cells = [before, p50, most, cpu].map((ms) => ms.toFixed(1).padStart(9));
    return `${path.padEnd(8)}${cells.join("")}${(p50 / before).toFixed(1).padStart(9)}`;
  });
  return [
    `The first byte of the operator's page, in ms: empty, and among ${chats} chats`,
    "",
    "page        empty      p50     most      cpu    ratio",
    ...lines,
  ].join("\n");
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { chats: { type: "string", default: String(defaultChats) } },
  });
  const chats = Number(values.chats);
  if (!Number.isInteger(chats) || chats < 1 || chats > maxChats) {
    console.error(`--chats is ${values.chats}: expected a whole number from 1 to ${maxChats}`);
    process.exitCode = 2;
  } else {
    console.log(describeReport(await benchPage({ chats, say: (line) => console.error(line) })));
  }
}
