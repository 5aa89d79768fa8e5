import type { Connection } from "../store/redis/connection.ts";
import { retryRefused } from "../store/redis/retry-refused.ts";

type Command = (...parts: unknown[]) => Promise<unknown>;

/**
 * With full memory Redis refuses only a script's first write, and only if it needs memory. This one
 * changes nothing and uses a key of the same slot. So jobs are still locked and finished, and
 * accepted work is woken, while new events are refused.
 */
const firstWrite = "redis.call('DEL', KEYS[1] .. ':nothing')\n";

const prepared = new WeakSet<Connection>();

/**
 * Prepares a connection for BullMQ, which defines its scripts on it: they run while the server's
 * memory is full and retry transient refusals, as our own scripts do. The connection remains the
 * caller's; any number of queues may share it.
 */
export function queueConnection(redis: Connection): Connection {
  if (prepared.has(redis)) return redis;
  prepared.add(redis);
  const define = redis.defineCommand.bind(redis);
  redis.defineCommand = (name, definition) => {
    define(name, { ...definition, lua: firstWrite + definition.lua });
    const commands = redis as unknown as Record<string, Command>;
    const command = commands[name]?.bind(redis);
    if (command === undefined) throw new TypeError(`ioredis did not define ${name}`);
    commands[name] = (...parts) => retryRefused(() => command(...parts));
  };
  return redis;
}
