import { describe, expect, it } from "vitest";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { asksForSummary } from "./workshop.ts";
import { ann, defaultPolicy, openScene, until, type Scene, defaultContext } from "../scene.ts";
import { modelsOf, openaiKey } from "../model/two-providers.ts";

const redis = await testDatabase();

/**
 * A chat that is nearly too long for its model, and whose summaries wait until the test lets them
 * go.
 */
async function nearlyFull(at: "headers" | 2 = "headers") {
  const scene = await openScene({ redis });
  scene.with({
    models: modelsOf(
      { openai: scene.parts.server },
      { overrides: { [openaiKey]: { card: { contextWindow: 4_000 } } } },
    ),
  });
  for (let turn = 1; turn <= 4; turn += 1) {
    await scene.say(`turn ${turn} ${"word ".repeat(120)}`);
    await scene.settle();
  }
  expect(await compactions(scene)).toBe(0);
  const gate = scene.model.hold(asksForSummary, { at });
  return { scene, gate };
}

const compactions = async (scene: Scene): Promise<number> =>
  (await scene.log()).filter(({ kind }) => kind === "compaction").length;

/** Written until the view has to be shortened; the session that does so. */
async function untilCompacting(scene: Scene, run = () => scene.run()) {
  for (let turn = 5; turn <= 30; turn += 1) {
    await scene.say(`turn ${turn} ${"word ".repeat(120)}`);
    const running = run();
    let ended = false;
    void running.then(() => (ended = true));
    await until(
      () => ended || scene.model.requests.some((each) => each.heldAt),
      "the summary's request, or the turn's end",
    );
    if (!ended) return { running };
  }
  throw new Error("the view was never too long");
}

describe("a compaction for which there is no time left", () => {
  it("is made by cutting, so that the next turn has room", async () => {
    const { scene, gate } = await nearlyFull();
    await using _ = scene;
    const { running } = await untilCompacting(scene, () =>
      scene.run(undefined, {
        policy: { ...defaultPolicy, deadlineMs: 400 },
      }),
    );
    await running;
    expect((await scene.story()).at(-1)).toBe("end deadline");
    expect(await compactions(scene)).toBe(1);
    gate.release();
    await scene.say("And now?");
    await scene.settle();
    expect((await scene.said()).at(-1)).toBe("You said: And now?");
    expect(await compactions(scene)).toBe(1);
    await scene.expectAtRest();
  });

  it("costs what it costs, also when its worker is told to stop", async () => {
    const { scene, gate } = await nearlyFull(2);
    await using _ = scene;
    const stopping = new AbortController();
    scene.model.when(asksForSummary, { text: ["user: ", "words"] });
    const { running } = await untilCompacting(scene, () => scene.run(stopping.signal));
    stopping.abort();
    await running;
    const state = await scene.state();
    expect(state?.phase).toBe("compacting");
    expect(state?.spent[openaiKey]?.requests).toBe(1);
    gate.release();
    await scene.settle();
    expect(await compactions(scene)).toBe(1);
    await scene.expectAtRest();
  });
});

describe("/compact", () => {
  it("says what it did in the place of its draft", async () => {
    const { scene, gate } = await nearlyFull();
    await using _ = scene;
    gate.release();
    scene.with({ context: { ...defaultContext, protectPairs: 1 } });
    await scene.control("compact");
    await scene.settle();
    const position = (await scene.outbox()).at(-1);
    expect(position).toMatchObject({
      kind: "message",
      id: expect.stringMatching(/^turn-\d+$/) as string,
      text: expect.stringContaining("Nothing is lost") as string,
    });
    await scene.expectAtRest();
  });

  it("is not interrupted by what is written behind it", async () => {
    const { scene, gate } = await nearlyFull();
    await using _ = scene;
    gate.release();
    scene.with({
      context: { ...defaultContext, protectPairs: 1 },
      defaults: { whileBusy: "interrupt", tools: "full", thinking: false },
    });
    await scene.control("compact");
    await scene.say("What next?", { person: ann });
    await scene.settle();
    expect((await scene.said()).slice(-2)).toEqual([
      expect.stringContaining("Nothing is lost"),
      "You said: What next?",
    ]);
    await scene.expectAtRest();
  });
});
