/**
 * A small Parley: starts the embedded Redis of the folder it is given, says so in lines of JSON,
 * and goes on until a signal. With a user id it becomes that user, but only after everything is
 * loaded: another user can't reach a checkout in someone's private folder. SIGTERM: disposes and
 * exits. SIGINT: writes once more, says whether that worked. SIGUSR2: exits at once.
 */
import { Redis } from "ioredis";
import { startEmbeddedRedis } from "../../../src/store/embedded/embedded-redis.ts";

const [dataFolder = "", user] = process.argv.slice(2);
const say = (line: object) => console.log(JSON.stringify(line));

if (user !== undefined) {
  process.setgroups?.([]);
  process.setgid?.(Number(user));
  process.setuid?.(Number(user));
}

try {
  const redis = await startEmbeddedRedis({
    dataFolder,
    log: (log) => say({ log }),
    environment: process.env,
  });
  process.on("SIGTERM", () => {
    void redis[Symbol.asyncDispose]().then(() => process.exit(0));
  });
  process.on("SIGUSR2", () => process.exit(3));
  process.on("SIGINT", () => {
    const client = new Redis(redis.url);
    void client.set("interrupted", "yes").then((answer) => say({ answer }));
  });
  say({ url: redis.url, pid: redis.pid, startedByUs: redis.startedByUs });
} catch (error) {
  say({ error: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
}
