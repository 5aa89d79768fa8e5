import { describe, expect, it } from "vitest";
import type { TurnStore } from "../../../src/core/ports.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import type { Step } from "../../emulators/model/step.ts";
import { shown } from "../busy.ts";
import { calls, defaultPolicy, openScene, type SceneOptions } from "../scene.ts";
import { localKey, openaiKey, openTwo } from "./two-providers.ts";

const redis = await testDatabase();
const open = (options: Partial<SceneOptions> = {}) => openScene({ redis, ...options });
const hint =
  /\[From the platform: your last answer was empty\. Answer the person now, with what the tools returned/;

const empties: readonly (readonly [string, Step])[] = [
  ["nothing at all", { text: "" }],
  ["spaces", { text: " \n " }],
  ["thoughts alone", { reasoning: "The person greets me.", text: "" }],
  ["thoughts in tags alone", { reasoning: "Hm.", text: "", quirks: ["think-tags"] }],
  ["the end of calls without a call", { text: "", finish: "tool_calls" }],
];

describe.each(empties)("an answer of %s", (_, empty) => {
  it("is asked for again once, and the person reads only the second one", async () => {
    await using scene = await open();
    scene.model.reply(empty, { text: "Hello, Ann." });
    await scene.say("hello");
    await scene.settle();
    expect(await scene.said()).toEqual(["Hello, Ann."]);
    expect(scene.model.requests).toHaveLength(2);
    expect(shown(scene.model.requests[1])).toEqual(shown(scene.model.requests[0]));
    expect(await scene.story()).toEqual(["message hello", "assistant Hello, Ann."]);
    expect(await scene.hash("usage:modelCalls")).toBe("2");
    await scene.expectAtRest();
  });

  it("is asked for again after tools with a hint, and these don't run again", async () => {
    await using scene = await open();
    scene.model.reply(calls("pay"), empty, { text: "Paid." });
    await scene.say("pay");
    await scene.settle();
    expect(await scene.said()).toEqual(["Paid."]);
    expect(scene.runs).toHaveLength(1);
    const texts = scene.model.requests.map((request) => shown(request).join("\n"));
    expect(texts.map((text) => hint.test(text))).toEqual([false, false, true]);
    // The hint is no part of the history.
    await scene.say("and now?");
    await scene.settle();
    expect(shown(scene.model.requests.at(-1)).join("\n")).not.toMatch(hint);
    await scene.expectAtRest();
  });

  it("that comes twice ends with the sentence where there is no other model", async () => {
    await using scene = await open();
    scene.model.reply(empty, empty, { text: "Too late." });
    await scene.say("hello");
    await scene.settle();
    expect(await scene.said()).toEqual([expect.stringMatching(/^Sorry, I got no answer/)]);
    expect(scene.model.requests).toHaveLength(2);
    await scene.expectAtRest();
  });
});

describe("an empty answer", () => {
  const catalogue = { tiers: { balanced: [openaiKey, localKey] }, overrides: { [localKey]: {} } };
  const empty = { text: "" };

  it("that comes twice is asked of the tier's next model", async () => {
    await using two = await openTwo({ redis, catalogue });
    two.openai.reply(empty, empty, { text: "Too late." });
    two.local.reply({ text: "I am the other one." });
    await two.scene.say("hello");
    await two.scene.settle();
    expect(await two.scene.said()).toEqual(["I am the other one."]);
    expect(two.openai.requests).toHaveLength(2);
    await two.expectAtRest();
  });

  it("of each model ends with the sentence, after three calls", async () => {
    await using two = await openTwo({ redis, catalogue });
    two.openai.reply(empty, empty, empty);
    two.local.reply(empty, empty);
    await two.scene.say("hello");
    await two.scene.settle();
    expect(await two.scene.said()).toEqual([expect.stringMatching(/^Sorry, I got no answer/)]);
    expect(two.openai.requests.length + two.local.requests.length).toBe(3);
  });

  it("is asked for again in a later round, too", async () => {
    await using scene = await open();
    scene.model.reply(empty, calls("look"), empty, calls("set"), empty, { text: "Done." });
    await scene.say("hello");
    await scene.settle();
    expect(await scene.said()).toEqual(["Done."]);
  });

  it("isn't asked for again where the turn's limits allow no further call", async () => {
    await using scene = await open({ deps: { policy: { ...defaultPolicy, maxModelCalls: 1 } } });
    scene.model.reply(empty, { text: "Too late." });
    await scene.say("hello");
    await scene.settle();
    expect(scene.model.requests).toHaveLength(1);
    expect(await scene.said()).toEqual([expect.stringMatching(/^Sorry|limit of 1 step/)]);
  });

  it("is one where a schedule may be quiet, and a cut one says that it is cut", async () => {
    await using scene = await open();
    scene.model.reply({ text: "", finish: "length" });
    await scene.say("hello");
    await scene.settle();
    expect(scene.model.requests).toHaveLength(1);
    scene.model.reply(empty);
    const schedule = { id: "abc123", slotMs: 1_790_000_000_000, isQuiet: true };
    await scene.say("news?", { id: "plan:abc123:1", schedule });
    await scene.settle();
    expect(await scene.said()).toHaveLength(1);
    expect(scene.model.requests).toHaveLength(2);
  });

  it("is asked for again once in all where a worker died in between", async () => {
    await using scene = await open({ leaseMs: 30 });
    scene.model.reply(empty, empty, { text: "Too late." });
    await scene.say("hello");
    const { store } = scene.deps;
    let commits = 0;
    const dying: TurnStore = {
      ...store,
      async commit(...given) {
        if ((commits += 1) === 2) throw new Error("killed");
        return store.commit(...given);
      },
    };
    await expect(scene.settle({ store: dying })).rejects.toThrow("killed");
    await expect.poll(async () => (await scene.settle()).type).toBe("done");
    expect(await scene.said()).toEqual(["Too late."]);
    expect(scene.model.requests).toHaveLength(3);
    expect((await scene.log()).filter(({ kind }) => kind === "message")).toHaveLength(1);
  });
});
