/**
 * Loaded before Parley (`node --import`): counts what the process asks of others, and ends it with
 * SIGKILL before or behind one of these requests. `resting → armed → dead`.
 *
 * - Before: nothing of the request is written. Behind: its reply is here, and the program has not seen it yet.
 * - SIGUSR2 arms it: `KNIFE_FOLDER/kill-at` holds the number of the step to die at, counted from now; 0: at none.
 * - Every step is a line in `KNIFE_FOLDER/steps`: its number, `before` or `behind`, and what was asked of which service.
 * - Not counted, since they come by the clock: heartbeats, leases, sweeps, renewed locks, waiting for jobs, looks
 *   at Redis that change nothing.
 */
import diagnostics from "node:diagnostics_channel";
import { appendFileSync, readFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { isMainThread } from "node:worker_threads";
import type { Redis } from "ioredis";

type Edge = "before" | "behind";

interface SentCommand {
  readonly name: string;
  readonly args: readonly unknown[];
  resolve: (reply: unknown) => void;
  reject: (error: Error) => void;
}

interface SentRequest {
  readonly method: string;
  readonly path: string;
}

/** Commands of Redis that change something for others; `exec` stands for all of its transaction. */
const writes =
  /^(?:exec|set|setex|psetex|getset|getdel|del|unlink|incr|incrby|expire|pexpire|persist|hset|hmset|hsetnx|hdel|hincrby|rpush|lpush|lpop|rpop|ltrim|lrem|sadd|srem|zadd|zrem|zremrangebyscore|publish|xadd|xtrim)$/;
/** Scripts, ours and BullMQ's, that come by the clock or change nothing. */
const byTheClock =
  /^(?:parley-(?:heartbeat|lease|sweep|waiting|pace\w*)|extendLocks?|moveStalledJobsToWait|is\w+|get\w+|paginate)/;

/**
 * Take a job or a ready chat, if there is one; asked by the clock, they change nothing where there
 * is none.
 */
const taking = /^(?:moveToActive|b?zpopmin)$/;
const hasTaken = (name: string, reply: unknown): boolean => {
  if (!Array.isArray(reply) || reply.length === 0) return false;
  switch (name) {
    case "moveToActive":
      return Array.isArray(reply[0]);
    case "bzpopmin":
      // BullMQ's marker says only that there may be a job.
      return String(reply[0]).endsWith(":ready");
    default:
      return true;
  }
};

const folder = process.env["KNIFE_FOLDER"];
if (isMainThread && folder !== undefined) await draw(folder);

async function draw(folder: string): Promise<void> {
  let killAt = 0;
  let count = 0;
  let isArmed = false;
  const steps = join(folder, "steps");
  const step = (edge: Edge, name: string): void => {
    if (!isArmed) return;
    count += 1;
    appendFileSync(steps, `${count} ${edge} ${name}\n`);
    if (count === killAt) process.kill(process.pid, "SIGKILL");
  };
  process.on("SIGUSR2", () => {
    // A process that is killed leaves none to the next one.
    flushCompileCache();
    killAt = Number(readFileSync(join(folder, "kill-at"), "utf8"));
    count = 0;
    isArmed = killAt > 0;
    appendFileSync(steps, isArmed ? "armed\n" : "resting\n");
  });
  watchRequests(step);
  const { Redis } = await import("ioredis");
  watchCommands(Redis.prototype, step);
}

/** Both clients that Node has say what they do on its diagnostics channels, in the same call. */
function watchRequests(step: (edge: Edge, name: string) => void): void {
  const on = (channel: string, edge: Edge): void =>
    diagnostics.subscribe(channel, (message) => {
      const { request } = message as { readonly request: SentRequest };
      step(edge, nameOfRequest(request));
    });
  on("http.client.request.created", "before");
  on("http.client.response.finish", "behind");
  on("undici:request:create", "before");
  on("undici:request:trailers", "behind");
}

/** Without what is someone's: of a path its last word, since others may be tokens or ids. */
function nameOfRequest({ method, path }: SentRequest): string {
  const words = path.split("?", 1)[0]?.split("/") ?? [];
  const word = words.findLast((each) => /^[@A-Za-z]{2,20}$/.test(each));
  return `${method} ${word ?? "/"}`;
}

function watchCommands(prototype: Redis, step: (edge: Edge, name: string) => void): void {
  const redis = prototype as unknown as {
    sendCommand: (command: SentCommand, ...rest: unknown[]) => unknown;
  };
  const send = redis.sendCommand;
  const seen = new WeakSet<SentCommand>();
  redis.sendCommand = function sendCommand(
    this: { readonly scriptsSet?: Record<string, { readonly sha: string }> },
    command,
    ...rest
  ) {
    const isInTransaction = rest[0] !== undefined && command.name !== "exec";
    const name = nameOfCommand(command, this.scriptsSet ?? {});
    // What waited for a connection passes here again.
    if (name !== undefined && !isInTransaction && !seen.has(command)) {
      seen.add(command);
      const isTaking = taking.test(name);
      if (!isTaking) step("before", name);
      const { resolve } = command;
      command.resolve = (reply) => {
        if (!isTaking || hasTaken(name, reply)) step("behind", name);
        resolve.call(command, reply);
      };
    }
    return send.call(this, command, ...rest);
  };
}

/** Undefined: it does not count. */
function nameOfCommand(
  { name, args }: SentCommand,
  scripts: Readonly<Record<string, { readonly sha: string }>>,
): string | undefined {
  if (name !== "evalsha" && name !== "eval")
    return writes.test(name) || taking.test(name) ? name : undefined;
  const [script] = Object.entries(scripts).find(([, { sha }]) => sha === args[0]) ?? [];
  const known = (script ?? "script").split(":", 1)[0] ?? "script";
  return byTheClock.test(known) ? undefined : known;
}
