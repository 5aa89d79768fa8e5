import { readFileSync } from "node:fs";
import { PermanentError } from "../../core/errors.ts";
import { parseRedisUrl } from "../../core/redis-address.ts";
import { openConnection, type Connection } from "./connection.ts";
import { ServerClock } from "./server-clock.ts";
import { writeTogether } from "./write-together.ts";

/**
 * Every Lua script of Parley, by its file's name in `scripts/`; its head documents arguments and
 * results.
 */
const scriptNames = [
  "adopt",
  "append-erasure",
  "audit",
  "authored",
  "begin",
  "commit",
  "dead",
  "dead-chat",
  "decide",
  "draft",
  "embed",
  "entries",
  "drop-old",
  "erase",
  "erasure",
  "fact",
  "fire",
  "gateway-session",
  "grant",
  "halt",
  "heartbeat",
  "index",
  "ingest",
  "keep",
  "lease",
  "left-out",
  "limit-add",
  "limit-count",
  "limit-enter",
  "limit-set",
  "hold",
  "idle",
  "mark",
  "outage",
  "members",
  "note",
  "open",
  "overwrite",
  "pace",
  "page-open",
  "pause",
  "persona",
  "plan",
  "put-file",
  "ready",
  "receipt",
  "release",
  "skill",
  "stop",
  "summary",
  "sweep",
  "todo",
  "trace",
  "trim",
  "waiting",
] as const;
type ScriptName = (typeof scriptNames)[number];

export type Reply = string | number | null | readonly Reply[];

/** A connection that knows our scripts. */
export interface Store {
  readonly redis: Connection;
  readonly clock: Pick<ServerClock, "now" | "read">;
  /** Runs one script. @throws what ioredis throws: `ReplyError`, connection errors. */
  run(
    name: ScriptName,
    keys: readonly string[],
    values: readonly (string | number | Buffer)[],
  ): Promise<Reply>;
}

/**
 * Opens a connection; it connects in the background and reports errors through `onError`.
 * @throws PermanentError when the URL is none of Redis.
 */
export function openStore(url: string, onError: (error: Error) => void): Store {
  const reading = parseRedisUrl(url);
  if ("expected" in reading) throw new PermanentError(`expected ${reading.expected}`);
  const redis = openConnection(reading.address);
  redis.on("error", onError);
  return addScripts(redis);
}

export function addScripts(redis: Connection): Store {
  writeTogether(redis);
  const clock = new ServerClock(() => redis.time());
  type Command = (...parts: (string | number | Buffer)[]) => Promise<Reply>;
  const commands = new Map<ScriptName, Command>();
  for (const name of scriptNames) {
    const command = `parley-${name}`;
    redis.defineCommand(command, {
      lua: readFileSync(new URL(`../scripts/${name}.lua`, import.meta.url), "utf8"),
    });
    const method = (redis as unknown as Record<string, Command>)[command];
    if (!method) throw new TypeError(`ioredis did not define ${command}`);
    commands.set(name, method.bind(redis));
  }
  return {
    redis,
    clock,
    run(name, keys, values) {
      clock.refresh();
      const command = commands.get(name);
      if (!command) throw new TypeError(`no script ${name}`);
      return command(keys.length, ...keys, ...values);
    },
  };
}

/**
 * Parses a script's reply. Its shape is known, as long as the stored data that the script has read
 * is valid.
 * @throws PermanentError, which repeats nothing of it.
 */
export function text(reply: Reply | undefined): string {
  if (typeof reply === "string") return reply;
  if (typeof reply === "number") return String(reply);
  throw unexpected("text", reply);
}

export const number = (reply: Reply | undefined): number => Number(text(reply));

export function list(reply: Reply | undefined): readonly Reply[] {
  if (Array.isArray(reply)) return reply as readonly Reply[];
  throw unexpected("a list", reply);
}

const unexpected = (what: string, reply: Reply | undefined): PermanentError =>
  new PermanentError(
    `expected ${what} from a script, got ${reply === null ? "null" : typeof reply}: something stored is none of ours`,
  );

export const texts = (reply: Reply | undefined): string[] => list(reply).map(text);

/** Field, value, field, value … as a map. */
export function pairs(reply: Reply | undefined): Map<string, string> {
  const flat = texts(reply);
  const map = new Map<string, string>();
  for (let index = 0; index + 1 < flat.length; index += 2)
    map.set(flat[index] ?? "", flat[index + 1] ?? "");
  return map;
}
