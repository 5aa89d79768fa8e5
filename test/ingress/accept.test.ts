import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { createApprovalStore } from "../../src/store/approvals/approvals.ts";
import { chatKeys, configKey } from "../../src/store/keys.ts";
import { askedIn } from "../store/asking.ts";
import { begun, dump, keysOf, storeOn, turnStoreOn } from "../store/support.ts";
import { countLeftOut } from "../../src/store/turns/left-out.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import {
  directPlace,
  groupPlace,
  newPerson,
  openIngress,
  textOf,
  type Place,
} from "./open-ingress.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const turns = turnStoreOn(store);
const ingress = openIngress(store);

beforeEach(() => {
  ingress.wakes.length = 0;
});

describe("a message", () => {
  it("goes into the inbox as it was said, and wakes its chat", async () => {
    const at = groupPlace();
    expect(await ingress.say(at, "  hello \n", { id: "m7", messageId: "7" })).toEqual({
      type: "queued",
    });
    expect(ingress.wakes).toEqual([`turn ${at.chat}`]);
    expect(await begun(turns, at.chat)).toMatchObject({
      transcript: [
        {
          id: "m7",
          messageId: "7",
          text: "  hello \n",
          group: true,
          person: at.person,
          role: "member",
        },
      ],
      state: { role: "member" },
    });
  });

  it("that is delivered again is a duplicate", async () => {
    const at = directPlace();
    await ingress.say(at, "hello", { id: "m1" });
    expect(await ingress.say(at, "hello", { id: "m1" })).toEqual({
      type: "duplicate",
    });
    expect(await ingress.waiting(at.chat)).toEqual(["m1"]);
  });

  it.each([
    ["empty", "", /^Yes\? What can I do/],
    ["blank", " \n\t\u3000", /^Yes\? What can I do/],
    ["too long", "x".repeat(50_001), /50,001 characters; the limit is 50,000/],
  ])("that is %s is answered once, and no turn begins", async (_, text, said) => {
    const at = directPlace();
    const outcome = await ingress.say(at, text, { id: "m1" });
    expect(textOf(outcome)).toMatch(said);
    expect(await ingress.say(at, text, { id: "m1" })).toEqual({
      type: "duplicate",
    });
    expect(await ingress.told(at.chat)).toHaveLength(1);
    expect(await keysOf(redis, at.chat)).toEqual(["out", "seen", "wake out"]);
    expect(ingress.wakes).toContain(`delivery ${at.chat}`);
  });

  it("is not kept out by figures that no one can count with", async () => {
    const day = new Date().toISOString().slice(0, 10);
    const figures = configKey(`chats:${day}`);
    await redis.set(figures, "no figures");
    const at = directPlace();
    expect(await ingress.say(at, "hello")).toEqual({ type: "queued" });
    expect(await ingress.waiting(at.chat)).toHaveLength(1);
    await redis.del(figures);
  });

  it("may have 50,000 characters", async () => {
    const at = directPlace();
    const text = "x".repeat(50_000);
    expect(await ingress.say(at, text)).toEqual({ type: "queued" });
    expect((await begun(turns, at.chat)).transcript).toMatchObject([{ text }]);
  });

  it("with half a character is stored without it", async () => {
    const at = directPlace();
    await ingress.say(at, "half \ud83d here");
    expect((await begun(turns, at.chat)).transcript).toMatchObject([{ text: "half \ufffd here" }]);
  });

  it("of a burst wakes its chat only when the others have come", async () => {
    const at = directPlace();
    await ingress.say(at, "one", { burst: "album" });
    expect(ingress.wakes).toEqual([`burst ${at.chat}`]);
    await ingress.say(at, "two");
    expect(ingress.wakes).toEqual([`burst ${at.chat}`, `turn ${at.chat}`]);
  });

  it("that finds the inbox full is refused in words for each person, and the notice counts those after it", async () => {
    for (const at of [directPlace(), groupPlace()]) {
      for (let index = 0; index < 20; index += 1) await ingress.say(at, "more");
      const first = { id: "m21-late", messageId: "21" };
      const outcome = await ingress.say(at, "too many", first);
      expect(textOf(outcome)).toContain("couldn't take this message");
      expect(await ingress.say(at, "too many", first)).toEqual({
        type: "duplicate",
      });
      for (let number = 22; number < 60; number += 1) {
        const late = { id: `m${number}-late`, messageId: `${number}` };
        const outcomes = [
          await ingress.say(at, "too many", late),
          await ingress.say(at, "too many", late),
        ];
        expect(outcomes).toMatchObject([{ type: "refused" }, { type: "refused" }]);
      }
      const other = { ...at, person: newPerson() };
      expect(textOf(await ingress.say(other, "me too", { messageId: "60" }))).toContain(
        "couldn't take this message",
      );
      const told = await ingress.outbox(at.chat);
      const notices = told.filter(({ kind }) => kind === "notice");
      expect(notices).toMatchObject([
        { replyTo: "21", patient: true },
        { replyTo: "60", patient: true },
      ]);
      // One edit waits for all of them, also where they are delivered twice. It shows the count of its time.
      const edits = told.filter((entry) => entry.kind === "resolution");
      expect(edits).toMatchObject([
        {
          of: notices[0]?.id,
          text: expect.stringMatching(
            /^I'm behind .* this message\..*\nNot taken, from this one on: 2 messages\.$/,
          ) as string,
        },
      ]);
      expect(
        await countLeftOut(store, edits[0]?.leftOut?.of ?? "", { id: "edit", wasSent: true }),
      ).toBe(39);
      expect(await ingress.waiting(at.chat)).toHaveLength(20);
    }
  });

  it("that finds the inbox full in a pause reads that, and no promise of minutes", async () => {
    const at = directPlace();
    for (let index = 0; index < 20; index += 1) await ingress.say(at, "more");
    await ingress.deps.pauses.pause("telegram", { isNow: false });
    const outcome = await ingress.say(at, "too many");
    await ingress.deps.pauses.resume("telegram");
    expect(textOf(outcome)).toMatch(/^I'm paused .* when I'm back\.$/);
  });

  it("whose adapter answers by itself is refused there, and nowhere else", async () => {
    const at = directPlace();
    const asked = { answersItself: true };
    expect(textOf(await ingress.say(at, " ", asked))).toMatch(/^Yes\? What can I do/);
    for (let index = 0; index < 20; index += 1) await ingress.say(at, "more");
    expect(await ingress.say(at, "too many", asked)).toEqual({
      type: "refused",
      text: expect.stringContaining("couldn't take") as string,
    });
    expect(await ingress.told(at.chat)).toEqual([]);
  });

  it("of someone refused is answered every time where an answer is awaited", async () => {
    const closed = openIngress(store, { mode: "allowlist" });
    const at = groupPlace();
    const banned = groupPlace();
    await closed.access.setRole(banned.person, "banned");
    const asked = { answersItself: true };
    for (const place of [at, banned, at, banned])
      for (const outcome of [
        await closed.say(place, "hi", asked),
        await closed.command(place, "status", asked),
      ])
        expect(outcome).toEqual({
          type: "refused",
          text: expect.stringMatching(
            place === at ? /approved people\..* \/allow here/ : /approved people\.$/,
          ) as string,
        });
    expect(textOf(await closed.command(banned, "help", asked))).toMatch(/\bonly\b|not allowed/i);
    expect(await closed.told(at.chat)).toEqual([]);
    expect(await closed.told(banned.chat)).toEqual([]);
  });

  it("of someone refused is answered once per window and chat, and leaves nothing behind", async () => {
    const closed = openIngress(store, { mode: "allowlist" });
    const [at, elsewhere] = [groupPlace(), groupPlace()];
    for (let index = 0; index < 5; index += 1) await closed.say(at, "hi");
    await closed.say({ ...elsewhere, person: at.person }, "hi");
    await closed.say(groupPlace(newPerson(), at), "hi");
    expect(await closed.told(at.chat)).toHaveLength(2);
    expect(await closed.told(elsewhere.chat)).toHaveLength(1);
    expect(await keysOf(redis, at.chat)).toEqual(["out", "seen", "wake out"]);
    expect((await closed.outbox(at.chat))[0]).toHaveProperty("replyTo");
  });
});

