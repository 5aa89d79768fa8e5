/**
 * The durable floor: what a turn costs at least, if nothing may be lost or doubled. It has Parley's
 * journey on Parley's parts (Redis, BullMQ, undici) and nothing else:
 *
 * 1. accept: the update's message is appended to the chat's inbox, once (bots);
 * 2. wake: one BullMQ job per chat;
 * 3. begin: the worker leases the chat and moves a message from the inbox to the history;
 * 4. the model's answer, streamed;
 * 5. commit: history and outbox in one step, refused if another worker has leased the chat since;
 * 6. open: the bots process leases the outbox and notes what it is about to send;
 * 7. send, and the receipt: the message's id is kept, the entry removed.
 *
 * A lower bound, not a bot to run: no sweeper, no lease heartbeats, no roles, limits, approvals or
 * commands, no drafts, no Markdown, no stop, no time limits and no retries. A tool's calls are
 * committed with the answer, since its one tool may be repeated. Any error ends the process; what
 * was under way is continued by the next start.
 *
 * `ROLE` is `bots`, `worker` or `all`; `TELEGRAM`, `MODEL` and `REDIS_URL` are base URLs. Says
 * `ready` to its parent.
 */
import { startBots } from "./bots.ts";
import { wakeAll } from "./recovery.ts";
import { openStore } from "./store.ts";
import { openTurnQueue } from "./turn-queue.ts";
import { startWorker } from "./worker.ts";

const { ROLE: role, TELEGRAM: telegram, MODEL: model, REDIS_URL: redisUrl } = process.env;
if (role === undefined || telegram === undefined || model === undefined || redisUrl === undefined)
  throw new Error("expected ROLE, TELEGRAM, MODEL and REDIS_URL");

const store = openStore(redisUrl);
const queue = openTurnQueue(store.redis);
await wakeAll(store, queue);
if (role !== "bots") await startWorker({ store, modelUrl: model });
if (role !== "worker") startBots({ store, queue, telegramUrl: telegram });
process.send?.("ready");
