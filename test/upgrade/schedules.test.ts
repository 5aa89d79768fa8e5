import { expect, it } from "vitest";
import { z } from "zod";
import { PermanentError, RetryableError } from "../../src/core/errors.ts";
import { inboxEntrySchema } from "../../src/core/history.ts";
import type { Schedule } from "../../src/core/schedule.ts";
import { parseStored } from "../../src/store/stored.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { createSchedules } from "../../src/store/turns/schedules.ts";
import { readSchedule } from "../../src/store/turns/stored-schedule.ts";
import { newChat, retentionMs, scheduleIn, storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());
const schedules = createSchedules(store, { retentionMs, report: (what) => expect(what).toBe("") });

const by = { id: "telegram:1", name: "Ann", language: "de" };
const person = `"by":{"id":"telegram:1","name":"Ann","language":"de"}`;
const author = `"telegram:1","Ann","de"`;

/** As version 1 stored them, word for word. */
const earlier = {
  remind: `{"v":1,"revision":1,"zone":"Europe/Berlin",${person},"nextMs":9000000000000,"outcomes":"","task":{"type":"remind","text":"tea/milk"},"timing":{"type":"at","atMs":9000000000000}}`,
  asks00: `{"v":1,"revision":4,"zone":"Europe/Berlin",${person},"outcomes":"Ftlpwu8Atl4h8g","guild":"7","threadOf":"8","pausedWhy":"failures","task":{"type":"ask","text":"news?","isQuiet":true},"timing":"0 9 * * 1-5","group":true,"late":"skip","failures":3}`,
  // The script `commit` has changed it.
  watch0: `{"revision":2,"zone":"Europe\\/Berlin","nextMs":9000000000000,"timing":{"type":"every","everyMs":7200000,"fromMs":5},"v":1,"outcomes":"Utlpwu8",${person},"task":{"type":"watch","given":"{\\"list\\":[],\\"n\\":1.5}","pointer":"\\/price","tool":"s.price","text":"say so"}}`,
};

/** As this version stores them. */
const stored: Readonly<Record<keyof typeof earlier, string>> = {
  remind: `{"v":2,"p":[1,"",0,"remind","tea/milk",{"type":"at","atMs":9000000000000},"Europe/Berlin",${author}],"nextMs":9000000000000}`,
  asks00: `{"v":2,"p":[4,"Ftlpwu8Atl4h8g",1,"ask","news?","0 9 * * 1-5","Europe/Berlin",${author}],"guild":"7","threadOf":"8","pausedWhy":"failures","late":"skip","failures":3,"isQuiet":true}`,
  // The script `commit` has changed it.
  watch0: `{"nextMs":9000000000000,"p":[2,"Utlpwu8",0,"watch","say so",{"type":"every","everyMs":7200000,"fromMs":5},"Europe\\/Berlin",${author}],"v":2,"given":"{\\"list\\":[],\\"n\\":1.5}","pointer":"\\/price","tool":"s.price"}`,
};

const meant: Readonly<Record<keyof typeof earlier, Partial<Schedule>>> = {
  remind: { task: { type: "remind", text: "tea/milk" } },
  asks00: {
    revision: 4,
    task: { type: "ask", text: "news?", isQuiet: true },
    timing: { type: "cron", rule: "0 9 * * 1-5" },
    direct: false,
    guild: "7",
    threadOf: "8",
    late: "skip",
    pausedWhy: "failures",
    failures: 3,
    outcomes: [
      { slotMs: 1_790_000_000_000, outcome: "failed" },
      { slotMs: 1_789_000_000_000, outcome: "asked" },
    ],
  },
  watch0: {
    revision: 2,
    task: {
      type: "watch",
      tool: "s.price",
      given: { list: [], n: 1.5 },
      pointer: "/price",
      text: "say so",
    },
    timing: { type: "every", everyMs: 7_200_000, fromMs: 5 },
    outcomes: [{ slotMs: 1_790_000_000_000, outcome: "unchanged" }],
  },
};

it.each([
  ["this version", stored],
  ["version 1", earlier],
])("schedules load as %s stored them, and are stored as they were", async (_, given) => {
  const chat = newChat({ thread: "5" });
  const key = chatKeys(chat).plans;
  await store.redis.hset(key, { ...given, "digest:watch0": "abc" });
  expect(await schedules.list(chat)).toHaveLength(3);
  for (const id of ["remind", "asks00", "watch0"] as const) {
    const { nextMs, ...usual } = scheduleIn(chat, { id, by, revision: 1 });
    const expected = { ...usual, ...(id === "asks00" ? {} : { nextMs }), ...meant[id] };
    expect(await schedules.read(chat, id)).toEqual(expected);
    expect(await schedules.save(chat, expected)).toBe("saved");
    const again: unknown = JSON.parse((await store.redis.hget(key, id)) ?? "");
    const { revision } = expected;
    const next = given[id]
      .replace(`"revision":${revision}`, `"revision":${revision + 1}`)
      .replace(`"p":[${revision}`, `"p":[${revision + 1}`);
    expect(again).toEqual(JSON.parse(next));
  }
  expect(await schedules.digest(chat, "watch0")).toBe("abc");
});

it("a version that knows only the first leaves the second to one that does", () => {
  const known = z.object({ v: z.literal(1), revision: z.number() });
  expect(() => parseStored(known, "plans", stored.remind)).toThrow(RetryableError);
  // Its scripts find there what keeps a chat, and its erasures whose it is.
  expect(stored.remind).toContain('"nextMs":9');
  expect(stored.remind).toContain(JSON.stringify(by.id));
});

it("a damaged one of the second is damaged, and one of the third is newer", () => {
  const chat = newChat();
  const damaged = stored.remind.replace('"remind"', '"rewind"');
  expect(() => readSchedule(chat, "remind", damaged)).toThrow(PermanentError);
  const newer = stored.remind.replace('"v":2', '"v":3');
  expect(() => readSchedule(chat, "remind", newer)).toThrow(RetryableError);
});

const message = `"id":"plan:abc123:1790000000000","person":{"id":"telegram:1","name":"Ann"},"text":"news?","atMs":1,"role":"member"`;
const schedule = `"schedule":{"id":"abc123","slotMs":1790000000000`;
const entries = {
  asked: `{"kind":"message","v":1,${message},"group":true,${schedule},"isQuiet":true}}`,
  watched: `{"kind":"message","v":3,${message},${schedule}},"watch":{"tool":"s.price","given":"{}","pointer":"/price"}}`,
};

it("what they have put into an inbox is read as it was written, and still waits there", async () => {
  for (const json of Object.values(entries))
    expect(parseStored(inboxEntrySchema, "inbox", json)).toEqual(JSON.parse(json));
  const chat = newChat();
  await store.redis.rpush(chatKeys(chat).inbox, entries.asked);
  expect(await schedules.isWaiting(chat, "abc123")).toBe(true);
});

it("a version that knows no watches leaves them to one that does, and answers what only asks", () => {
  const known = z.object({ kind: z.string(), v: z.union([z.literal(1), z.literal(2)]) });
  expect(() => parseStored(known, "inbox", entries.watched)).toThrow(RetryableError);
  expect(parseStored(known, "inbox", entries.asked)).toMatchObject({ v: 1 });
});
