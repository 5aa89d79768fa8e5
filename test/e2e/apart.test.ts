import { beforeAll, describe, expect, it } from "vitest";
import { openWorld } from "../support/parley/open-world.ts";
import type { TestChat } from "../support/parley/stage.ts";

const world = await openWorld();
const { model } = world;

beforeAll(async () => {
  await world.start({ environment: world.environment }).ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
});

const isDirect = (place: string): boolean => place === "direct";

/** What the model was shown where this was asked last. */
const seenBy = (question: string): string =>
  JSON.stringify(
    model.requests.findLast(({ lastUserText }) => lastUserText.includes(question))?.messages,
  );

describe.each(world.stages)("on $name", (stage) => {
  it("what is said and chosen in a DM, a group, and a topic or thread stays there", async () => {
    const { inside, beside } = stage.topic("Ann");
    const [within] = inside;
    const [group] = beside;
    if (!within || !group) throw new Error("a group with a topic");
    const places: Readonly<Record<string, TestChat>> = {
      direct: stage.directOf(group),
      group,
      topic: within,
    };
    const say = (place: string, text: string): void =>
      void places[place]?.say(text, { mention: !isDirect(place) });
    for (const [place, chat] of Object.entries(places)) {
      say(place, `say the ${stage.name} secret of ${place}`);
      await chat.wait(`the ${stage.name} secret of ${place}`);
    }
    for (const [place, chat] of Object.entries(places)) {
      const question = `${stage.name} asks again in ${place}`;
      say(place, `say ${question}`);
      await chat.wait(question);
      const seen = seenBy(question);
      for (const other of Object.keys(places))
        expect(seen.includes(`secret of ${other}`), `${other} in ${place}`).toBe(other === place);
    }
    // A choice for this chat, where its person may make one, is no other chat's.
    const { direct } = places;
    await direct?.command("settings", "tools off");
    expect(await direct?.command("settings", "tools")).toMatch(/tools: off|tools is now off/);
    for (const chat of [group, within])
      expect(await chat.command("settings", "tools")).not.toContain("off (set");
  });
});
