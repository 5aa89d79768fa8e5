import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { seedFloor } from "./durable-floor/seed.ts";
import { durableFloor } from "./support/goals.ts";
import { seedParley } from "./support/seed-parley.ts";
import { UsageError } from "./support/results.ts";
import type { Stubs } from "./support/stubs.ts";

export type Scenario = "plain" | "tool";

/** What a system is started with. */
export interface Setting {
  readonly stubs: Stubs;
  readonly scenario: Scenario;
  /** Messages that every chat of `chats` begins with. */
  readonly history: number;
  readonly chats: readonly number[];
  readonly redisUrl: string;
  /** For logs and settings. */
  readonly folder: string;
  /** Parley's workers; absent: one. */
  readonly workers?: number;
}

/** A system that runs. */
export interface Running extends AsyncDisposable {
  /** Its first processes; their children count too. */
  readonly pids: readonly number[];
  /** Where each of its processes tells its metrics, where it does: bots first, then workers. */
  readonly metricsUrls: readonly string[];
  /** SIGKILL to all of it, at once. */
  kill(): Promise<void>;
}

export interface System {
  readonly name: string;
  /** Whether what it has accepted outlives its processes. */
  readonly isDurable: boolean;
  /** Whether a turn of it goes through Redis. */
  readonly usesRedis: boolean;
  /** What Redis keeps on disk while it runs. */
  readonly appendOnly: "off" | "everysec" | "always";
  /** It starts a Redis of its own, and is asked about its start alone. */
  readonly hasOwnRedis?: true;
  /** Only asked where `--only` names it: a comparison of Parley with itself. */
  readonly isOnRequest?: true;
  start(setting: Setting): Promise<Running>;
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** Node's options and the file, as `npm start` has them. */
const parley: readonly string[] = (
  JSON.parse(readFileSync(here("../package.json"), "utf8")) as {
    readonly scripts: { readonly start: string };
  }
).scripts.start
  .split(" ")
  .slice(1)
  .map((part) => (part.startsWith("-") ? part : here(`../${part}`)));
const token = "100000001:AAbenchbenchbenchbenchbenchbenchbench";

/**
 * The URL below which each system asks its model; a tool's name and argument are the system's own.
 */
const modelAt = (
  { stubs, scenario }: Setting,
  tool: { readonly name: string; readonly argument: string },
): string =>
  scenario === "plain"
    ? `${stubs.modelUrl}/plain`
    : `${stubs.modelUrl}/tool/${tool.name}/${tool.argument}`;

interface Program {
  readonly name: string;
  /** Node's options and the file. */
  readonly file: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** It sends a message when it is ready. */
  readonly saysReady?: true;
}

function run({ folder }: Setting, { name, file, environment, saysReady }: Program): ChildProcess {
  mkdirSync(folder, { recursive: true });
  const log = openSync(join(folder, `${name}.log`), "a");
  return spawn(process.execPath, file, {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, ...environment },
    stdio: ["ignore", log, log, ...(saysReady ? (["ipc"] as const) : [])],
  });
}

/** Where all but Parley find the emulators and Redis. */
const farEnds = (setting: Setting) => ({
  TELEGRAM: setting.stubs.telegramUrl,
  MODEL: modelAt(setting, { name: "get_time", argument: "tz" }),
  REDIS_URL: setting.redisUrl,
});

const exited = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
};

/** How long a system may take to end by itself, in ms. */
const endLimitMs = 15_000;

function running(children: readonly ChildProcess[], metricsUrls: readonly string[]): Running {
  const end = async (signal: NodeJS.Signals) => {
    for (const child of children) child.kill(signal);
    await Promise.all(children.map(exited));
  };
  return {
    pids: children.map(({ pid }) => pid ?? 0),
    metricsUrls,
    kill: () => end("SIGKILL"),
    async [Symbol.asyncDispose]() {
      const timer = setTimeout(() => void end("SIGKILL"), endLimitMs);
      await end("SIGTERM");
      clearTimeout(timer);
    },
  };
}

function peer(name: string, file: string, usesRedis = false): System {
  return {
    name,
    isDurable: false,
    usesRedis,
    appendOnly: "off",
    async start(setting) {
      const child = run(setting, {
        name,
        file: [here(`peers/${file}.mjs`)],
        environment: { ...farEnds(setting), SEED: String(setting.history) },
      });
      await orEnded(setting.stubs.polled(), [child], setting);
      return running([child], []);
    },
  };
}

/** The end of all logs, to find out what went wrong. */
const lastWords = (folder: string): string =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".log"))
    .map((name) => readFileSync(join(folder, name), "utf8").trim().slice(-500))
    .join(" | ");

async function orEnded(
  ready: Promise<void>,
  children: readonly ChildProcess[],
  { folder }: Setting,
): Promise<void> {
  const ended = children.map(async (child) => {
    await exited(child);
    throw new Error(`it ended before it was ready: ${lastWords(folder)}`);
  });
  for (const each of ended) each.catch(() => undefined);
  await Promise.race([ready, ...ended]);
}

type Role = "all" | "bots" | "worker";

function floorAs(name: string, roles: readonly Role[]): System {
  return {
    name,
    isDurable: true,
    usesRedis: true,
    appendOnly: "everysec",
    async start(setting) {
      if (setting.history > 0) await seedFloor(setting);
      const children = roles.map((role) =>
        run(setting, {
          name: `${name}-${role}`,
          file: [here("durable-floor/main.ts")],
          environment: { ...farEnds(setting), ROLE: role },
          saysReady: true,
        }),
      );
      const ready = Promise.all([
        setting.stubs.polled(),
        ...children.map((child) => once(child, "message")),
      ]);
      await orEnded(
        ready.then(() => undefined),
        children,
        setting,
      );
      return running(children, []);
    },
  };
}

