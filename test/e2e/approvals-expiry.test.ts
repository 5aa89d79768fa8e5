import { beforeAll, describe, expect, it } from "vitest";
import { askForNote, isClosed, notesOf } from "../support/parley/notes.ts";
import { openWorld } from "../support/parley/open-world.ts";

const world = await openWorld();

beforeAll(async () => {
  await world
    .start({
      environment: world.environment,
      config: "approvals: { expiresAfter: 2s }\n",
    })
    .ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
});

describe("an approval that nobody decides", () => {
  it.concurrent.each(world.stages)(
    "is denied when it expires, says so, and refuses late taps on $name",
    async (stage) => {
      const ann = stage.direct("Ann");
      const card = await askForNote(ann, "too late for tea");
      const [approve = ""] = card.data;
      await ann.wait(isClosed(card, "Expired"));
      expect(await ann.forge(card, approve)).toMatch(/expired/);
      await ann.wait("write_note said: confirmation-expired");
      expect(await notesOf(ann)).toEqual([]);
    },
  );
});
