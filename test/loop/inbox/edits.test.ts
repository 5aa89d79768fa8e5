import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { whileBusyModes } from "../../../src/core/chat-settings.ts";
import type { LogEntry } from "../../../src/core/history.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { write } from "../../memory/support.ts";
import { storeOn } from "../../store/support.ts";
import { heard, looking, shown } from "../busy.ts";
import {
  ann,
  bob,
  defaultPolicy,
  openScene,
  until,
  type Scene,
  type SceneOptions,
} from "../scene.ts";

const redis = await testDatabase();
const store = storeOn(redis);
const open = (options: Partial<SceneOptions> = {}) => openScene({ redis, ...options });

const before = "[From the platform: this message was edited before it was answered.]";
const note = "[From the platform: the message was edited; it now reads:]";

describe("an edit of a message that waits", () => {
  it("changes what is asked", async () => {
    await using scene = await open();
    await scene.say("tow");
    await scene.edit("1", "two");
    await scene.settle();
    expect(shown(scene.model.requests[0])).toEqual([`user two\n\n${before}`]);
    expect(await scene.said()).toHaveLength(1);
    expect(await scene.story()).toEqual([
      "message tow",
      "edit two",
      expect.stringMatching(/^assistant/),
    ]);
    await scene.expectAtRest();
  });

  it("does so from behind other people's messages, and is no news there", async () => {
    await using scene = await open();
    await scene.say("tow");
    await scene.say("mine", { person: bob });
    await scene.edit("1", "two");
    await scene.edit("1", "three");
    await scene.settle();
    expect(shown(scene.model.requests[0])).toEqual([`user three\n\n${before}`]);
    expect(shown(scene.model.requests[1]).at(-1)).toBe("user mine");
    expect(await scene.said()).toHaveLength(2);
    await scene.expectAtRest();
  });

  it("by someone else, or of another message, changes nothing", async () => {
    await using scene = await open();
    await scene.say("one");
    await scene.edit("1", "two", { person: bob });
    await scene.edit("99", "three");
    await scene.settle();
    expect(shown(scene.model.requests[0])).toEqual(["user one"]);
    expect(await scene.story()).toEqual(["message one", "assistant You said: one"]);
    await scene.expectAtRest();
  });

  it("to what it reads already is none", async () => {
    await using scene = await open();
    await scene.say("one");
    await scene.edit("1", "one");
    await scene.settle();
    expect(shown(scene.model.requests[0])).toEqual(["user one"]);
    await scene.expectAtRest();
  });

  it("between the pieces of a burst leaves them together", async () => {
    await using scene = await open();
    await scene.say("tow", { burst: "album-1" });
    await scene.edit("1", "two");
    await scene.say("three", { burst: "album-1" });
    await until(async () => {
      await scene.settle();
      return (await scene.said()).length > 0;
    }, "the burst's end");
    expect(shown(scene.model.requests[0])).toEqual([`user two\n\n${before}`, "user three"]);
    expect(scene.model.requests).toHaveLength(1);
    await scene.expectAtRest();
  });

  it("is what /retry asks again", async () => {
    await using scene = await open();
    await scene.say("tow");
    await scene.edit("1", "two");
    await scene.settle();
    await scene.control("retry");
    await scene.settle();
    expect(shown(scene.model.requests[1])).toEqual(["user two"]);
    await scene.expectAtRest();
  });
});

