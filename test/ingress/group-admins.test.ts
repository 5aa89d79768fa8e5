import { describe, expect, it } from "vitest";
import type { ApproverPolicy } from "../../src/core/approval.ts";
import { placesOf } from "../../src/core/places.ts";
import { askedIn } from "../store/asking.ts";
import { storeOn, turnStoreOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import {
  directPlace,
  groupPlace,
  newPerson,
  openIngress,
  textOf,
  type TestIngress,
  type Place,
} from "./open-ingress.ts";

const store = storeOn(await testDatabase());
const turns = turnStoreOn(store);
const trusting = openIngress(store, { trustGroupAdmins: true });
const wary = openIngress(store);

async function letIn(at: Place): Promise<void> {
  for (const place of placesOf(at)) await trusting.access.setRule(place, "allow");
}

/**
 * A member who administers the group that they are in, as the platform says; an admin has let it
 * in.
 */
async function groupAdmin(isGroupAdmin: () => Promise<boolean>) {
  const at = groupPlace(newPerson());
  await letIn(at);
  const run = async (ingress: TestIngress, name: string, argument = "") =>
    textOf(
      await ingress.command(at, name, {
        argument,
        isGroupAdmin,
        answersItself: true,
      }),
    );
  return { at, run };
}

const yes = () => Promise.resolve(true);

describe("a group's own administrator", () => {
  it("changes the group's settings where the operator trusts them, and only there", async () => {
    const { run } = await groupAdmin(yes);
    expect(await run(wary, "settings", "whileBusy steer")).toMatch(/\bonly\b|not allowed/i);
    expect(await run(trusting, "settings", "whileBusy steer")).toMatch(/whileBusy is now steer/);
    expect(await run(trusting, "tier", "fast chat")).toMatch(/This chat's tier is now fast/);
  });

  it("is told so, and what they are everywhere else", async () => {
    const { run } = await groupAdmin(yes);
    const said = await run(trusting, "role");
    expect(said).toMatch(/^Role: member\n/);
    expect(said).toContain("You're an admin of this group");
    expect(await run(wary, "role")).not.toContain("admin of this group");
  });

  it("has none of the rights that go beyond the group", async () => {
    const { at, run } = await groupAdmin(yes);
    for (const [name, argument] of [
      ["allow", "telegram:5"],
      ["ban", "telegram:5"],
      ["ban", "here"],
      ["role", "telegram:5 member"],
      ["pause", ""],
      ["broadcast", "hello"],
      ["audit", ""],
    ] as const)
      expect([name, await run(trusting, name, argument)]).toEqual([
        name,
        expect.stringMatching(/\bonly\b|not allowed/i),
      ]);
    expect(await trusting.access.ruleOf(`telegram:chat:${at.address.chat}` as never)).toBe("allow");
    const card = await trusting.tap(at, "pa:ABCDEFGH", { isGroupAdmin: yes });
    expect(textOf(card)).toMatch(/\bonly\b|not allowed/i);
  });

  it("decides what another member asked for", async () => {
    const { at } = await groupAdmin(yes);
    const { id } = await openApproval(groupPlace(newPerson(), at));
    const tap = (isGroupAdmin: () => Promise<boolean>) =>
      trusting.tap(at, `a:${id}`, { isGroupAdmin });
    expect(textOf(await tap(() => Promise.resolve(false)))).toMatch(/\bonly\b|not allowed/i);
    expect(textOf(await tap(yes))).toBe("Approved.");
  });

  it("gains nothing in a group of their own that no one has let in", async () => {
    const own = groupPlace(newPerson());
    const { id } = await openApproval(own, "admins");
    const tap = async () => textOf(await trusting.tap(own, `a:${id}`, { isGroupAdmin: yes }));
    expect(await tap()).toMatch(/^Only an admin can decide this/);
    const set = { argument: "set chat messages 100/min", answersItself: true };
    const more = { ...set, isGroupAdmin: yes };
    expect(textOf(await trusting.command(own, "limits", more))).toMatch(/\bonly\b|not allowed/i);
    await letIn(own);
    expect(await tap()).toBe("Approved.");
  });

  it("is no one special where they may not use the bot, nor in private", async () => {
    const closed = openIngress(store, {
      mode: "pairing",
      trustGroupAdmins: true,
      admins: [newPerson().id],
    });
    const stranger = groupPlace(newPerson());
    const said = await closed.command(stranger, "settings", {
      argument: "whileBusy steer",
      isGroupAdmin: yes,
      answersItself: true,
    });
    expect(textOf(said)).toMatch(/^Sorry, I'm only available to approved people/);
    const own = directPlace(newPerson());
    await closed.access.setRole(own.person, "guest");
    const outcome = await closed.command(own, "settings", {
      argument: "whileBusy steer",
      isGroupAdmin: yes,
      answersItself: true,
    });
    expect(textOf(outcome)).toMatch(/\bonly\b|not allowed/i);
  });

  it("may be a guest of a group that was let in, and does there what members and admins do", async () => {
    const closed = openIngress(store, {
      mode: "pairing",
      trustGroupAdmins: true,
    });
    const at = groupPlace(newPerson());
    await letIn(at);
    const run = async (name: string, argument: string, isAdmin: boolean) =>
      textOf(
        await closed.command(at, name, {
          argument,
          isGroupAdmin: () => Promise.resolve(isAdmin),
          answersItself: true,
        }),
      );
    expect(await run("role", "", true)).toMatch(/^Role: guest\n/);
    const setting = ["settings", "whileBusy steer"] as const;
    expect(await run(...setting, false)).toMatch(/\bonly\b|not allowed/i);
    expect(await run(...setting, true)).toMatch(/whileBusy is now steer/);
    const { id } = await openApproval(at, "admins");
    expect(await run("approve", id, false)).toMatch(/\bonly\b|not allowed/i);
    expect(await run("approve", id, true)).toBe("Approved.");
    for (const name of ["pause", "stats", "ban"])
      expect(await run(name, "", true)).toMatch(/\bonly\b|not allowed/i);
  });

  it("is asked for only where it matters", async () => {
    let asked = 0;
    const ask = () => {
      asked += 1;
      return Promise.resolve(false);
    };
    const { at, run } = await groupAdmin(ask);
    await trusting.say(at, "hello", { isGroupAdmin: ask });
    expect(asked).toBe(0);
    await run(wary, "settings");
    expect(asked).toBe(0);
    await run(trusting, "settings");
    expect(asked).toBe(1);
    const admin = groupPlace(newPerson());
    await trusting.access.setRole(admin.person, "admin");
    await trusting.command(admin, "settings", { isGroupAdmin: ask });
    expect(asked).toBe(1);
  });
});

/** A call of someone's in a group that waits for a decision. */
async function openApproval(at: Place, approvers?: ApproverPolicy) {
  await trusting.say(at, "do it");
  return await askedIn(turns, at.chat, {
    requester: at.person,
    ...(approvers === undefined ? {} : { approvers }),
  });
}
