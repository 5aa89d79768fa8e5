import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { Role } from "../../src/core/roles.ts";
import { decideAndWake, type Attempt } from "../../src/approvals/decide-approval.ts";
import { decideApproval, decideTogether } from "./decide.ts";
import { expireApproval } from "../../src/approvals/expire-approval.ts";
import { approverPolicies, versionOf, type Approval } from "../../src/core/approval.ts";
import type { AuditLog } from "../../src/core/audit.ts";
import type { ChatKey, Person } from "../../src/core/chat.ts";
import { createApprovalStore } from "../../src/store/approvals/approvals.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { chatKeys, approvalKey } from "../../src/store/keys.ts";
import { sweep } from "../../src/store/turns/sweep.ts";
import { asking, callsOnOneCard, askedIn } from "../store/asking.ts";
import {
  anna,
  begun,
  ben,
  committed,
  dump,
  message,
  newChat,
  storeOn,
  turnStoreOn,
  wakeMembers,
} from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const turns = turnStoreOn(store);
const approvals = createApprovalStore(store);
const noted: (readonly [string, Parameters<AuditLog["write"]>[1]])[] = [];
const audit: AuditLog = {
  write(id, entry) {
    noted.push([id, entry]);
    return Promise.resolve();
  },
};
const expire = (id: string) => expireApproval({ approvals, audit }, id);

/** An approval that a turn of a new chat waits for. */
async function asked(more: Partial<Approval> = {}, chat = newChat()): Promise<Approval> {
  await createInbox(store).append(chat, message("m1"));
  return await askedIn(turns, chat, more);
}

/** Three approvals that one card asks for. */
async function askedTogether(more: Partial<Approval> = {}, chat = newChat()) {
  await createInbox(store).append(chat, message("m1"));
  const turn = await begun(turns, chat);
  const card = callsOnOneCard(turns, chat, [more, more, more]);
  const [first, second, third] = card;
  if (!first || !second || !third) throw new Error("three approvals");
  await committed(turns, turn, asking(turn, card));
  return [first, second, third] as const;
}

const tap = (approval: Approval, more: Partial<Attempt> = {}): Attempt => ({
  approvalId: approval.id,
  status: "approved",
  person: anna,
  role: "member",
  chat: approval.chat,
  ...more,
});

const outboxOf = async (chat: string) =>
  (await redis.lrange(chatKeys(chat as ChatKey).outbox, 0, -1)).map(
    (stored) =>
      JSON.parse(stored.slice(stored.indexOf(" "))) as {
        kind: string;
        of: string;
        text: string;
      },
  );

