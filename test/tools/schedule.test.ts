import { describe, expect, it } from "vitest";
import { parseChatKey, type ChatKey, type Person } from "../../src/core/chat.ts";
import type { Conversation, ToolContext } from "../../src/core/tool.ts";
import { Access } from "../../src/access/access.ts";
import { createPeopleStore } from "../../src/store/people/people.ts";
import { createSchedules } from "../../src/store/turns/schedules.ts";
import { scheduleTool } from "../../src/tools/schedule.ts";
import { newChat, retentionMs, storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());
const schedules = createSchedules(store, { retentionMs, report: (what) => expect(what).toBe("") });

const access = new Access(
  createPeopleStore(store),
  { mode: "open", admins: [], allow: [], ban: [] },
  () => performance.now(),
);

// A Tuesday, 12:00 in Berlin.
const nowMs = Date.parse("2026-11-24T11:00:00Z");
let people = 0;

function open(
  chat: ChatKey = newChat(),
  more: Partial<Person> = {},
  keepZone = (person: Person, zone: string) => access.keepZone(person, zone),
) {
  people += 1;
  const warned: string[] = [];
  const requester: Person = { id: `telegram:77${people}`, name: "Ann", ...more };
  let calls = 0;
  const tool = scheduleTool({
    schedules,
    findTool: (name) => (name === "fetch_url" ? { name, effect: "read" } : undefined),
    keepZone: (person, zone) => keepZone(person, zone),
    usdPerTurn: () => Promise.resolve(0.01),
    now: () => nowMs,
    log: { warn: (_, text) => void warned.push(text) },
  });
  const run = async (given: object, more: Partial<ToolContext> = {}): Promise<string> => {
    calls += 1;
    const context: ToolContext = {
      chat,
      requester,
      zone: "Europe/Berlin",
      idempotencyKey: `${chat}/1.1.${calls}-${requester.id}`,
      signal: new AbortController().signal,
      ...more,
    };
    return (await tool.run(tool.parameters.parse(given), context)).text;
  };
  const asks = (given: object, isScheduled = false, more: Partial<Conversation> = {}) =>
    tool.confirm(tool.parameters.parse(given), {
      names: () => false,
      isScheduled,
      zone: "Europe/Berlin",
      ...more,
    });
  return { chat, requester, tool, run, asks, warned, list: () => schedules.list(chat) };
}

const create = { action: "create", when: "tomorrow 9:00", text: "tea" };
const weekly = { ...create, kind: "ask", when: "every monday 9:00" };

