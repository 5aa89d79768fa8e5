import { beforeEach, describe, expect, it } from "vitest";
import type { ChatKey } from "../../../src/core/chat.ts";
import { createLimitCounters } from "../../../src/store/limits/limit-counters.ts";
import {
  createSpent,
  dayOf,
  eraseSpent,
  monthOf,
  spentEntries,
  spentPrefix,
} from "../../../src/store/limits/spent.ts";
import { spansAt } from "../../../src/core/limit-windows.ts";
import { keysLike } from "../../support/redis/test-client.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { earlyInAMinute, storeOn } from "../support.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const counters = createLimitCounters(store);
const spent = createSpent(store);

const namesOf = (person: string, chat = person.replace(":", ":7:")) => ({
  person,
  chat,
  platform: "telegram",
  global: "all",
});
const ann = namesOf("telegram:1");
const ben = namesOf("telegram:2");
const tookOf = (usd: number, turns = 1) => ({
  tokens: 15,
  costUsd: usd,
  turns,
  models: { "a/dear": { requests: 2, inputTokens: 10, outputTokens: 5, costUsd: usd } },
});
const add = (id: string, names: typeof ann, usd: number) =>
  counters.add([{ type: "call", names, id, took: tookOf(usd) }]);
const settle = (id: string, names: typeof ann, usd: number, turns = 1) =>
  counters.settle(id, tookOf(usd, turns), { names, version: "0", caps: [] });
const today = () => dayOf(store.clock.now());
const top = (by: "person" | "chat" | "model", period = today()) =>
  spent.top(period, by, { sort: "usd", from: 0, count: 10 });

beforeEach(async () => {
  await redis.flushdb();
  await store.clock.read();
  await earlyInAMinute();
});

describe("what was spent", () => {
  it("is summed by person, chat and model, of the day and the month, the dearest first", async () => {
    await add("c1", ann, 0.25);
    await settle("c2", ben, 2);
    await settle("c3", ben, 1, 0);
    for (const period of [today(), monthOf(store.clock.now())]) {
      const both = [
        { costUsd: 3, tokens: 30, count: 1 },
        { costUsd: 0.25, tokens: 15, count: 1 },
      ];
      const named = (...names: readonly string[]) => ({
        rows: both.map((row, index) => ({ name: names[index], ...row })),
        total: 2,
      });
      expect(await top("person", period)).toEqual(named("telegram:2", "telegram:1"));
      expect(await top("chat", period)).toEqual(named("telegram:7:2", "telegram:7:1"));
      expect(await top("model", period)).toEqual({
        rows: [{ name: "a/dear", costUsd: 3.25, tokens: 45, count: 6 }],
        total: 1,
      });
    }
    expect((await spent.days(30)).at(-1)).toEqual({
      name: today(),
      costUsd: 3.25,
      tokens: 45,
      count: 2,
    });
  });

  it("is summed once for each call, with and without a limit, reserved or not", async () => {
    await counters.reserve(
      "c1",
      { tokens: 90, costUsd: 9 },
      { names: ann, version: "0", caps: [] },
    );
    expect((await top("person")).rows).toEqual([]);
    for (let times = 0; times < 2; times += 1) {
      await add("c1", ann, 1);
      await settle("c1", ann, 1);
      await settle("c2", ann, 1);
      await add("c3", ann, 1);
      await settle("c3", ann, 1);
    }
    expect((await top("person")).rows).toEqual([
      { name: "telegram:1", costUsd: 3, tokens: 45, count: 3 },
    ]);
  });

  it("is counted without a price, too, and never by an invalid amount", async () => {
    await add("c1", ann, 0);
    await add("c2", ben, Number.NaN);
    expect((await top("person")).rows.map(({ costUsd, tokens }) => [costUsd, tokens])).toEqual([
      [0, 15],
      [0, 15],
    ]);
  });

  it("of the days before is kept, a day without anything is zero", async () => {
    const yesterdayMs = store.clock.now() - 86_400_000;
    await write(yesterdayMs, ann, 4);
    await write(yesterdayMs - 86_400_000 * 20, ben, 2);
    const days = await spent.days(30);
    expect(days).toHaveLength(30);
    expect(days.filter(({ costUsd }) => costUsd > 0)).toMatchObject([
      { name: dayOf(yesterdayMs - 86_400_000 * 20), costUsd: 2 },
      { name: dayOf(yesterdayMs), costUsd: 4 },
    ]);
    expect((await top("chat", dayOf(yesterdayMs))).rows).toMatchObject([{ name: "telegram:7:1" }]);
  });
});

/** As the scripts did at that time. */
async function write(atMs: number, names: typeof ann, usd: number): Promise<void> {
  for (const [name = "", member = "", , nanoUsd = 0] of spentEntries(
    names,
    tookOf(usd),
    spansAt(atMs),
  ))
    await redis.zincrby(`${spentPrefix}${name}:usd`, Number(nanoUsd), String(member));
}

it("an erasure leaves nothing of a person or a chat in any sum", async () => {
  for (const atMs of [0, 1, 40].map((days) => store.clock.now() - days * 86_400_000))
    for (const names of [ann, ben]) await write(atMs, names, 1);
  await add("c1", ann, 1);
  await eraseSpent(store, { people: [ann.person], chats: [ann.chat as ChatKey] });
  for (const key of await keysLike(redis, `${spentPrefix}*`)) {
    // The sums of a day 40 days ago have ended long ago.
    if (key.includes(`${dayOf(store.clock.now() - 40 * 86_400_000)}:`)) continue;
    const members = await redis.zrange(key, "0", "-1");
    expect(members, key).not.toContain(ann.person);
    expect(members, key).not.toContain(ann.chat);
  }
  expect((await top("person")).rows.map(({ name }) => name)).toEqual([ben.person]);
});