describe("a decision about all of a card", () => {
  it("decides each once, and tells the chat with every one of them", async () => {
    const [first, second, third] = await askedTogether();
    const denial = { status: "denied", reason: "too dear" } as const;
    expect(await decideTogether(approvals, tap(second, denial))).toMatchObject({
      type: "decided",
      text: "Denied: 3 of 3.",
    });
    for (const { id } of [first, second, third])
      expect(await approvals.find(id)).toMatchObject({
        status: "denied",
        reason: "too dear",
      });
    const told = await outboxOf(first.chat);
    expect(told).toHaveLength(3);
    for (const each of told)
      expect(each).toMatchObject({
        kind: "cards-outcome",
        v: 2,
        of: `card-${first.id}`,
        approvals: [first.id, second.id, third.id],
      });
  });

  it("leaves what is decided as it is, and says who decided", async () => {
    const [first, second] = await askedTogether();
    const denied = tap(second, {
      status: "denied",
      person: ben,
      role: "admin",
    });
    await decideApproval(approvals, denied);
    expect(await decideTogether(approvals, tap(first))).toMatchObject({
      type: "decided",
      text: "Approved: 2 of 3.\n2: This is already denied by Ben.",
    });
    expect((await approvals.find(second.id))?.status).toBe("denied");
    expect(await decideTogether(approvals, tap(first))).toMatchObject({
      type: "refused",
      text: [
        "1: This is already approved by Anna.",
        "2: This is already denied by Ben.",
        "3: This is already approved by Anna.",
      ].join("\n"),
    });
  });

  it("is told to each in their own language", async () => {
    const french = { ...anna, language: "fr" };
    const german = { ...ben, language: "de-AT" };
    const approval = await asked({ requester: french });
    const denied = tap(approval, {
      status: "denied",
      person: german,
      role: "admin",
      reason: "nö",
    });
    const asMember = { ...denied, role: "member" } as const;
    expect(await decideApproval(approvals, asMember)).toEqual({
      type: "refused",
      text: "Das kann nur Anna oder ein Admin entscheiden.",
    });
    expect(await decideApproval(approvals, denied)).toMatchObject({
      type: "decided",
      text: "Abgelehnt.",
    });
    const [told] = await outboxOf(approval.chat);
    expect(told).toMatchObject({
      text: "Refusé par Ben : nö",
      language: "fr",
    });
    expect(await decideApproval(approvals, tap(approval))).toEqual({
      type: "refused",
      text: "This is already denied by Ben.",
    });
    const late = tap(approval, { person: french });
    expect(await decideTogether(approvals, late)).toEqual({
      type: "refused",
      text: "C'est déjà refusé par Ben.",
    });
  });

  it("made by two at the same time is made once for each call, and the loser learns who decided", async () => {
    const asked = await askedTogether();
    const people = [
      { person: anna, role: "member" },
      { person: ben, role: "admin" },
    ] as const;
    const outcomes = await Promise.all(
      people.map((each) => decideTogether(approvals, tap(asked[0], each))),
    );
    const views = await Promise.all(asked.map(({ id }) => approvals.find(id)));
    for (const [index, { person }] of people.entries()) {
      const won = views.filter((view) => view?.decidedBy === person.name);
      const { text = "" } = outcomes[index] ?? {};
      if (won.length > 0) expect(text).toContain(`Approved: ${won.length} of 3.`);
      const other = people[1 - index]?.person.name ?? "";
      if (won.length < 3) expect(text).toContain(`already approved by ${other}`);
    }
    expect(await outboxOf(asked[0].chat)).toHaveLength(3);
  });

  it("is refused to who has no say, in one sentence", async () => {
    const [first] = await askedTogether();
    expect(await decideTogether(approvals, tap(first, { person: ben }))).toEqual({
      type: "refused",
      text: "Only Anna or an admin can decide this.",
    });
  });

  it("comes too late for what has expired", async () => {
    const asked = await askedTogether();
    for (const { id } of asked) await redis.hset(approvalKey(id), "expiresAt", Date.now() - 1);
    expect(await decideTogether(approvals, tap(asked[0]))).toMatchObject({
      type: "refused",
      text: "This has expired.",
      expired: { id: asked[0].id },
    });
  });
});

