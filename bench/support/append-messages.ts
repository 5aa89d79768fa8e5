import { setTimeout as sleep } from "node:timers/promises";
import { chatKey } from "../../src/core/chat.ts";
import { openStore } from "../../src/store/redis/redis.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";

/**
 * Appends people's messages, one after the other, to the Redis at `REDIS_URL` for `FOR_MS`, and
 * prints how long each took, in ms.
 */
const text = "Tell me what has changed since yesterday in the open issues of our repository.";
const appendEveryMs = 5;
const store = openStore(process.env["REDIS_URL"] ?? "", (error) => console.error(error.message));
const inbox = createInbox(store, { whileBusy: "followup" });
const tookMs: number[] = [];
const append = async (): Promise<void> => {
  const number = tookMs.length;
  const fromMs = performance.now();
  await inbox.append(
    chatKey({ platform: "telegram", bot: "7700000001", chat: `${number % 1_000}` }),
    {
      kind: "message",
      v: 1,
      id: `m${number}-${fromMs}`,
      person: { id: `telegram:${number}`, name: "Ann" },
      text,
      atMs: Date.now(),
    },
  );
  tookMs.push(performance.now() - fromMs);
};
// Connects, and loads the script.
await append();
tookMs.length = 0;
const endMs = performance.now() + Number(process.env["FOR_MS"]);
while (performance.now() < endMs) {
  await append();
  await sleep(appendEveryMs);
}
store.redis.disconnect();
console.log(JSON.stringify(tookMs.map((each) => Number(each.toFixed(3)))));
