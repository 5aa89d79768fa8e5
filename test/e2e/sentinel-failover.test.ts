import { afterAll, beforeAll, it } from "vitest";
import { expectNothingLost, sayMore, threeOfEach } from "../support/parley/in-trouble.ts";
import { openWorld } from "../support/parley/open-world.ts";
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

const words = "written while nobody was the master";

it("a failover in the middle of turns loses nothing and doubles nothing", async () => {
  const people = await threeOfEach(world);
  // What the replica has not got yet would be lost: copies are made behind the answers.
  await group.replicated();
  const failingOver = group.failOver();
  for (const each of people) {
    each.release();
    sayMore(each, words);
  }
  await failingOver;

  await expectNothingLost(people, words);
});