describe("a decision", () => {
  it("that is carried out after the person was told to try again does not count", async () => {
    const approval = await asked();
    const late = tap(approval, { notAfterMs: Date.now() - 1 });
    const outcome = await decideApproval(approvals, late);
    expect(outcome).toMatchObject({
      type: "refused",
      text: expect.stringContaining("didn't count"),
    });
    expect((await approvals.find(approval.id))?.status).toBe("pending");
    const denied = tap(approval, {
      status: "denied",
      notAfterMs: Date.now() + 60_000,
    });
    expect((await decideApproval(approvals, denied)).type).toBe("decided");
  });

  it("is made once, however many tap at the same time", async () => {
    const approval = await asked();
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        decideApproval(
          approvals,
          tap(approval, {
            status: index % 2 === 0 ? "approved" : "denied",
            role: "admin",
            person: { id: `telegram:${index}`, name: `Person ${index}` },
          }),
        ),
      ),
    );
    const winners = outcomes.filter(({ type }) => type === "decided");
    expect(winners).toHaveLength(1);
    const view = await approvals.find(approval.id);
    for (const { type, text } of outcomes)
      if (type === "refused")
        expect(text).toBe(`This is already ${view?.status} by ${view?.decidedBy}.`);
    // Told once, in words that are true.
    expect(await outboxOf(approval.chat)).toEqual([
      expect.objectContaining({
        kind: "resolution",
        of: `card-${approval.id}`,
        text: `${view?.status === "approved" ? "Approved" : "Denied"} by ${view?.decidedBy}.`,
      }),
    ]);
    expect(await wakeMembers(redis, approval.chat as ChatKey)).toEqual(["in", "out"]);
    const found = await begun(turns, approval.chat as ChatKey);
    expect(found.approvals).toMatchObject([{ status: view?.status }]);
  });

  it("that comes too late is an expiry, decided by the store's own clock", async () => {
    const approval = await asked();
    await redis.hset(approvalKey(approval.id), "expiresAt", Date.now() - 1);
    const outcome = await decideApproval(approvals, tap(approval));
    expect(outcome).toMatchObject({
      type: "refused",
      text: "This has expired.",
      expired: { id: approval.id },
    });
    expect(await approvals.find(approval.id)).toMatchObject({
      status: "expired",
    });
    expect(await approvals.find(approval.id)).not.toHaveProperty("decidedBy");
    expect(await outboxOf(approval.chat)).toMatchObject([
      { text: expect.stringContaining("Expired") as string },
    ]);
    // The next one is told the same, and nothing more happens.
    expect(await decideApproval(approvals, tap(approval))).toEqual({
      type: "refused",
      text: "This has expired.",
    });
    expect(await outboxOf(approval.chat)).toHaveLength(1);
  });

  it("leaves the wake index to what still waits", async () => {
    const approval = await asked();
    const { wake } = chatKeys(approval.chat as ChatKey);
    expect(await redis.zscore(wake, `appr:${approval.id}`)).not.toBeNull();
    await decideApproval(approvals, tap(approval));
    expect(await redis.zscore(wake, `appr:${approval.id}`)).toBeNull();
  });
});

describe("an expiry", () => {
  it("before its time is refused", async () => {
    const approval = await asked();
    const before = await dump(redis);
    expect(await expire(approval.id)).toBeUndefined();
    expect(await dump(redis)).toEqual(before);
  });

  it("in time happens once, no matter which process notices", async () => {
    const approval = await asked();
    await redis.hset(approvalKey(approval.id), "expiresAt", Date.now());
    const noticed = await Promise.all(Array.from({ length: 10 }, () => expire(approval.id)));
    expect(noticed.filter((each) => each !== undefined)).toHaveLength(1);
    expect(await outboxOf(approval.chat)).toHaveLength(1);
  });

  it("never undoes a decision", async () => {
    const approval = await asked();
    await decideApproval(approvals, tap(approval, { status: "denied" }));
    await redis.hset(approvalKey(approval.id), "expiresAt", 1);
    expect(await expire(approval.id)).toBeUndefined();
    expect(await approvals.find(approval.id)).toMatchObject({
      status: "denied",
    });
  });

  it("of an approval without a record leaves the wake index, too", async () => {
    const approval = await asked({ expiresAtMs: Date.now() - 5_000 });
    await redis.del(approvalKey(approval.id));
    const { due } = await sweep(store, 0);
    expect(due.map(({ member }) => member)).toContain(`appr:${approval.id}`);
    await expire(approval.id);
    const { wake } = chatKeys(approval.chat as ChatKey);
    expect(await redis.zscore(wake, `appr:${approval.id}`)).toBeNull();
    await expect(expire("not:an-id")).resolves.toBeUndefined();
  });
});

