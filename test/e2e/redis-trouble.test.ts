import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  expectNothingLost,
  sayMore,
  threeOfEach,
  type InTrouble,
} from "../support/parley/in-trouble.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { isAtLeast } from "../support/parley/log-lines.ts";
import type { ParleyProcess } from "../support/parley/parley-process.ts";
import { openClient } from "../support/redis/test-client.ts";

const world = await openWorld({ redis: { appendOnly: "always" } });
const { redis, telegram } = world;
const client = openClient(redis.url);
afterAll(() => client.disconnect());

const processes: ParleyProcess[] = [];

/** What a process has said at level warn or above since it had said so much. */
const warnings = (parley: ParleyProcess, from: number): string[] =>
  parley.log.slice(from).flatMap((line) => (isAtLeast(line, "warn") ? [line.msg ?? ""] : []));

beforeAll(async () => {
  const { environment, services } = world;
  await redis.kill();
  for (const given of [
    { ...environment, PARLEY_ROLE: "bots" },
    { ...services, PARLEY_ROLE: "worker" },
    { ...services, PARLEY_ROLE: "worker" },
  ])
    processes.push(world.start({ environment: given }));
  await Promise.all(processes.map((each) => each.waitForLog(/nothing is listening there/)));
  await redis.restart();
  await Promise.all(processes.map((each) => each.ready()));
  await Promise.all(world.stages.map((stage) => stage.connected()));
});

const words = "written in the trouble";

/** Everybody gets what they asked for before, during and after the trouble, once. */
async function goOn(people: readonly InTrouble[]): Promise<void> {
  await expectNothingLost(people, words);
  await telegram.until(() => telegram.server.pendingUpdates.length === 0, "every update confirmed");
}

it("a Redis that is away at the start is waited for, and that is said once", () => {
  for (const { log } of processes) {
    // What comes later is other tests' trouble.
    const start = log.slice(
      0,
      log.findIndex(({ msg }) => msg === "ready"),
    );
    expect(start.filter(({ msg = "" }) => msg.includes("nothing is listening there"))).toHaveLength(
      1,
    );
  }
});

describe("a Redis that gets into trouble in the middle", () => {
  it.each([
    {
      what: "is gone for a while",
      begin: () => redis.kill(),
      sign: /Can't use Redis at .*: .* Trying again\./,
      end: () => redis.restart(),
      over: "Redis is back",
    },
    {
      what: "becomes a read-only replica for a while",
      // No one listens there.
      begin: () => client.replicaof("127.0.0.1", 1),
      sign: /^Redis takes no writes for now: it is a read-only replica\. Trying again\.$/,
      end: () => client.replicaof("NO", "ONE"),
      over: "Redis takes writes again",
    },
  ])(
    "and $what loses nothing and doubles nothing, and each process says it once",
    async ({ begin, sign, end, over }) => {
      const people = await threeOfEach(world);
      const from = processes.map((each) => each.log.length);
      await begin();
      for (const each of people) sayMore(each, words);
      const said = (each: ParleyProcess, index: number) => each.log.slice(from[index]);
      await Promise.all(
        processes.map((each, index) =>
          each.waitFor(
            () => said(each, index).some(({ msg = "" }) => sign.test(msg)),
            "a word about the trouble",
          ),
        ),
      );
      for (const { release } of people) release();
      await end();
      await goOn(people);
      await Promise.all(
        processes.map((each, index) =>
          each.waitFor(
            () => said(each, index).some(({ msg }) => msg === over),
            "a word about its end",
          ),
        ),
      );
      for (const [index, each] of processes.entries()) {
        const lines = warnings(each, from[index] ?? 0);
        expect(lines.filter((line) => sign.test(line))).toHaveLength(1);
        expect(lines.length, lines.join("\n")).toBeLessThan(5);
      }
    },
  );

  it("and answers no one for longer than any lease loses nothing and doubles nothing", async () => {
    const people = await threeOfEach(world);
    await client.client("PAUSE", 7_000);
    for (const each of people) {
      sayMore(each, words);
      each.release();
    }
    await client.ping();
    await goOn(people);
  });
});