describe("the tool schedule", () => {
  it("creates what is asked, in the person's zone", async () => {
    const { chat, requester, run, list } = open();
    expect(await run(create)).toMatch(
      /^Created \w{6}: remind "tea", next 2026-11-25 09:00 \(Europe\/Berlin\)$/,
    );
    await run({ ...weekly, quiet: true, late: "skip", zone: "Asia/Tokyo" }, { group: true });
    await run({
      ...create,
      kind: "watch",
      when: "every 2h",
      tool: "fetch_url",
      arguments: '{"url":"https://a.example"}',
      pointer: "/price",
    });
    const [every, once, rule] = await list();
    expect(once).toMatchObject({
      task: { type: "remind", text: "tea" },
      timing: { type: "at", atMs: Date.parse("2026-11-25T08:00Z") },
      zone: "Europe/Berlin",
      by: requester,
      address: parseChatKey(chat),
      direct: true,
      late: "once",
    });
    expect(rule).toMatchObject({
      task: { type: "ask", text: "tea", isQuiet: true },
      timing: { type: "cron", rule: "0 9 * * 1" },
      zone: "Asia/Tokyo",
      direct: false,
      late: "skip",
      nextMs: Date.parse("2026-11-30T00:00Z"),
    });
    expect(every?.task).toEqual({
      type: "watch",
      tool: "fetch_url",
      given: { url: "https://a.example" },
      pointer: "/price",
      text: "tea",
    });
    expect(every?.timing).toEqual({ type: "every", everyMs: 7_200_000, fromMs: nowMs });
  });

  it("keeps the server and the channel of a thread, whose rules hold when it fires", async () => {
    const { run, list } = open();
    await run(create, { group: true, where: { guild: "5", threadOf: "6" } });
    expect(await list()).toMatchObject([{ direct: false, guild: "5", threadOf: "6" }]);
  });

  it("makes one schedule of a call that is repeated", async () => {
    const { run, list } = open();
    const again = { idempotencyKey: "t/1.1.0" };
    const first = await run({ ...create, when: "in 20m" }, again);
    expect(await run({ ...create, when: "in 20m" }, again)).toBe(first);
    expect(await list()).toHaveLength(1);
  });

  it("means the times that the card showed, and none that has passed since", async () => {
    const { run, list } = open();
    const yesterday = nowMs - 20 * 3_600_000;
    await expect(run({ ...create, when: "in 20m" }, { askedAtMs: yesterday })).rejects.toThrow(
      "passed",
    );
    await run({ ...create, when: "tomorrow 13:00" }, { askedAtMs: yesterday });
    expect((await list())[0]?.nextMs).toBe(Date.parse("2026-11-24T12:00Z"));
  });

  it("asks about all but a list and a single reminder, and in a scheduled turn about that too", () => {
    const { asks } = open();
    const watch = { ...create, kind: "watch", tool: "fetch_url" };
    const others = [
      weekly,
      watch,
      { ...create, kind: "ask" },
      { ...create, when: "every day 9:00" },
      { ...create, when: "0 9 * * *" },
      { ...create, when: "every 2h" },
      { action: "change", id: "abc123", text: "x" },
    ];
    for (const given of others)
      expect([given, asks(given), asks(given, true)]).toEqual([given, "each-time", "each-time"]);
    expect(asks({ action: "delete", id: "abc123" }, true)).toBe(true);
    for (const when of ["tomorrow 9:00", "in 20m", "2027-01-05 09:00", "today 11:30"])
      expect([when, asks({ ...create, when }), asks({ ...create, when }, true)]).toEqual([
        when,
        false,
        "each-time",
      ]);
    expect(asks({ action: "list" })).toBe(false);
    expect(asks({ action: "list" }, true)).toBe(false);
  });

  it.each([
    "tomorrow 9:00",
    "every monday 9:00",
    "0 9 * * *",
    "2027-01-05 09:00",
    // It has passed in UTC, and may be to come where the person is.
    "today 10:30",
  ])("asks where the person is, and makes nothing, before %s means a time", async (when) => {
    const { run, asks, list } = open();
    for (const given of [
      { ...create, when },
      { ...create, when, kind: "ask" },
    ]) {
      expect(await run(given, { zone: undefined })).toMatch(
        /^Nothing was created.*city or time zone/,
      );
      // No one approves what would not run.
      expect(asks(given, true, { zone: undefined })).toBe(false);
    }
    expect(await list()).toEqual([]);
  });

  it.each([{ when: "in 20m" }, { when: "2027-01-05T09:00+01:00" }, { zone: "Asia/Tokyo" }])(
    "needs no zone of the person for %j",
    async (given) => {
      const { run, list } = open();
      await run({ ...create, ...given }, { zone: undefined });
      expect(await list()).toHaveLength(1);
    },
  );

  it("keeps the zone that a person without one has named, so that they are asked once", async () => {
    const { requester, run } = open();
    const known = async () => (await access.profileOf(requester)).preference.zone;
    for (const given of [
      { when: "in 20m", zone: "Asia/Tokyo" },
      { when: "2027-01-05T09:00Z", zone: "Asia/Tokyo" },
    ])
      expect(await run({ ...create, ...given }, { zone: undefined })).not.toContain("kept");
    expect(await known()).toBeUndefined();
    expect(await run({ ...weekly, zone: "europe/berlin" }, { zone: undefined })).toMatch(
      /09:00 \(Europe\/Berlin\)\. That is kept as this person's time zone/,
    );
    expect(await known()).toBe("Europe/Berlin");
    // In the same turn, and for a person whose zone is known.
    for (const zone of [undefined, "Europe/Berlin"])
      expect(await run({ ...weekly, zone: "Asia/Tokyo" }, { zone })).not.toContain("kept");
    expect(await known()).toBe("Europe/Berlin");
    const anonymous = open(newChat(), { anonymous: true });
    const given = { ...weekly, zone: "Asia/Tokyo" };
    expect(await anonymous.run(given, { zone: undefined })).not.toContain("kept");
  });

  it("creates it where the zone can't be kept, so that no second one is made", async () => {
    const failing = open(undefined, {}, () => Promise.reject(new Error("no connection")));
    const text = await failing.run({ ...weekly, zone: "Asia/Tokyo" }, { zone: undefined });
    expect(text).toMatch(/^Created \w{6}: .*\(Asia\/Tokyo\)$/);
    expect(await failing.list()).toHaveLength(1);
    expect(failing.warned).toEqual(["a time zone could not be kept"]);
  });

  it("changes the time of a schedule in its own zone, where the person's is unknown", async () => {
    const { run, list } = open();
    await run({ ...create, zone: "Asia/Tokyo" });
    const id = (await list())[0]?.id ?? "";
    await run({ action: "change", id, when: "tomorrow 10:00" }, { zone: undefined });
    expect(await list()).toMatchObject([
      { zone: "Asia/Tokyo", nextMs: Date.parse("2026-11-25T01:00Z") },
    ]);
  });

  it("makes and changes nothing for guests, as /remind does, and asks no one about that", async () => {
    const { run, asks, list } = open();
    await run(weekly);
    const id = (await list())[0]?.id ?? "";
    const guest = { role: "guest" } as const;
    for (const given of [create, weekly, { action: "change", id, text: "x" }]) {
      await expect(run(given, guest)).rejects.toThrow("only members");
      expect(asks(given, false, guest)).toBe(false);
    }
    expect(await list()).toMatchObject([{ task: { text: "tea" } }]);
    expect(await run({ action: "list" }, guest)).toContain(id);
    expect(asks({ action: "delete", id }, false, guest)).toBe(true);
    expect(await run({ action: "delete", id }, guest)).toBe(`Deleted ${id}.`);
  });

  it("reports a deletion that is repeated as done", async () => {
    const { run, list } = open();
    await run(create);
    const id = (await list())[0]?.id ?? "";
    await run({ action: "delete", id });
    expect(await run({ action: "delete", id })).toContain("already deleted");
  });

  it("lets an approver read what is changed or deleted, if it is the requester's own", async () => {
    const { chat, requester, tool, run, list } = open();
    await run(weekly);
    const [stored] = await list();
    const given = { action: "delete", id: stored?.id };
    const facts = await tool.cardFacts?.(given, { chat, requester });
    expect(facts).toMatchObject({ id: stored?.id, usdPerTurn: "0.01" });
    expect(JSON.parse(facts?.["schedule"] ?? "")).toEqual({
      task: { type: "ask", text: "tea" },
      timing: stored?.timing,
      zone: "Europe/Berlin",
    });
    const other = open(chat);
    expect(await tool.cardFacts?.(given, other)).toEqual({ usdPerTurn: "0.01" });
  });

  it("refuses to make a schedule quiet that is no question", async () => {
    const { run, list } = open();
    await run(create);
    const id = (await list())[0]?.id ?? "";
    await expect(run({ action: "change", id, quiet: true })).rejects.toThrow(
      "only ask can be quiet",
    );
  });

  it.each<[object, RegExp]>([
    [{ action: "create", text: "x" }, /when and text/],
    [{ ...create, when: "2027-02-30 09:00" }, /no such date/],
    [{ ...create, when: "when it rains" }, /five-field cron/],
    [{ ...create, when: "tomorrow 9:00 tea" }, /five-field cron/],
    [{ ...create, when: "0 9 30 2 *" }, /never/],
    [{ ...create, when: "every 1m" }, /5 minutes/],
    [{ ...create, zone: "Europe/Atlantis" }, /IANA/],
    [{ ...create, zone: "+02:00" }, /IANA/],
    [{ ...create, kind: "watch" }, /tool: expected/],
    [{ ...create, kind: "watch", tool: "write_note" }, /only reads/],
    [{ ...create, tool: "fetch_url" }, /tool: expected/],
    [{ ...create, kind: "watch", tool: "fetch_url", arguments: "[]" }, /JSON object/],
    [{ ...create, quiet: true }, /quiet/],
    [{ action: "delete" }, /id: expected/],
    [{ action: "change", id: "abc123", kind: "ask" }, /kind: .* delete it and create another/],
    [{ action: "change", id: "abc123", arguments: "{}" }, /arguments: .* create another/],
    [{ ...create, text: "x".repeat(2_001) }, /2000/],
  ])("refuses %j before anyone is asked", (given, complaint) => {
    const { error } = open().tool.parameters.safeParse(given);
    expect(error?.issues.map(({ message }) => message).join()).toMatch(complaint);
  });

  it("refuses a local time that has passed where the person is", async () => {
    await expect(open().run({ ...create, when: "today 11:30" })).rejects.toThrow("has passed");
  });

  it("changes, pauses and deletes what is the requester's own, and nothing else", async () => {
    const { chat, run, list } = open();
    await run(weekly);
    const id = (await list())[0]?.id ?? "";
    const other = open(chat);
    for (const action of ["change", "delete"])
      await expect(other.run({ action, id, text: "mine" })).rejects.toThrow("no schedule");
    expect(await other.run({ action: "list" })).toBe("There are no schedules.");
    expect(await run({ action: "list" })).toContain(
      `${id}: ask "tea", rule 0 9 * * 1, next 2026-11-30 09:00`,
    );
    expect(await run({ action: "change", id, text: "milk", paused: true })).toContain(
      'ask "milk", rule 0 9 * * 1, paused',
    );
    expect((await list())[0]).toMatchObject({ pausedWhy: "person" });
    expect((await list())[0]).not.toHaveProperty("nextMs");
    await run({ action: "change", id, paused: false, when: "every day 7:00", quiet: true });
    expect((await list())[0]).toMatchObject({
      task: { type: "ask", text: "milk", isQuiet: true },
      timing: { rule: "0 7 * * *" },
      nextMs: Date.parse("2026-11-25T06:00Z"),
    });
    expect((await list())[0]).not.toHaveProperty("pausedWhy");
    await run({ action: "delete", id });
    expect(await list()).toEqual([]);
  });

  it("refuses the 21st schedule of a person, and works nowhere where nothing can be sent later", async () => {
    const { run } = open();
    for (let count = 0; count < 20; count += 1) await run(create);
    await expect(run(create)).rejects.toThrow("has 20 schedules");
    const visit = "discord:1:visit-2-3" as ChatKey;
    await expect(open(visit).run(create)).rejects.toThrow("later");
  });
});
