import { describe, expect, it } from "vitest";
import type { AuditEntry } from "../../../src/core/audit.ts";
import { createAudit, type AuditRecord } from "../../../src/store/operations/audit.ts";
import { erasePerson } from "../../../src/store/erasure/erase-person.ts";
import { configKey } from "../../../src/store/keys.ts";
import { keysWith } from "../../support/erasure/occurrences.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { storeOn } from "../support.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;

const redact = (text: string) => text.replaceAll("s3cret", "[redacted]");

const fresh = async (retentionMs?: number) => {
  await redis.flushdb();
  const logged: unknown[] = [];
  const log = {
    error: (facts: unknown) => void logged.push(facts),
    warn: (facts: unknown) => void logged.push(facts),
  };
  const audit = createAudit(store, {
    retentionMs,
    redact,
    log: log as never,
  });
  return { audit, logged };
};

const anna = { id: "telegram:1", name: "Anna" };
const set = (more: Partial<AuditEntry> = {}) =>
  ({
    action: "limit-set",
    by: anna,
    chat: "telegram:77:5",
    target: "person",
    ...more,
  }) as const;
const ran = (target: string) =>
  ({ action: "tool-executed", by: anna, target, outcome: "done" }) as const;

async function listed(records: AsyncIterable<AuditRecord>) {
  const found: AuditRecord[] = [];
  for await (const each of records) found.push(each);
  return found;
}
const newest = async (audit: Awaited<ReturnType<typeof fresh>>["audit"]) =>
  (await audit.newest({}, 100)).records;

