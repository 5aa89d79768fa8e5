import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { OutboxEntry } from "../../../src/core/outbox.ts";
import type { Effect, ToolFile } from "../../../src/core/tool.ts";
import { defineTool } from "../../../src/tools/define-tool.ts";
import { png } from "../../support/files/samples.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { openScene, until, type Scene } from "../scene.ts";

const redis = await testDatabase();

const chart: ToolFile = {
  name: "../my chart.png",
  mediaType: "image/png",
  bytes: png,
};

/** A chat with a tool that draws; `runs` counts. */
async function open(files: readonly ToolFile[], more: { effect?: Effect; leaseMs?: number } = {}) {
  const counts = { runs: 0 };
  const draw = defineTool({
    name: "draw",
    description: "Draws.",
    parameters: z.strictObject({}),
    effect: more.effect ?? "read",
    confirm: "never",
    history: "action",
    run: () => {
      counts.runs += 1;
      return Promise.resolve({ text: "Drawn.", files });
    },
  });
  const scene = await openScene({
    redis,
    tools: [draw],
    leaseMs: more.leaseMs ?? 10_000,
  });
  // What a tool has said is quoted by the fallback.
  scene.model.when(/draw$/, { toolCalls: [{ name: "draw", arguments: {} }] });
  return { scene, counts };
}

const filesIn = (outbox: readonly OutboxEntry[]) => outbox.filter((entry) => entry.kind === "file");

const resultIn = (scene: Scene): string | undefined =>
  scene.model.requests.at(-1)?.toolResults[0]?.text;

describe("a file that a tool returns", () => {
  it("goes into the chat before the answer, and the model is told", async () => {
    const { scene } = await open([chart]);
    await using _ = scene;
    await scene.say("draw", { group: true });
    await scene.settle();
    const outbox = await scene.outbox();
    expect(outbox).toEqual([
      {
        kind: "file",
        v: 1,
        id: "turn-1-file-1-0-0",
        blob: expect.any(String) as string,
        name: "my-chart.png",
        mediaType: "image/png",
        // Who asked in a group, for the bot's pace.
        person: "telegram:1",
        replyTo: "1",
      },
      expect.objectContaining({ kind: "message", id: "turn-1" }),
    ]);
    const [{ blob } = { blob: "" }] = filesIn(outbox);
    expect(await scene.deps.blobs.get(scene.chat, blob)).toEqual(png);
    expect(resultIn(scene)).toBe(
      "Drawn.\n[sent to the person as a file: my-chart.png]\n[image: not visible to this model]",
    );
    await scene.expectAtRest();
  });

  it("is one of four at most, neither empty nor too large", async () => {
    const empty = { ...chart, name: "empty.png", bytes: new Uint8Array() };
    const huge = {
      ...chart,
      name: "huge.bin",
      bytes: new Uint8Array(9 * 1_048_576),
    };
    const { scene } = await open([chart, empty, huge, chart, chart, chart]);
    await using _ = scene;
    await scene.say("draw");
    await scene.settle();
    expect(filesIn(await scene.outbox()).map(({ id }) => id)).toEqual([
      "turn-1-file-1-0-0",
      "turn-1-file-1-0-3",
    ]);
    expect(resultIn(scene)?.split("\n")).toEqual([
      "Drawn.",
      "[sent to the person as a file: my-chart.png, my-chart.png]",
      "[not sent to the person: empty.png is empty or too large]",
      "[not sent to the person: huge.bin is empty or too large]",
      "[not sent to the person: 2 more files; at most 4 of one call and 10 of one answer are]",
      "[image: not visible to this model]",
    ]);
    await scene.expectAtRest();
  });

  it("is one of ten of a turn, also where calls run side by side and a worker goes on", async () => {
    const { scene } = await open([chart, chart, chart, chart]);
    await using _ = scene;
    const draw = { name: "draw", arguments: {} };
    scene.model.reply(
      { toolCalls: [draw, { ...draw }] },
      { toolCalls: [{ name: "buy", arguments: {} }] },
      { toolCalls: [draw, { ...draw }] },
    );
    await scene.say("go");
    await scene.settle();
    await scene.decide(0, "approved");
    await scene.settle();
    expect(filesIn(await scene.outbox())).toHaveLength(10);
    expect(
      scene.model.requests.at(-1)?.toolResults.map(({ text }) => /^\[not sent.*/m.exec(text)?.[0]),
    ).toEqual([
      "[not sent to the person: 2 more files; at most 4 of one call and 10 of one answer are]",
      "[not sent to the person: 4 more files; at most 4 of one call and 10 of one answer are]",
    ]);
    await scene.expectAtRest();
  });

  const deaths = (["read", "once"] as const).flatMap((effect) =>
    [1, 2, 3].flatMap((at) =>
      (["before", "behind"] as const).map((when) => ({ effect, at, when })),
    ),
  );
  it.each(deaths)(
    "of a call ($effect) whose worker dies $when its commit $at is not sent twice",
    async ({ effect, at, when }) => {
      const { scene, counts } = await open([chart], { effect, leaseMs: 50 });
      await using _ = scene;
      const { store } = scene.deps;
      let commits = 0;
      await scene.say("draw");
      const dying = {
        ...store,
        async commit(...given: Parameters<typeof store.commit>) {
          commits += 1;
          if (commits === at && when === "before") throw new Error("died");
          const outcome = await store.commit(...given);
          if (commits === at) throw new Error("died");
          return outcome;
        },
      };
      const dead = scene.run(undefined, { store: dying });
      await dead.catch(() => undefined);
      await until(async () => Number(await scene.hash("lease")) <= Date.now(), "the lease's end");
      await scene.settle();
      const sent = filesIn(await scene.outbox());
      if (effect === "read") expect(sent).toHaveLength(1);
      else expect(sent.length).toBeLessThanOrEqual(counts.runs);
      if (effect === "once") expect(counts.runs).toBeLessThanOrEqual(1);
      expect(await scene.said()).toHaveLength(1);
      await scene.expectAtRest();
    },
  );
});
