import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WhileBusy } from "../../../src/core/chat-settings.ts";
import type { TurnStore } from "../../../src/core/ports.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { ScriptedModel } from "../../emulators/model/scripted-model.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { bob, openScene, until, type Scene } from "../scene.ts";
import { modelsOf, openaiKey } from "../model/two-providers.ts";

const redis = await testDatabase();

class Killed extends Error {}

/**
 * Dies at its n-th call, before or after it has taken effect, and stays dead: as a process does.
 */
interface Death {
  readonly at: number;
  readonly when: "before" | "after";
}

function mortal(store: TurnStore, death: Death | undefined) {
  let calls = 0;
  let dead = false;
  const call = async <Value>(run: () => Promise<Value>): Promise<Value> => {
    if (dead) throw new Killed("dead");
    calls += 1;
    const dies = calls === death?.at;
    dead = dies && death?.when === "before";
    if (dead) throw new Killed("died before the call");
    const value = await run();
    if (dies) {
      dead = true;
      throw new Killed("died after the call");
    }
    return value;
  };
  const mortalStore: TurnStore = {
    ...store,
    begin: (chat) => call(() => store.begin(chat)),
    commit: (session, revision, commit) => call(() => store.commit(session, revision, commit)),
    release: (session) => call(() => store.release(session)),
    waiting: (session) => call(() => store.waiting(session)),
    heartbeat: (session) => call(() => store.heartbeat(session)),
  };
  return { store: mortalStore, calls: () => calls };
}

const call = (name: string, label: string) => ({
  name,
  arguments: { label },
});

/** What is asked for decides the answer, so that a request that is repeated gets the same one. */
const script = (): ScriptedModel =>
  new ScriptedModel({
    fallback: ({ roundsSinceUser, lastUserText }) => {
      if (lastUserText !== "all of it") return { text: `You said: ${lastUserText}` };
      switch (roundsSinceUser) {
        case 0:
          return {
            toolCalls: [call("look", "a"), call("send", "b"), call("pay", "c"), call("fly", "d")],
          };
        case 1:
          return { text: "Shall I?", toolCalls: [call("buy", "e")] };
        default:
          return { text: "All done." };
      }
    },
  });

/** Workers come and die; people tap when they are asked. Returns how many deaths were died. */
async function live(
  scene: Scene,
  deaths: readonly Death[],
  onWaiting: (scene: Scene) => Promise<unknown>,
): Promise<number> {
  const left = [...deaths];
  let died = 0;
  let worker = mortal(scene.deps.store, left.shift());
  for (;;) {
    try {
      const { type } = await scene.run(undefined, { store: worker.store });
      if (type !== "done") continue;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      died += 1;
      await leaseOver(scene);
      worker = mortal(scene.deps.store, left.shift());
      continue;
    }
    const state = await scene.state();
    const waits = await scene.parts.store.redis.llen(chatKeys(scene.chat).inbox);
    if (state?.phase === "waiting") await onWaiting(scene);
    else if (state === undefined && waits === 0) return died;
  }
}

const leaseOver = (scene: Scene) =>
  until(async () => Number(await scene.hash("lease")) <= Date.now(), "the lease's end");

const approve = (scene: Scene) => scene.decide(0, "approved");

async function expectAllOfIt(scene: Scene): Promise<void> {
  await scene.expectAtRest();
  expect(await scene.said()).toEqual(["Shall I?", "All done."]);
  expect(await scene.statuses()).toEqual(["approved"]);
  expect((await scene.story()).map((line) => line.replace("outcome-unknown", "done"))).toEqual([
    "message all of it",
    "assistant [look] [send] [pay] [fly]",
    "tool look done",
    "tool send done",
    "tool pay done",
    "tool fly unknown-tool",
    "assistant Shall I? [buy]",
    "tool buy done",
    "assistant All done.",
  ]);
  const runsOf = (name: string) => scene.parts.effects.runs.filter(({ tool }) => tool === name);
  expect(runsOf("pay").length).toBeLessThanOrEqual(1);
  expect(runsOf("buy").length).toBeLessThanOrEqual(1);
  expect(runsOf("look").length).toBeGreaterThanOrEqual(1);
  expect(new Set(runsOf("send").map(({ key }) => key)).size).toBe(1);
  // A result that says that it is unknown is no lie, and one that says that it was done neither.
  const story = await scene.story();
  for (const name of ["pay", "buy"])
    if (story.includes(`tool ${name} done`)) expect(runsOf(name)).toHaveLength(1);
}

