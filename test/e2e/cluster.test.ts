import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askForNote, isClosed, notesOf } from "../support/parley/notes.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { longText, stopInTheMiddle } from "../support/parley/previews.ts";
import { taken, timeoutMs } from "../support/parley/stage.ts";
import { askServer } from "../support/redis/ask-server.ts";
import { startTestCluster } from "../support/redis/test-cluster.ts";

const cluster = await startTestCluster();
afterAll(() => cluster[Symbol.asyncDispose]());
const world = await openWorld({ server: cluster });

beforeAll(async () => {
  const { environment, services } = world;
  const [bots, worker] = [
    world.start({ environment: { ...environment, PARLEY_ROLE: "bots" } }),
    world.start({
      environment: {
        ...services,
        // One of them is enough to find the others.
        REDIS_URL: cluster.masters[1]?.url ?? "",
        PARLEY_ROLE: "worker",
      },
    }),
  ];
  await Promise.all([bots.ready(), worker.ready()]);
  await Promise.all(world.stages.map((stage) => stage.connected()));
});

describe.each(world.stages)("on a Redis Cluster, people on $name", (stage) => {
  it("have tools run, approve, and stop", async () => {
    const [ann, ben] = [stage.direct("Ann"), stage.direct("Ben")];
    ann.say(`call current_time {"timeZone":"Asia/Tokyo"}`);
    await ann.wait("current_time said:");
    const card = await askForNote(ann, "tea for three masters");
    expect(await ann.tap(card, "Approve")).toMatch(taken);
    await ann.wait(isClosed(card, "approved by Ann"));
    await ann.wait("write_note said: Noted.");
    expect(await notesOf(ann)).toEqual(["tea for three masters"]);

    const text = longText(`${stage.name}-stopped`);
    const { release } = await stopInTheMiddle(world.model, ben, text);
    expect(await ben.command("stop")).toBe("Stopped.");
    await world.model.waitForRequest(
      ({ lastUserText, state }) => lastUserText === `say ${text}` && state === "aborted",
      { timeoutMs },
    );
    release();
    ben.say("say and on it goes");
    await ben.wait("and on it goes");
    expect(ben.shown().filter((each) => each.text === text)).toEqual([]);
  });
});

it("uses every master", async () => {
  // Twenty chats of 256 possible places: one in a thousand runs would leave a third of them empty.
  const chats = Array.from({ length: 20 }, (_, index) => world.telegram.direct(`Person${index}`));
  for (const chat of chats) chat.say(`say hello ${chat.personId}`);
  await Promise.all(chats.map((chat) => chat.wait(`hello ${chat.personId}`)));
  const histories = await Promise.all(
    cluster.masters.map((master) => askServer(master, (client) => client.keys("parley:*:log:*"))),
  );
  expect(histories.filter((keys) => keys.length === 0)).toEqual([]);
});
