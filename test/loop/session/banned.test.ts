import { describe, expect, it } from "vitest";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { bob, openScene } from "../scene.ts";

const redis = await testDatabase();

describe("what someone wrote before they were banned", () => {
  it("costs no model call and is not answered; others are", async () => {
    await using scene = await openScene({ redis });
    const banned = new Set<string>();
    let asked = 0;
    scene.with({
      banCache: {
        refresh: () => {
          asked += 1;
          return Promise.resolve();
        },
        has: ({ id }) => banned.has(id),
      },
    });
    await scene.say("before", { person: bob });
    await scene.settle();
    expect(await scene.said()).toEqual(["You said: before"]);
    await scene.say("spam", { person: bob });
    await scene.say("spam, spam", { person: bob });
    await scene.say("hello");
    banned.add(bob.id);
    await scene.settle();
    expect(await scene.said()).toEqual(["You said: before", "You said: hello"]);
    expect(scene.model.requests).toHaveLength(2);
    expect(asked).toBeGreaterThan(0);
    await scene.expectAtRest();
  });

  it("is not answered either where the ban came while others of theirs began", async () => {
    await using scene = await openScene({ redis });
    const banned = new Set<string>();
    scene.with({
      banCache: {
        refresh: () => Promise.resolve(),
        has: ({ id }) => banned.has(id),
      },
      turnStarts: {
        enter(id) {
          banned.add(id);
          return Promise.resolve({ [Symbol.dispose]: () => undefined });
        },
      },
    });
    await scene.say("spam", { person: bob });
    await scene.settle();
    expect(await scene.said()).toEqual([]);
    expect(scene.model.requests).toEqual([]);
    await scene.expectAtRest();
  });

  it("is answered where the ban is over that this process still remembers", async () => {
    await using scene = await openScene({ redis });
    const remembered = new Set([bob.id]);
    scene.with({
      banCache: {
        refresh(from) {
          if (from === "store") remembered.clear();
          return Promise.resolve();
        },
        has: ({ id }) => remembered.has(id),
      },
    });
    await scene.say("back again", { person: bob });
    await scene.settle();
    expect(await scene.said()).toEqual(["You said: back again"]);
    await scene.expectAtRest();
  });
});