describe("who may decide", () => {
  const requester = anna;
  const people: Record<string, { person: Person; role: Role }> = {
    requester: { person: requester, role: "member" },
    "banned requester": { person: requester, role: "banned" },
    "requester who is let in no more": { person: requester, role: "stranger" },
    "anonymous requester": {
      person: { ...requester, anonymous: true },
      role: "member",
    },
    "requester who is a guest": { person: requester, role: "guest" },
    "requester who is an admin": { person: requester, role: "admin" },
    owner: { person: ben, role: "owner" },
    "anonymous owner": { person: { ...ben, anonymous: true }, role: "owner" },
    admin: { person: ben, role: "admin" },
    "anonymous admin": { person: { ...ben, anonymous: true }, role: "admin" },
    member: { person: ben, role: "member" },
    guest: { person: ben, role: "guest" },
    stranger: { person: ben, role: "stranger" },
    "banned stranger": { person: ben, role: "banned" },
    "somebody of the same name": {
      person: { id: "telegram:9", name: requester.name },
      role: "member",
    },
    "the same number elsewhere": {
      person: { id: "discord:1", name: requester.name },
      role: "member",
    },
  };
  const entitled: Record<Approval["approvers"], readonly string[]> = {
    "requester-or-admins": ["requester", "requester who is an admin", "admin", "owner"],
    requester: ["requester", "requester who is an admin"],
    admins: ["requester who is an admin", "admin", "owner"],
    owners: ["owner"],
    members: [
      "requester",
      "requester who is an admin",
      "owner",
      "admin",
      "member",
      "somebody of the same name",
      "the same number elsewhere",
    ],
  };
  const matrix = approverPolicies.flatMap((approvers) =>
    Object.keys(people).map((who) => [who, approvers, entitled[approvers].includes(who)] as const),
  );

  it.each(matrix)("%s, where %s decide: %s", async (who, approvers, may) => {
    const approval = await asked({ approvers, requester });
    const before = await dump(redis);
    const { person, role } = people[who] ?? { person: anna, role: "banned" };
    const outcome = await decideApproval(approvals, tap(approval, { person, role }));
    expect(outcome.type).toBe(may ? "decided" : "refused");
    if (may) return;
    expect(outcome.text).toMatch(/\bonly\b|not allowed/i);
    expect(await dump(redis)).toEqual(before);
  });

  it("is asked before the expiry: no one expires what is not theirs", async () => {
    const approval = await asked();
    await redis.hset(approvalKey(approval.id), "expiresAt", 1);
    const before = await dump(redis);
    await decideApproval(approvals, tap(approval, { person: ben }));
    expect(await dump(redis)).toEqual(before);
  });
});

const by = (person: Person, role: Role = "member") => ({ person, role });

