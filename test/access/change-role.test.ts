import { pino } from "pino";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { en } from "../../src/locales/en.ts";
import { Access } from "../../src/access/access.ts";
import { changeRole } from "../../src/access/change-role.ts";
import type { ChatKey, Person } from "../../src/core/chat.ts";
import type { GivenRole, Role } from "../../src/core/roles.ts";
import { createAudit } from "../../src/store/operations/audit.ts";
import { createPeopleStore } from "../../src/store/people/people.ts";
import { localeFor } from "../../src/locales/locale-for.ts";
import { storeOn, uniqueId } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());
const people = createPeopleStore(store);
const owner: Person = { id: "telegram:1", name: "Olga" };
const outlaw: Person = { id: "telegram:2", name: "Otto" };
const access = new Access(
  people,
  { mode: "allowlist", admins: [owner.id], allow: [], ban: [outlaw.id] },
  () => performance.now(),
);
const audit = createAudit(store, {
  retentionMs: undefined,
  redact: (text) => text,
  log: pino({ level: "silent" }),
});
const chat = "telegram:7:1" as ChatKey;
const by: Person = { id: "telegram:3", name: "Ada" };

const change = (role: Role, whom: Person, to: GivenRole | undefined, eventId = uniqueId()) =>
  changeRole({ access, audit }, { by, role, chat, eventId, whom, to, locale: localeFor() });

/** Someone new with a role; undefined: a stranger. */
async function whoIs(role: GivenRole | undefined): Promise<Person> {
  const person = { id: `telegram:${uniqueId()}`, name: "Sam" };
  if (role) await people.setRole(person, role);
  return person;
}

const targets = [undefined, "guest", "member", "admin", "banned"] as const;
const actors = ["owner", "admin", "member", "guest", "stranger"] as const;

/** What should come of it, in words of its own. */
function isAllowed(actor: Role, from: GivenRole | undefined, to: GivenRole | undefined): boolean {
  if (actor === "owner") return true;
  return actor === "admin" && from !== "admin" && to !== "admin";
}

describe("a role", () => {
  it.each(actors.flatMap((actor) => targets.map((from) => [actor, from])))(
    "is changed by a %s from %s as they may",
    async (actor, from) => {
      for (const to of targets) {
        const whom = await whoIs(from as GivenRole | undefined);
        const eventId = uniqueId();
        const { isDone, text } = await change(actor as Role, whom, to, eventId);
        const allowed = isAllowed(actor as Role, from as GivenRole | undefined, to);
        const isAlready = from === to && to !== undefined;
        const before = from ?? "stranger";
        const expected = to ?? "stranger";
        if (isAlready && (actor === "owner" || actor === "admin")) {
          expect([isDone, text]).toEqual([
            false,
            `Sam (${whom.id}) is already ${en.people.aRole[to]}.`,
          ]);
          continue;
        }
        expect([actor, from, to, isDone]).toEqual([actor, from, to, allowed]);
        expect(await access.roleOf(whom)).toBe(allowed ? expected : before);
        const { records } = await audit.newest({ personId: whom.id }, 5);
        expect(records).toMatchObject([
          {
            action: allowed ? "role-set" : "attempt-denied",
            by: { id: by.id },
            chat,
            target: whom.id,
            outcome: to ?? "none",
          },
        ]);
        if (!allowed) expect(text).toMatch(/\bonly\b|not allowed/i);
      }
    },
  );

  it("of an owner can't be changed by anyone, nor can the role of a person banned by the settings", async () => {
    for (const to of targets) {
      const refused = await change("owner", owner, to);
      expect(refused.text).toMatch(/Olga \(telegram:1\) owns this bot/);
      const banned = await change("owner", outlaw, to);
      expect(banned.text).toMatch(/blocked in the bot's settings/);
    }
    expect(await access.roleOf(owner)).toBe("owner");
    expect(await people.withRole("admin")).not.toContain(outlaw.id);
  });

  it("is judged by what another process has made of someone a moment ago", async () => {
    const whom = await whoIs("member");
    expect(await access.roleOf(whom)).toBe("member");
    await people.setRole(whom, "admin");
    const { isDone, text } = await change("admin", whom, "banned");
    expect(text).toMatch(/\bonly\b|not allowed/i);
    expect(isDone).toBe(false);
    expect((await people.profile(whom.id)).role).toBe("admin");
  });

  it("is in the audit log also where the bot dies before it has told anybody", async () => {
    const whom = await whoIs(undefined);
    const eventId = uniqueId();
    const dying = new Access(
      {
        ...people,
        async setRole(...given) {
          await people.setRole(...given);
          throw new Error("died");
        },
      },
      { mode: "allowlist", admins: [], allow: [], ban: [] },
      () => performance.now(),
    );
    const given = {
      by,
      role: "owner",
      chat,
      eventId,
      whom,
      to: "guest",
    } as const;
    await expect(
      changeRole({ access: dying, audit }, { ...given, locale: localeFor() }),
    ).rejects.toThrow("died");
    // It comes again, and there is nothing left to do.
    expect((await change("owner", whom, "guest", eventId)).isDone).toBe(false);
    const { records } = await audit.newest({ personId: whom.id }, 5);
    expect(records).toMatchObject([{ action: "role-set", outcome: "guest" }]);
  });

  it("is not given to a stand-in, which can be shut out", async () => {
    const standIn = { ...(await whoIs(undefined)), anonymous: true };
    for (const to of ["guest", "member", "admin"] as const)
      expect((await change("owner", standIn, to)).text).toMatch(/anonymously/);
    // Named by its number: what admins are told in private would be told there.
    const channel = { id: `telegram:-100${uniqueId()}`, name: "News" };
    expect((await change("owner", channel, "admin")).text).toMatch(/anonymously/);
    expect((await change("admin", standIn, "banned")).isDone).toBe(true);
    expect(await access.roleOf(standIn)).toBe("banned");
    expect((await change("admin", standIn, undefined)).isDone).toBe(true);
    expect(await access.roleOf(standIn)).toBe("stranger");
  });

  it("changed by admins as often as they like never leaves the bot without its owner or takes an admin away", async () => {
    const chief = await whoIs("admin");
    const others = [await whoIs("member"), await whoIs(undefined)];
    const all = [owner, chief, ...others];
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(
            fc.constantFrom("admin", "member", "guest", "stranger"),
            fc.constantFrom(...all),
            fc.constantFrom(...targets),
          ),
          { maxLength: 12 },
        ),
        async (changes) => {
          for (const [role, whom, to] of changes) await change(role, whom, to);
          expect(await access.roleOf(owner)).toBe("owner");
          expect(await access.roleOf(chief)).toBe("admin");
          for (const each of others) expect(await access.roleOf(each)).not.toBe("admin");
        },
      ),
      { numRuns: 60 },
    );
  });
});
