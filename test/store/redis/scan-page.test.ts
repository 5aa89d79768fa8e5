import { expect, it } from "vitest";
import { scanPage } from "../../../src/store/redis/scan-page.ts";
import { configKey } from "../../../src/store/keys.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { storeOn } from "../support.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const prefix = configKey("page:");
const many = (kind: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${kind}-${index}`);
const write = (keys: readonly string[]) => redis.mset(keys.flatMap((key) => [key, "1"]));
const pageFrom = (from: string | undefined) =>
  scanPage(store, { pattern: `${prefix}*`, from, count: 10, withinMs: 60_000 }, (keys) =>
    Promise.resolve(keys),
  );

const nothing = () => Promise.resolve([]);

it("shows every key that stays, while others come and go between the pages", async () => {
  await redis.flushdb();
  const staying = many("stays", 600);
  await write([...staying, ...many("goes", 2_000)]);
  const shown = new Set<string>();
  let next: string | undefined;
  let pages = 0;
  do {
    const page = await pageFrom(next);
    expect(new Set(page.found).size).toBe(page.found.length);
    for (const key of page.found) shown.add(key);
    // What was shown goes: who counted it would skip others. The table grows, and shrinks again.
    const gone = page.found.filter((key) => !key.includes("stays"));
    if (gone.length > 0) await redis.del(...gone);
    if (pages < 20) await write(many(`new-${pages}`, 500));
    if (pages % 5 === 4)
      for (let of = pages - 4; of < pages; of += 1) await redis.del(...many(`new-${of}`, 500));
    next = page.next;
    pages += 1;
  } while (next !== undefined);
  expect(pages).toBeGreaterThan(10);
  expect(staying.filter((key) => !shown.has(key))).toEqual([]);
});

it("begins at the beginning with what is no place", async () => {
  await redis.flushdb();
  await write(many("stays", 5));
  for (const from of ["", "x", "0.5.7", "-1.0", "names:", "999.0", `0.${2n ** 64n}`])
    expect((await pageFrom(from)).found, from).toHaveLength(5);
});

it("ends when its time is over, and goes on from there", async () => {
  await redis.flushdb();
  await write(many("stays", 500));
  const none = { pattern: `${prefix}none*`, count: 10 };
  const first = await scanPage(store, { ...none, from: undefined, withinMs: 0 }, nothing);
  expect(first).toEqual({ found: [], next: expect.stringMatching(/^0\.\d+$/) });
  const rest = await scanPage(store, { ...none, from: first.next, withinMs: 60_000 }, nothing);
  expect(rest).toEqual({ found: [], next: undefined });
});