describe("an approval of two persons", () => {
  const cleo: Person = { id: "telegram:3", name: "Cleo" };
  const two: Partial<Approval> = { v: 2, approvers: "members", persons: 2 };
  it("needs two different ones, and names both", async () => {
    const approval = await asked(two);
    expect(await decideApproval(approvals, tap(approval))).toMatchObject({
      type: "counted",
      text: "Got it: 1 of 2 approvals. One more person has to approve.",
    });
    expect(await approvals.find(approval.id)).toMatchObject({
      status: "pending",
      approvedFirst: { id: anna.id, name: "Anna" },
    });
    const again = await decideApproval(approvals, tap(approval));
    expect(again).toEqual({
      type: "refused",
      text: "You've already approved this. One more person has to approve.",
    });
    const second = tap(approval, by(ben));
    expect(await decideApproval(approvals, second)).toMatchObject({
      type: "decided",
      text: "Approved.",
    });
    expect(await decideApproval(approvals, tap(approval, by(cleo)))).toEqual({
      type: "refused",
      text: "This is already approved by Anna and Ben.",
    });
    // The card is drawn again as each of them decides.
    expect(await outboxOf(approval.chat)).toEqual([
      expect.objectContaining({ kind: "cards-outcome", v: 2 }),
      expect.objectContaining({ kind: "cards-outcome", v: 2 }),
    ]);
  });

  it("wakes no turn for the first, and leaves its expiry where it was", async () => {
    const approval = await asked(two);
    const { wake } = chatKeys(approval.chat as ChatKey);
    await redis.zrem(wake, `in:${approval.chat}`);
    await decideApproval(approvals, tap(approval));
    expect(await wakeMembers(redis, approval.chat as ChatKey)).toEqual(["out"]);
    expect(await redis.zscore(wake, `appr:${approval.id}`)).not.toBeNull();
    await redis.hset(approvalKey(approval.id), "expiresAt", Date.now() - 1);
    expect(await decideApproval(approvals, tap(approval, by(ben)))).toMatchObject({
      type: "refused",
      text: "This has expired.",
    });
    expect((await approvals.find(approval.id))?.status).toBe("expired");
  });

  it("is denied by any one of them, also by the person who approved it", async () => {
    for (const person of [anna, ben]) {
      const approval = await asked(two);
      await decideApproval(approvals, tap(approval));
      const denied = tap(approval, { ...by(person), status: "denied" });
      expect((await decideApproval(approvals, denied)).type).toBe("decided");
      expect(await approvals.find(approval.id)).toMatchObject({
        status: "denied",
        decidedBy: person.name,
      });
    }
  });

  it("counts no one who has no say, whatever they would be the second of", async () => {
    const approval = await asked({ ...two, approvers: "admins" });
    await decideApproval(approvals, tap(approval, by(ben, "admin")));
    const before = await dump(redis);
    for (const [person, role] of [
      [anna, "member"],
      [cleo, "guest"],
      [cleo, "banned"],
      [cleo, "stranger"],
    ] as const)
      expect(await decideApproval(approvals, tap(approval, by(person, role)))).toMatchObject({
        type: "refused",
        text: /not allowed/,
      });
    expect(await dump(redis)).toEqual(before);
  });

  it("is decided once, by two different ones, however many tap at the same time", async () => {
    for (let round = 0; round < 10; round += 1) {
      const approval = await asked(two);
      const people = Array.from({ length: 12 }, (_, index) => ({
        id: `telegram:${index % 4}`,
        name: `Person ${index % 4}`,
      }));
      const outcomes = await Promise.all(
        people.map((person) => decideApproval(approvals, tap(approval, by(person)))),
      );
      const came = (type: string) => people.filter((_, index) => outcomes[index]?.type === type);
      const [first, ...others] = came("counted");
      const [last, ...more] = came("decided");
      expect([others, more]).toEqual([[], []]);
      expect(first?.id).not.toBe(last?.id);
      expect(await approvals.find(approval.id)).toMatchObject({
        status: "approved",
        approvedFirst: { id: first?.id },
        decidedBy: last?.name,
      });
      expect(await outboxOf(approval.chat)).toHaveLength(2);
    }
  });

  it("on a card of several is counted for each, and told in one sentence", async () => {
    const cards = await askedTogether(two);
    expect(await decideTogether(approvals, tap(cards[0]))).toMatchObject({
      type: "counted",
      text: "Got it: 1 of 2 approvals. One more person has to approve.",
    });
    await decideApproval(approvals, tap(cards[1], by(ben)));
    expect(await decideTogether(approvals, tap(cards[0], by(ben)))).toMatchObject({
      type: "decided",
      text: "Approved: 2 of 3.\n2: This is already approved by Anna and Ben.",
    });
  });

  it("is nothing that earlier versions could take for one person's", () => {
    expect(versionOf({ approvers: "requester" })).toBe(1);
    expect(versionOf({ approvers: "admins", persons: 2 })).toBe(2);
    expect(versionOf({ approvers: "members" })).toBe(2);
    expect(versionOf({ approvers: "owners" })).toBe(2);
  });
});

/** A tap on a copy of its card, in another chat. */
const from = (approval: Approval, role: Role) =>
  ({ ...tap(approval), role, chat: newChat(), messageId: "99", person: ben }) as const;