describe("the audit log", () => {
  it("tells who did what, when and where, the newest first", async () => {
    const { audit } = await fresh();
    const beforeMs = Date.now() - 5;
    await audit.write("e1", set({ details: { before: "off", now: "5/day" } }));
    await audit.write("e2", ran("files.read"));
    await audit.write("e3", { action: "paused", target: "all" });
    const records = await newest(audit);
    expect(records).toMatchObject([
      { action: "paused", target: "all" },
      { action: "tool-executed", target: "files.read", outcome: "done" },
      {
        action: "limit-set",
        by: anna,
        chat: "telegram:77:5",
        target: "person",
        details: { before: "off", now: "5/day" },
      },
    ]);
    expect(records[0]).not.toHaveProperty("by");
    for (const { atMs } of records) {
      expect(atMs).toBeGreaterThanOrEqual(beforeMs);
      expect(atMs).toBeLessThanOrEqual(Date.now() + 5);
    }
  });

  it("takes the same line of the same event once, and every other line of it", async () => {
    const { audit } = await fresh();
    for (let again = 0; again < 3; again += 1) {
      await audit.write("e1", set());
      await audit.write("e1", set({ target: "chat" }));
      await audit.write("e1", set({ chat: "telegram:77:6" }));
      await audit.write("e1", set({ by: { id: "telegram:2", name: "Ben" } }));
    }
    expect(await newest(audit)).toHaveLength(4);
  });

  it("is filtered by its actor or target, and by what was done", async () => {
    const { audit } = await fresh();
    await audit.write("e1", set({ target: "telegram:2" }));
    await audit.write("e2", set({ by: { id: "telegram:2", name: "Ben" } }));
    await audit.write("e3", { ...ran("calc"), by: anna });
    const of = async (filter: Parameters<typeof audit.newest>[0]) =>
      (await audit.newest(filter, 10)).records.map(({ by, target }) => [by?.id, target]);
    expect(await of({ personId: "telegram:2" })).toEqual([
      ["telegram:2", "person"],
      ["telegram:1", "telegram:2"],
    ]);
    expect(await of({ action: "tool-executed" })).toEqual([["telegram:1", "calc"]]);
    expect(await of({ personId: "telegram:2", action: "tool-executed" })).toEqual([]);
  });

  it("keeps what admins did, however much anybody brings about", async () => {
    const { audit } = await fresh();
    await audit.write("e1", set());
    const line = JSON.stringify({ v: 1, action: "tool-executed", target: "x" });
    const events = configKey("audit-events");
    for (let round = 0; round < 11; round += 1) {
      const flood = redis.pipeline();
      for (let count = 0; count < 10_000; count += 1) flood.xadd(events, "*", "line", line);
      await flood.exec();
    }
    await audit.write("e2", ran("y"));
    expect(await redis.xlen(events)).toBeLessThan(100_200);
    expect((await audit.newest({ action: "limit-set" }, 1)).records).toEqual([]);
    expect((await audit.newest({ action: "limit-set" }, 1)).isPart).toBe(true);
    const all = await listed(audit.since(0));
    expect(all.filter(({ action }) => action === "limit-set")).toHaveLength(1);
    expect(all.at(-1)?.target).toBe("y");
  });

  it("is read over many steps in the order of both streams, from a moment on", async () => {
    const { audit } = await fresh();
    const wanted: string[] = [];
    for (let index = 0; index < 1_300; index += 1) {
      const target = `t${index}`;
      wanted.push(target);
      await audit.write(`e${index}`, index % 3 === 0 ? ran(target) : set({ target }));
    }
    const forwards = await listed(audit.since(0));
    expect(forwards.map(({ target }) => target)).toEqual(wanted);
    const backwards = (await audit.newest({}, 2_000)).records;
    expect(backwards.map(({ target }) => target)).toEqual(wanted.toReversed());
    const middle = forwards[700]?.atMs ?? 0;
    expect(await listed(audit.since(middle))).toEqual(
      forwards.filter(({ atMs }) => atMs >= middle),
    );
  });

  it("drops what is older than its retention, and never without one", async () => {
    const { audit } = await fresh(60_000);
    const acts = configKey("audit-log");
    const old = JSON.stringify({ v: 1, action: "paused" });
    for (let index = 1; index <= 500; index += 1) await redis.xadd(acts, `${index}-0`, "line", old);
    // Nothing is written behind them: they are still there, and shown no more.
    expect(await newest(audit)).toEqual([]);
    expect(await listed(audit.since(0))).toEqual([]);
    await audit.write("e1", set());
    expect(await redis.xlen(acts)).toBe(1);
    expect(await newest(audit)).toHaveLength(1);
    const forEver = await fresh();
    for (let index = 1; index <= 500; index += 1) await redis.xadd(acts, `${index}-0`, "line", old);
    await forEver.audit.write("e1", set());
    expect(await redis.xlen(acts)).toBe(501);
  });

  it("holds no secret, and no more of a text than a line bears", async () => {
    const { audit } = await fresh();
    await audit.write("e1", {
      ...set(),
      target: "s3cret",
      outcome: "s3cret",
      details: Object.fromEntries(
        Array.from({ length: 20 }, (_, index) => [
          `n${index}`,
          `s3cret ${"x".repeat(10_000)}\ud800`,
        ]),
      ),
    });
    const [record] = await newest(audit);
    expect(JSON.stringify(record)).not.toContain("s3cret");
    expect(JSON.stringify(record).length).toBeLessThan(4_000);
    expect(await keysWith(store, "s3cret")).toEqual([]);
  });

  it("loses the names of people who are forgotten, and keeps that someone did it", async () => {
    const { audit } = await fresh();
    await audit.write("e1", set({ by: { id: "telegram:9", name: "Zora" } }));
    await audit.write("e2", set({ target: "telegram:9" }));
    expect(await newest(audit)).toMatchObject([
      { target: "telegram:9", targetName: "Zora" },
      { by: { id: "telegram:9", name: "Zora" } },
    ]);
    await erasePerson(store, "telegram:9");
    expect(await keysWith(store, "Zora")).toEqual([]);
    const [second, first] = await newest(audit);
    expect(first?.by).toEqual({ id: "telegram:9" });
    expect(second).not.toHaveProperty("targetName");
  });

  it("takes no target for an unknown person", async () => {
    const { audit } = await fresh();
    await audit.write("e1", ran("constructor"));
    const [record] = await newest(audit);
    expect(record).toMatchObject({ target: "constructor" });
    expect(record).not.toHaveProperty("targetName");
  });

  it("leaves out what it cannot read, and says so", async () => {
    const { audit, logged } = await fresh();
    await audit.write("e1", set());
    const acts = configKey("audit-log");
    await redis.xadd(acts, "*", "line", "no JSON");
    await redis.xadd(acts, "*", "line", '{"v":2,"action":"paused"}');
    expect(await newest(audit)).toHaveLength(1);
    expect(logged).toHaveLength(2);
    // An action of a newer version is one that can be read.
    await redis.xadd(acts, "*", "line", '{"v":1,"action":"danced"}');
    expect(await newest(audit)).toMatchObject([{ action: "danced" }, {}]);
  });

  it("never rejects: what cannot be written is logged", async () => {
    const { audit, logged } = await fresh();
    await redis.set(configKey("audit-log"), "not a stream");
    await audit.write("e1", set());
    expect(logged).toMatchObject([{ action: "limit-set", by: "telegram:1" }]);
  });

  it("takes lines with a full memory, since what they tell of was done", async () => {
    const { audit, logged } = await fresh();
    await redis.config("SET", "maxmemory", "1");
    try {
      await audit.write("e1", set());
      await audit.write("e1", set());
    } finally {
      await redis.config("SET", "maxmemory", "0");
    }
    expect(logged).toEqual([]);
    expect(await newest(audit)).toHaveLength(1);
  });

  it("knows admins by their names, however many strangers were refused", async () => {
    const { audit } = await fresh();
    const strangers = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`telegram:${index}`, "x"]),
    );
    await redis.hset(configKey("audit-names"), strangers);
    const by = { id: "telegram:77777", name: "Olga" };
    await audit.write("e1", { action: "attempt-denied", by });
    expect((await newest(audit))[0]?.by).toEqual({ id: by.id });
    await audit.write("e2", set({ by }));
    expect((await newest(audit)).map((each) => each.by)).toEqual([by, by]);
  });

  it("remembers what it has written for a day, in a bounded set", async () => {
    const { audit } = await fresh();
    await audit.write("e1", set());
    const [seconds] = await redis.time();
    const yesterday = Number(seconds) * 1_000 - 86_400_001;
    await redis.zadd(configKey("audit-log-ids"), yesterday, "old");
    await audit.write("e2", set());
    expect(await redis.zscore(configKey("audit-log-ids"), "old")).toBeNull();
    expect(await redis.zcard(configKey("audit-log-ids"))).toBe(2);
  });
});
