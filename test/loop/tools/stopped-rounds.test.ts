import { describe, expect, it } from "vitest";
import type { TurnStore } from "../../../src/core/ports.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { asDeclared, calls, defaultPolicy, openScene, type SceneOptions } from "../scene.ts";
import { shown } from "../busy.ts";

const redis = await testDatabase();

const open = (
  stopOn: Partial<typeof defaultPolicy.stopOn>,
  { deps, ...options }: Partial<SceneOptions> = {},
) =>
  openScene({
    redis,
    ...options,
    deps: {
      ...deps,
      policy: { ...defaultPolicy, stopOn: { ...defaultPolicy.stopOn, ...stopOn } },
    },
  });
const denying: SceneOptions["deps"] = {
  toolPolicy: (tool, declared, ...rest) =>
    tool === "send" ? { type: "deny", reason: "no" } : asDeclared(tool, declared, ...rest),
};

/** A worker with this store dies at one of its commits. */
function dyingAt(number: number, store: TurnStore): TurnStore {
  let commits = 0;
  return {
    ...store,
    commit: (...given) =>
      (commits += 1) === number ? Promise.reject(new Error("killed")) : store.commit(...given),
  };
}

describe("a round whose turn stops at a failure", () => {
  it.each([
    ["that throws", ["throws", "pay", "look"]],
    ["that isn't there", ["gone", "pay", "look"]],
    ["of unknown outcome", ["hangs_once", "pay", "set"]],
  ])("runs nothing with an effect behind a call %s", async (_, names) => {
    await using scene = await open({ toolFailure: true });
    scene.model.reply(calls(...names), { text: "It failed." });
    await scene.say("go");
    await scene.settle();
    expect(scene.runs.map((run) => run.split(" ")[0])).not.toContain("pay");
    expect(scene.runs.map((run) => run.split(" ")[0])).not.toContain("set");
    const story = await scene.story();
    expect(story).toContain("tool pay superseded");
    expect(story.at(-1)).toBe("end tool-failure");
    expect(scene.model.requests).toHaveLength(2);
    expect(shown(scene.model.requests.at(-1)).join("\n")).toContain(
      "superseded: it was not run, because another call of the same answer failed",
    );
    await scene.expectAtRest();
  });

  it("runs all of it where the turn doesn't stop then", async () => {
    await using scene = await open({ toolFailure: false });
    scene.model.reply(calls("throws", "pay", "gone", "set"), { text: "Done." });
    await scene.say("go");
    await scene.settle();
    expect(scene.runs.map((run) => run.split(" ")[0])).toEqual(["throws", "pay", "set"]);
  });

  it("closes cards of calls that are undecided, and keeps the result of the failure", async () => {
    await using scene = await open({ toolFailure: true });
    scene.model.reply(calls("throws", "buy"), { text: "It failed." });
    await scene.say("go");
    await scene.settle();
    expect(await scene.statuses()).toEqual(["cancelled"]);
    expect(await scene.story()).toEqual([
      "message go",
      "assistant [throws] [buy]",
      "tool throws tool-error",
      "tool buy superseded",
      "assistant It failed.",
      "end tool-failure",
    ]);
    await scene.expectAtRest();
  });

  it("starts no approved call behind one that failed", async () => {
    await using scene = await open({ toolFailure: true });
    scene.deps = {
      ...scene.deps,
      toolPolicy: () => ({ type: "confirm", approvers: "requester-or-admins" }),
    };
    scene.model.reply(calls("throws", "pay"), { text: "It failed." });
    await scene.say("go");
    await scene.settle();
    await scene.decide(0, "approved");
    await scene.decide(1, "approved");
    await scene.settle();
    expect(scene.runs.map((run) => run.split(" ")[0])).toEqual(["throws"]);
    expect((await scene.story()).at(-1)).toBe("end tool-failure");
    await scene.expectAtRest();
  });

  it("decides the same after its worker died", async () => {
    await using scene = await open({ toolFailure: true }, { leaseMs: 30 });
    scene.model.reply(calls("hangs_once", "pay"), { text: "It failed." });
    await scene.say("go");
    // At the commit that closes the round.
    const dying = dyingAt(2, scene.deps.store);
    await expect(scene.settle({ store: dying })).rejects.toThrow("killed");
    await expect.poll(async () => (await scene.settle()).type).toBe("done");
    expect(scene.runs.map((run) => run.split(" ")[0])).toEqual(["hangs_once"]);
    expect(await scene.story()).toEqual([
      "message go",
      "assistant [hangs_once] [pay]",
      "tool hangs_once outcome-unknown",
      "tool pay superseded",
      "assistant It failed.",
      "end tool-failure",
    ]);
  });
});

describe("a card that is closed by a failure of its round", () => {
  it("is closed by the next worker where the first one died before", async () => {
    await using scene = await open({ toolFailure: true }, { leaseMs: 30 });
    scene.model.reply(calls("throws", "buy"), { text: "It failed." });
    await scene.say("go");
    const dying = dyingAt(3, scene.deps.store);
    await expect(scene.settle({ store: dying })).rejects.toThrow("killed");
    expect(await scene.statuses()).toEqual(["pending"]);
    await expect.poll(async () => (await scene.settle()).type).toBe("done");
    expect(await scene.statuses()).toEqual(["cancelled"]);
    expect(scene.runs.map((run) => run.split(" ")[0])).toEqual(["throws"]);
    await scene.expectAtRest();
  });

  it("changes nothing with a decision that comes at that moment", async () => {
    await using scene = await open({ toolFailure: true });
    scene.model.reply(calls("throws", "buy"), { text: "It failed." });
    await scene.say("go");
    const { store } = scene.deps;
    let commits = 0;
    const racing: TurnStore = {
      ...store,
      async commit(...given) {
        if ((commits += 1) === 3) await scene.decide(0, "approved");
        return store.commit(...given);
      },
    };
    await scene.settle({ store: racing });
    expect(await scene.statuses()).toEqual(["approved"]);
    expect(scene.runs.map((run) => run.split(" ")[0])).toEqual(["throws"]);
    expect(await scene.story()).toContain("tool buy superseded");
    await scene.expectAtRest();
  });
});

describe("a round whose turn stops at a denied call", () => {
  it.each([
    ["another with an effect", ["send", "pay"], "pay"],
    ["one that stands before it", ["pay", "send"], "pay"],
    ["one that reads", ["send", "look"], "look"],
    ["one that asks", ["send", "buy"], "buy"],
  ])("doesn't run %s", async (_, names, other) => {
    await using scene = await open({ policyDenied: true }, { deps: denying });
    scene.model.reply(calls(...names), { text: "That isn't allowed." });
    await scene.say("go");
    await scene.settle();
    expect(scene.runs).toEqual([]);
    expect(await scene.asked()).toEqual([]);
    const story = await scene.story();
    expect(story).toContain("tool send policy-denied");
    expect(story).toContain(`tool ${other} superseded`);
    expect(story.at(-1)).toBe("end policy-denied");
    await scene.expectAtRest();
  });

  it("lets a person's approval of another card count where only a person denied", async () => {
    await using scene = await open({ policyDenied: true });
    scene.model.reply(calls("buy", "buy"), { text: "One of two." });
    await scene.say("go");
    await scene.settle();
    await scene.decide(0, "denied");
    await scene.decide(1, "approved");
    await scene.settle();
    expect(scene.runs).toHaveLength(1);
  });
});
