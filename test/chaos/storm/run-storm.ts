import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";
import { OpenAiServer } from "../../emulators/model/openai-server.ts";
import { TelegramServer } from "../../emulators/telegram/telegram-server.ts";
import { Member } from "./fleet.ts";
import { badHistories, leftovers, unrest } from "./inspect-redis.ts";
import { judge, type Verdict } from "./judge.ts";
import { startLedger, type Ledger } from "./ledger.ts";
import { People } from "./people.ts";
import { planStorm, type StormOptions } from "./plan.ts";
import { startRedisServer, type RedisServer } from "./redis-server.ts";
import { Resumptions, type Disruption } from "./resumptions.ts";
import { StormModel } from "./storm-model.ts";
import { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";
import { Trouble, type Happened } from "./trouble.ts";

export interface StormResult {
  readonly options: StormOptions;
  readonly verdict: Verdict;
  readonly planned: number;
  readonly sent: number;
  readonly redelivered: number;
  readonly taps: number;
  /** Marks of messages that led to a card. */
  readonly approvals: ReadonlySet<string>;
  readonly events: readonly Happened[];
  readonly disruptions: readonly Disruption[];
  readonly exitsMs: readonly number[];
  readonly resets: number;
  /** Not at rest at the deadline. */
  readonly unsettled: readonly string[];
  readonly settledMs: number;
  readonly stormMs: number;
  readonly leftovers: readonly string[];
  readonly badHistories: readonly string[];
  readonly badRequests: readonly string[];
  /** By kind. */
  readonly platformViolations: ReadonlyMap<string, number>;
  /** Errors in the logs, by message. */
  readonly errors: ReadonlyMap<string, number>;
  readonly collapses: readonly string[];
  /** What deliveries gave up, by chat. */
  readonly givenUp: readonly string[];
  /** Of the `once` calls that were made, of all calls. */
  readonly effects: number;
  readonly repeatedReads: number;
  /** Logs of all processes; kept when something is wrong. */
  readonly folder: string;
}

interface World {
  readonly redis: RedisServer;
  readonly proxy: TcpProxy;
  readonly telegram: TelegramServer;
  readonly openai: OpenAiServer;
  readonly model: StormModel;
  readonly ledger: Ledger;
  readonly resumptions: Resumptions;
  readonly workers: readonly Member[];
  readonly bots: readonly Member[];
  readonly folder: string;
}

/** After the storm everything has to be answered and at rest within this. Milliseconds. */
const settleLimitMs = 300_000;
const sampleSettleLimitMs = 60_000;

export async function runStorm(
  options: StormOptions,
  say: (line: string) => void = () => undefined,
): Promise<StormResult> {
  const plan = planStorm(options);
  await using parts = new AsyncDisposableStack();
  const world = await openWorld(options, parts);
  const { workers, bots, telegram } = world;
  await Promise.all([...workers, ...bots].map((member) => member.start()));
  const broken = [...workers, ...bots].flatMap(({ collapses }) => collapses);
  if (broken.length > 0) throw new Error(broken.join("\n"));
  const tooLate = AbortSignal.timeout(options.maxMinutes * 60_000);
  const beganMs = Date.now();
  const over = new AbortController();
  parts.defer(() => over.abort());
  const people = new People({
    telegram,
    beganMs,
    signal: tooLate,
    over: over.signal,
  });
  const trouble = new Trouble({ ...world, seed: options.seed });
  const timer = setInterval(() => {
    say(progress(world, people, trouble, beganMs));
  }, 10_000);
  parts.defer(() => clearInterval(timer));
  const said = new AbortController();
  await Promise.all([
    people.talk(plan.messages).then(() => said.abort()),
    trouble.storm(plan.events, {
      beganMs,
      signal: options.isSample ? tooLate : said.signal,
    }),
    upgrade(options, trouble, { workers, atMs: plan.durationMs / 2 }),
  ]);
  const stormMs = Date.now() - beganMs;
  say(`the storm is over after ${Math.round(stormMs / 1_000)} s`);
  const unsettled = await settle(world, options.isSample ? sampleSettleLimitMs : settleLimitMs);
  const settledMs = Date.now() - beganMs - stormMs;
  clearInterval(timer);
  return await collect(options, {
    world,
    people,
    trouble,
    times: { stormMs, settledMs },
    planned: plan.messages.flat().length,
    unsettled,
  });
}

const folderOf = (path: string | undefined): string | undefined =>
  path === undefined ? undefined : resolve(path);

async function openWorld(options: StormOptions, parts: AsyncDisposableStack): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "parley-storm-"));
  const { seed } = options;
  const resumptions = new Resumptions();
  const heard = (mark: string, caller: string): void => resumptions.heard(mark, caller);
  const redis = parts.use(await startRedisServer(join(folder, "redis")));
  const proxy = parts.use(await startTcpProxy(redis.port));
  const telegram = parts.use(await TelegramServer.start({ latencyMs: 20 }));
  const model = new StormModel({ seed, heard });
  const openai = parts.use(await OpenAiServer.start({ model }));
  const ledger = parts.use(await startLedger({ seed, heard }));
  const environment = {
    REDIS_URL: `redis://127.0.0.1:${proxy.port}`,
    OPENAI_BASE_URL: openai.baseUrl,
    OPENAI_MODEL: "gpt-4o-mini",
    PARLEY_ACCESS: "open",
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_API_ROOT: telegram.apiRoot,
  };
  // Else Telegram's pace, some 24 requests a second, would be what the storm waits for. An earlier
  // version does not know it.
  const pace = options.previous === undefined ? "telegram: { requestsPerSecond: 200 }\n" : "";
  const config = (key: string): string =>
    `${pace}mcp: { servers: { shop: { url: "${ledger.url}", trusted: true, headers: { authorization: "Bearer ${key}" } } } }\n`;
  const member = (role: "bots" | "worker", index: number, program?: string) =>
    new Member({
      name: `${role}-${index + 1}`,
      role,
      folder,
      environment,
      config,
      program,
    });
  const [program, previous] = [folderOf(options.program), folderOf(options.previous)];
  const workers = Array.from({ length: options.workers }, (_, index) =>
    member("worker", index, index < options.workers - 1 ? (previous ?? program) : program),
  );
  const bots = Array.from({ length: options.bots }, (_, index) => member("bots", index, program));
  parts.defer(async () => {
    await Promise.all([...workers, ...bots].map((each) => each.end("SIGKILL")));
  });
  return {
    redis,
    proxy,
    telegram,
    openai,
    model,
    ledger,
    resumptions,
    workers,
    bots,
    folder,
  };
}

