import { readFileSync } from "node:fs";
import { Redis } from "ioredis";

/** Every Lua script of Parley, by its file's name in `scripts/`; what each takes and returns stands at its top. */
const scriptNames = [
  "begin",
  "commit",
  "decide",
  "draft",
  "heartbeat",
  "ingest",
  "note",
  "open",
  "receipt",
  "release",
  "stop",
  "sweep",
  "waiting",
] as const;
type ScriptName = (typeof scriptNames)[number];

export type Reply = string | number | null | readonly Reply[];

/** A connection that knows our scripts. */
export interface Store {
  readonly redis: Redis;
  /** Runs one script. @throws what ioredis throws: `ReplyError`, connection errors. */
  run(
    name: ScriptName,
    keys: readonly string[],
    values: readonly (string | number)[],
  ): Promise<Reply>;
}

export const connectionOptions = {
  // Commands wait for a reconnection instead of failing after some tries: an accepted message must not be lost to a
  // short outage. Callers that must answer in time put their own limit around.
  maxRetriesPerRequest: null,
  enableReadyCheck: true,
  retryStrategy: (attempt: number): number =>
    Math.min(50 * 2 ** Math.min(attempt, 6), 2_000),
};

/** Opens a connection; it connects in the background and reports trouble through `onError`. */
export function openStore(url: string, onError: (error: Error) => void): Store {
  const redis = new Redis(url, connectionOptions);
  redis.on("error", onError);
  return addScripts(redis);
}

export function addScripts(redis: Redis): Store {
  type Command = (...parts: (string | number)[]) => Promise<Reply>;
  const commands = new Map<ScriptName, Command>();
  for (const name of scriptNames) {
    const command = `parley-${name}`;
    redis.defineCommand(command, {
      lua: readFileSync(
        new URL(`scripts/${name}.lua`, import.meta.url),
        "utf8",
      ),
    });
    const method = (redis as unknown as Record<string, Command>)[command];
    if (!method) throw new TypeError(`ioredis did not define ${command}`);
    commands.set(name, method.bind(redis));
  }
  return {
    redis,
    run(name, keys, values) {
      const command = commands.get(name);
      if (!command) throw new TypeError(`no script ${name}`);
      return command(keys.length, ...keys, ...values);
    },
  };
}

/** Reads a script's reply at the door: the shape is our own script's, so anything else is a defect. */
export function text(reply: Reply | undefined): string {
  if (typeof reply === "string") return reply;
  if (typeof reply === "number") return String(reply);
  throw new TypeError(
    `expected text from a script, got ${JSON.stringify(reply)}`,
  );
}

export const number = (reply: Reply | undefined): number => Number(text(reply));

export function list(reply: Reply | undefined): readonly Reply[] {
  if (Array.isArray(reply)) return reply as readonly Reply[];
  throw new TypeError(
    `expected a list from a script, got ${JSON.stringify(reply)}`,
  );
}

export const texts = (reply: Reply | undefined): string[] =>
  list(reply).map(text);

/** Field, value, field, value … as a map. */
export function pairs(reply: Reply | undefined): Map<string, string> {
  const flat = texts(reply);
  const map = new Map<string, string>();
  for (let index = 0; index + 1 < flat.length; index += 2)
    map.set(flat[index] ?? "", flat[index + 1] ?? "");
  return map;
}