describe("an edit of a message that is being answered", () => {
  it("joins at the next round as a note", async () => {
    await using scene = await open();
    const turn = await looking(scene, "one");
    await scene.edit("1", "two", {});
    await turn.see();
    await scene.settle();
    expect(shown(scene.model.requests[1])).toEqual([
      "user one",
      "assistant [look]",
      "tool look 0 done",
      `user ${note}\ntwo`,
    ]);
    expect(await scene.said()).toHaveLength(1);
    await scene.expectAtRest();
  });

  it("in a group says whose it was", async () => {
    await using scene = await open();
    const turn = await looking(scene, "Ann: one", { text: "one", group: true });
    await scene.edit("1", "two", { group: true });
    await turn.see();
    expect(shown(scene.model.requests[1]).at(-1)).toBe(
      "user Ann: [From the platform: an earlier message of this person was edited; it now reads:]\ntwo",
    );
  });

  it("joins together with what its writer adds in the mode steer", async () => {
    await using scene = await open({ whileBusy: "steer" });
    const turn = await looking(scene, "one");
    await scene.edit("1", "two");
    await scene.say("and three");
    await scene.edit("3", "and four");
    await heard(scene);
    await turn.see();
    await scene.settle();
    expect(shown(scene.model.requests[1]).slice(3)).toEqual([
      `user ${note}\ntwo`,
      `user and four\n\n${before}`,
    ]);
    expect(await scene.said()).toHaveLength(1);
    await scene.expectAtRest();
  });

  it("leaves its question open, and is read when that is decided", async () => {
    await using scene = await open();
    scene.model.reply({ toolCalls: [{ name: "buy", arguments: {} }] });
    await scene.say("one");
    await scene.settle();
    await scene.edit("1", "two");
    await scene.settle();
    expect(await scene.statuses()).toEqual(["pending"]);
    await scene.decide(0, "approved");
    await scene.settle();
    expect(shown(scene.model.requests[1]).at(-1)).toBe(`user ${note}\ntwo`);
    expect(await scene.said()).toHaveLength(1);
    await scene.expectAtRest();
  });

  it("does not end the turn in the mode interrupt", async () => {
    await using scene = await open({ whileBusy: "interrupt" });
    const turn = await looking(scene, "one");
    await scene.edit("1", "two");
    await heard(scene);
    await turn.see();
    await scene.settle();
    expect(await scene.story()).toContain("edit two");
    expect(await scene.said()).toHaveLength(1);
    await scene.expectAtRest();
  });
});

const answerOf = (text: string) => [`user ${text}`, `assistant ${long}`];
/** Enough to be shown as a draft. */
const long = "An answer of which people read the beginning already.";

/** A turn whose answer is held at a point of its stream. */
async function answering(scene: Scene, at: "headers" | number) {
  const gate = scene.model.hold(/^one$/, { at });
  scene.model.when(/^one$/, { text: long });
  await scene.say("one");
  const running = scene.run();
  await gate.waitUntilHeld();
  return {
    /** Tells the worker that something has arrived. */
    hear: () => heard(scene),
    async seen() {
      await until(async () => (await scene.draft())?.includes("An answer") === true, "the draft");
    },
    async end() {
      gate.release();
      await running;
      return await scene.settle();
    },
  };
}

