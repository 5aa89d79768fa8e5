import { beforeEach, describe, expect, it } from "vitest";
import { allCommands } from "../../src/commands/all-commands.ts";
import type { Person } from "../../src/core/chat.ts";
import type { InboundCommand } from "../../src/core/inbound.ts";
import {
  directPlace,
  groupPlace,
  newPerson,
  openIngress,
  textOf,
  type Place,
} from "../ingress/open-ingress.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());
const owner = directPlace(newPerson({ name: "Olga" }));
const admin = directPlace(newPerson({ name: "Ada", username: "Ada_A" }));
const ingress = openIngress(store, {
  mode: "pairing",
  admins: [owner.person.id],
});

beforeEach(async () => {
  await store.redis.flushdb();
  await ingress.access.setRole(admin.person, "admin");
});

const run = async (at: Place, name: string, argument: string, more: Partial<InboundCommand> = {}) =>
  textOf(await ingress.command(at, name, { argument, answersItself: true, ...more }));

const roleOf = (person: Person) => ingress.access.roleOf(person);

/** Someone who is a member and has written once. */
async function member(more: Partial<Person> = {}): Promise<Place> {
  const at = directPlace(newPerson({ name: "Sam", ...more }));
  await ingress.access.setRole(at.person, "member");
  await ingress.say(at, "hello");
  return at;
}

const acts = async (personId: string) =>
  (await ingress.deps.audit.newest({ personId }, 10)).records;

