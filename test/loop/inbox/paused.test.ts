import { describe, expect, it } from "vitest";
import type { Hold } from "../../../src/core/pause.ts";
import { openTurn } from "../../../src/loop/machine/open-turn.ts";
import { createTurnStore } from "../../../src/store/turns/turn-store.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { openScene, type Scene } from "../scene.ts";

const redis = await testDatabase();

/** A chat whose worker is told what is paused. */
async function openPausable() {
  const pause: { hold: Hold | undefined } = { hold: undefined };
  const scene = await openScene({ redis });
  scene.with({
    store: createTurnStore({
      store: scene.parts.store,
      leaseMs: 10_000,
      retentionMs: 86_400_000,
      openTurn,
      hold: () => pause.hold,
    }),
  });
  return { scene, pause };
}

const kinds = async (scene: Scene) => (await scene.log()).map(({ kind }) => kind);

describe("a chat that is paused", () => {
  it("is left as it is, and answered in order when it goes on", async () => {
    const opened = await openPausable();
    await using scene = opened.scene;
    opened.pause.hold = "new";
    for (const text of ["one", "two", "three"]) await scene.say(text);
    expect(await scene.settle()).toEqual({ type: "held" });
    expect(scene.model.requests).toEqual([]);
    expect(await kinds(scene)).toEqual([]);
    opened.pause.hold = undefined;
    await scene.settle();
    expect(await scene.said()).toEqual(["You said: one", "You said: two", "You said: three"]);
    await scene.expectAtRest();
  });

  it("has done what opens no turn: what was stopped is ended, a new conversation begins", async () => {
    const opened = await openPausable();
    await using scene = opened.scene;
    opened.pause.hold = "all";
    await scene.say("never mind");
    await scene.stop();
    await scene.reset();
    await scene.control("undo");
    await scene.say("after it");
    await scene.control("compact");
    expect(await scene.settle()).toEqual({ type: "held" });
    expect(await kinds(scene)).toEqual(["message", "end", "reset"]);
    expect(scene.model.requests).toEqual([]);
    opened.pause.hold = undefined;
    await scene.settle();
    expect(await scene.said()).toContain("You said: after it");
    await scene.expectAtRest();
  });
});
