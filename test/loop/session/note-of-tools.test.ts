import { describe, expect, it } from "vitest";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { calls, openScene, type Scene } from "../scene.ts";

const redis = await testDatabase();

const notes = async (scene: Scene): Promise<(string | undefined)[]> =>
  (await scene.outbox()).flatMap((entry) => (entry.kind === "message" ? [entry.note] : []));

describe("below the answer of a turn", () => {
  it("stands what it has used, in the history too, and no model reads it", async () => {
    await using scene = await openScene({ redis });
    scene.model.reply(calls("look", "throws"), calls("look"), {
      text: "Done.",
    });
    await scene.say("go");
    await scene.settle();
    await scene.say("and?");
    await scene.settle();
    const used = "⚙ Look ✓✓ · Throws ✗";
    expect(await notes(scene)).toEqual([used, undefined]);
    const answer = (await scene.log()).find(
      (entry) => entry.kind === "assistant" && entry.calls.length === 0,
    );
    expect(answer).toMatchObject({ text: "Done.", note: used });
    expect(JSON.stringify(scene.model.requests.at(-1)?.body)).not.toContain("⚙");
    await scene.expectAtRest();
  });

  it("stands also what it used before a person approved", async () => {
    await using scene = await openScene({ redis });
    scene.model.reply(calls("look"), calls("buy"), { text: "Bought." });
    await scene.say("go");
    await scene.settle();
    await scene.decide(0, "approved");
    await scene.settle();
    expect((await notes(scene)).at(-1)).toBe("⚙ Look ✓ · Buy ✓");
    await scene.expectAtRest();
  });

  it("stands nothing where the chat wants no lines of tools", async () => {
    await using scene = await openScene({ redis });
    await scene.set("tools", "off");
    scene.model.reply(calls("look"), { text: "Done." });
    await scene.say("go");
    await scene.settle();
    expect(await notes(scene)).toEqual([undefined]);
  });

  it("stands with a sentence of ours, too", async () => {
    await using scene = await openScene({ redis });
    await scene.set("maxModelCalls", "2");
    scene.model.reply(calls("look"), { text: "" });
    await scene.say("go");
    await scene.settle();
    expect((await notes(scene)).at(-1)).toMatch(/⚙ Look ✓$/);
    const log = await scene.log();
    expect(log.some((entry) => JSON.stringify(entry).includes("⚙ Look ✓"))).toBe(true);
  });
});
