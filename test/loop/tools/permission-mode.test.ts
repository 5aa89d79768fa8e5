import { describe, expect, it } from "vitest";
import { heldGrants } from "../../../src/approvals/held-grants.ts";
import { toolPolicy, type ToolRule } from "../../../src/approvals/tool-policy.ts";
import type { AuditEntry } from "../../../src/core/audit.ts";
import { isAuto, type AutoGrant } from "../../../src/core/grants.ts";
import { chatKey } from "../../../src/core/chat.ts";
import type { Role } from "../../../src/core/roles.ts";
import { localeFor } from "../../../src/locales/locale-for.ts";
import type { LoopDeps } from "../../../src/loop/deps.ts";
import { createGrantStore } from "../../../src/store/approvals/grants.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { ann, bob, calls, openScene, type Scene } from "../scene.ts";

const redis = await testDatabase();
const hour = 3_600_000;

type AllowRule = Extract<ToolRule, { verdict: "allow" }>;
const rule = (more: Partial<AllowRule> = {}): AllowRule => ({
  match: "*",
  verdict: "allow",
  confirm: undefined,
  approvers: undefined,
  autoMs: hour,
  ...more,
});
const under = (...rules: ToolRule[]) => ({
  toolPolicy: toolPolicy(rules, { approvers: "requester-or-admins" }),
});

const open = (rules: readonly ToolRule[] = [rule()], deps: Partial<LoopDeps> = {}) =>
  openScene({ redis, deps: { ...under(...rules), ...deps } });

/** Bob, an admin, has set it just now, for an hour. */
const modeOf = (more: Partial<AutoGrant> = {}): AutoGrant => ({
  v: 1,
  mode: "auto",
  id: "auto:m1",
  by: { id: bob.id, name: bob.name },
  role: "admin",
  wordsOf: [],
  fromMs: Date.now(),
  untilMs: Date.now() + hour,
  ...more,
});

const storeOf = (scene: Scene) => createGrantStore(scene.parts.store);
const setAuto = (scene: Scene, more: Partial<AutoGrant> = {}) =>
  storeOf(scene).give(scene.chat, modeOf(more));

const buy = async (scene: Scene, more: Parameters<Scene["say"]>[1] = {}) => {
  scene.model.reply(calls("buy"), { text: "Done." });
  await scene.say("buy it", { group: true, ...more });
  await scene.settle();
  return scene.runs.length > 0 ? "ran" : ((await scene.statuses())[0] ?? "denied");
};