describe("a call that is decided elsewhere", () => {
  const elsewhere = { approvers: "admins", elsewhere: true } as const;
  const roles = new Map<string, Role>();
  const decideAs = async (attempt: Attempt, role: Role) => {
    roles.set(attempt.person.id, role);
    const roleNow = ({ id }: Person) => Promise.resolve(roles.get(id) ?? ("member" as const));
    const deps = {
      approvals,
      audit,
      access: { trustsGroupAdmins: true, roleOf: roleNow, roleNow },
      wakeTurn: () => Promise.resolve(),
      wakeDelivery: () => Promise.resolve(),
    };
    return await decideAndWake(deps, attempt, "one");
  };
  it("counts an admin's decision in another chat, with another message's id", async () => {
    const approval = await asked(elsewhere);
    expect(await decideAs(from(approval, "admin"), "admin")).toMatchObject({ type: "decided" });
  });

  it.each(["member", "guest", "stranger", "banned"] as const)(
    "counts the stored role (%s), not the one that a group gives its administrators",
    async (stored) => {
      const approval = await asked(elsewhere);
      for (const chat of [newChat(), approval.chat])
        expect(await decideAs({ ...from(approval, "admin"), chat }, stored)).toMatchObject({
          type: "refused",
        });
      expect((await approvals.find(approval.id))?.status).toBe("pending");
    },
  );

  it("wants an owner where only owners may, and nothing from an anonymous admin", async () => {
    const approval = await asked({ ...elsewhere, v: 2, approvers: "owners" });
    expect(await decideAs(from(approval, "owner"), "admin")).toMatchObject({ type: "refused" });
    const anonymous = { ...from(approval, "owner"), person: { ...ben, anonymous: true } };
    expect(await decideAs(anonymous, "owner")).toMatchObject({ type: "refused" });
    expect(await decideAs(from(approval, "owner"), "owner")).toMatchObject({ type: "decided" });
  });

  it("is the only one that another chat decides", async () => {
    const approval = await asked({ approvers: "admins" });
    expect(await decideAs(from(approval, "admin"), "admin")).toMatchObject({ type: "refused" });
  });
});

