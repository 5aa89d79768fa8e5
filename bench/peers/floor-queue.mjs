// The floor with BullMQ between receiving and answering; its history is the beginning only.
import { Queue, Worker } from "bullmq";
import { beginning, loop } from "./bare-loop.mjs";
import { serve } from "./system.mjs";

const { hostname: host, port, password } = new URL(process.env.REDIS_URL);
const connection = {
  host,
  port: Number(port),
  password: decodeURIComponent(password),
  maxRetriesPerRequest: null,
};
const queue = new Queue("bench", { connection });
const waiting = new Map();
let next = 0;
const worker = new Worker(
  "bench",
  async ({ data }) => {
    const said = await loop([...beginning, { role: "user", content: data.text }]);
    waiting.get(data.id)(said);
    waiting.delete(data.id);
  },
  { connection, concurrency: 1_000 },
);
await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]);
await serve((_chat, text) => {
  const id = next++;
  return new Promise((resolve, reject) => {
    waiting.set(id, resolve);
    queue.add("turn", { id, text }, { removeOnComplete: true }).catch(reject);
  });
});
