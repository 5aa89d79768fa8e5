import { expect, it } from "vitest";
import { askForNote, notesOf } from "../support/parley/notes.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { longText, stopInTheMiddle } from "../support/parley/previews.ts";

const world = await openWorld({ redis: { appendOnly: "always" } });
const { model, redis, telegram } = world;

it("a Redis that is gone for a while costs no message, no approval and no second answer", async () => {
  const parley = world.start({
    environment: { ...world.environment, PARLEY_HTTP_PORT: "0" },
    // What can't be written meanwhile is said, and tried again.
    tolerates: [/./],
  });
  await parley.ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
  const status = async () =>
    (await fetch(`${await parley.httpUrl()}/readyz`)).status;
  expect(await status()).toBe(200);

  const people = await Promise.all(
    world.stages.map(async (stage) => {
      const [running, quiet, waiting] = [
        stage.direct("Ann"),
        stage.direct("Ben"),
        stage.direct("Cleo"),
      ];
      const card = await askForNote(waiting, "tea survives");
      const text = longText(stage.name);
      const { release } = await stopInTheMiddle(model, running, text);
      return { running, quiet, waiting, card, text, release };
    }),
  );

  await redis.kill();
  await expect.poll(status).toBe(503);
  for (const { running, quiet } of people) {
    running.say("say the second answer");
    quiet.say("say written while nothing could be stored");
  }
  // Telegram keeps what has not been stored: it was delivered, and is not confirmed.
  await telegram.until(() => !telegram.server.isPolled, "no poll");
  expect(telegram.server.pendingUpdates).not.toEqual([]);
  await redis.restart();
  for (const { release } of people) release();

  await Promise.all(
    people.map(async ({ running, quiet, waiting, card, text }) => {
      await quiet.wait("written while nothing could be stored");
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
  await expect.poll(status).toBe(200);
  await telegram.until(
    () => telegram.server.pendingUpdates.length === 0,
    "every update confirmed",
  );
});
