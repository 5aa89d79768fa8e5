import type { Connection } from "../store/redis/connection.ts";
import { retryRefused } from "../store/redis/retry-refused.ts";

type Command = (...parts: unknown[]) => Promise<unknown>;

/**
 * A full memory forbids a script's first write only, and never one that needs no memory: this one changes nothing, and
 * lies in the same slot. So jobs are taken, locked and ended, and what was accepted is woken, also when nothing new can be.
 */
const firstWrite = "redis.call('DEL', KEYS[1] .. ':nothing')\n";

const prepared = new WeakSet<Connection>();

/**
 * Prepares a connection for BullMQ, which defines its scripts on it: they go on when the server's memory is full, and wait
 * out what it refuses for now, as our own do. The connection stays the caller's; any number of queues may share it.
 */
export function queueConnection(redis: Connection): Connection {
  if (prepared.has(redis)) return redis;
  prepared.add(redis);
  const define = redis.defineCommand.bind(redis);
  redis.defineCommand = (name, definition) => {
    define(name, { ...definition, lua: firstWrite + definition.lua });
    const commands = redis as unknown as Record<string, Command>;
    const command = commands[name]?.bind(redis);
    if (command === undefined)
      throw new TypeError(`ioredis did not define ${name}`);
    commands[name] = (...parts) => retryRefused(() => command(...parts));
  };
  return redis;
}
