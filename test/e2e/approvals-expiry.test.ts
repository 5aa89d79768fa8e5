import { beforeAll, describe, expect, it } from "vitest";
import { askForNote, askForNotes, isClosed, notesOf } from "../support/parley/notes.ts";
import { openWorld } from "../support/parley/open-world.ts";

const world = await openWorld();

beforeAll(async () => {
  await world
    .start({
      environment: world.environment,
      config: "approvals: { expiresAfter: 4s }\n",
    })
    .ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
});

describe("an approval that no one decides", () => {
  it.concurrent.each(world.stages)(
    "is denied when it expires, loses its buttons, says so, and refuses late taps on $name",
    async (stage) => {
      const ann = stage.direct("Ann");
      const card = await askForNote(ann, "too late for tea");
      const [approve = ""] = card.data;
      await ann.wait(isClosed(card, "expired, no one decided in time"));
      expect(await ann.forge(card, approve)).toMatch(/expired/);
      await ann.wait("write_note said: confirmation-expired");
      expect(await notesOf(ann)).toEqual([]);
    },
  );

  it.concurrent.each(world.stages)("of several calls does the same on $name", async (stage) => {
    const ben = stage.direct("Ben");
    const cards = await askForNotes(ben, ["too", "late"]);
    const [approveAll = ""] = cards.data;
    await ben.tap(cards, "✓ 2");
    await ben.wait(isClosed(cards, "✗ 1 expired, no one decided in time"));
    await ben.wait(isClosed(cards, "✓ 2 approved by Ben"));
    expect(await ben.forge(cards, approveAll)).toMatch(
      /1: This has expired\.\n2: This is already approved by Ben\./,
    );
    await ben.wait("write_note said: confirmation-expired");
    expect(await notesOf(ben)).toEqual(["late"]);
  });
});
