import { Redis } from "ioredis";
import { expect, it, onTestFinished } from "vitest";
import { chatKey } from "../../../src/core/chat.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { leftovers, unrest } from "./inspect-redis.ts";

const { url } = await testDatabase();
const chat = chatKey({ platform: "telegram", bot: "1", chat: "7" });
const keys = chatKeys(chat);

const connect = (): Redis => {
  const client = new Redis(url);
  onTestFinished(() => client.disconnect());
  return client;
};

/**
 * A client during whose first round of commands a turn ends: its answer moves from the state to the
 * outbox.
 */
async function duringWhichTheTurnEnds() {
  const other = connect();
  await other.flushdb();
  await other.hset(keys.state, "owner", "1", "state", "{}");
  const client = connect();
  let ending: Promise<unknown> | undefined;
  const thenEnd = async <Reply>(reply: Promise<Reply>): Promise<Reply> => {
    await reply;
    ending ??= other
      .multi()
      .hdel(keys.state, "owner", "state")
      .hset(keys.state, "revision", "2")
      .rpush(keys.outbox, "{}")
      .exec();
    await ending;
    return await reply;
  };
  return {
    keys: (pattern: string) => thenEnd(client.keys(pattern)),
    hmget: (key: string, ...fields: string[]) => client.hmget(key, ...fields),
    eval: (script: string, keyCount: number, ...values: string[]) =>
      thenEnd(client.eval(script, keyCount, ...values)),
  };
}

/** The check as it was until 2026-11-22. */
async function stepByStep(
  redis: Pick<Awaited<ReturnType<typeof duringWhichTheTurnEnds>>, "keys" | "hmget">,
): Promise<string[]> {
  const [inboxes = [], outboxes = [], states = []] = await Promise.all(
    ["in", "out", "st"].map((kind) => redis.keys(`parley:{s*}:${kind}:*`)),
  );
  const held: string[] = [];
  for (const key of states)
    for (const value of await redis.hmget(key, "owner", "state", "out:owner"))
      if (value !== null) held.push(key);
  return [...inboxes, ...outboxes, ...held];
}

it("an answer that moves while it is looked for is seen, which a look in several steps misses", async () => {
  expect(await stepByStep(await duringWhichTheTurnEnds())).toEqual([]);
  const found = await unrest(await duringWhichTheTurnEnds());
  expect(found).toEqual([`${keys.state} has owner`, `${keys.state} has state`]);
});

it("mailboxes, wake members, journals and drafts are left over, histories are not", async () => {
  const client = connect();
  await client.flushdb();
  await client.rpush(keys.log, "{}");
  expect(await leftovers(client)).toEqual([]);
  for (const key of [keys.inbox, keys.outbox]) await client.rpush(key, "{}");
  for (const key of [keys.calls, keys.draft]) await client.hset(key, "a", "b");
  const [slot = ""] = keys.inbox.split(":in:");
  await client.zadd(`${slot}:wake`, 1, `out:${chat}`);
  expect((await leftovers(client)).toSorted()).toEqual(
    [keys.inbox, keys.outbox, keys.calls, keys.draft, `${slot}:wake: out:${chat}`].toSorted(),
  );
});