async function asked(at: Place) {
  await ingress.say(at, "delete it");
  const approval = await askedIn(turns, at.chat, { requester: at.person });
  ingress.wakes.length = 0;
  return approval;
}

/** All that is stored but the audit log, which tells of refusals too. */
const unaudited = async () =>
  Object.fromEntries(
    Object.entries(await dump(redis)).filter(([key]) => !key.startsWith("parley:{cfg}:audit-")),
  );

describe("a tap", () => {
  it("decides, answers, and wakes both the turn and the delivery", async () => {
    const at = directPlace();
    const { id } = await asked(at);
    expect(await ingress.tap(at, `d:${id}`)).toEqual({
      type: "answered",
      text: "Denied.",
      isPrivate: true,
      isOnCard: true,
    });
    expect(ingress.wakes.sort()).toEqual([`delivery ${at.chat}`, `turn ${at.chat}`]);
    const audited = await ingress.deps.audit.newest({}, 1);
    expect(audited.records).toMatchObject([
      {
        action: "approval-decided",
        outcome: "denied",
        by: { id: at.person.id },
        chat: at.chat,
      },
    ]);
  });

  it("on a card that was sent twice says that its buttons are to go, once it was decided on the other", async () => {
    const at = directPlace();
    const { id } = await asked(at);
    const [shard] = id.split("-");
    await redis.hset(`parley:{${shard}}:appr:${id}`, "card", "500");
    await ingress.tap(at, `d:${id}`, { messageId: "500" });
    expect(await ingress.tap(at, `d:${id}`, { messageId: "499" })).toMatchObject({
      type: "refused",
      isStale: true,
    });
  });

  it("that comes too late wakes them too: it is an expiry that no one else has noticed", async () => {
    const at = directPlace();
    const { id } = await asked(at);
    const [shard] = id.split("-");
    await redis.hset(`parley:{${shard}}:appr:${id}`, "expiresAt", 1);
    expect(await ingress.tap(at, `a:${id}`)).toEqual({
      type: "refused",
      text: "This has expired.",
    });
    expect(ingress.wakes.sort()).toEqual([`delivery ${at.chat}`, `turn ${at.chat}`]);
    expect(await createApprovalStore(store).find(id)).toMatchObject({
      status: "expired",
    });
  });

  it("that is refused wakes no one and changes nothing", async () => {
    const at = groupPlace();
    const { id } = await asked(at);
    const before = await unaudited();
    const other = groupPlace(newPerson(), at);
    expect(textOf(await ingress.tap(other, `a:${id}`))).toMatch(/\bonly\b|not allowed/i);
    expect(textOf(await ingress.tap(groupPlace(at.person), `a:${id}`))).toContain("another chat");
    expect(ingress.wakes).toEqual([]);
    expect(await unaudited()).toEqual(before);
  });

  it("with anything for data is refused, without an error or a trace", async () => {
    const at = directPlace();
    const admin = directPlace();
    const owned = openIngress(store, { admins: [admin.person.id] });
    // Where an admin can be reached is remembered once.
    await owned.tap(admin, "");
    const before = await unaudited();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: "binary", maxLength: 64 }),
          fc
            .tuple(
              fc.constantFrom("a:", "d:", "pa:", "pd:", "t:p:", "m:c:", "x:", ":", ""),
              fc.string({ unit: "grapheme", maxLength: 60 }),
            )
            .map((parts) => parts.join("")),
        ),
        async (data) => {
          expect((await owned.tap(at, data)).type).toBe("refused");
          expect(textOf(await owned.tap(admin, data))).not.toBe("");
        },
      ),
      { numRuns: 500 },
    );
    expect(await unaudited()).toEqual(before);
  });
});

describe("a chat", () => {
  it("of a stranger who only asked for help is forgotten with the ids of what they asked", async () => {
    const at = directPlace();
    await ingress.command(at, "help");
    await redis.del(chatKeys(at.chat).outbox);
    const { seen } = chatKeys(at.chat);
    expect(await keysOf(redis, at.chat)).toEqual(["seen", "wake out"]);
    expect(await redis.pttl(seen)).toBeGreaterThan(0);
  });
});
