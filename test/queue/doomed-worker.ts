/** A worker that takes a chat, says so, and never lets go of it: it is there to be killed. */
import { pino } from "pino";
import { createDrainWorker } from "../../src/queue/drain-worker.ts";
import { turnQueueName } from "../../src/queue/names.ts";
import { createWaker } from "../../src/queue/waker.ts";
import { openStore } from "../../src/store/redis.ts";

const [url = ""] = process.argv.slice(2);
const connection = openStore(url, () => undefined).redis;
const log = pino({ level: "silent" });
createDrainWorker({
  connection,
  queueName: turnQueueName,
  mailbox: "turn",
  concurrency: 1,
  drain: (chat) => {
    console.log(chat);
    return new Promise(() => undefined);
  },
  waker: createWaker({ connection, log }),
  signal: new AbortController().signal,
  log,
});
