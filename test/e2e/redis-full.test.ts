import { afterAll, beforeAll, expect, it } from "vitest";
import { askForNote, notesOf } from "../support/parley/notes.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { longText, stopInTheMiddle } from "../support/parley/previews.ts";
import { openClient } from "../support/redis/test-client.ts";
import { taken } from "../support/parley/stage.ts";

const world = await openWorld();
const { model } = world;
const client = openClient(world.redis.url);
afterAll(() => client.disconnect());

beforeAll(async () => {
  const { environment, services } = world;
  await Promise.all([
    world.start({ environment: { ...environment, PARLEY_ROLE: "bots" } }).ready(),
    world.start({ environment: { ...services, PARLEY_ROLE: "worker" } }).ready(),
  ]);
  await Promise.all(world.stages.map((stage) => stage.connected()));
});

/** Whatever is used is too much. */
const fillMemory = () => client.config("SET", "maxmemory", "1");
const freeMemory = () => client.config("SET", "maxmemory", "0");

it("a Redis whose memory is full takes no new message, says so, and ends what is under way", async () => {
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
  await fillMemory();
  await Promise.all(
    people.map(async ({ running, quiet, waiting, card, text, release }) => {
      quiet.say("say one of too many");
      const refusal = await quiet.wait("out of storage");
      expect(refusal.text).toMatch(
        /^Sorry, I'm out of storage and couldn't save your message\. .* \(error [a-z2-9]{6}\)$/,
      );
      quiet.say("say two of too many");
      // What only reads is answered as ever.
      expect(await quiet.command("whoami")).toContain(quiet.personId);
      expect(await waiting.tap(card, "Approve")).toMatch(taken);
      await waiting.wait("write_note said: Noted.");
      release();
      await running.wait((message) => message.text === text);
      expect(quiet.shown().filter(({ text }) => text.includes("out of storage"))).toHaveLength(1);
    }),
  );
  await freeMemory();
  await Promise.all(
    people.map(async ({ running, quiet, waiting, text }) => {
      quiet.say("say room again");
      running.say("say and here");
      await quiet.wait("room again");
      await running.wait("and here");
      expect(running.shown().map((message) => message.text)).toEqual([text, "and here"]);
      expect(quiet.shown().some((message) => message.text.includes("too many"))).toBe(false);
      expect(await notesOf(waiting)).toEqual(["tea survives"]);
    }),
  );
});
