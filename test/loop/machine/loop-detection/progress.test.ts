import { describe, expect, it } from "vitest";
import { createSchedules } from "../../../../src/store/turns/schedules.ts";
import { scheduleTool } from "../../../../src/tools/schedule.ts";
import { testDatabase } from "../../../support/redis/test-redis.ts";
import { shown } from "../../busy.ts";
import { calls, openScene, type SceneOptions } from "../../scene.ts";

const redis = await testDatabase();
const open = (options: Partial<SceneOptions> = {}) => openScene({ redis, ...options });
const call = (name: string, given: object) => ({ toolCalls: [{ name, arguments: given }] });
const hint = "You seem to go in circles";

describe("many calls of one tool", () => {
  it("are progress while each does something else: twelve reminders are set", async () => {
    await using scene = await open();
    const schedules = createSchedules(scene.parts.store, {
      retentionMs: 86_400_000,
      report: (what, cause) => {
        throw new Error(what, { cause });
      },
    });
    const tool = scheduleTool({
      schedules,
      findTool: () => undefined,
      keepZone: () => Promise.resolve(true),
      usdPerTurn: () => Promise.resolve(0),
      now: Date.now,
      log: { warn: () => undefined },
    });
    const { toolbox } = scene.deps;
    scene.with({
      toolbox: {
        ...toolbox,
        specs: [
          ...toolbox.specs,
          { name: tool.name, description: tool.description, parameters: { type: "object" } },
        ],
        find: (name) => (name === tool.name ? tool : toolbox.find(name)),
      },
    });
    const things = Array.from({ length: 12 }, (_, n) => `thing ${n}`);
    const remind = things.map((text, n) =>
      call("schedule", { action: "create", when: `in ${n + 1} hours`, text, zone: "UTC" }),
    );
    scene.model.reply(...remind, { text: "All twelve are set." });
    await scene.say("remind me of twelve things");
    await scene.settle();
    expect(await scene.said()).toEqual(["All twelve are set."]);
    const stored = await schedules.list(scene.chat);
    expect(stored.map(({ task }) => task.text).sort()).toEqual(things.toSorted());
    expect(shown(scene.model.requests.at(-1)).join("\n")).not.toContain(hint);
  });

  it("run twelve times, and eight at once, without a hint", async () => {
    await using scene = await open();
    const twelve = Array.from({ length: 12 }, (_, n) => call("pay", { label: `bill ${n}` }));
    scene.model.reply(...twelve, calls(...Array<string>(8).fill("set")), { text: "Paid." });
    await scene.say("pay my bills");
    await scene.settle();
    expect(scene.runs).toHaveLength(20);
    expect(await scene.said()).toEqual(["Paid."]);
    const sent = scene.model.requests.flatMap(shown).join("\n");
    expect(sent).not.toContain(hint);
  });

  it("end the turn where they repeat, after five hints", async () => {
    await using scene = await open();
    const same = Array.from({ length: 12 }, () => call("pay", { label: "bill" }));
    scene.model.reply(...same.slice(0, 8), { text: "I paid it." });
    await scene.say("pay my bill");
    await scene.settle();
    expect(scene.runs).toHaveLength(8);
    expect((await scene.story()).at(-1)).toBe("end loop-detected");
  });
});
