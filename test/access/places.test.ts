import { describe, expect, it } from "vitest";
import { Access, type AccessSettings } from "../../src/access/access.ts";
import type { Place, Whereabouts } from "../../src/core/places.ts";
import type { GivenRole, Role } from "../../src/core/roles.ts";
import { createPeopleStore } from "../../src/store/people/people.ts";
import { storeOn, uniqueId } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());
const people = createPeopleStore(store);

const access = (more: Partial<AccessSettings> = {}, now = () => 0) =>
  new Access(people, { mode: "pairing", admins: [], allow: [], ban: [], ...more }, now);

let places = 1_000;

const somebody = () => ({ id: `discord:${uniqueId()}`, name: "Somebody" });

/** A thread of a channel of a server that no other test knows. */
function newThread() {
  places += 2;
  const [guild, channel] = [String(places), String(places + 1)];
  const where: Whereabouts = {
    address: { platform: "discord", bot: "7", chat: channel, thread: "5" },
    direct: false,
    guild,
  };
  return {
    where,
    channel: `discord:channel:${channel}` as Place,
    guild: `discord:guild:${guild}` as Place,
  };
}

describe("a place that is let in", () => {
  it.each([
    ["pairing", undefined, "guest"],
    ["allowlist", undefined, "guest"],
    ["open", undefined, "member"],
    ["pairing", "guest", "guest"],
    ["pairing", "member", "member"],
    ["pairing", "admin", "admin"],
    ["pairing", "banned", "banned"],
  ] as const)(
    "makes everybody there a guest at least: in mode %s, of role %s, they are %s",
    async (mode, given: GivenRole | undefined, role: Role) => {
      const { where, channel, guild } = newThread();
      for (const allowed of [channel, guild]) {
        const person = somebody();
        if (given) await people.setRole(person, given);
        const here = access({ mode, allow: [allowed] });
        expect(await here.profileOf(person, where)).toEqual({
          role,
          preference: {},
        });
        // Elsewhere they are what they are.
        const elsewhere = newThread().where;
        const own = await access({ mode }).roleOf(person);
        expect(await here.roleOf(person, elsewhere)).toBe(own);
        expect(await here.roleOf(person, { ...where, direct: true })).toBe(own);
      }
    },
  );

  it("lets in anonymous accounts that many people use, too", async () => {
    const { where, guild } = newThread();
    const standIn = { ...somebody(), anonymous: true };
    expect(await access({ allow: [guild] }).roleOf(standIn, where)).toBe("guest");
    expect(await access().roleOf(standIn, where)).toBe("stranger");
  });

  it("may be said from a chat, at once here and within a second elsewhere", async () => {
    let nowMs = 0;
    const [one, other] = [access(), access({}, () => nowMs)];
    const { where, channel } = newThread();
    const person = somebody();
    expect(await one.roleOf(person, where)).toBe("stranger");
    expect(await other.roleOf(person, where)).toBe("stranger");
    await one.setRule(channel, "allow");
    expect(await one.roleOf(person, where)).toBe("guest");
    nowMs = 999;
    expect(await other.roleOf(person, where)).toBe("stranger");
    nowMs = 1_000;
    expect(await other.roleOf(person, where)).toBe("guest");
    await one.setRule(channel, undefined);
    expect(await one.roleOf(person, where)).toBe("stranger");
  });
});

describe("a place that is banned", () => {
  it("is silent for all but admins, whatever else lets them in", async () => {
    const { where, channel, guild } = newThread();
    const lists = [
      { ban: [channel], allow: [guild] },
      { ban: [guild], allow: [channel] },
    ];
    for (const list of lists)
      for (const given of [undefined, "guest", "member"] as const) {
        const person = somebody();
        if (given) await people.setRole(person, given);
        const here = access({ mode: "open", ...list });
        expect(await here.profileOf(person, where)).toEqual({
          role: "banned",
          isSilent: true,
          preference: {},
        });
      }
    const admin = somebody();
    await people.setRole(admin, "admin");
    expect(await access({ ban: [guild] }).profileOf(admin, where)).toEqual({
      role: "admin",
      preference: {},
    });
  });

  it("from a chat is stronger than the operator's list that lets it in, and the other way round", async () => {
    const { where, channel, guild } = newThread();
    const person = somebody();
    const one = access({ allow: [channel] });
    await one.setRule(guild, "ban");
    expect(await one.roleOf(person, where)).toBe("banned");
    await one.setRule(guild, undefined);
    const other = access({ ban: [channel] });
    await other.setRule(guild, "allow");
    expect(await other.roleOf(person, where)).toBe("banned");
  });
});

describe("a group's number", () => {
  it("in a list means the group, and every account that writes in its name", async () => {
    const number = "-1001234567";
    const group = `telegram:${number}`;
    const address = { platform: "telegram", bot: "7", chat: number } as const;
    const where = { address, direct: false };
    const person = { id: "telegram:1234567", name: "Somebody" };
    expect(await access({ allow: [group] }).roleOf(person, where)).toBe("guest");
    const standIn = { id: group, name: "Friends", anonymous: true };
    expect(await access({ ban: [group], mode: "open" }).roleOf(standIn)).toBe("banned");
  });
});

describe("the person who claimed the bot", () => {
  it("owns it, and no one who is an admin otherwise", async () => {
    await store.redis.flushdb();
    const one = access();
    const [claimer, admin] = [somebody(), somebody()];
    const code = (await people.claimCode()) ?? "";
    expect(await people.claim(code, claimer.id)).toBe(true);
    // The code alone makes no one anything.
    expect(await one.roleOf(claimer)).toBe("stranger");
    await one.setRole(claimer, "admin");
    await one.setRole(admin, "admin");
    expect(await one.roleOf(claimer)).toBe("owner");
    expect(await one.roleOf(admin)).toBe("admin");
    expect(await one.owners()).toEqual([claimer.id]);
    expect((await one.admins()).toSorted()).toEqual([claimer.id, admin.id].toSorted());
  });

  it("owns it, too, where the bot died before it said so and had made a new code when it was told again", async () => {
    await store.redis.flushdb();
    const claimer = somebody();
    const code = (await people.claimCode()) ?? "";
    expect(await people.claim(code, claimer.id)).toBe(true);
    const next = await people.claimCode();
    expect(next).not.toBe(code);
    expect(await people.claim(code, claimer.id)).toBe(true);
    const one = access();
    await one.setRole(claimer, "admin");
    expect(await one.roleOf(claimer)).toBe("owner");
    expect(await people.claim(next ?? "", "discord:2")).toBe(false);
  });

  it("is neither owner nor admin to anybody where the operator's list bans them", async () => {
    await store.redis.flushdb();
    const [claimer, admin, listed] = [somebody(), somebody(), somebody()];
    const code = (await people.claimCode()) ?? "";
    await people.claim(code, claimer.id);
    for (const each of [claimer, admin]) await people.setRole(each, "admin");
    const ids = [claimer.id, admin.id, listed.id];
    const one = access({ admins: [listed.id], ban: ids });
    expect(await one.owners()).toEqual([]);
    // The people who get what admins get can be read here.
    expect(await one.admins()).toEqual([]);
  });
});
