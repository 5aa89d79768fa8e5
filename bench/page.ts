/**
 * How long each view of the operator's page lets a browser wait for its first byte, in an empty
 * deployment and among many chats: `npm run bench:page`, with `-- --chats 2000` for another number than 100,000.
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
import { allViews } from "../src/page/views/all-views.ts";
import { acceptDeps } from "../src/roles/accept-deps.ts";
import { createServices } from "../src/services.ts";
import { createPageSessions } from "../src/store/operations/page-sessions.ts";
import { createInbox } from "../src/store/turns/inbox.ts";
import { waitingApprovals } from "../src/store/turns/wake-members.ts";
import { openStore, type Store } from "../src/store/redis/redis.ts";
import { startTestRedis } from "../test/support/redis/start-test-redis.ts";
import { idleChat, leaveChats } from "./idle-chats/leave-chats.ts";
import { leaveWaiting } from "./waiting-approvals/ask.ts";

const defaultChats = 100_000;
const maxChats = 2_000_000;
/** Questions that wait for a worker. */
const waiting = 500;
/** Calls that wait for an approval, each in a chat of its own. */
const asked = 100;
/** Of each view. */
const defaultRequests = 50;
const operator = { id: "console:local", name: "Operator" };
const chat = chatKey({ platform: "console", bot: "local", chat: "local" });

/** Milliseconds until the first byte of a view, from the median and the slowest of its requests. */
export interface FirstByte {
  /** The view's, such as `/chats/:chat`. */
  readonly path: string;
  readonly p50: number;
  readonly most: number;
  /** Of this process, client included: what an idle machine takes, Redis aside. Milliseconds. */
  readonly cpu: number;
}

export interface PageReport {
  readonly chats: number;
  /** Of the views that need nothing to show. */
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
    const measure = (names: Readonly<Record<string, string>>) =>
      measureViews({ url: page.url, store, requests }, names);
    const empty = await measure({});
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
    await leaveWaiting(store, { chats: asked, first: chats, perChat: 1, say: () => undefined });
    const [approval = ""] = await waitingApprovals(store, store.clock.now());
    const names = { chat: idleChat(chats - 1), turn: "1", approval };
    return { chats, empty, full: await measure(names) };
  } finally {
    store.redis.disconnect();
  }
}

/** @param names what the views' paths are filled with; a view is left out where one is missing. */
async function measureViews(
  {
    url,
    store,
    requests,
  }: { readonly url: string; readonly store: Store; readonly requests: number },
  names: Readonly<Record<string, string>>,
): Promise<readonly FirstByte[]> {
  const found: FirstByte[] = [];
  for (const { path } of allViews) {
    const filled = path.replaceAll(/:(\w+)/g, (all, name: string) => names[name] ?? all);
    if (filled.includes("/:")) continue;
    const cookie = await logIn(store);
    found.push(await firstByte(url + filled, { path, cookie, requests }));
  }
  return found;
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

/** A browser of its own, since each may ask only so often. @returns its cookie. */
async function logIn(store: Store): Promise<string> {
  const sessions = createPageSessions(store);
  const opened = await sessions.open(
    await sessions.createCode({ person: operator, chat }),
    undefined,
  );
  if (opened === undefined) throw new Error("not logged in");
  return `parley=${opened.secret}`;
}

/** One request after the other, as of one person; the first ones warm up. */
async function firstByte(
  address: string,
  {
    path,
    cookie,
    requests,
  }: { readonly path: string; readonly cookie: string; readonly requests: number },
): Promise<FirstByte> {
  const times: number[] = [];
  let before = process.cpuUsage();
  for (let count = -5; count < requests; count += 1) {
    if (count === 0) before = process.cpuUsage();
    const ms = await timed(address, cookie);
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
  const lines = full.map(({ path, p50, most, cpu }) => {
    const before = empty.find((each) => each.path === path)?.p50;
    const cells = [before, p50, most, cpu, before && p50 / before];
    return path.padEnd(20) + cells.map((cell) => (cell?.toFixed(1) ?? "–").padStart(9)).join("");
  });
  return [
    `The first byte of the operator's page, in ms: empty, and among ${chats} chats`,
    "",
    ["empty", "p50", "most", "cpu", "ratio"].reduce(
      (head, name) => head + name.padStart(9),
      "view".padEnd(20),
    ),
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