describe("the permission mode auto", () => {
  it("lets calls run without a card, and their answer says so", async () => {
    await using scene = await open();
    await setAuto(scene);
    scene.model.reply(calls("look", "buy"), { text: "Done." });
    await scene.say("buy it");
    await scene.settle();
    expect(scene.runs).toHaveLength(2);
    expect((await scene.outbox()).map(({ kind }) => kind)).toEqual(["message"]);
    const [message] = await scene.outbox();
    expect(JSON.stringify(message)).toContain("Look ✓ · Buy ✓ (auto)");
    await scene.expectAtRest();
  });

  it("is said below an answer that names no tools, where calls ran by it", async () => {
    for (const language of ["en", "ru"]) {
      await using scene = await open();
      await setAuto(scene);
      await scene.set("tools", "off");
      const person = { ...ann, language };
      scene.model.reply(calls("look"), { text: "Seen." }, calls("look", "buy"), { text: "Done." });
      for (const text of ["look at it", "buy it"]) {
        await scene.say(text, { person });
        await scene.settle();
      }
      const notes = (await scene.outbox()).map((entry) => "note" in entry && entry.note);
      const mark = localeFor(language).permissions.ranByAuto;
      expect(notes).toEqual([false, `⚙ ${mark}`]);
    }
  });

  it("is in the audit log's line of each call that ran by it, and of no other", async () => {
    const lines: Pick<AuditEntry, "target" | "details">[] = [];
    await using scene = await open([rule()], {
      audit: { write: (_id, line) => Promise.resolve(void lines.push(line)) },
    });
    await setAuto(scene);
    scene.model.reply(calls("look", "buy"), { text: "Done." });
    await scene.say("buy it");
    await scene.settle();
    const grants = lines.map(({ target, details }) => `${target} ${details?.["grant"]}`);
    expect(grants.toSorted()).toEqual(["buy auto:m1", "look undefined"]);
  });

  const asks: readonly [string, readonly ToolRule[], Partial<AutoGrant>][] = [
    ["no rule allows it", [], {}],
    ["the rule doesn't", [rule({ autoMs: 0 })], {}],
    ["another rule does, but not the first that matches", [rule({ autoMs: 0 }), rule()], {}],
    ["it is over", [rule()], { untilMs: 1 }],
    [
      "the rule allows it for less time",
      [rule({ autoMs: hour / 2 })],
      { fromMs: Date.now() - 0.75 * hour },
    ],
    ["owners decide and an admin set it", [rule({ approvers: "owners" })], {}],
    ["the requester decides and another person set it", [rule({ approvers: "requester" })], {}],
    ["two persons decide", [rule({ approvers: "admins", persons: 2 })], {}],
    ["its setter was a member, who decides only what they ask for", [rule()], { role: "member" }],
    ["its setter was a guest", [rule({ approvers: "members" })], { role: "guest" }],
  ];
  it.each(asks)("asks where %s", async (_what, rules, more) => {
    await using scene = await open(rules);
    await setAuto(scene, more);
    expect(await buy(scene)).toBe("pending");
  });

  it.each<[string, AllowRule, Partial<AutoGrant>]>([
    ["an owner's", rule({ approvers: "owners" }), { role: "owner" }],
    ["the requester's own", rule({ approvers: "requester" }), { by: ann, role: "member" }],
    ["a member's, for what they ask for", rule(), { by: ann, role: "member" }],
  ])("lets run what its setter could approve: %s", async (_what, allowing, more) => {
    await using scene = await open([allowing]);
    await setAuto(scene, more);
    expect(await buy(scene)).toBe("ran");
  });

  it("never beats a denial, nor hours in which no one is asked", async () => {
    await using denied = await open([{ match: "buy", verdict: "deny" }, rule()]);
    await setAuto(denied);
    expect(await buy(denied)).toBe("denied");
    const quietHours = { fromMinute: 0, toMinute: 1_439, timezone: "UTC", mode: "deny" as const };
    const rules = toolPolicy([rule()], { approvers: "admins", quietHours });
    // Noon, since the last minute of the day is not quiet.
    const noon = Math.floor(Date.now() / 86_400_000) * 86_400_000 + 12 * hour;
    await using quiet = await open([], {
      toolPolicy: rules,
      clock: { monotonic: () => performance.now(), wall: () => noon },
    });
    await setAuto(quiet, { fromMs: noon, untilMs: Date.now() + 48 * hour });
    expect(await buy(quiet)).toBe("denied");
    expect(await quiet.asked()).toEqual([]);
  });

  it("never lets run what no one could be asked about in this place", async () => {
    // In a private chat with a member no admin sees the card.
    await using direct = await open([rule({ approvers: "admins" })]);
    await setAuto(direct);
    expect(await buy(direct, { group: false, role: "member" })).toBe("denied");
    const chat = chatKey({ platform: "discord", bot: "b", chat: "visit-7-9" });
    await using visit = await openScene({ redis, chat, deps: under(rule()) });
    await setAuto(visit);
    expect(await buy(visit)).toBe("denied");
  });

  it("set by someone whose role is lower now lets nothing run", async () => {
    let role: Role = "admin";
    await using scene = await open();
    const deps = {
      grants: heldGrants(storeOf(scene), { roleOf: () => Promise.resolve(role) }),
    };
    scene.with(deps);
    await setAuto(scene);
    role = "member";
    expect(await buy(scene)).toBe("pending");
  });

  it("revoked between proposal and start lets nothing run, and the next proposal asks", async () => {
    let reads = 0;
    await using scene = await open();
    const store = storeOf(scene);
    scene.with({
      grants: {
        async of(chat) {
          reads += 1;
          if (reads === 2) await store.revoke(scene.chat, isAuto);
          return await store.of(scene.chat).then((all) => (chat === scene.chat ? all : []));
        },
      },
    });
    await setAuto(scene);
    scene.model.reply(calls("buy"), calls("buy"), { text: "Not bought." });
    await scene.say("buy it");
    await scene.settle();
    expect(scene.runs).toEqual([]);
    expect(await scene.story()).toContain("tool buy policy-denied");
    expect(await scene.statuses()).toEqual(["pending"]);
  });

  it("doesn't take the place of a standing permission that was revoked", async () => {
    let reads = 0;
    await using scene = await open([rule({ alwaysAllowMs: hour })], {
      grants: {
        of: () => {
          reads += 1;
          const grant = {
            v: 1 as const,
            id: "g1",
            tool: "buy",
            definition: "once",
            scope: "same" as const,
            arguments: '{"label":"0"}',
            by: bob,
            approvers: "requester-or-admins" as const,
            fromMs: Date.now(),
            untilMs: Date.now() + hour,
          };
          return Promise.resolve(reads === 1 ? [grant] : [modeOf()]);
        },
      },
    });
    scene.model.reply(calls("buy"), { text: "Not bought." });
    await scene.say("buy it");
    await scene.settle();
    expect(scene.runs).toEqual([]);
  });

  it("survives a worker that dies after it proposed the call", async () => {
    await using scene = await open();
    await setAuto(scene);
    scene.model.reply(calls("buy"), { text: "Done." });
    await scene.say("buy it");
    const { store } = scene.deps;
    let commits = 0;
    const dying = {
      ...store,
      commit: async (...given: Parameters<typeof store.commit>) => {
        commits += 1;
        if (commits === 2) throw new Error("killed");
        return await store.commit(...given);
      },
    };
    await expect(scene.run(undefined, { store: dying })).rejects.toThrow("killed");
    await scene.parts.store.redis.hdel(chatKeys(scene.chat).state, "owner");
    await scene.settle();
    expect(scene.runs).toHaveLength(1);
    expect(await scene.said()).toEqual(["Done."]);
  });

  it("is not looked for where no rule allows it", async () => {
    let reads = 0;
    await using scene = await open([rule({ autoMs: 0 })], {
      grants: { of: () => Promise.resolve(((reads += 1), [])) },
    });
    expect(await buy(scene)).toBe("pending");
    expect(reads).toBe(0);
  });
});