/** Telegram's own pace is no part of what is measured: no peer keeps one. */
const settingsFile = `
telegram: { requestsPerSecond: 1000 }
models:
  openai/stub: { contextWindow: 1000000, tools: true }
`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new TypeError("a port was expected");
  return address.port;
}

async function isReady(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.status === 200) return;
    await sleep(5);
  }
}

/**
 * The program that Parley has fetched for the tests, where it had to: fetching it is no part of a
 * start.
 */
function lendServer(dataFolder: string): void {
  const fetched = here("../data/redis-server");
  const lent = join(dataFolder, "redis-server");
  if (!existsSync(fetched) || existsSync(lent)) return;
  mkdirSync(dataFolder, { recursive: true });
  symlinkSync(fetched, lent);
}

interface ParleyOptions {
  readonly roles?: (setting: Setting) => readonly Role[];
  readonly appendOnly?: System["appendOnly"];
  readonly hasOwnRedis?: true;
  readonly isOnRequest?: true;
  /** Its HTTP server, without which it has no metrics; absent: it has one. */
  readonly hasHttp?: false;
  /** Settings besides the usual ones, as YAML. */
  readonly settings?: string;
  /** Variables besides the usual ones. */
  readonly environment?: (setting: Setting) => Readonly<Record<string, string>>;
}

function parleyAs(name: string, options: ParleyOptions = {}): System {
  const { roles = apart, appendOnly = "everysec", hasHttp = true } = options;
  const { hasOwnRedis, isOnRequest, settings = "", environment = () => ({}) } = options;
  return {
    name,
    isDurable: true,
    ...(hasOwnRedis && { hasOwnRedis }),
    ...(isOnRequest && { isOnRequest }),
    usesRedis: true,
    appendOnly,
    async start(setting) {
      if (setting.history > 0) await seedParley(setting);
      mkdirSync(setting.folder, { recursive: true });
      writeFileSync(join(setting.folder, "parley.yaml"), `${settingsFile}${settings}`);
      if (hasOwnRedis) lendServer(join(setting.folder, "data"));
      const parts = await Promise.all(
        roles(setting).map(async (role, index) => {
          const port = await freePort();
          const child = run(setting, {
            name: `${name}-${role}-${index}`,
            file: parley,
            environment: {
              PARLEY_ROLE: role,
              PARLEY_DATA: join(setting.folder, "data"),
              PARLEY_CONFIG: join(setting.folder, "parley.yaml"),
              PARLEY_ACCESS: "open",
              ...(hasHttp ? { PARLEY_HTTP_PORT: String(port) } : {}),
              ...(hasOwnRedis ? {} : { REDIS_URL: setting.redisUrl }),
              TELEGRAM_BOT_TOKEN: token,
              TELEGRAM_API_ROOT: setting.stubs.telegramUrl,
              OPENAI_BASE_URL: `${modelAt(setting, { name: "current_time", argument: "timeZone" })}/v1`,
              OPENAI_API_KEY: "bench",
              OPENAI_MODEL: "stub",
              LOG_LEVEL: "warn",
              ...environment(setting),
            },
          });
          return { child, url: `http://127.0.0.1:${port}` };
        }),
      );
      const children = parts.map(({ child }) => child);
      // Without HTTP a worker's first turns wait for it, before anything is measured.
      const probed = hasHttp ? parts : [];
      const ready = Promise.all([setting.stubs.polled(), ...probed.map(({ url }) => isReady(url))]);
      await orEnded(
        ready.then(() => undefined),
        children,
        setting,
      );
      return running(
        children,
        probed.map(({ url }) => `${url}/metrics`),
      );
    },
  };
}

const apart = ({ workers = 1 }: Setting) =>
  ["bots", ...Array.from({ length: workers }, () => "worker" as const)] as const;
const inOne = () => ["all"] as const;

export type RecallMode = "off" | "tool" | "auto";

/** Only compared with each other. */
export const parleyRecalling = (recall: RecallMode): System =>
  parleyAs(`Parley, recall ${recall}`, { settings: `memory: { recall: ${recall} }\n` });

/** In the order in which they are shown. */
export const systems: readonly System[] = [
  peer("floor", "floor"),
  peer("floor + BullMQ", "floor-queue", true),
  floorAs(durableFloor, ["bots", "worker"]),
  floorAs(`${durableFloor}, one process`, ["all"]),
  peer("AI SDK", "ai-sdk"),
  peer("OpenAI Agents", "openai-agents"),
  peer("LangGraph", "langgraph"),
  peer("Chat SDK", "chat-sdk", true),
  parleyAs("Parley"),
  parleyAs("Parley, one process", { roles: inOne }),
  parleyAs("Parley, AOF always", { appendOnly: "always" }),
  parleyAs("Parley, own Redis", { roles: inOne, appendOnly: "always", hasOwnRedis: true }),
  parleyAs("Parley, no metrics", { hasHttp: false, isOnRequest: true }),
  parleyAs("Parley, traced", {
    environment: ({ stubs }) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: `${stubs.modelUrl}/otlp` }),
    isOnRequest: true,
  }),
];

/**
 * Commas part the names of systems where no blank follows: "Parley, one process" is one name.
 * @throws UsageError for a name that no system has
 */
export function systemsNamed(list: readonly string[]): readonly System[] {
  const names = list.flatMap((each) => each.split(/,(?! )/));
  const unknown = names.find((wanted) => !systems.some(({ name }) => name === wanted));
  if (unknown !== undefined)
    throw new UsageError(
      `--only: there is no system "${unknown}": expected one of ${systems.map(({ name }) => `"${name}"`).join(" ")}`,
    );
  return systems.filter(({ name }) => names.includes(name));
}