const openMortal = () => openScene({ redis, script: script(), leaseMs: 15 });

describe("a worker that dies", () => {
  it.each(["before", "after"] as const)(
    "%s any call to the store: the next one ends the turn, once",
    async (when) => {
      let at = 0;
      for (let died = 1; died > 0;) {
        at += 1;
        await using scene = await openMortal();
        await scene.say("all of it");
        died = await live(scene, [{ at, when }], approve);
        await expectAllOfIt(scene);
      }
      // begin, three claims or so, the card, begin, claim, answer.
      expect(at).toBeGreaterThan(8);
    },
  );

  it("twice, at any two points", async () => {
    const death = fc.record({
      at: fc.integer({ min: 1, max: 9 }),
      when: fc.constantFrom("before" as const, "after" as const),
    });
    await fc.assert(
      fc.asyncProperty(death, death, async (first, second) => {
        await using scene = await openMortal();
        await scene.say("all of it");
        await live(scene, [first, second], approve);
        await expectAllOfIt(scene);
      }),
      { numRuns: 25 },
    );
  });

  it.each(["before", "after"] as const)(
    "%s any call, while one message waits behind another",
    async (when) => {
      for (let at = 1, died = 1; died > 0; at += 1) {
        await using scene = await openMortal();
        await scene.say("one", { burst: "b" });
        // Too late to belong to it.
        await scene.say("two", { atMs: Date.now() + 3_000 });
        await scene.reset();
        await scene.say("three");
        died = await live(scene, [{ at, when }], approve);
        expect(await scene.said()).toEqual(["You said: one", "You said: two", "You said: three"]);
        expect(await scene.story()).toEqual([
          "message one",
          "assistant You said: one",
          "message two",
          "assistant You said: two",
          "reset",
          "message three",
          "assistant You said: three",
        ]);
        await scene.expectAtRest();
      }
    },
  );

  it.each(["before", "after"] as const)(
    "%s any call, while somebody writes instead of tapping",
    async (when) => {
      for (let at = 1, died = 1; died > 0; at += 1) {
        await using scene = await openMortal();
        await scene.say("all of it");
        died = await live(scene, [{ at, when }], () => scene.say("never mind"));
        expect(await scene.said()).toEqual(["Shall I?", "You said: never mind"]);
        expect(await scene.statuses()).toEqual(["superseded"]);
        expect(scene.parts.effects.runs.some(({ tool }) => tool === "buy")).toBe(false);
        await scene.expectAtRest();
      }
    },
  );

  it.each(["before", "after"] as const)(
    "%s any call, while it is stopped as it waits",
    async (when) => {
      for (let at = 1, died = 1; died > 0; at += 1) {
        await using scene = await openMortal();
        await scene.say("all of it");
        died = await live(scene, [{ at, when }], () => scene.stop());
        expect(await scene.statuses()).toEqual(["cancelled"]);
        expect((await scene.story()).at(-1)).toBe("end cancelled");
        await scene.expectAtRest();
      }
    },
  );

  it("again and again, each time a step further: it is answered all the same", async () => {
    await using scene = await openMortal();
    await scene.say("all of it");
    // With its third call to the store a session gets further, with its second it has only begun
    // to.
    const deaths = Array.from({ length: 30 }, (_, index): Death => ({
      at: index % 2 === 0 ? 3 : 2,
      when: "after",
    }));
    expect(await live(scene, deaths, approve)).toBeGreaterThan(5);
    await expectAllOfIt(scene);
  });

  it("three times over one message: it is given up, and the chat goes on", async () => {
    await using scene = await openMortal();
    await scene.say("all of it");
    await scene.say("next");
    const deaths: Death[] = Array.from({ length: 3 }, () => ({
      at: 2,
      when: "after",
    }));
    expect(await live(scene, deaths, approve)).toBe(3);
    expect(await scene.said()).toEqual([
      expect.stringContaining("tried this three times and failed"),
      "You said: next",
    ]);
    expect(scene.logged("error")).toContain("keeps killing its worker");
    expect(scene.logged("info")).not.toContain("all of it");
    await scene.expectAtRest();
  });

  it("three times while a card is open: the card is closed too", async () => {
    await using scene = await openMortal();
    await scene.say("all of it");
    await live(scene, [], async () => {
      await scene.say("never mind");
      for (let died = 0; died < 3; died += 1) {
        const { store } = mortal(scene.deps.store, { at: 1, when: "after" });
        await expect(scene.run(undefined, { store })).rejects.toThrow(Killed);
        await leaseOver(scene);
      }
    });
    expect(await scene.statuses()).toEqual(["cancelled"]);
    expect(await scene.said()).toEqual([
      "Shall I?",
      expect.stringContaining("tried this three times and failed"),
      "You said: never mind",
    ]);
    await scene.expectAtRest();
  });
});

