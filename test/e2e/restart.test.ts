import { describe, expect, it } from "vitest";
import { askForNote, isClosed, notesOf } from "../support/parley/notes.ts";
import { longText, stopInTheMiddle } from "../support/parley/previews.ts";
import { openWorld } from "../support/parley/open-world.ts";

const world = await openWorld();
const { model } = world;

describe("after kill -9 of every process", () => {
  it("a tap on a card from before still decides", async () => {
    const first = world.start({ environment: world.environment });
    await first.ready();
    await Promise.all(world.stages.map((stage) => stage.connected()));
    const open = await Promise.all(
      world.stages.map(async (stage) => {
        const ann = stage.direct("Ann");
        const card = await askForNote(ann, "tea after the storm");
        return { ann, card };
      }),
    );
    await world.delivered();
    await first.kill("SIGKILL");
    const second = world.start({ environment: world.environment });
    await second.ready();
    await Promise.all(
      open.map(async ({ ann, card }) => {
        expect(await ann.tap(card, "Approve")).toBe("Approved.");
        await ann.wait(isClosed(card, "Approved by Ann."));
        await ann.wait("write_note said: Noted.");
        expect(await notesOf(ann)).toEqual(["tea after the storm"]);
      }),
    );
    await second.kill("SIGKILL");
  });

  it("what people in Telegram wrote meanwhile is answered, and the answer that was broken off, once", async () => {
    const { telegram } = world;
    const ann = telegram.direct("Ann");
    const first = world.start({ environment: world.environment });
    await first.ready();
    const text = longText("crash");
    const { preview, release } = await stopInTheMiddle(model, ann, text);
    await world.delivered();
    await first.kill("SIGKILL");
    release();
    ann.say("say and this was written while nobody listened");
    const second = world.start({ environment: world.environment });
    await second.ready();
    await ann.wait("and this was written while nobody listened");
    expect(ann.shown().map((message) => message.text)).toEqual([
      text,
      "and this was written while nobody listened",
    ]);
    expect(ann.shown()[0]?.id).toBe(preview.id);
    await second.kill("SIGKILL");
  });
});
