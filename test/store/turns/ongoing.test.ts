import { expect, it } from "vitest";
import type { ChatKey } from "../../../src/core/chat.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import type { Store } from "../../../src/store/redis/redis.ts";
import { createInbox } from "../../../src/store/turns/inbox.ts";
import { readTurn } from "../../../src/store/turns/ongoing.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { ben, begun, message, newChat, reset, storeOn, turnStoreOn } from "../support.ts";

const store = storeOn(await testDatabase());
const turns = turnStoreOn(store);
const inbox = createInbox(store);

/** The store, whose second reading of an inbox comes after `change`. */
function changedBefore(change: () => Promise<unknown>): Pick<Store, "redis"> {
  const { redis } = store;
  let readings = 0;
  const second = async (read: () => unknown) => {
    readings += 1;
    if (readings === 2) await change();
    return await read();
  };
  const between = new Proxy(redis, {
    get(target, name) {
      if (name === "lindex" || name === "lrange")
        return (key: string, ...range: [number, number]) =>
          /:in:/.test(key)
            ? second(() => Reflect.apply(target[name], target, [key, ...range]))
            : Reflect.apply(target[name], target, [key, ...range]);
      if (name !== "multi") return Reflect.get(target, name, target) as unknown;
      return () => {
        const steps = target.multi();
        const run = steps.exec.bind(steps);
        return Object.assign(steps, { exec: () => second(run) });
      };
    },
  });
  return { redis: between };
}

/** As a worker that takes the first entry, which opens no turn. */
const takeFirst = async (chat: ChatKey): Promise<void> => {
  const { session, revision } = await begun(turns, chat);
  await turns.commit(session, revision, { state: undefined, turn: 0, take: 1, release: {} });
};

it("finds what is queued at its position, also while a worker takes what is before it", async () => {
  const chat = newChat();
  await inbox.append(chat, reset("r1"));
  await inbox.append(chat, message("m2", { person: ben }));
  expect(await readTurn(store, chat)).toMatchObject({ phase: "queued", turn: 2, opener: "m2" });
  const found = await readTurn(
    changedBefore(() => takeFirst(chat)),
    chat,
  );
  expect(found).toMatchObject({ phase: "queued", turn: 2, opener: "m2", person: "Ben" });
  expect(await store.redis.llen(chatKeys(chat).inbox)).toBe(1);
});
