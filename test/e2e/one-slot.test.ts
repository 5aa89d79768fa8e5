import { readdirSync, readFileSync } from "node:fs";
import { Redis } from "ioredis";
import { afterAll, describe, expect, it } from "vitest";
import { askForNote, notesOf } from "../support/parley/notes.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { longText, stopInTheMiddle } from "../support/parley/previews.ts";
import { sha1, watchSlots } from "../support/redis/slot-watch.ts";
import { startTestRedis } from "../support/redis/test-redis.ts";

const redis = await startTestRedis();
afterAll(() => redis[Symbol.asyncDispose]());
const world = await openWorld({ server: redis });

const folder = new URL("../../src/store/scripts/", import.meta.url);
const scripts = new Map(
  readdirSync(folder).map((file) => [
    file.replace(".lua", ""),
    sha1(readFileSync(new URL(file, folder), "utf8")),
  ]),
);

describe("every script, transaction and command", () => {
  it("of a broad journey touches one slot, whatever keys the scripts build", async () => {
    using watch = await watchSlots(redis.url);
    await using parley = world.start({ environment: world.environment });
    await parley.ready();
    await Promise.all(world.stages.map((stage) => stage.connected()));
    await Promise.all(
      world.stages.map(async (stage) => {
        const [ann, ben] = [stage.direct("Ann"), stage.direct("Ben")];
        ann.say(`call current_time {"timeZone":"Asia/Tokyo"}`);
        await ann.wait("current_time said:");
        const [approved, denied] = [
          await askForNote(ann, "tea in one slot"),
          await askForNote(ben, "coffee in two"),
        ];
        await ann.tap(approved, "Approve");
        await ann.wait("write_note said: Noted.");
        await ben.tap(denied, "Deny");
        await ben.wait("enied by Ben");
        expect(await notesOf(ann)).toEqual(["tea in one slot"]);
        const long = await stopInTheMiddle(world.model, ben, longText(`${stage.name}-stopped`));
        await ben.command("stop");
        long.release();
        for (const command of ["whoami", "status", "new"]) await ben.command(command);
        ben.say("say and on it goes");
        await ben.wait("and on it goes");
      }),
    );
    await world.delivered();
    await parley.kill("SIGTERM");
    expect(watch.problems).toEqual([]);
    const seen = [...scripts].flatMap(([name, sha]) => (watch.scripts.has(sha) ? [name] : []));
    expect(seen).toEqual(
      expect.arrayContaining([
        "begin",
        "commit",
        "decide",
        "draft",
        "heartbeat",
        "ingest",
        "note",
        "open",
        "receipt",
        "stop",
      ]),
    );
  });

  it("that touches two is found", async () => {
    using watch = await watchSlots(redis.url);
    const client = new Redis(redis.url);
    const built = "redis.call('SET', 'parley:{' .. ARGV[1] .. '}:x', 1)";
    await client.eval(`redis.call('GET', KEYS[1]) ${built}`, 1, "parley:{s1}:x", "s1");
    await client.multi().get("parley:{s1}:x").get("parley:{s1}:y").exec();
    await client.mget("parley:{s1}:x", "parley:{s1}:y");
    await client.echo("fence");
    expect(watch.problems).toEqual([]);
    await client.eval(`redis.call('GET', KEYS[1]) ${built}`, 1, "parley:{s1}:x", "s2");
    await client.eval("return 1", 2, "parley:{s1}:x", "parley:{s2}:x");
    await client.multi().get("parley:{s1}:x").get("parley:{s2}:y").exec();
    await client.mget("parley:{s1}:x", "y");
    await expect.poll(() => watch.problems).toHaveLength(4);
    client.disconnect();
  });
});
