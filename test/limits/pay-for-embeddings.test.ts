import { beforeEach, expect, it } from "vitest";
import { chatKey } from "../../src/core/chat.ts";
import type { Limit, LimitScope, Spender } from "../../src/core/limits.ts";
import { createTextPayment } from "../../src/limits/pay-for-embeddings.ts";
import { earlyInAMinute, storeOn, uniqueId } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { plainLimits } from "./plain-limits.ts";

const store = storeOn(await testDatabase());
const chat = chatKey({ platform: "telegram", bot: "77", chat: "1" });
const of = (id: string): Spender => ({ person: { id, name: id }, chat });
const [ann, bob] = [of("telegram:1"), of("telegram:2")];
/** 250 tokens. */
const texts = ["x".repeat(499), "y".repeat(500)];

function open(usdPerMillionTokens?: number) {
  const { limitService, budget } = plainLimits(store);
  const pay = createTextPayment({
    budget,
    model: "p/embed",
    usdPerMillionTokens,
    report: (message) => expect(message).toBe(""),
  });
  const set = (scope: LimitScope, limit: Limit) => limitService.set(uniqueId(), scope, [limit]);
  return { pay, set };
}
const tokens = (max: number): Limit => ({ metric: "tokens", per: "day", max });

beforeEach(async () => {
  await store.redis.flushdb();
  await earlyInAMinute();
});

it("a person's limit holds for what they wrote and ask, and no one else's", async () => {
  const { pay, set } = open();
  await set({ kind: "person" }, tokens(300));
  await (
    await pay(ann, texts)
  )?.(true);
  expect(await pay(ann, texts)).toBeUndefined();
  expect(await pay(bob, texts)).toBeTypeOf("function");
});

it("what is paid for is reserved until it is settled, and a failure costs nothing", async () => {
  const { pay, set } = open();
  await set({ kind: "global" }, tokens(300));
  const settle = await pay(ann, texts);
  expect(await pay(bob, texts)).toBeUndefined();
  await settle?.(false);
  const again = await pay(bob, texts);
  await again?.(true);
  expect(await pay(ann, texts)).toBeUndefined();
});

it("it counts in US dollars where the price is known", async () => {
  const dollars: Limit = { metric: "cost", per: "day", max: 0.001 };
  const priced = open(2);
  await priced.set({ kind: "person" }, dollars);
  // 250 tokens are $0.0005.
  await (
    await priced.pay(ann, texts)
  )?.(true);
  await (
    await priced.pay(ann, texts)
  )?.(true);
  expect(await priced.pay(ann, texts)).toBeUndefined();
  const { pay } = open();
  for (let count = 0; count < 4; count += 1) await (await pay(bob, texts))?.(true);
  expect(await pay(bob, texts)).toBeTypeOf("function");
});

it("where it can't be settled, that is reported, and what was made is used", async () => {
  const reports: string[] = [];
  const pay = createTextPayment({
    budget: {
      isLimited: () => Promise.resolve(false),
      reserve: () => Promise.reject(new Error("not asked for where nothing is limited")),
      settle: () => Promise.reject(new Error("no Redis")),
    },
    model: "p/embed",
    usdPerMillionTokens: undefined,
    report: (message) => reports.push(message),
  });
  await (
    await pay(ann, texts)
  )?.(true);
  expect(reports).toEqual([expect.stringContaining("no Redis") as string]);
});
