import { beforeEach, describe, expect, it } from "vitest";
import { placesOf } from "../../src/core/places.ts";
import { isAuto } from "../../src/core/grants.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import {
  directPlace,
  groupPlace,
  newPerson,
  openIngress,
  textOf,
  type Place,
} from "../ingress/open-ingress.ts";

const server = await testDatabase();
const store = storeOn(server);
// A group's own administrators count there.
const ingress = openIngress(store, { trustGroupAdmins: true });
const { grants } = ingress.deps;
const hour = 3_600_000;

const say = async (at: Place, name: string, argument = "", more = {}) =>
  textOf(await ingress.command(at, name, { argument, answersItself: true, ...more }));
const set = (at: Place, value: string) => say(at, "settings", `permissions ${value}`);

async function adminPlace(place = directPlace(newPerson({ name: "Ann" }))): Promise<Place> {
  await ingress.access.setRole(place.person, "admin");
  return place;
}

const spanIn = async ({ chat }: Place): Promise<number | undefined> => {
  const [mode, ...more] = (await grants.of(chat)).filter(isAuto);
  expect(more).toEqual([]);
  return mode && mode.untilMs - mode.fromMs;
};

const lines = async ({ chat, person }: Place) =>
  (await ingress.deps.audit.newest({ personId: person.id }, 100)).records
    .filter((entry) => entry.chat === chat)
    .map(({ action, target, details }) => [action, target, details?.["value"]]);