const noTaps = () => Promise.resolve();

/**
 * The same chat again and again, in which a worker dies at the first, the second … call to the
 * store, until none is left to die at.
 */
async function dyingEverywhere(
  open: () => Promise<Scene>,
  begin: (scene: Scene) => Promise<unknown>,
  expectAfter: (scene: Scene) => Promise<void>,
): Promise<void> {
  for (const when of ["before", "after"] as const) {
    let at = 0;
    for (let died = 1; died > 0;) {
      at += 1;
      await using scene = await open();
      await begin(scene);
      died = await live(scene, [{ at, when }], noTaps);
      await expectAfter(scene);
      await scene.expectAtRest();
    }
    expect(at).toBeGreaterThan(2);
  }
}

const openIn =
  (whileBusy: WhileBusy, model = script()) =>
  () =>
    openScene({ redis, script: model, leaseMs: 15, whileBusy });

const steps = () =>
  new ScriptedModel({
    fallback: ({ lastUserText }) => {
      const turn = /This is turn (\d)/.exec(lastUserText)?.[1];
      return { text: `Step ${turn}.${turn === "3" ? "\nDONE" : ""}` };
    },
  });

const long = (text: string): string => `${text}: ${"word ".repeat(300)}`;

/** Little is missing, and the conversation has to be shortened. */
const openLong = async (): Promise<Scene> => {
  const scene = await openIn(
    "followup",
    new ScriptedModel({
      fallback: ({ systemText, lastUserText, lastRole }) =>
        systemText.includes("You shorten")
          ? { text: "user: words." }
          : lastUserText === "pay" && lastRole === "user"
            ? { toolCalls: [call("pay", "a")] }
            : { text: "Yes." },
    }),
  )();
  for (let turn = 1; turn <= 7; turn += 1) {
    await scene.say(long(`turn ${turn}`));
    await scene.settle();
  }
  return scene;
};

