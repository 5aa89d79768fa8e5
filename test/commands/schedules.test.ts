import { describe, expect, it } from "vitest";
import type { Acceptance } from "../../src/core/inbound.ts";
import type { Schedule } from "../../src/core/schedule.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { languages } from "../../src/locales/locale-for.ts";
import {
  directPlace,
  groupPlace,
  newPerson,
  openIngress,
  textOf,
  type Place,
} from "../ingress/open-ingress.ts";
import { storeOn } from "../store/support.ts";
import { emptyDatabases, testDatabase } from "../support/redis/test-redis.ts";

const [database = ""] = await emptyDatabases(await testDatabase(), 1);
const store = storeOn({ url: database });
const ingress = openIngress(store);

const type = async (at: Place, name: string, argument = "", more = {}): Promise<Acceptance> =>
  await ingress.command(at, name, { argument, answersItself: true, ...more });
const say = async (at: Place, name: string, argument = "") =>
  textOf(await type(at, name, argument));
const buttonsOf = (answered: Acceptance) =>
  (answered.type === "answered" && answered.buttons) || [];
const list = (at: Place) => ingress.deps.schedules.list(at.chat);
const only = async (at: Place): Promise<Schedule> => {
  const [schedule, ...more] = await list(at);
  if (schedule === undefined || more.length > 0) throw new Error("there is not one");
  return schedule;
};