/** In the middle of the storm the workers of the previous version are replaced, one by one. */
async function upgrade(
  { previous, program }: StormOptions,
  trouble: Trouble,
  { workers, atMs }: { workers: readonly Member[]; atMs: number },
): Promise<void> {
  if (previous === undefined) return;
  await pause(atMs);
  // Those that are down just now start with the new version, too.
  for (const worker of workers) if (worker.state !== "up") worker.upgrade(program);
  await trouble.restartAll(workers, (worker) => worker.upgrade(program));
}

/** Waits until nothing waits any more, and says what does at the deadline. */
async function settle(
  { redis, telegram, workers, bots }: World,
  limitMs: number,
): Promise<string[]> {
  const client = new Redis(redis.url);
  const endMs = Date.now() + limitMs;
  try {
    for (;;) {
      const notUp = [...workers, ...bots]
        .filter(({ state }) => state !== "up")
        .map(({ name, state }) => `${name} is ${state}`);
      // Before Redis: an update that is confirmed while Redis is looked at is in Redis, or has
      // settled.
      const pending = telegram.pendingUpdates.length;
      const found = [
        ...(await unrest(client)),
        ...notUp,
        ...(pending === 0 ? [] : [`${pending} updates are not confirmed`]),
      ];
      if (found.length === 0 || Date.now() > endMs) return found;
      await pause(300);
    }
  } finally {
    client.disconnect();
  }
}

async function collect(
  options: StormOptions,
  run: {
    readonly world: World;
    readonly people: People;
    readonly trouble: Trouble;
    readonly times: { readonly stormMs: number; readonly settledMs: number };
    readonly planned: number;
    readonly unsettled: readonly string[];
  },
): Promise<StormResult> {
  const { world, people, trouble } = run;
  const { telegram, openai, model, ledger, redis, proxy } = world;
  const client = new Redis(redis.url);
  const inRedis = {
    leftovers: await leftovers(client),
    badHistories: await badHistories(client),
  };
  client.disconnect();
  const verdict = judge({
    asked: people.persons.map((_, chat) => people.sent.filter((message) => message.chat === chat)),
    seen: people.persons.map((person) =>
      telegram.botMessages(person).map(({ text, replyMarkup, history }) => ({
        text,
        hasButtons: (replyMarkup?.inline_keyboard.length ?? 0) > 0,
        atMs: history.at(-1)?.atMs ?? 0,
      })),
    ),
    effects: ledger.effects,
    spoilt: model.spoilt,
  });
  const members = [...world.workers, ...world.bots];
  const reads = ledger.effects.filter(({ tool }) => tool === "look" || tool === "set");
  return {
    options,
    verdict,
    planned: run.planned,
    sent: people.sent.length,
    redelivered: people.redelivered,
    taps: people.taps,
    approvals: new Set(people.sent.flatMap(({ mark, tap }) => (tap === undefined ? [] : [mark]))),
    events: trouble.happened,
    disruptions: world.resumptions.all,
    exitsMs: trouble.exitsMs,
    resets: proxy.resets,
    unsettled: run.unsettled,
    ...run.times,
    ...inRedis,
    badRequests: openai.violations.map(({ problems }) => problems.join("; ")),
    platformViolations: counted(telegram.violations.map(({ kind }) => kind)),
    errors: counted(
      members.flatMap(({ errors }) =>
        [...errors].flatMap(([message, count]) => Array<string>(count).fill(message)),
      ),
    ),
    collapses: members.flatMap(({ collapses }) => collapses),
    givenUp: members.flatMap(({ givenUp }) =>
      givenUp.map(({ chat, what }) => {
        const id = Number(chat.split(":")[2]);
        const index = people.persons.findIndex((person) => person.id === id);
        return `chat c${index}, ${what}`;
      }),
    ),
    effects: ledger.effects.length - reads.length,
    repeatedReads: reads.length - new Set(reads.map(({ of }) => of)).size,
    folder: world.folder,
  };
}

function counted(list: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const each of list) counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
}

function progress(
  { model, workers, bots }: World,
  people: People,
  trouble: Trouble,
  beganMs: number,
): string {
  const seconds = Math.round((Date.now() - beganMs) / 1_000);
  const states = [...workers, ...bots].map(({ name, state }) => `${name} ${state}`).join(", ");
  return `${seconds} s: ${people.sent.length} messages, ${model.received} model calls, ${trouble.happened.length} events; ${states}`;
}

/** Logs and data are of no use when all is well. */
export const removeFolder = ({ folder }: StormResult): void =>
  rmSync(folder, { recursive: true, force: true });