describe("a worker that dies before or after any call", () => {
  it("while what was written meanwhile joins its turn: all is answered once", async () => {
    await dyingEverywhere(
      openIn("steer"),
      async (scene) => {
        scene.model.when(/^one$/, { toolCalls: [call("pay", "a")] });
        await scene.say("one");
        await scene.say("two");
        await scene.say("three", { person: bob });
      },
      async (scene) => {
        expect(await scene.said()).toEqual(["You said: two", "You said: three"]);
        expect(
          (await scene.story()).map((line) => line.replace("outcome-unknown", "done")),
        ).toEqual([
          "message one",
          "assistant [pay]",
          "tool pay done",
          "message two",
          "assistant You said: two",
          "message three",
          "assistant You said: three",
        ]);
        expect(scene.parts.effects.runs.length).toBeLessThanOrEqual(1);
      },
    );
  });

  it("while a newer message ends its turn: the newest is answered once", async () => {
    await dyingEverywhere(
      openIn("interrupt"),
      async (scene) => {
        for (const text of ["one", "two", "three"]) await scene.say(text);
      },
      async (scene) => {
        // What a dead worker may have shown of an answer is replaced.
        expect(
          (await scene.said()).filter((text) => text !== "(stopped for a newer message)"),
        ).toEqual(["You said: three"]);
        const story = await scene.story();
        expect(story.filter((line) => line.startsWith("message"))).toEqual([
          "message one",
          "message two",
          "message three",
        ]);
        expect(story.filter((line) => line === "end superseded")).toHaveLength(2);
        expect(story.at(-1)).toBe("assistant You said: three");
      },
    );
  });

  it("while messages are collected: all are one turn", async () => {
    await dyingEverywhere(
      openIn("collect"),
      async (scene) => {
        for (const text of ["one", "two"]) await scene.say(text);
        await scene.say("three", { person: bob });
      },
      async (scene) => {
        expect(await scene.said()).toEqual(["You said: two", "You said: three"]);
        expect(await scene.story()).toEqual([
          "message one",
          "message two",
          "assistant You said: two",
          "message three",
          "assistant You said: three",
        ]);
      },
    );
  });

  it("while it goes on by itself: no step is left out or made twice", async () => {
    await dyingEverywhere(
      () => openIn("followup", steps())(),
      (scene) => scene.auto("Count to three.", 5),
      async (scene) => {
        expect(await scene.said()).toEqual(["Step 1.", "Step 2.", "Step 3.\nDONE"]);
        expect(await scene.notices()).toEqual(["Goal reached, after 3 steps."]);
        expect(
          (await scene.log()).flatMap((entry) =>
            entry.kind === "message" ? [entry.auto?.step] : [],
          ),
        ).toEqual([1, 2, 3]);
      },
    );
  });

  it("while an exchange is taken back and another one asked again: each once", async () => {
    await dyingEverywhere(
      openIn("followup"),
      async (scene) => {
        for (const text of ["one", "two"]) {
          await scene.say(text);
          await scene.settle();
        }
        await scene.control("undo");
        await scene.control("retry");
        await scene.say("three");
      },
      async (scene) => {
        expect(await scene.story()).toEqual([
          "message one",
          "assistant You said: one",
          "message two",
          "assistant You said: two",
          "undo",
          "undo",
          "message one",
          "assistant You said: one",
          "message three",
          "assistant You said: three",
        ]);
        expect(await scene.notices()).toHaveLength(1);
        expect(await scene.said()).toHaveLength(4);
      },
    );
  });

  it("while the conversation is shortened: once, with one line, and one answer", async () => {
    await dyingEverywhere(
      openLong,
      async (scene) => {
        const overrides = { [openaiKey]: { card: { contextWindow: 3_000 } } };
        const { server: openai } = scene.parts;
        scene.with({ models: modelsOf({ openai }, { overrides }) });
        await scene.say("pay");
      },
      async (scene) => {
        expect(
          (await scene.story()).slice(14).map((line) => line.replace("outcome-unknown", "done")),
        ).toEqual([
          "message pay",
          "compaction summarise",
          "assistant [pay]",
          "tool pay done",
          "assistant Yes.",
        ]);
        expect(await scene.said()).toHaveLength(8);
        expect(await scene.notices()).toHaveLength(1);
        expect(scene.parts.effects.runs.length).toBeLessThanOrEqual(1);
      },
    );
  });

  it("while it is shortened by hand: once, with one line, and what follows is answered", async () => {
    await dyingEverywhere(
      openLong,
      async (scene) => {
        await scene.control("compact");
        await scene.say("And now?");
      },
      async (scene) => {
        expect((await scene.story()).slice(14)).toEqual([
          "compaction summarise",
          "end compacted",
          "message And now?",
          "assistant Yes.",
        ]);
        expect((await scene.said()).slice(7)).toEqual([
          expect.stringMatching(/^I summarized the earlier part/),
          "Yes.",
        ]);
        expect(await scene.notices()).toEqual([]);
      },
    );
  });
});

describe("a wake-up that cannot be sent", () => {
  it("costs nothing: what is committed is found by the sweeper", async () => {
    await using scene = await openMortal();
    scene.with({ wakeDelivery: () => Promise.reject(new Error("no queue")) });
    await scene.say("all of it");
    await live(scene, [], approve);
    await expectAllOfIt(scene);
    expect(scene.logged("warn")).toContain("could not wake the delivery");
    expect(await scene.hash("deaths")).toBeNull();
  });
});