describe("/settings permissions", () => {
  it.each([
    ["auto", hour],
    ["AUTO", hour],
    ["auto 30m", hour / 2],
    ["auto 1h 30m", 1.5 * hour],
    ["auto 4h", 4 * hour],
  ])("%s", async (value, spanMs) => {
    const at = await adminPlace();
    expect(await set(at, value)).toMatch(
      /^Until \d\d:\d\d UTC I won't ask where a rule allows that\. \/settings permissions ask ends it\.$/,
    );
    expect(await spanIn(at)).toBe(spanMs);
  });

  it.each([
    ["auto 5h", "The longest allowed is 4 h."],
    ["auto 0m", /^permissions can't be "auto 0m"\. Use ask, auto, or auto with a time/],
    ["auto 30", /^permissions can't be "auto 30"/],
    ["auto always", /^permissions can't be "auto always"/],
    ["ask 30m", /^permissions can't be "ask 30m"/],
    ["on", /^permissions can't be "on"/],
    ["automatic", /^permissions can't be "automatic"/],
  ])("%s is refused", async (value, said) => {
    const at = await adminPlace();
    const answer = await set(at, value);
    if (typeof said === "string") expect(answer).toBe(said);
    else expect(answer).toMatch(said);
    expect(await spanIn(at)).toBeUndefined();
  });

  it("says so where no rule allows it, and sets nothing", async () => {
    const strict = openIngress(store);
    const deps = strict.deps as { defaults: typeof strict.deps.defaults };
    deps.defaults = { ...deps.defaults, autoMs: 0 };
    const at = await adminPlace();
    const answer = await strict.command(at, "settings", {
      argument: "permissions auto",
      answersItself: true,
    });
    expect(textOf(answer)).toBe("No rule allows auto here, so I keep asking.");
    const offered = await strict.command(at, "settings", {
      argument: "permissions",
      answersItself: true,
    });
    expect(offered).toMatchObject({ buttons: [{ label: "✓ ask" }] });
    expect(await spanIn(at)).toBeUndefined();
  });

  it.each(["guest", "member"] as const)(
    "is not for a %s, in a direct chat either",
    async (role) => {
      for (const at of [directPlace(), groupPlace()]) {
        await ingress.access.setRole(at.person, role);
        for (const value of ["auto", "auto 1m", "ask"])
          expect(await set(at, value)).toMatch(/^Only /);
        expect(await ingress.tap(at, "sv:permissions:auto 1h")).toMatchObject({ type: "refused" });
        expect(await grants.of(at.chat)).toEqual([]);
      }
    },
  );

  it("is for admins and owners, in a group too", async () => {
    const owner = groupPlace();
    const owned = openIngress(store, { admins: [owner.person.id] });
    await owned.command(owner, "settings", { argument: "permissions auto", answersItself: true });
    expect(await owned.deps.grants.of(owner.chat)).toMatchObject([{ role: "owner" }]);
    const admin = await adminPlace(groupPlace());
    expect(await set(admin, "auto")).toMatch(/^Until /);
    expect(await grants.of(admin.chat)).toMatchObject([
      { by: { id: admin.person.id }, role: "admin" },
    ]);
  });

  it("of a group's own administrator covers what they ask for, and says so", async () => {
    const at = groupPlace();
    await ingress.access.setRole(at.person, "member");
    for (const place of placesOf(at)) await ingress.access.setRule(place, "allow");
    const more = { isGroupAdmin: () => Promise.resolve(true) };
    expect(await say(at, "settings", "permissions auto", more)).toMatch(
      /admin of this group only, so it covers what you ask for yourself\.$/,
    );
    expect(await grants.of(at.chat)).toMatchObject([{ role: "member" }]);
    expect(await say(at, "grants")).toContain(`only when ${at.person.name} asks`);
  });

  it("ends by ask and by default, said by any admin, at once", async () => {
    const at = await adminPlace(groupPlace());
    const other = await adminPlace(groupPlace(newPerson(), at));
    for (const value of ["ask", "default", "ASK"]) {
      await set(at, "auto");
      expect(await set(other, value)).toBe("OK, I'll ask before I act.");
      expect(await grants.of(at.chat)).toEqual([]);
    }
    expect(await set(other, "ask")).toBe("OK, I'll ask before I act.");
  });

  it("replaces a longer one by a shorter one", async () => {
    const at = await adminPlace();
    await set(at, "auto 4h");
    await set(at, "auto 15m");
    expect(await spanIn(at)).toBe(hour / 4);
  });

  it.each(["member", "banned"] as const)(
    "is void once its setter is %s, and stays ended when they are an admin again",
    async (role) => {
      const at = await adminPlace(groupPlace());
      const other = await adminPlace(groupPlace(newPerson(), at));
      await set(at, "auto");
      await ingress.access.setRole(at.person, role);
      expect(await grants.of(at.chat)).toEqual([]);
      expect(await say(other, "status")).not.toContain("Permissions");
      await set(other, "ask");
      await ingress.access.setRole(at.person, "admin");
      expect(await grants.of(at.chat)).toEqual([]);
    },
  );

  it("ends by Redis' clock", async () => {
    const at = await adminPlace();
    await set(at, "auto");
    const { grants: key } = chatKeys(at.chat);
    const [stored = ""] = await store.redis.zrange(key, "0", "-1");
    await store.redis.zadd(key, 1, stored);
    expect(await grants.of(at.chat)).toEqual([]);
    expect(await say(at, "status")).not.toContain("Permissions");
  });

  it("is said in /status, in /settings and in /grants, which ends it too", async () => {
    const at = await adminPlace();
    expect(await say(at, "status")).not.toContain("Permissions");
    await set(at, "auto 30m");
    const until = /auto until \d\d:\d\d UTC, set by Ann/.source;
    expect(await say(at, "status")).toMatch(new RegExp(`^Permissions: ${until}$`, "m"));
    expect(await say(at, "settings")).toMatch(
      new RegExp(`^• permissions: ${until} – whether I ask before I act$`, "m"),
    );
    expect(await say(at, "settings", "permissions")).toMatch(
      new RegExp(`^permissions: ${until} – .*\n• ask – .*\n• auto – .*\nTo change it: `),
    );
    expect(await say(at, "grants")).toMatch(
      /^1\. auto: everything that a rule allows without asking, for another 30 min, allowed by Ann$/m,
    );
    expect(await say(at, "grants", "revoke 1")).toBe("OK, I'll ask before I act.");
    expect(await grants.of(at.chat)).toEqual([]);
  });

  it("is not ended through /grants by a member", async () => {
    const at = await adminPlace(groupPlace());
    const member = groupPlace(newPerson(), at);
    await ingress.access.setRole(member.person, "member");
    await set(at, "auto");
    expect(await say(member, "grants", "revoke 1")).toMatch(/^Only an admin/);
    expect(await spanIn(at)).toBe(hour);
  });

  it("is set by buttons, up to what the rules allow", async () => {
    const at = await adminPlace();
    const shown = await ingress.command(at, "settings", {
      argument: "permissions",
      answersItself: true,
    });
    expect(shown).toMatchObject({
      buttons: [
        { label: "✓ ask", data: "sv:permissions:ask" },
        { label: "auto 15m", data: "sv:permissions:auto 15m" },
        { label: "auto 1h", typed: "/settings permissions auto 1h" },
        { label: "auto 4h" },
      ],
    });
    expect(await ingress.tap(at, "sv:permissions:auto 15m")).toMatchObject({ type: "answered" });
    expect(await spanIn(at)).toBe(hour / 4);
    expect(await ingress.tap(at, "sv:permissions:ask")).toMatchObject({ type: "answered" });
    expect(await spanIn(at)).toBeUndefined();
  });

  it("says so where the chat has as many permissions as it can have", async () => {
    const at = await adminPlace();
    const { grants: key } = chatKeys(at.chat);
    for (let count = 0; count < 50; count += 1)
      await store.redis.zadd(key, Date.now() + hour, `{"odd":${count}}`);
    expect(await set(at, "auto")).toMatch(/too many permissions/);
    expect(await spanIn(at)).toBeUndefined();
  });

  describe("in the audit log", () => {
    let at: Place;
    beforeEach(async () => {
      at = await adminPlace();
    });

    it("has each change, in a direct chat too", async () => {
      await set(at, "auto");
      await set(at, "ask");
      await set(at, "auto");
      await say(at, "grants", "revoke 1");
      const values = ["auto", "ask", "auto", "ask"];
      expect((await lines(at)).toReversed()).toEqual(
        values.map((value) => ["setting-changed", "permissions", value]),
      );
    });

    it("has nothing where nothing changed", async () => {
      await set(at, "ask");
      await set(at, "auto 0m");
      expect(await lines(at)).toEqual([]);
    });

    it("has auto that a member, or no rule, allows", async () => {
      await set(at, "auto 9h");
      const denied = ["attempt-denied", "permissions"];
      expect(await lines(at)).toEqual([[...denied, "auto 9h"]]);
      for (const member of [directPlace(), groupPlace()]) {
        await ingress.access.setRole(member.person, "member");
        await set(member, "ask");
        expect(await lines(member)).toEqual([]);
        await set(member, "auto 30m");
        expect(await lines(member)).toEqual([[...denied, "auto 30m"]]);
        await ingress.tap(member, "sv:permissions:auto 1h");
        expect((await lines(member))[0]).toEqual([...denied, "auto 1h"]);
      }
    });
  });
});
