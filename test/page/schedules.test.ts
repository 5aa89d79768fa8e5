import * as fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Schedule } from "../../src/core/schedule.ts";
import { groupPlace, newPerson } from "../ingress/open-ingress.ts";
import { dump, newChat, scheduleIn, storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { hostileText, strangeMarkup } from "./hostile.ts";
import { openPage } from "./open-page.ts";

const store = storeOn(await testDatabase());
let page: Awaited<ReturnType<typeof openPage>>;
beforeEach(async () => {
  await store.redis.flushdb();
  page = await openPage(store);
});

async function planned(more: Partial<Schedule> = {}, chat = newChat()) {
  const { nextMs = 9e12, ...resting } = scheduleIn(chat, more);
  const schedule = resting.pausedWhy === undefined ? { ...resting, nextMs } : resting;
  await page.ingress.deps.schedules.save(chat, schedule);
  const { id } = schedule;
  return {
    chat,
    id,
    fields: { chat, id, revision: "1" },
    now: () => page.ingress.deps.schedules.read(chat, id),
  };
}

const daily = { type: "cron", rule: "0 9 * * *" } as const;
const rowsIn = (text: string) => text.split("<tr ").slice(1);

describe("schedules on the page", () => {
  it("are those of all chats, the next first, without their texts", async () => {
    const admin = await page.logIn();
    expect(await admin.text("/schedules")).toContain("There are no schedules.");
    await planned({ task: { type: "remind", text: "secret tea" }, nextMs: 9e12 + 1 });
    const sooner = await planned({
      task: { type: "ask", text: "secret question" },
      timing: daily,
      by: { id: "telegram:5", name: "An\u200bna", username: "anna" },
      outcomes: [{ slotMs: Date.parse("2026-11-20T08:00Z"), outcome: "asked" }],
    });
    const text = await admin.text("/schedules");
    const [first = "", second = ""] = rowsIn(text);
    expect(first).toContain("Task");
    expect(first).toContain(sooner.chat);
    expect(first).toContain("An\\u200bna (@anna, Telegram)");
    expect(first).toContain("every day at 09:00 (Europe/Berlin)");
    expect(first).toMatch(
      /<time datetime="2255-03-14T16:00:00.000Z"\s*>.*2255.*\(Europe\/Berlin\)/,
    );
    expect(first).toMatch(/answered:\s*<time datetime="2026-11-20T08:00:00.000Z"/);
    expect(second).toContain("Reminder");
    expect(text).not.toContain("secret");
  });

  it("are shown page by page, also many at the same moment", async () => {
    const admin = await page.logIn();
    const chat = newChat();
    const all: string[] = [];
    for (let count = 0; count < 60; count += 1) {
      const by = { id: `telegram:${count}`, name: "Anna" };
      all.push((await planned({ by }, count % 2 === 0 ? chat : newChat())).id);
    }
    const shown: string[] = [];
    let next: string | undefined = "/schedules";
    let pages = 0;
    while (next !== undefined) {
      const text: string = await admin.text(next);
      shown.push(
        ...[
          ...text.matchAll(
            /delete" class="act">\s*<input[^>]*>\s*<input type="hidden" name="id" value="(\w+)"/g,
          ),
        ].map(([, id = ""]) => id),
      );
      next = /<a href="([^"]*after=[^"]*)" rel="next">/.exec(text)?.[1]?.replaceAll("&amp;", "&");
      pages += 1;
    }
    expect(pages).toBe(3);
    expect(shown.toSorted()).toEqual(all.toSorted());
  });

  it("run now, once even if the form is sent twice", async () => {
    const admin = await page.logIn();
    const { fields, now } = await planned({ timing: daily });
    const before = Date.now();
    const answered = await admin.post("/schedules/run", fields);
    expect(answered.headers.get("location")).toBe("/schedules?done=running");
    const run = await now();
    expect(run?.nextMs).toBeGreaterThanOrEqual(before - 1_000);
    expect(run?.nextMs).toBeLessThan(9e12);
    expect((await admin.post("/schedules/run", fields)).status).toBe(303);
    expect(await now()).toEqual(run);
  });

  it("pause, are found among the paused, and resume", async () => {
    const admin = await page.logIn();
    const { fields, now, chat } = await planned({ timing: daily });
    for (const pausedWhy of ["failures", "dead"] as const) await planned({ pausedWhy });
    expect((await admin.post("/schedules/pause", fields)).status).toBe(303);
    expect((await now())?.nextMs).toBeUndefined();
    expect(await admin.text("/schedules")).not.toContain(chat);
    const resting = await admin.text("/schedules?list=resting");
    expect(resting).toContain(chat);
    expect(resting).toContain("paused after three failures");
    expect(resting).toContain("paused, because I can&#39;t write in that chat");
    const refused = await admin.post("/schedules/run", fields);
    expect([refused.status, await refused.text()]).toEqual([
      409,
      expect.stringContaining("paused"),
    ]);
    expect((await admin.post("/schedules/resume", { ...fields, revision: "2" })).status).toBe(303);
    expect((await now())?.nextMs).toBeGreaterThan(Date.now());
    expect(await admin.text("/schedules")).toContain(chat);
  });

  it("leave a line in the audit log for every action, once and before it happens", async () => {
    const admin = await page.logIn();
    const author = newPerson();
    const { fields, id, chat, now } = await planned({ timing: daily, by: author });
    const save = vi.spyOn(page.ingress.deps.schedules, "save");
    save.mockRejectedValueOnce(new Error("killed"));
    expect((await admin.post("/schedules/run", fields)).status).toBe(500);
    for (let times = 0; times < 2; times += 1)
      expect((await admin.post("/schedules/run", fields)).status).toBe(303);
    expect(save).toHaveBeenCalledTimes(3);
    // Refused: it is of another revision.
    expect((await admin.post("/schedules/pause", fields)).status).toBe(409);
    for (const action of ["pause", "resume", "delete"]) {
      const revision = String((await now())?.revision);
      expect((await admin.post(`/schedules/${action}`, { ...fields, revision })).status).toBe(303);
    }
    const { records } = await page.services.audit.newest({ personId: admin.person.id }, 10);
    const said = records.map(({ action, target, outcome, details, ...more }) => [
      `${action} ${target} ${outcome} ${details?.["of"]}`,
      more.chat,
    ]);
    expect(said.toReversed()).toEqual(
      ["run", "paused", "resumed", "deleted"].map((outcome) => [
        `schedule-changed ${id} ${outcome} ${author.id}`,
        chat,
      ]),
    );
  });

  it("stay as they are when they have changed since the form was shown", async () => {
    const admin = await page.logIn();
    const { fields, now, chat } = await planned({ timing: daily });
    const shown = await now();
    if (shown === undefined) throw new Error("it is gone");
    await page.ingress.deps.schedules.save(chat, { ...shown, nextMs: 8e12 });
    const was = await now();
    expect(was?.revision).toBe(2);
    for (const revision of ["1", "3", "", "x"])
      for (const action of ["run", "pause", "delete"]) {
        const answer = await admin.post(`/schedules/${action}`, { ...fields, revision });
        expect([answer.status, await answer.text()], `${action} ${revision}`).toEqual([
          409,
          expect.stringContaining("It has changed in the meantime."),
        ]);
      }
    expect(await now()).toEqual(was);
    expect((await admin.post("/schedules/pause", { ...fields, revision: "2" })).status).toBe(303);
    const stale = await admin.post("/schedules/resume", { ...fields, revision: "2" });
    expect(stale.status).toBe(409);
    expect((await now())?.nextMs).toBeUndefined();
  });

  it("are found page by page among the paused", async () => {
    const admin = await page.logIn();
    const all: string[] = [];
    for (let count = 0; count < 260; count += 1)
      all.push((await planned({ timing: daily, pausedWhy: "person" })).chat);
    // Redis enlarges its table with every look at it; while it does, a step may hold other keys.
    await Promise.all(Array.from({ length: 5_000 }, () => store.redis.exists("none")));
    const shown = new Set<string>();
    let next: string | undefined = "/schedules?list=resting";
    let pages = 0;
    while (next !== undefined) {
      const text: string = await admin.text(next);
      for (const [, chat = ""] of text.matchAll(/href="\/chats\/([^"]+)"/g)) shown.add(chat);
      next = /<a href="([^"]*after=[^"]*)" rel="next">/.exec(text)?.[1]?.replaceAll("&amp;", "&");
      pages += 1;
    }
    expect(pages).toBeGreaterThan(1);
    expect([...shown].toSorted()).toEqual(all.toSorted());
  });

  it("are deleted by a second step; what is gone or over says so", async () => {
    const admin = await page.logIn();
    const { fields, now } = await planned();
    const over = await planned({
      timing: { type: "at", atMs: 1 },
      pausedWhy: "person",
    });
    expect(await admin.text("/schedules")).toMatch(/<details[^>]*>\s*<summary[^>]*>Delete…/);
    expect((await admin.post("/schedules/delete", fields)).status).toBe(303);
    expect(await now()).toBeUndefined();
    const gone = await admin.post("/schedules/pause", fields);
    expect([gone.status, await gone.text()]).toEqual([
      409,
      expect.stringContaining("It has changed in the meantime."),
    ]);
    const late = await admin.post("/schedules/resume", over.fields);
    expect(await late.text()).toContain("Its time has passed.");
    for (const chat of ["", "nowhere", "telegram:1:2:3:4"])
      expect((await admin.post("/schedules/delete", { ...fields, chat })).status).toBe(409);
  });

  it("stay as they are for those who aren't admins, and when they are read", async () => {
    const { fields, now } = await planned();
    const person = newPerson();
    const admin = await page.logIn("admin", person);
    await admin.get("/schedules");
    const before = await dump(store.redis);
    for (const path of ["/schedules", "/schedules?list=resting", "/schedules?after=x"])
      await admin.get(path);
    expect(await dump(store.redis)).toEqual(before);
    await page.services.access.setRole(person, "banned");
    const was = await now();
    for (const browser of [admin, page.stranger()])
      for (const action of ["run", "pause", "delete"])
        await browser.post(`/schedules/${action}`, fields);
    expect(await now()).toEqual(was);
  });

  it("never become markup", async () => {
    const admin = await page.logIn();
    const group = groupPlace();
    const { fields } = await planned({}, group.chat);
    await fc.assert(
      fc.asyncProperty(hostileText, hostileText, async (name, title) => {
        const { schedules } = page.ingress.deps;
        const stored = await schedules.read(group.chat, fields.id);
        if (stored === undefined) throw new Error("it is gone");
        const by = { id: "telegram:1", name };
        await schedules.save(group.chat, { ...stored, by });
        await page.services.people.notePerson({
          id: `telegram:chat:${group.address.chat}`,
          name: title,
        });
        const shown = await admin.text("/schedules");
        expect(strangeMarkup(shown)).toEqual([]);
        expect(shown).not.toMatch(/[\u202e\u200b]/);
      }),
      { numRuns: 30 },
    );
  });
});
