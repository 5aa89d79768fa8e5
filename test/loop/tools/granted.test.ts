import { describe, expect, it } from "vitest";
import type { Grant } from "../../../src/core/grants.ts";
import type { LoopDeps } from "../../../src/loop/deps.ts";
import type { ToolPolicy, Verdict } from "../../../src/loop/tools/prepare-call.ts";
import { createGrantStore } from "../../../src/store/approvals/grants.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { ann, bob, calls, openScene, type Scene } from "../scene.ts";

const redis = await testDatabase();

const hour = 3_600_000;
const ruled =
  (verdict: Partial<Verdict & { type: "confirm" }> = {}): ToolPolicy =>
  (_tool, declared) =>
    declared === "run"
      ? { type: "run" }
      : {
          type: "confirm",
          approvers: "requester-or-admins",
          alwaysAllowMs: 8 * hour,
          ...verdict,
        };

const open = (deps: Partial<LoopDeps> = {}) =>
  openScene({ redis, deps: { toolPolicy: ruled(), ...deps } });

/** Buying with the label 0, as the test tool `buy` is now. */
const grantOf = (more: Partial<Grant> = {}): Grant => ({
  v: 1,
  id: "g1",
  tool: "buy",
  definition: "once",
  scope: "same",
  arguments: '{"label":"0"}',
  by: { id: bob.id, name: bob.name },
  approvers: "requester-or-admins",
  fromMs: Date.now(),
  untilMs: Date.now() + hour,
  ...more,
});

const give = (scene: Scene, more: Partial<Grant> = {}) =>
  createGrantStore(scene.parts.store).give(scene.chat, grantOf(more));

const buy = async (scene: Scene, label = "0") => {
  scene.model.reply({ toolCalls: [{ name: "buy", arguments: { label } }] }, { text: "Done." });
  await scene.say("buy it");
  await scene.settle();
  return scene.runs.length > 0 ? "ran" : "asked";
};

describe("a standing permission", () => {
  it("lets the same call run unasked, and shows no card", async () => {
    await using scene = await open();
    await give(scene);
    expect(await buy(scene)).toBe("ran");
    expect((await scene.outbox()).map(({ kind }) => kind)).toEqual(["message"]);
    await scene.expectAtRest();
  });

  it("is for its own chat", async () => {
    await using given = await open();
    await using other = await open();
    await give(given);
    expect(await buy(other)).toBe("asked");
  });

  const holds: readonly [string, Partial<Grant>, string][] = [
    ["for the same arguments only", {}, "1"],
    ["for no other tool", { tool: "pay" }, "0"],
    ["for no other version of the tool", { definition: "once v2" }, "0"],
    ["until its end", { untilMs: 1 }, "0"],
    ["for its requester alone", { requester: bob }, "0"],
    ["where somebody stricter is asked for now", { approvers: "members" }, "0"],
    ["for no arguments of another kind", { scope: "shape", arguments: '{"name":"0"}' }, "0"],
  ];
  it.each(holds)("holds %s", async (_what, more, label) => {
    await using scene = await open();
    await give(scene, more);
    expect(await buy(scene, label)).toBe("asked");
  });

  it("for arguments of a kind holds for all of that kind", async () => {
    await using scene = await open();
    await give(scene, { scope: "shape", requester: ann });
    expect(await buy(scene, "anything")).toBe("ran");
  });

  it.each([
    ["no such thing", {}],
    ["only shorter ones", { alwaysAllowMs: 1 }],
    ["two persons", { alwaysAllowMs: 8 * hour, persons: 2 as const }],
  ])("counts for nothing where the operator now wants %s", async (what, to) => {
    const toolPolicy = what === "no such thing" ? ruled({ alwaysAllowMs: 0 }) : ruled(to);
    await using scene = await open({ toolPolicy });
    await give(scene, { fromMs: Date.now() - hour });
    scene.model.reply(calls("buy"));
    await scene.say("buy it", { group: true });
    await scene.settle();
    expect(scene.runs).toEqual([]);
    expect(await scene.statuses()).toEqual(["pending"]);
  });

  it("never beats a denial", async () => {
    await using scene = await open({ toolPolicy: () => ({ type: "deny" }) });
    await give(scene);
    expect(await buy(scene)).toBe("asked");
    expect(await scene.asked()).toEqual([]);
    expect((await scene.story()).includes("tool buy policy-denied")).toBe(true);
  });

  it("taken back between proposal and claim lets nothing run", async () => {
    let reads = 0;
    await using scene = await open({
      grants: {
        of: () => {
          reads += 1;
          return Promise.resolve(reads === 1 ? [grantOf()] : []);
        },
      },
    });
    scene.model.reply(calls("buy"), { text: "Not bought." });
    await scene.say("buy it");
    await scene.settle();
    expect(reads).toBe(2);
    expect(scene.runs).toEqual([]);
    expect((await scene.story()).includes("tool buy policy-denied")).toBe(true);
    expect(await scene.said()).toEqual(["Not bought."]);
  });

  it("that cannot be read is none: a person is asked", async () => {
    await using scene = await open({
      grants: { of: () => Promise.reject(new Error("no store")) },
    });
    expect(await buy(scene)).toBe("asked");
    expect(await scene.statuses()).toEqual(["pending"]);
  });

  it("is not looked for where none could matter", async () => {
    let reads = 0;
    await using scene = await open({
      toolPolicy: ruled({ alwaysAllowMs: 0 }),
      grants: {
        of: () => {
          reads += 1;
          return Promise.resolve([]);
        },
      },
    });
    scene.model.reply(calls("look", "buy"));
    await scene.say("look and buy");
    await scene.settle();
    expect(reads).toBe(0);
    expect(await scene.statuses()).toEqual(["pending"]);
  });

  it("beside a call that is asked about runs at once", async () => {
    await using scene = await open();
    await give(scene);
    scene.model.reply(calls("buy", "buy"), { text: "Done." });
    await scene.say("buy two");
    await scene.settle();
    expect(scene.runs).toEqual(['buy {"label":"0"}']);
    await scene.decide(0, "approved");
    await scene.settle();
    expect(scene.runs).toEqual(['buy {"label":"0"}', 'buy {"label":"1"}']);
    await scene.expectAtRest();
  });
});
