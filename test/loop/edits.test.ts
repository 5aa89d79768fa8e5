import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { whileBusyModes } from "../../src/core/chat-settings.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { heard, looking, shown } from "./busy.ts";
import { ann, bob, openScene, until, type SceneOptions } from "./scene.ts";

const redis = await testDatabase();
const open = (options: Partial<SceneOptions> = {}) =>
  openScene({ redis, ...options });

const before =
  "[From the platform: this message was edited before it was answered.]";
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

  it("by somebody else, or of another message, changes nothing", async () => {
    await using scene = await open();
    await scene.say("one");
    await scene.edit("1", "two", { person: bob });
    await scene.edit("99", "three");
    await scene.settle();
    expect(shown(scene.model.requests[0])).toEqual(["user one"]);
    expect(await scene.story()).toEqual([
      "message one",
      "assistant You said: one",
    ]);
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
    expect(shown(scene.model.requests[0])).toEqual([
      `user two\n\n${before}`,
      "user three",
    ]);
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

it("an edit that comes when the answer is there is dropped", async () => {
  await using scene = await open();
  await scene.say("one");
  await scene.settle();
  await scene.edit("1", "two");
  await scene.settle();
  expect(scene.model.requests).toHaveLength(1);
  expect(await scene.story()).toEqual([
    "message one",
    "assistant You said: one",
  ]);
  await scene.expectAtRest();
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
            else if (what === "run") await scene.run();
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