describe("an edit while the answer comes", () => {
  it.each(["headers", 3] as const)(
    "of which no one has seen anything (%s) asks again with the new text, once per edit",
    async (at) => {
      await using scene = await open();
      const turn = await answering(scene, at);
      await scene.edit("1", "two");
      await turn.hear();
      await until(() => scene.model.requests.length === 2, "another request");
      await turn.end();
      expect(shown(scene.model.requests[1])).toEqual([`user two\n\n${before}`]);
      expect(await scene.said()).toEqual([expect.stringMatching(/^You said: two/)]);
      expect(await scene.story()).toEqual([
        "message one",
        "edit two",
        expect.stringMatching(/^assistant You said: two/),
      ]);
      await scene.expectAtRest();
    },
  );

  it("again and again is answered as it reads in the end, in one answer", async () => {
    await using scene = await open();
    scene.model.hold(/^two/, { at: "headers" });
    const turn = await answering(scene, "headers");
    await scene.edit("1", "two");
    await turn.hear();
    await until(() => scene.model.requests.length === 2, "the second request");
    await scene.edit("1", "three");
    await scene.edit("1", "four");
    await turn.hear();
    await until(() => scene.model.requests.length === 3, "the third request");
    await turn.end();
    expect(shown(scene.model.requests[2])).toEqual([`user four\n\n${before}`]);
    expect(await scene.said()).toHaveLength(1);
    expect((await scene.usage())["openai/gpt-4o-mini"]?.requests).toBe(3);
    await scene.expectAtRest();
  });

  it("of which people have seen a part lets it finish, and is read with the next message", async () => {
    await using scene = await open();
    const turn = await answering(scene, 8);
    await turn.seen();
    await scene.edit("1", "two");
    await turn.hear();
    await turn.end();
    expect(await scene.said()).toEqual([long]);
    expect(scene.model.requests).toHaveLength(1);
    await scene.say("and now?");
    await scene.settle();
    expect(shown(scene.model.requests[1])).toEqual([
      ...answerOf("one"),
      `user ${note}\ntwo`,
      "user and now?",
    ]);
    await scene.expectAtRest();
  });

  it("is read with the next message also where that was written before it", async () => {
    await using scene = await open();
    const turn = await answering(scene, 8);
    await turn.seen();
    await scene.say("and now?");
    await scene.edit("1", "two");
    await turn.hear();
    await turn.end();
    expect(shown(scene.model.requests[1])).toEqual(
      expect.arrayContaining([`user ${note}\ntwo`, "user and now?"]),
    );
    expect(await scene.said()).toHaveLength(2);
    await scene.expectAtRest();
  });

  it("that changes no word asks nothing again", async () => {
    await using scene = await open();
    const turn = await answering(scene, "headers");
    await scene.edit("1", "one");
    await scene.edit("99", "two");
    await scene.edit("1", "two", { person: bob });
    await turn.hear();
    await turn.end();
    expect(scene.model.requests).toHaveLength(1);
    expect(await scene.story()).toEqual(["message one", `assistant ${long}`]);
    await scene.expectAtRest();
  });

  it("of one of several messages of a turn asks again with all of them", async () => {
    await using scene = await open({ whileBusy: "collect" });
    await scene.say("zero");
    const gate = scene.model.hold(/^one$/, { at: "headers" });
    await scene.say("one");
    const running = scene.run();
    await gate.waitUntilHeld();
    await scene.edit("1", "nil");
    await heard(scene);
    await until(() => scene.model.requests.length === 2, "another request");
    gate.release();
    await running;
    await scene.settle();
    expect(shown(scene.model.requests[1])).toEqual([`user nil\n\n${before}`, "user one"]);
    expect(await scene.said()).toHaveLength(1);
    await scene.expectAtRest();
  });

  it("does not take the turn's last model call away", async () => {
    await using scene = await open({
      deps: { policy: { ...defaultPolicy, maxModelCalls: 2 } },
    });
    const turn = await answering(scene, "headers");
    await scene.edit("1", "two");
    await turn.hear();
    await turn.end();
    expect(await scene.said()).toEqual([long]);
    expect(await scene.story()).toContain("edit two");
    await scene.expectAtRest();
  });

  it("survives the worker's death, whatever was decided", async () => {
    await using scene = await open({ leaseMs: 1 });
    const turn = await answering(scene, "headers");
    await scene.edit("1", "two");
    // Another worker takes the chat over: it has heard nothing.
    const taken = scene.settle();
    await taken;
    await turn.end();
    expect(shown(scene.model.requests.at(-1))).toEqual([`user two\n\n${before}`]);
    expect(await scene.said()).toHaveLength(1);
    expect((await scene.story()).filter((each) => each === "edit two")).toEqual(["edit two"]);
  });
});