describe("/remind", () => {
  it("explains itself with two examples", async () => {
    const answered = await type(directPlace(), "remind");
    expect(textOf(answered)).toMatch(/\/remind in 20m .*\/remind tomorrow 9:00/);
    expect(textOf(answered)).toContain("UTC");
    expect(buttonsOf(answered).map(({ typed }) => typed)).toContain("/schedule zone Europe/London");
  });

  it("sets a reminder, says when, and has a button that deletes it", async () => {
    const ann = directPlace();
    const before = Date.now();
    const answered = await type(ann, "remind", "in 20m  drink tea");
    expect(textOf(answered)).toMatch(/^OK, I'll remind you: \w+, .*\(UTC\)\.$/);
    const schedule = await only(ann);
    expect(schedule.task).toEqual({ type: "remind", text: "drink tea" });
    expect(schedule).toMatchObject({
      by: ann.person,
      address: ann.address,
      direct: true,
      zone: "UTC",
    });
    expect(schedule.nextMs).toBeGreaterThanOrEqual(before + 20 * 60_000);
    expect(
      await store.redis.zscore(chatKeys(ann.chat).wake, `plan:${ann.chat}/${schedule.id}`),
    ).toBe(String(schedule.nextMs));
    const [button] = buttonsOf(answered);
    expect(button?.typed).toBe(`/schedule delete ${schedule.id}`);
    await ingress.tap(ann, button?.data ?? "");
    expect(await list(ann)).toEqual([]);
    expect((await ingress.told(ann.chat)).at(-1)).toBe("Deleted: ⏰ drink tea");
  });

  it("is set once if the event comes again", async () => {
    const ann = directPlace();
    for (let times = 0; times < 2; times += 1)
      await ingress.command(ann, "remind", {
        id: "again1",
        argument: "in 20m tea",
        answersItself: true,
      });
    expect(await list(ann)).toHaveLength(1);
  });

  it("takes Discord's fields, and a rule", async () => {
    const ann = directPlace(newPerson({ id: "discord:501" }));
    const options = { when: "every monday 9:00", text: "water the plants" };
    expect(textOf(await type(ann, "remind", "x", { options }))).toMatch(
      /every Monday at 09:00 \(UTC\), next: Mon, /,
    );
    expect((await only(ann)).timing).toEqual({ type: "cron", rule: "0 9 * * 1" });
  });

  it("asks for the zone until there is one, and moves what was meant in it", async () => {
    const ann = directPlace(newPerson({ language: "de" }));
    const answered = await type(ann, "remind", "2027-01-05 09:00 Zahnarzt");
    expect(textOf(answered)).toMatch(/UTC.*\n.*Zeitzone/);
    expect(textOf(await type(groupPlace(ann.person), "remind", "9:00 Tee"))).toContain("Zeitzone");
    const berlin = buttonsOf(answered).find(({ label }) => label === "Berlin");
    expect(Buffer.byteLength(berlin?.data ?? "")).toBeLessThanOrEqual(64);
    const others = directPlace();
    await ingress.tap({ ...ann, person: others.person }, berlin?.data ?? "");
    expect((await only(ann)).zone).toBe("UTC");
    await ingress.tap(ann, berlin?.data ?? "");
    const moved = await only(ann);
    expect([moved.zone, moved.nextMs]).toEqual(["Europe/Berlin", Date.parse("2027-01-05T08:00Z")]);
    expect((await ingress.people.profile(ann.person.id)).preference).toEqual({
      zone: "Europe/Berlin",
    });
    const second = await type(ann, "remind", "2027-01-06 09:00 Arzt");
    expect(buttonsOf(second)).toHaveLength(1);
    expect((await list(ann)).map(({ nextMs }) => nextMs)).toContain(
      Date.parse("2027-01-06T08:00Z"),
    );
  });

  it("names the zone of an interval's times, asks for the person's, and moves it there", async () => {
    const ann = directPlace();
    const answered = await type(ann, "remind", "every 5m tea");
    expect(textOf(answered)).toMatch(/every 5 min \(UTC\), next: .*\.\n.*time zone/);
    const before = await only(ann);
    const sydney = buttonsOf(answered).find(({ label }) => label === "Sydney");
    await ingress.tap(ann, sydney?.data ?? "");
    const { zone, nextMs, timing } = await only(ann);
    expect([zone, nextMs, timing]).toEqual(["Australia/Sydney", before.nextMs, before.timing]);
    expect(await say(ann, "remind", "every 2h tea")).not.toContain("your time zone");
    expect(buttonsOf(await type(directPlace(), "remind", "in 20m tea"))).toHaveLength(1);
  });

  it("moves again when another zone is chosen, by button or by /schedule zone", async () => {
    const ann = directPlace();
    const buttons = buttonsOf(await type(ann, "remind", "2027-01-05 09:00 dentist"));
    const tap = async (label: string) =>
      await ingress.tap(ann, buttons.find((each) => each.label === label)?.data ?? "");
    const due = async () => {
      const { zone, nextMs = 0 } = await only(ann);
      return [zone, new Date(nextMs).toISOString()];
    };
    await tap("Sydney");
    expect(await due()).toEqual(["Australia/Sydney", "2027-01-04T22:00:00.000Z"]);
    await tap("New York");
    expect(await due()).toEqual(["America/New_York", "2027-01-05T14:00:00.000Z"]);
    const typed = await type(ann, "schedule", "zone berlin");
    expect(textOf(typed)).toMatch(/now Europe\/Berlin\.\n.*another time zone/);
    const [move, ...others] = buttonsOf(typed);
    expect([move?.label, others]).toEqual(["⏰ dentist", []]);
    expect(Buffer.byteLength(move?.data ?? "")).toBeLessThanOrEqual(64);
    await ingress.tap(ann, move?.data ?? "");
    expect((await ingress.told(ann.chat)).at(-1)).toContain(
      "I've moved it: Tue, Jan 5, 2027, 09:00",
    );
    expect(await due()).toEqual(["Europe/Berlin", "2027-01-05T08:00:00.000Z"]);
  });

  it("offers to move only what clocks of another zone show, and only one's own", async () => {
    const ann = groupPlace();
    await type(ann, "remind", "every 2h water");
    await type(ann, "remind", "in 20m drink");
    await type(ann, "remind", "2027-01-05T09:00+01:00 dentist");
    await type(groupPlace(newPerson(), ann), "remind", "every day 9:00 tea");
    expect(buttonsOf(await type(ann, "schedule", "zone lisbon"))).toEqual([]);
  });

  it("leaves what it can't read to the model, in the person's language", async () => {
    const ann = directPlace(newPerson({ language: "de" }));
    expect(await type(ann, "remind", "wenn es regnet: Fenster zu")).toMatchObject({
      startsTurn: true,
    });
    const [stored = ""] = await store.redis.lrange(chatKeys(ann.chat).inbox, 0, -1);
    expect(JSON.parse(stored)).toMatchObject({
      kind: "message",
      text: "Stell eine Erinnerung ein: wenn es regnet: Fenster zu",
      person: ann.person,
    });
    expect(await list(ann)).toEqual([]);
  });

  it("says to the model's turn on which server it was typed", async () => {
    const ann = directPlace(newPerson({ id: "discord:502" }));
    await type(ann, "remind", "when it rains x", { guild: "5", threadOf: "6" });
    const [stored = ""] = await store.redis.lrange(chatKeys(ann.chat).inbox, 0, -1);
    expect(JSON.parse(stored)).toMatchObject({ where: { guild: "5", threadOf: "6" } });
  });

  it.each([
    ["2027-02-30 09:00 x", /doesn't exist.*2027-01-05/],
    ["2020-01-05 09:00 x", /already passed/],
    ["in 2s x", /5 seconds/],
    ["in 0m x", /5 seconds/],
    ["0 9 30 2 * x", /never/],
    ["every 1m x", /5 minutes/],
    ["in 20m", /What should I remind you of/],
    [`in 20m ${"x".repeat(2_001)}`, /too long/],
  ])("refuses %s with a sentence", async (argument, sentence) => {
    const ann = directPlace();
    expect(await say(ann, "remind", argument)).toMatch(sentence);
    expect(await list(ann)).toEqual([]);
  });

  it("refuses the 21st", async () => {
    const ann = directPlace();
    for (let count = 0; count < 20; count += 1) await type(ann, "remind", `in ${count + 1}h tea`);
    expect(await say(ann, "remind", "in 30h tea")).toContain("20");
    expect(await list(ann)).toHaveLength(20);
    const first = await type(ann, "schedule");
    expect(textOf(first).split("\n")).toHaveLength(10);
    expect(buttonsOf(first)).toHaveLength(25);
    const last = await type(ann, "schedule", "list 3");
    expect(textOf(last)).toContain("\n20. ⏰ tea");
    expect(buttonsOf(last)).toHaveLength(12);
  });

  it("is for members", async () => {
    const guest = directPlace();
    await ingress.access.setRole(guest.person, "guest");
    expect(await say(guest, "remind", "in 20m tea")).toContain("Only members");
    expect(await list(guest)).toEqual([]);
  });
});

describe("/schedule", () => {
  it("lists what there is, with the next time and the last outcomes", async () => {
    const ann = directPlace();
    expect(await say(ann, "schedule")).toContain("no reminders");
    await ingress.access.setPreference(ann.person, { zone: "Europe/Berlin" });
    await type(ann, "remind", "every day 9:00 tea");
    const { revision, ...schedule } = await only(ann);
    const slotMs = Date.parse("2026-11-20T08:00Z");
    await ingress.deps.schedules.save(ann.chat, {
      ...schedule,
      revision,
      outcomes: [{ slotMs, outcome: "sent" }],
    });
    const answered = await type(ann, "schedule");
    expect(textOf(answered)).toMatch(
      /^Reminders.*\n1\. ⏰ tea \(\w{6}\) · every day at 09:00 \(Europe\/Berlin\) · next: \w+, .*09:00 · last: sent Fri, Nov 20, 2026, 09:00\n/,
    );
    expect(buttonsOf(answered).map(({ label }) => label)).toEqual(["▶ 1", "⏸ 1", "✕ 1"]);
  });

  it("pauses, resumes, runs now and deletes by its buttons", async () => {
    const ann = directPlace();
    await type(ann, "remind", "every 2h tea");
    const [run, pause, remove] = buttonsOf(await type(ann, "schedule"));
    const member = `plan:${ann.chat}/${(await only(ann)).id}`;
    const dueAt = async () => await store.redis.zscore(chatKeys(ann.chat).wake, member);
    const planned = Number(await dueAt());
    await ingress.tap(ann, run?.data ?? "");
    expect(Number(await dueAt())).toBeLessThanOrEqual(Date.now());
    // What comes after this slot is counted from the rule.
    expect((await only(ann)).timing).toMatchObject({ type: "every", fromMs: planned - 7_200_000 });
    await ingress.tap(ann, pause?.data ?? "");
    expect(await only(ann)).toMatchObject({ pausedWhy: "person" });
    expect(await dueAt()).toBeNull();
    expect(await say(ann, "schedule", `run ${(await only(ann)).id}`)).toBe("paused");
    const [resume] = buttonsOf(await type(ann, "schedule"));
    expect(resume?.label).toBe("⏵ 1");
    await ingress.tap(ann, resume?.data ?? "");
    expect(Number(await dueAt())).toBe(planned);
    expect(await only(ann)).not.toHaveProperty("pausedWhy");
    await ingress.tap(ann, remove?.data ?? "");
    expect(await list(ann)).toEqual([]);
    expect(await dueAt()).toBeNull();
    await ingress.tap(ann, run?.data ?? "");
    expect((await ingress.told(ann.chat)).at(-1)).toContain("I don't know");
  });

  it("shows and changes in a group one's own, and as an admin all", async () => {
    const ann = groupPlace();
    const ben = groupPlace(newPerson(), ann);
    const admin = groupPlace(newPerson(), ann);
    await ingress.access.setRole(admin.person, "admin");
    await type(ann, "remind", "every day 9:00 tea");
    const { id } = await only(ann);
    expect(await say(ben, "schedule")).toContain("no reminders");
    for (const action of ["run", "pause", "resume", "delete"])
      expect(await say(ben, "schedule", `${action} ${id}`)).toContain("Only an admin");
    expect(await only(ann)).not.toHaveProperty("pausedWhy");
    expect(await say(admin, "schedule")).toContain(`⏰ tea (${id}, ${ann.person.name})`);
    expect(await say(ann, "schedule", `pause ${id}`)).toContain("Paused");
    expect(await say(admin, "schedule", `resume ${id}`)).toContain("tea");
    expect(await say(admin, "schedule", `delete ${id}`)).toContain("Deleted");
    // An admin's change of someone else's is audited; one's own isn't.
    const linesOf = async ({ person }: Place) =>
      (await ingress.deps.audit.newest({ personId: person.id }, 10)).records.map(
        ({ action, target, outcome }) => `${action} ${target} ${outcome}`,
      );
    expect(await linesOf(ann)).toEqual([]);
    expect(await linesOf(admin)).toEqual([
      `schedule-changed ${id} deleted`,
      `schedule-changed ${id} resumed`,
    ]);
  });

  it("knows zones by name, city and what looks like it", async () => {
    const ann = directPlace();
    expect(await say(ann, "schedule", "zone berlin")).toBe("Your time zone is now Europe/Berlin.");
    expect(await say(ann, "schedule", "zone America/Argentina/Buenos_Aires")).toContain(
      "Buenos_Aires.",
    );
    expect(await say(ann, "schedule", "zone new york")).toContain("America/New_York");
    expect(await say(ann, "schedule", "zone Europe/Berlim")).toContain(
      "/schedule zone Europe/Berlin",
    );
    expect(await say(ann, "schedule", "zone xyzzy-plugh")).toMatch(
      /don't know the time zone "xyzzy-plugh"/,
    );
    for (const name of ["+02:00", "Mars", "EST", "usa", "mumbai", "st"])
      expect(await say(ann, "schedule", `zone ${name}`)).toBe(
        `I don't know the time zone "${name}". Name a big city in your time zone, for example: /schedule zone Berlin`,
      );
    expect(await say(ann, "schedule", "zone lodnon")).toBe(
      `I don't know the time zone "lodnon". Did you mean /schedule zone Europe/London? If not, name a big city in your time zone, for example: /schedule zone Berlin`,
    );
    expect(await say(ann, "schedule", "zone")).toContain("America/New_York");
    const options = { action: "zone", city: "tokyo" };
    expect(textOf(await type(ann, "schedule", "zone tokyo", { options }))).toContain("Asia/Tokyo");
    expect(await say(ann, "schedule", "dance")).toContain("dance");
  });

  it.each(languages)("gives in %s an example of a zone that it knows", async (language) => {
    const ann = directPlace(newPerson({ language }));
    for (const name of ["Mars", "lodnon"]) {
      const [, example = ""] =
        /\/schedule zone (\w+)$/.exec(await say(ann, "schedule", `zone ${name}`)) ?? [];
      await say(ann, "schedule", `zone ${example}`);
      expect((await ingress.people.profile(ann.person.id)).preference.zone).toMatch(`/${example}`);
    }
  });

  it.each(languages)("offers in %s zones that there are", async (language) => {
    const ann = directPlace(newPerson({ language }));
    const offered = buttonsOf(await type(ann, "remind"));
    expect(offered.length).toBeGreaterThanOrEqual(3);
    for (const { data } of offered) {
      await ingress.tap(ann, data);
      const wanted = data.replace(/^cc:schedule:zone /, "");
      const { zone = "" } = (await ingress.people.profile(ann.person.id)).preference;
      const canonical = new Intl.DateTimeFormat("en", { timeZone: wanted }).resolvedOptions()
        .timeZone;
      expect(zone).toBe(canonical);
    }
  });
});