describe("the audit log", () => {
  const wakes: string[] = [];
  const banned = new Set<string>();
  const admins = new Set<string>();
  const roleNow = (id: string): Promise<Role> =>
    Promise.resolve(banned.has(id) ? "banned" : admins.has(id) ? "admin" : "member");
  const deps = {
    approvals,
    audit,
    access: {
      trustsGroupAdmins: false,
      roleOf: ({ id }: Person) => roleNow(id),
      roleNow: ({ id }: Person) => roleNow(id),
    },
    wakeTurn: (chat: ChatKey) => Promise.resolve(void wakes.push(`in ${chat}`)),
    wakeDelivery: (chat: ChatKey) => Promise.resolve(void wakes.push(`out ${chat}`)),
  };

  it("has every decision, with what was decided and by which policy", async () => {
    const approval = await asked({
      v: 2,
      approvers: "members",
      persons: 2,
      policy: "p-1",
      persona: "chef",
    });
    noted.length = wakes.length = 0;
    await decideAndWake(deps, tap(approval), "one");
    const second = tap(approval, { person: ben });
    await decideAndWake(deps, second, "one");
    await decideAndWake(deps, second, "one");
    expect(noted).toMatchObject([
      [
        `${approval.id} approved 1 of 2`,
        {
          action: "approval-decided",
          by: { id: anna.id, name: "Anna" },
          chat: approval.chat,
          target: approval.tool,
          outcome: "approved 1 of 2",
        },
      ],
      [
        `${approval.id} approved`,
        {
          by: { id: ben.id },
          outcome: "approved",
          details: { policy: "p-1", persona: "chef", first: anna.id },
        },
      ],
    ]);
    expect(JSON.stringify(noted)).not.toContain("path");
    expect(wakes.filter((wake) => wake.startsWith("out"))).toHaveLength(2);
  });

  it("has what a crash left out, once it comes again, and the person is told what came of it", async () => {
    const approval = await asked({ v: 2, approvers: "members", persons: 2 });
    const first = tap(approval, { eventId: "q1" });
    const second = tap(approval, { ...by(ben), eventId: "q2" });
    // What dies before it has written anything down.
    const dying = {
      ...deps,
      audit: { write: () => new Promise<void>(() => undefined) },
    };
    for (const [attempt, type] of [
      [first, "counted"],
      [second, "decided"],
    ] as const) {
      void decideAndWake(dying, attempt, "one");
      await vi.waitFor(async () => {
        const view = await approvals.find(approval.id);
        expect(type === "counted" ? view?.approvedFirst : view?.decidedBy).toBeDefined();
      });
      noted.length = wakes.length = 0;
      expect((await decideAndWake(deps, attempt, "one")).type).toBe(type);
      expect(noted.map(([id]) => id)).toEqual([
        `${approval.id} ${type === "counted" ? "approved 1 of 2" : "approved"}`,
      ]);
      expect(wakes).not.toEqual([]);
    }
    // The first one's comes a last time, and is what it was.
    expect((await decideAndWake(deps, first, "one")).type).toBe("counted");
    // Another try of theirs is none of those.
    expect(await decideAndWake(deps, { ...second, eventId: "q3" }, "one")).toMatchObject({
      type: "refused",
      text: "This is already approved by Anna and Ben.",
    });
    expect(await outboxOf(approval.chat)).toHaveLength(2);
  });

  it("has who takes the place of a first one who was banned since, and counts for nothing", async () => {
    const approval = await asked({ v: 2, approvers: "members", persons: 2 });
    noted.length = 0;
    await decideAndWake(deps, tap(approval), "one");
    banned.add(anna.id);
    const cleo: Person = { id: "telegram:3", name: "Cleo" };
    for (const [person, type] of [
      [ben, "counted"],
      [cleo, "decided"],
    ] as const)
      expect(await decideAndWake(deps, tap(approval, by(person)), "all")).toMatchObject({ type });
    banned.clear();
    expect(await approvals.find(approval.id)).toMatchObject({
      status: "approved",
      approvedFirst: { id: ben.id },
      decidedBy: "Cleo",
    });
    expect(noted.map(([, { outcome }]) => outcome)).toEqual([
      "approved 1 of 2",
      "approved 1 of 2",
      "approved",
    ]);
  });

  it("has who takes the place of a first one who may not decide any more", async () => {
    const asks = { v: 2, approvers: "admins", persons: 2 } as const;
    for (const trustsGroupAdmins of [false, true]) {
      const approval = await asked(asks);
      admins.add(anna.id).add(ben.id);
      const attempt = tap(approval, { role: "admin" });
      await decideAndWake(deps, attempt, "one");
      admins.delete(anna.id);
      // Where a group's own administrators are trusted, she may be one.
      const type = trustsGroupAdmins ? "decided" : "counted";
      const second = tap(approval, by(ben, "admin"));
      const trusting = {
        ...deps,
        access: { ...deps.access, trustsGroupAdmins },
      };
      expect(await decideAndWake(trusting, second, "one")).toMatchObject({
        type,
      });
    }
    admins.clear();
  });

  it("records a person who tried what they may not, under one name however often", async () => {
    const approval = await asked();
    noted.length = wakes.length = 0;
    const elsewhere = approval.chat.replace(/\d+$/, "999999");
    for (const attempt of [
      tap(approval, { person: ben }),
      tap(approval, { person: ben, status: "denied" }),
      tap(approval, { person: ben, role: "owner", chat: elsewhere }),
    ])
      await decideAndWake(deps, attempt, "all");
    expect(noted).toMatchObject([
      [`${approval.id} not entitled`, { action: "attempt-denied" }],
      [`${approval.id} not entitled`, { by: { id: ben.id } }],
      [`${approval.id} another chat`, { chat: elsewhere }],
    ]);
    expect(wakes).toEqual([]);
  });

  it("has expiries, which no one has decided, once", async () => {
    const approval = await asked();
    await redis.hset(approvalKey(approval.id), "expiresAt", Date.now() - 1);
    noted.length = 0;
    await decideAndWake(deps, tap(approval), "one");
    await expire(approval.id);
    expect(noted).toMatchObject([[`${approval.id} expired`, { outcome: "expired" }]]);
    expect(noted[0]?.[1]).not.toHaveProperty("by");
  });
});

