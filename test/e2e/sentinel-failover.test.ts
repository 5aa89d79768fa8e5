import { afterAll, beforeAll, expect, it } from "vitest";
import { askForNote, notesOf } from "../support/parley/notes.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { longText, stopInTheMiddle } from "../support/parley/previews.ts";
import { startTestSentinel } from "../support/redis/test-sentinel.ts";

const group = await startTestSentinel({ password: "planted-hush" });
afterAll(() => group[Symbol.asyncDispose]());
const world = await openWorld({ server: group });

beforeAll(async () => {
  const { environment, services } = world;
  // What can't be written meanwhile is said, and tried again.
  const tolerates = [/./];
  await Promise.all(
    [
      { ...environment, PARLEY_ROLE: "bots" },
      { ...services, PARLEY_ROLE: "worker" },
    ].map((each) => world.start({ environment: each, tolerates }).ready()),
  );
  await Promise.all(world.stages.map((stage) => stage.connected()));
});

it("a failover in the middle of turns loses nothing and doubles nothing", async () => {
  const people = await Promise.all(
    world.stages.map(async (stage) => {
      const [running, quiet, waiting] = [
        stage.direct("Ann"),
        stage.direct("Ben"),
        stage.direct("Cleo"),
      ];
      const card = await askForNote(waiting, "tea survives");
      const text = longText(stage.name);
      const { release } = await stopInTheMiddle(world.model, running, text);
      return { running, quiet, waiting, card, text, release };
    }),
  );
  // What the replica has not got yet would be lost: copies are made behind the answers.
  await group.replicated();
  const failingOver = group.failOver();
  for (const { running, quiet, release } of people) {
    release();
    running.say("say the second answer");
    quiet.say("say written while nobody was the master");
  }
  await failingOver;

  await Promise.all(
    people.map(async ({ running, quiet, waiting, card, text }) => {
      await quiet.wait("written while nobody was the master");
      await running.wait("the second answer");
      expect(running.shown().map((message) => message.text)).toEqual([
        text,
        "the second answer",
      ]);
      expect(quiet.shown()).toHaveLength(1);
      expect(await waiting.tap(card, "Approve")).toBe("Approved.");
      await waiting.wait("write_note said: Noted.");
      expect(await notesOf(waiting)).toEqual(["tea survives"]);
    }),
  );
});