it("whenever edits come, there is one answer, and the newest text is in the next request", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("headers" as const, 1, 4, 8),
      fc.array(fc.constantFrom("two", "three", "one"), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.boolean(),
      async (at, texts, isHeard) => {
        await using scene = await open();
        const turn = await answering(scene, at);
        if (at === 8) await turn.seen();
        for (const text of texts) await scene.edit("1", text);
        if (isHeard) await turn.hear();
        await turn.end();
        expect(await scene.said()).toHaveLength(1);
        await scene.say("next");
        await scene.settle();
        const last = shown(scene.model.requests.at(-1));
        const newest = texts.at(-1) ?? "";
        const isChanged = texts.some((text) => text !== "one");
        const reads = last.filter((line) => line.startsWith("user "));
        expect(reads.slice(0, -1).findLast((line) => !isChanged || line !== "user one")).toContain(
          newest,
        );
        await scene.expectAtRest();
      },
    ),
    { numRuns: 12 },
  );
});

describe("an edit that is met by an idle chat", () => {
  it("is read with the next message, and is no turn", async () => {
    await using scene = await open();
    await scene.say("one");
    await scene.settle();
    await scene.edit("1", "two");
    await scene.edit("1", "two");
    await scene.settle();
    expect(scene.model.requests).toHaveLength(1);
    expect(await scene.story()).toEqual(["message one", "assistant You said: one", "edit two"]);
    await scene.expectAtRest();
  });

  it("is what /retry asks again", async () => {
    await using scene = await open();
    await scene.say("one");
    await scene.settle();
    await scene.edit("1", "two");
    await scene.control("retry");
    await scene.settle();
    expect(shown(scene.model.requests[1])).toEqual(["user two"]);
    await scene.expectAtRest();
  });

  it("is what /retry asks again, also where it came after the answer", async () => {
    await using scene = await open();
    await scene.say("one");
    await scene.settle();
    await scene.edit("1", "two", { past: true });
    await scene.control("retry");
    await scene.settle();
    expect(shown(scene.model.requests[1])).toEqual(["user two"]);
    // One that came while /retry waited is no news to its turn.
    const gate = scene.model.hold(/^two$/, { at: "headers" });
    await scene.control("retry");
    const running = scene.run();
    await gate.waitUntilHeld();
    await scene.edit("1", "three", { past: true });
    await heard(scene);
    gate.release();
    await running;
    await scene.settle();
    expect(scene.model.requests).toHaveLength(3);
    await scene.expectAtRest();
  });

  it("that came after the answer is for the memory: no model reads it", async () => {
    await using scene = await open();
    await scene.say("one");
    await scene.settle();
    await scene.edit("1", "two", { past: true });
    await scene.settle();
    await scene.say("next");
    await scene.settle();
    const next = [`user one`, "assistant You said: one", "user next"];
    expect(shown(scene.model.requests.at(-1))).toEqual(next);
    // Also while the next one is answered.
    const turn = await answering(scene, "headers");
    await scene.edit("1", "three", { past: true });
    await turn.hear();
    await turn.end();
    expect(scene.model.requests).toHaveLength(3);
    const log = await scene.log();
    expect(log.filter(({ kind }) => kind === "edit")).toMatchObject([
      { text: "two", of: 0, past: true },
      { text: "three", of: 0, past: true },
    ]);
    await scene.expectAtRest();
  });

  it("stays where the exchange that it came in is taken back, and is known then", async () => {
    await using scene = await open();
    await scene.say("one");
    await scene.settle();
    await scene.say("three");
    await scene.edit("1", "two");
    await scene.settle();
    await scene.control("undo");
    await scene.settle();
    await scene.edit("1", "two");
    await scene.say("next");
    await scene.settle();
    expect(shown(scene.model.requests.at(-1))).toEqual([
      "user one",
      "assistant You said: one",
      `user ${note}\ntwo`,
      "user next",
    ]);
    expect((await scene.story()).filter((each) => each.startsWith("edit"))).toEqual(["edit two"]);
    await scene.expectAtRest();
  });

  it("of a message that another person repeats with /retry is for the memory", async () => {
    await using scene = await open();
    await scene.say("one");
    await scene.settle();
    const gate = scene.model.hold(/^one$/, { at: "headers" });
    await scene.control("retry", { person: bob });
    const running = scene.run();
    await gate.waitUntilHeld();
    // Bob would answer for what Ann makes of it.
    await scene.edit("1", "two");
    await scene.edit("1", "three", { person: bob });
    await heard(scene);
    gate.release();
    await running;
    await scene.settle();
    expect(scene.model.requests.map(shown)).toEqual([["user one"], ["user one"]]);
    const log = await scene.log();
    expect(log.at(3)).toMatchObject({ kind: "message", person: bob, author: ann.id });
    expect(log.filter(({ kind }) => kind === "edit")).toMatchObject([
      { text: "two", of: 3, past: true },
    ]);
    // Once more it is as its author has made it.
    await scene.control("retry", { person: ann });
    await scene.settle();
    expect(shown(scene.model.requests.at(-1))).toEqual(["user two"]);
    expect((await scene.log()).findLast(({ kind }) => kind === "message")).not.toHaveProperty(
      "author",
    );
    await scene.expectAtRest();
  });

  it("of a message that was taken back is dropped", async () => {
    await using scene = await open();
    await scene.say("one");
    await scene.settle();
    await scene.control("undo");
    await scene.edit("1", "two");
    await scene.settle();
    expect((await scene.story()).at(-1)).toBe("undo");
    await scene.expectAtRest();
  });

  it.each(["at once", "later"])(
    "of a message from before /new is in the history, %s, once, and no model reads it",
    async (when) => {
      await using scene = await open();
      await scene.say("one");
      if (when === "later") await scene.settle();
      else await scene.stop();
      await scene.reset();
      if (when === "later") await scene.settle();
      await scene.edit("1", "two");
      await scene.edit("1", "two");
      await scene.settle();
      await scene.say("three");
      await scene.settle();
      expect((await scene.story()).filter((each) => each.startsWith("edit"))).toEqual(["edit two"]);
      expect(shown(scene.model.requests.at(-1))).toEqual(["user three"]);
      await scene.expectAtRest();
    },
  );

  it("of a message that a compaction has left out is read with the next message", async () => {
    await using scene = await open();
    for (const text of ["one", "three", "four"]) {
      await scene.say(text);
      await scene.settle();
    }
    const compaction: LogEntry = {
      kind: "compaction",
      v: 1,
      turn: 1,
      fromSeq: 0,
      toSeq: 3,
      summary: "They said one.",
      kept: [],
      results: [],
      strategy: "truncate",
      tokensBefore: 10,
      tokensAfter: 1,
    };
    await write(store, scene.chat, [compaction]);
    await store.redis.hset(chatKeys(scene.chat).state, "viewStart", "4");
    await scene.edit("1", "two");
    await scene.say("five");
    await scene.settle();
    expect(shown(scene.model.requests.at(-1))).toContain(`user ${note}\ntwo`);
  });
});

it("an edit never makes a second answer", async () => {
  const step = fc.oneof(
    fc.record({
      what: fc.constant("say" as const),
      person: fc.constantFrom(ann, bob),
    }),
    fc.record({
      what: fc.constant("edit" as const),
      edits: fc.constantFrom("1", "2", "3", "4"),
      person: fc.constantFrom(ann, bob),
      text: fc.constantFrom("one", "two", ""),
    }),
    fc.constant({ what: "run" as const }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 10 }),
      fc.constantFrom(...whileBusyModes),
      async (steps, whileBusy) => {
        const answers = async (withEdits: boolean): Promise<number> => {
          await using scene = await open({ whileBusy });
          for (const step of steps) {
            const { what, ...more } = step;
            if (what === "say") await scene.say("hello", more);
            // To its end: what comes between two steps of a run may supersede, with an edit or
            // without.
            else if (what === "run") await scene.settle();
            else if (withEdits && step.what === "edit")
              await scene.edit(step.edits, step.text, { person: step.person });
          }
          await scene.settle();
          await scene.expectAtRest();
          return (await scene.said()).length;
        };
        expect(await answers(true)).toBe(await answers(false));
      },
    ),
    { numRuns: 15 },
  );
});