describe("where one may decide", () => {
  it.each([
    ["another chat", (chat: string) => chat.replace(/\d+$/, "999999")],
    ["another bot", (chat: string) => chat.replace(":77:", ":78:")],
    ["another platform", (chat: string) => chat.replace("telegram:", "discord:")],
  ])("not in %s", async (_, elsewhere) => {
    const approval = await asked();
    const before = await dump(redis);
    expect(
      await decideApproval(
        approvals,
        tap(approval, { chat: elsewhere(approval.chat), role: "admin" }),
      ),
    ).toEqual({
      type: "refused",
      text: "This button belongs to another chat, or is too old.",
    });
    expect(await dump(redis)).toEqual(before);
  });

  it("is over for all its cards when it was decided on one", async () => {
    const approval = await asked();
    await decideApproval(approvals, tap(approval, { messageId: "500" }));
    await redis.hset(approvalKey(approval.id), "card", "500");
    const [onOther, onSame] = await Promise.all(
      ["501", "500"].map((messageId) => decideApproval(approvals, tap(approval, { messageId }))),
    );
    expect(onOther).toMatchObject({ type: "refused", isStale: true });
    expect(onOther?.text).toMatch(/^This is already approved by /);
    expect(onSame).toEqual({ type: "refused", text: onOther?.text });
  });

  it("in its own message only, once that is known", async () => {
    const approval = await asked();
    await redis.hset(approvalKey(approval.id), "card", "500");
    const wrong = await decideApproval(approvals, tap(approval, { messageId: "501" }));
    expect(wrong).toEqual({
      type: "refused",
      text: "This button belongs to another message.",
    });
    const right = await decideApproval(approvals, tap(approval, { messageId: "500" }));
    expect(right.type).toBe("decided");
  });

  it("also before the card's message is known, and without one", async () => {
    for (const messageId of ["77", undefined]) {
      const approval = await asked();
      const outcome = await decideApproval(approvals, tap(approval, { messageId }));
      expect(outcome.type).toBe("decided");
    }
  });
});

describe("a forged id", () => {
  it("is refused, whatever it is, and touches no key", async () => {
    const real = await asked();
    const before = await dump(redis);
    const forged = fc.oneof(
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.string({ unit: "grapheme", maxLength: 40 }),
      fc.stringMatching(/^s\d{1,3}-[A-Za-z0-9_-]{22}$/),
      fc
        .tuple(fc.constantFrom("", "s1", "s999", "s0}:wake", "{cfg}"), fc.string())
        .map(([shard, rest]) => `${shard}-${rest}`),
      // The real one, damaged.
      fc.nat({ max: real.id.length - 1 }).map((at) => real.id.slice(0, at) + real.id.slice(at + 1)),
      fc.constantFrom(
        `${real.id} `,
        `${real.id}\n`,
        real.id.toUpperCase(),
        `../${real.id}`,
        `${real.id}:${real.id}`,
        "__proto__",
        "s1-__proto__",
      ),
    );
    let tried = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(forged, { minLength: 100, maxLength: 100 }), async (ids) => {
        const outcomes = await Promise.all(
          ids
            .filter((id) => id !== real.id)
            .map((id) => decideApproval(approvals, tap(real, { approvalId: id, role: "admin" }))),
        );
        tried += outcomes.length;
        for (const outcome of outcomes) expect(outcome.type).toBe("refused");
      }),
      { numRuns: 101 },
    );
    expect(tried).toBeGreaterThanOrEqual(10_000);
    expect(await dump(redis)).toEqual(before);
  });
});
