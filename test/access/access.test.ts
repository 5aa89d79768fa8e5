import { describe, expect, it } from "vitest";
import { Access, type AccessSettings } from "../../src/access/access.ts";
import type { Person } from "../../src/core/chat.ts";
import type { GivenRole } from "../../src/core/roles.ts";
import { createPeopleStore } from "../../src/store/people/people.ts";
import { storeOn, uniqueId } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const server = await testDatabase();
const store = storeOn(server);
const people = createPeopleStore(store);

const settings = (more: Partial<AccessSettings> = {}): AccessSettings => ({
  mode: "pairing",
  admins: [],
  allow: [],
  ban: [],
  ...more,
});

const somebody = (more: Partial<Person> = {}): Person => ({
  id: `telegram:${uniqueId()}`,
  name: "Somebody",
  ...more,
});

const access = (more: Partial<AccessSettings> = {}, now = () => 0) =>
  new Access(people, settings(more), now);

describe("a role", () => {
  it.each([
    ["open", "member"],
    ["pairing", "stranger"],
    ["allowlist", "stranger"],
  ] as const)("in %s mode is by itself %s", async (mode, role) => {
    expect(await access({ mode }).roleOf(somebody())).toBe(role);
  });

  it("is what the operator wrote down first, then what admins said, then what the mode says", async () => {
    type Case = readonly [
      listed: readonly ("admins" | "allow" | "ban")[],
      stored: GivenRole | undefined,
      expected: string,
    ];
    const cases: readonly Case[] = [
      [["ban", "admins", "allow"], "admin", "banned"],
      [["admins", "allow"], "banned", "owner"],
      [["allow"], "banned", "banned"],
      [["allow"], "admin", "admin"],
      [["allow"], undefined, "member"],
      [[], "member", "member"],
      [[], "admin", "admin"],
      [[], "banned", "banned"],
      [[], undefined, "stranger"],
    ];
    for (const [listed, stored, expected] of cases) {
      const person = somebody();
      if (stored) await people.setRole(person, stored);
      const lists = Object.fromEntries(listed.map((list) => [list, [person.id]]));
      expect(await access(lists).roleOf(person), `${listed.join("+")} ${stored}`).toBe(expected);
    }
  });

  it("of a stand-in is never more than anybody's", async () => {
    const person = somebody({ anonymous: true });
    await people.setRole(person, "admin");
    const lists = { admins: [person.id], allow: [person.id] };
    expect(await access(lists).roleOf(person)).toBe("stranger");
    expect(await access({ ...lists, mode: "open" }).roleOf(person)).toBe("member");
    expect(await access({ ...lists, ban: [person.id] }).roleOf(person)).toBe("banned");
  });

  it("at the operator's own terminal is owner", async () => {
    expect(await access().roleOf({ id: "console:local", name: "Operator" })).toBe("owner");
    expect(await access().roleOf(somebody({ id: "telegram:console:1" }))).toBe("stranger");
  });

  it("is remembered for a second, and no longer", async () => {
    let nowMs = 5_000;
    const one = access({}, () => nowMs);
    const person = somebody();
    expect(await one.roleOf(person)).toBe("stranger");
    await people.setRole(person, "member");
    nowMs += 999;
    expect(await one.roleOf(person)).toBe("stranger");
    nowMs += 1;
    expect(await one.roleOf(person)).toBe("member");
  });

  it("that was changed here holds at once, also for who was just being looked up", async () => {
    const person = somebody();
    const asked = Promise.withResolvers<void>();
    const mayAnswer = Promise.withResolvers<void>();
    let slow = true;
    const slowPeople = {
      ...people,
      async profile(id: string) {
        const profile = await people.profile(id);
        if (slow) {
          slow = false;
          asked.resolve();
          await mayAnswer.promise;
        }
        return profile;
      },
    };
    const one = new Access(slowPeople, settings(), () => 0);
    const before = one.roleOf(person);
    await asked.promise;
    await one.setRole(person, "member");
    mayAnswer.resolve();
    expect(await before).toBe("stranger");
    expect(await one.roleOf(person)).toBe("member");
  });

  it("takes the place of the one before, everywhere", async () => {
    const person = somebody();
    for (const role of ["admin", "member", "banned", "admin"] as const) {
      await people.setRole(person, role);
      for (const each of ["admin", "member", "banned"] as const) {
        const holders = await people.withRole(each);
        expect(holders.includes(person.id)).toBe(each === role);
      }
    }
    expect(await access({ admins: ["telegram:root"] }).admins()).toEqual(
      expect.arrayContaining(["telegram:root", person.id]),
    );
  });
});

describe("a person's own choice", () => {
  it("is known with the role, for everybody that has one identity", async () => {
    const admin = somebody();
    const owner = somebody({ id: `console:${uniqueId()}` });
    const member = somebody();
    const one = access({ mode: "open", admins: [admin.id] });
    for (const [person, role] of [
      [admin, "owner"],
      [owner, "owner"],
      [member, "member"],
    ] as const) {
      expect(await one.profileOf(person)).toEqual({ role, preference: {} });
      await one.setPreference(person, { tier: "smart" });
      await one.setPreference(person, { model: "a/b" });
      expect(await one.profileOf(person)).toEqual({
        role,
        preference: { tier: "smart", model: "a/b" },
      });
      await one.setPreference(person, { tier: undefined, model: "c/d" });
      expect(await access({ mode: "open" }).profileOf(person)).toMatchObject({
        preference: { model: "c/d" },
      });
    }
  });

  it("is not touched by a new role, nor the role by a new choice", async () => {
    const person = somebody();
    const one = access();
    await one.setPreference(person, { tier: "fast" });
    expect(await one.roleOf(person)).toBe("stranger");
    await one.setRole(person, "member");
    await one.setPreference(person, {});
    expect(await one.profileOf(person)).toEqual({
      role: "member",
      preference: { tier: "fast" },
    });
    expect(await people.withRole("member")).toContain(person.id);
  });

  it("of a stand-in or of someone banned is none", async () => {
    const person = somebody();
    const one = access({ mode: "open", ban: [person.id] });
    await one.setPreference(person, { tier: "fast" });
    expect((await one.profileOf(person)).preference).toEqual({});
    const standIn = { ...somebody(), anonymous: true };
    await one.setPreference(standIn, { tier: "fast" });
    expect(await one.profileOf(standIn)).toEqual({
      role: "member",
      preference: {},
    });
  });

  it("of a zone is not overwritten by the one that a tool used, however new it is", async () => {
    const one = access({ mode: "open" }, () => 5_000);
    const [person, other] = [somebody(), somebody()];
    expect((await one.profileOf(person)).preference).toEqual({});
    await people.setPreference(person.id, { zone: "Asia/Tokyo" });
    expect(await one.keepZone(person, "Europe/Berlin")).toBe(false);
    expect((await one.profileOf(person)).preference).toEqual({ zone: "Asia/Tokyo" });
    await one.profileOf(other);
    expect(await one.keepZone(other, "Europe/Berlin")).toBe(true);
    expect((await one.profileOf(other)).preference).toEqual({ zone: "Europe/Berlin" });
  });

  it("that was made elsewhere holds within a second", async () => {
    let nowMs = 5_000;
    const one = access({ mode: "open" }, () => nowMs);
    const person = somebody();
    await one.profileOf(person);
    await people.setPreference(person.id, { tier: "deep" });
    nowMs += 1_000;
    expect((await one.profileOf(person)).preference).toEqual({ tier: "deep" });
  });
});
