/** A worker that takes a chat, says so, and never lets go of it: it is there to be killed. */
import { pino } from "pino";
import { createTurnWorker } from "../../src/queue/turn-worker.ts";
import { createWaker } from "../../src/queue/waker.ts";
import { openStore } from "../../src/store/redis/redis.ts";

const [url = ""] = process.argv.slice(2);
const store = openStore(url, () => undefined);
const log = pino({ level: "silent" });
createTurnWorker({
  connection: store.redis,
  concurrency: 1,
  drain: (chat) => {
    console.log(chat);
    return new Promise(() => undefined);
  },
  waker: createWaker({ store, log }),
  signal: new AbortController().signal,
  log,
});