describe("/ban and /unban", () => {
  it.each(["id", "@name", "reply", "field"])(
    "find someone by %s, and hold at once",
    async (how) => {
      const { person, chat, ...rest } = await member({ username: "Sam_Sales" });
      const given = {
        id: [person.id, {}],
        "@name": ["@sam_sales", {}],
        reply: ["", { about: person }],
        field: ["", { about: person, options: { person: person.id } }],
      }[how] as [string, Partial<InboundCommand>];
      const who = "Sam (@Sam_Sales, Telegram)";
      expect(await run(admin, "ban", ...given)).toBe(`${who} is blocked.`);
      expect(await roleOf(person)).toBe("banned");
      const at = { person, chat, ...rest };
      expect(textOf(await ingress.say(at, "and now?"))).toMatch(/\bonly\b|not allowed/i);
      expect(await ingress.waiting(chat)).toHaveLength(1);
      expect(await run(admin, "unban", ...given)).toBe(`${who} is no longer blocked.`);
      expect(await roleOf(person)).toBe("stranger");
      expect(await run(admin, "unban", ...given)).toBe(`${who} isn't blocked.`);
    },
  );

  it("keep the reason in the audit log, in answer to a message all that is typed", async () => {
    const { person } = await member();
    await run(admin, "ban", "sells   things", { about: person });
    expect((await acts(person.id))[0]).toMatchObject({
      action: "role-set",
      by: { id: admin.person.id },
      outcome: "banned",
      details: { before: "member", reason: "sells   things" },
    });
    const other = await member();
    await run(admin, "ban", `${other.person.id} loud`, { about: person });
    expect((await acts(other.person.id))[0]).toMatchObject({
      details: { reason: "loud" },
    });
  });

  it("take a reason for a reason, whatever it begins with", async () => {
    const { person } = await member();
    const at = groupPlace(admin.person);
    const more = { about: person };
    await run(at, "ban", "here come the spammers", more);
    expect(await roleOf(person)).toBe("banned");
    const stranger = groupPlace(newPerson(), at);
    expect(textOf(await ingress.say(stranger, "hello"))).toMatch(/\bonly\b|not allowed/i);
    expect((await acts(person.id))[0]).toMatchObject({
      details: { reason: "here come the spammers" },
    });
  });

  it("show nothing in a name that could move or hide the id behind it", async () => {
    const { person } = await member({ name: "Sam\u202e)1:margelet(" });
    expect(await run(admin, "ban", person.id)).toContain(
      `Sam\\u202e)1:margelet( (${person.id}) is`,
    );
  });

  it("take no number for someone's that is written otherwise", async () => {
    const { person } = await member();
    const odd = person.id.replace(":", ":0");
    expect(await run(admin, "ban", odd)).toMatch(/know anyone called/);
  });

  it("say which person they don't know", async () => {
    expect(await run(admin, "ban", "@nobody")).toMatch(/^I don't know anyone called "@nobody"/);
    expect(await run(admin, "ban", "")).toMatch(/^Who\?/);
    // A name that was given up is no one's, until someone else writes under it.
    const sam = await member({ username: "sam" });
    await ingress.say({ ...sam, person: { ...sam.person, username: "samuel" } }, "I am Samuel now");
    expect(await run(admin, "ban", "@sam")).toMatch(/know anyone called/);
    expect(await roleOf(sam.person)).toBe("member");
    expect(await run(admin, "ban", "@samuel")).toMatch(/is blocked\.$/);
  });

  it("of an owner or, by an admin, of an admin is refused and written down", async () => {
    const second = directPlace(newPerson({ name: "Bob" }));
    await ingress.access.setRole(second.person, "admin");
    for (const { person } of [owner, second, admin]) {
      const said = await run(admin, "ban", person.id);
      expect(said).toMatch(/\bonly\b|not allowed/i);
      expect((await acts(person.id))[0]).toMatchObject({
        action: "attempt-denied",
        by: { id: admin.person.id },
        outcome: "banned",
      });
    }
    expect(await roleOf(second.person)).toBe("admin");
    await run(owner, "ban", second.person.id);
    expect(await roleOf(second.person)).toBe("banned");
  });
});

describe("/allow", () => {
  it("makes someone a member who wrote, is named, or was banned", async () => {
    const stranger = directPlace(newPerson({ username: "eve" }));
    await ingress.say(stranger, "hello?");
    expect(await run(admin, "allow", "@eve")).toMatch(/can use this bot now/);
    expect(await roleOf(stranger.person)).toBe("member");
    await run(admin, "ban", "@eve");
    await run(admin, "allow", "", { about: stranger.person });
    expect(await roleOf(stranger.person)).toBe("member");
  });

  it("explains what it can't read", async () => {
    expect(await run(admin, "allow", "this is no name")).toMatch(
      /^I don't recognize "this is no name"/,
    );
  });
});

describe("/role", () => {
  it("shows one's own, and gives others theirs", async () => {
    const { person } = await member({ username: "sam" });
    const sam = { ...directPlace(person) };
    expect(await run(sam, "role", "")).toMatch(/^Role: member\n/);
    expect(await run(admin, "role", "@sam guest")).toBe("Sam (@sam, Telegram) is now a guest.");
    expect(await run(sam, "role", "")).toMatch(/^Role: guest\n/);
    expect(await run(admin, "role", "member", { about: person })).toMatch(/is now a member/);
    expect(
      await run(admin, "role", "", {
        options: { person: person.id, role: "member" },
      }),
    ).toMatch(/is already a member/);
    expect(await run(admin, "role", `${person.id} king`)).toMatch(/^There's no role "king"/);
    expect(await run(admin, "role", person.id)).toMatch(/^Which role\?/);
  });

  it.each([
    ["en", "Role: member", "Sam is now a guest.", "Sam is already a guest."],
    ["de", "Rolle: Mitglied", "Sam ist jetzt Gast.", "Sam ist schon Gast."],
    ["es", "Rol: miembro", "Sam ahora es invitado.", "Sam ya es invitado."],
    ["fr", "Rôle : membre", "Sam est maintenant invité.", "Sam est déjà invité."],
    ["ru", "Роль: участник", "Теперь Sam — гость.", "Sam — уже гость."],
    ["zh", "角色：成员", "Sam 现在是访客。", "Sam 已经是访客。"],
  ])("is in the reader's language: %s", async (language, own, isNow, isAlready) => {
    const { person } = await member();
    const sam = directPlace({ ...person, language });
    const ada = { ...admin, person: { ...admin.person, language } };
    const named = (said: string) => said.replace(` (${person.id})`, "");
    expect((await run(sam, "whoami", "")).split("\n")).toContain(own);
    expect((await run(sam, "role", "")).split("\n")).toContain(own);
    expect(named(await run(ada, "role", `${person.id} guest`))).toBe(isNow);
    expect(named(await run(ada, "role", `${person.id} guest`))).toBe(isAlready);
  });

  it("of an admin is given and taken by owners alone", async () => {
    const { person } = await member();
    expect(await run(admin, "role", `${person.id} admin`)).toMatch(
      /^Only owners can add or remove admins/,
    );
    await run(owner, "role", `${person.id} admin`);
    expect(await roleOf(person)).toBe("admin");
    expect(await run(admin, "role", `${person.id} member`)).toMatch(/^Only owners/);
    await run(owner, "role", `${person.id} member`);
    expect(await roleOf(person)).toBe("member");
    expect(await run(owner, "role", `${owner.person.id} member`)).toMatch(/owns this bot/);
  });

  it("of others tells a member nothing, not even whether they are known", async () => {
    const one = await member({ username: "known" });
    const two = await member();
    const [known, unknown] = [
      await run(two, "role", "@known admin"),
      await run(two, "role", "@unknown admin"),
    ];
    expect(known).toBe("Only an admin can change roles.");
    expect(unknown).toBe(known);
    expect(await roleOf(one.person)).toBe("member");
    const { records } = await ingress.deps.audit.newest({}, 5);
    expect(records.map(({ action }) => action)).toContain("attempt-denied");
  });
});

describe("/admins", () => {
  it("names owners and admins to members, with ids to admins", async () => {
    // Another process, which has not met them.
    const other = openIngress(store, { admins: [owner.person.id] });
    await other.say(owner, "hello");
    await other.say(admin, "hello");
    const sam = await member();
    expect(await run(sam, "admins", "")).toBe(
      "Owners:\n• Olga\nAnyone at my terminal is an owner too.\n\nAdmins:\n• Ada",
    );
    expect(await run(admin, "admins", "")).toContain("• Ada (@Ada_A, Telegram)");
    const stranger = directPlace();
    expect(await run(stranger, "admins", "")).toMatch(/private/);
  });
});

const inGroup = () => groupPlace(newPerson());

describe("a place", () => {
  it("is let in and banned where the command is given, and what was said is taken back", async () => {
    const stranger = inGroup();
    const here = groupPlace(admin.person, stranger);
    expect(textOf(await ingress.say(stranger, "hello"))).toMatch(/\bonly\b|not allowed/i);
    expect(await run(here, "allow", "here")).toContain("Everyone in this chat can talk to me now");
    expect((await ingress.say(stranger, "hello again")).type).toBe("queued");
    expect(await run(here, "ban", "HERE")).toBe("I'll stay quiet in this chat, except for admins.");
    // Silent: not even a refusal.
    expect(await ingress.say(stranger, "hello?")).toEqual({ type: "ignored" });
    expect(await ingress.command(stranger, "help")).toEqual({
      type: "ignored",
    });
    expect(await ingress.tap(stranger, "s:time")).toMatchObject({
      type: "refused",
    });
    expect(await run(here, "unban", "here")).toBe("I've cleared the rule for this chat.");
    expect(await run(here, "unban", "here")).toBe("There's no rule for this chat.");
    const said = await acts(admin.person.id);
    expect(said.map(({ outcome }) => outcome)).toEqual(["none", "ban", "allow"]);
  });

  it("can be named from anywhere, and a whole server from within it", async () => {
    await run(admin, "ban", "discord:channel:5");
    expect(await ingress.access.ruleOf("discord:channel:5" as never)).toBe("ban");
    const guild = "4711";
    const there = groupPlace(newPerson({ id: "discord:77", name: "Dan" }));
    await ingress.access.setRole(there.person, "admin");
    await run(there, "allow", "", { options: { code: "server" }, guild });
    expect(await ingress.access.ruleOf(`discord:guild:${guild}` as never)).toBe("allow");
    expect(await run(admin, "allow", "server")).toBe("This isn't a Discord server.");
    expect(await run(admin, "ban", "here")).toMatch(/^This is a private chat/);
  });

  it("that the operator's file bans stays banned, and says so", async () => {
    const stranger = inGroup();
    const place = `telegram:chat:${stranger.address.chat}`;
    const closed = openIngress(store, {
      mode: "open",
      admins: [owner.person.id],
      ban: [place],
    });
    const here = groupPlace(owner.person, stranger);
    for (const name of ["allow", "unban"]) {
      const outcome = await closed.command(here, name, {
        argument: "here",
        answersItself: true,
      });
      expect(textOf(outcome)).toContain(`${place} is blocked in the bot's settings`);
    }
    await closed.people.notePerson({ id: place, name: "Team" });
    const named = await closed.command(here, "unban", { argument: "here", answersItself: true });
    expect(textOf(named)).toContain(`"Team" (${place}) is blocked`);
    expect(await closed.say(stranger, "hello")).toEqual({ type: "ignored" });
  });
});

describe("a guest", () => {
  it("talks where everybody may, and decides and configures nothing", async () => {
    const guest = groupPlace(newPerson());
    await run(groupPlace(admin.person, guest), "allow", "here");
    expect((await ingress.say(guest, "hello")).type).toBe("queued");
    for (const name of ["approve", "settings", "tier", "export", "auto"])
      expect(await run(guest, name, "x")).toBe(
        `Only members can use /${name}, and you're a guest. Ask an admin to make you a member.`,
      );
    expect(textOf(await ingress.tap(guest, "t:p:fast"))).toMatch(/\bonly\b|not allowed/i);
    for (const name of ["help", "status", "whoami", "stop"])
      expect(await run(guest, name, "")).not.toMatch(/^Only|not allowed/);
    // In private they are a stranger.
    expect(textOf(await ingress.say(directPlace(guest.person), "hi"))).toMatch(
      /This bot is private/,
    );
  });
});

describe("a person who is no admin and types an admin's command", () => {
  const forAdmins = allCommands.filter(
    ({ spec }) => spec.adminOnly === true || spec.adminForms !== undefined,
  );
  const typed = forAdmins.flatMap(({ spec }) =>
    spec.adminForms === undefined
      ? [[spec.name, "telegram:1"] as const]
      : spec.adminForms.map(
          ({ action }) =>
            [
              spec.name,
              action === undefined ? "telegram:1 member" : `${action} chat messages 5/day`,
            ] as const,
        ),
  );

  it("there are such commands", () => {
    expect(typed.length).toBeGreaterThan(5);
  });

  it.each(
    typed.flatMap((each) =>
      (["member", "guest", "stranger", "banned"] as const).map((role) => [...each, role] as const),
    ),
  )("/%s %s as a %s is refused", async (name, argument, role) => {
    const at = groupPlace(newPerson());
    if (role !== "stranger") await ingress.access.setRole(at.person, role);
    const before = await store.redis.keys("parley:{cfg}:*");
    const said = await run(at, name, argument);
    expect(said).toMatch(/\bonly\b|not allowed/i);
    const after = await store.redis.keys("parley:{cfg}:*");
    const changed = after.filter(
      (key) => !before.includes(key) && !/:(audit|known|username)/.test(key),
    );
    expect(changed).toEqual([]);
  });
});
