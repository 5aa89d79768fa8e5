import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ToolDisplay } from "../../../src/core/chat-settings.ts";
import type { Tool } from "../../../src/core/tool.ts";
import { defineTool } from "../../../src/tools/define-tool.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { holdTool } from "../busy.ts";
import { openScene, quietDeps, until, type Scene } from "../scene.ts";
import { localKey, openTwo } from "../model/two-providers.ts";

const redis = await testDatabase();

/** Says how far it has come, and goes no further before its gate opens. */
const counter = (gate: Promise<void>): Tool =>
  defineTool({
    name: "count",
    description: "Counts.",
    parameters: z.strictObject({ to: z.number() }),
    effect: "read",
    confirm: "never",
    history: "action",
    async run({ to }, { progress }) {
      progress?.(`1 of ${to}`);
      progress?.(`2 of ${to}\nand \`more\``);
      await gate;
      return { text: `counted to ${to}`, display };
    },
  });

/** For people: of any length, on any number of lines, with anything in it. */
const display = `It is\n\`9\`\u202e: ${"many ".repeat(40)}`;
const shownDisplay = `It is 9 : ${"many ".repeat(17)}many…`;

const answer = ["Here is the answer, ", "which is long ", "enough."];
const shownAnswer = "Here is the answer, which is long ";

const untilDraft = (scene: Scene, text: string): Promise<void> =>
  until(async () => (await scene.draft()) === text, `the draft ${text}`);

/** The drafts while tools run and when the answer begins, and the note below the answer. */
type Lines = readonly [first: string, second: string, note?: string];

/** A turn in which tools run, one of them fails, and an answer begins, up to its end. */
async function show(scene: Scene, open: () => void, [first, second, note]: Lines) {
  const openLook = holdTool(scene, "look");
  scene.model.reply(
    {
      toolCalls: [
        { name: "count", arguments: { to: 9 } },
        { name: "throws", arguments: { label: "x".repeat(80) } },
        { name: "look", arguments: {} },
      ],
    },
    { text: answer },
  );
  const gate = scene.model.hold((request) => request.lastRole === "tool", {
    at: 2,
  });
  await scene.say("one");
  const running = scene.run();
  await untilDraft(scene, first);
  open();
  openLook();
  await gate.waitUntilHeld();
  await untilDraft(scene, second);
  gate.release();
  await running;
  expect(await scene.outbox()).toEqual([
    {
      kind: "message",
      v: 1,
      id: "turn-1",
      text: answer.join(""),
      ...(note === undefined ? {} : { note }),
    },
  ]);
  expect(await scene.draft()).toBeUndefined();
  await scene.expectAtRest();
}

const used = "⚙ Count ✓ · Throws ✗ · Look ✓";

const lines: Readonly<Record<ToolDisplay, Lines>> = {
  off: ["", shownAnswer],
  names: [
    "⚙ Count … 2 of 9 and more\n⚙ Throws ✗\n⚙ Look …",
    `⚙ Count ✓\n⚙ Throws ✗\n⚙ Look ✓\n\n${shownAnswer}`,
    used,
  ],
  full: [
    `⚙ Count \`{"to":9}\` … 2 of 9 and more\n⚙ Throws \`{"label":"${"x".repeat(47)}…\` ✗\n⚙ Look \`{"label":""}\` …`,
    `⚙ Count \`{"to":9}\` ✓ ${shownDisplay}\n⚙ Throws \`{"label":"${"x".repeat(47)}…\` ✗\n⚙ Look \`{"label":""}\` ✓\n\n${shownAnswer}`,
    used,
  ],
};

const open = (tools: readonly Tool[]) =>
  openScene({ redis, tools, deps: { draftIntervalMs: () => 5 } });

describe("the growing answer", () => {
  it.each(["off", "names", "full"] as const)(
    "shows of its tools what a chat wants to see: %s",
    async (display) => {
      const gate = Promise.withResolvers<void>();
      await using scene = await open([counter(gate.promise)]);
      await scene.set("tools", display);
      await show(scene, gate.resolve, lines[display]);
    },
  );

  it("shows what the deployment wants, where the chat wants nothing of its own", async () => {
    const gate = Promise.withResolvers<void>();
    await using scene = await open([counter(gate.promise)]);
    scene.with({ defaults: { ...quietDeps.defaults, tools: "off" } });
    await show(scene, gate.resolve, lines.off);
  });

  it("shows no secret among its tools' arguments", async () => {
    await using scene = await open([]);
    const openLook = holdTool(scene, "look");
    const label = `api_key=${"a1".repeat(10)}`;
    scene.model.reply({ toolCalls: [{ name: "look", arguments: { label } }] }, { text: "done" });
    await scene.say("one");
    const running = scene.run();
    await untilDraft(scene, '⚙ Look `{"label":"api_key=••••"}` …');
    openLook();
    await running;
    await scene.expectAtRest();
  });

  it("shows how its tools have ended while a person is asked", async () => {
    await using scene = await open([]);
    scene.with({ draftIntervalMs: () => 60_000 });
    const openLook = holdTool(scene, "look");
    scene.model.reply({
      toolCalls: ["look", "buy"].map((name) => ({ name, arguments: {} })),
    });
    await scene.say("one");
    const running = scene.run();
    await untilDraft(scene, '⚙ Look `{"label":""}` …');
    openLook();
    await running;
    expect(await scene.draft()).toBe('⚙ Look `{"label":""}` ✓');
  });

  it("is gone when the answer comes before it was shown", async () => {
    await using scene = await open([]);
    await scene.say("one");
    await scene.settle();
    expect(await scene.draft()).toBeUndefined();
    expect(await scene.said()).toEqual(["You said: one"]);
    await scene.expectAtRest();
  });
});

describe("what a model thinks", () => {
  const thoughts = "I should\n`count` first.";

  it.each([
    ["on", "💭 I should  count  first."],
    ["off", ""],
  ] as const)(
    "is shown until the answer begins, where it is wanted: %s",
    async (setting, draft) => {
      await using two = await openTwo({
        redis,
        deps: { draftIntervalMs: () => 5 },
      });
      const { scene, local } = two;
      await scene.set("thinking", setting);
      await scene.set("model", localKey);
      local.reply({ reasoning: thoughts, text: answer });
      // Four words of thoughts, then two pieces of the answer.
      const thinking = local.hold("one", { at: 4 });
      const answering = local.hold("one", { at: 6 });
      await scene.say("one");
      const running = scene.run();
      await thinking.waitUntilHeld();
      await untilDraft(scene, draft);
      thinking.release();
      await answering.waitUntilHeld();
      await untilDraft(scene, shownAnswer);
      answering.release();
      await running;
      expect(await scene.said()).toEqual([answer.join("")]);
      expect((await scene.log()).at(-1)).toMatchObject({ reasoning: thoughts });
      await two.expectAtRest();
    },
  );

  it("is taken back where only its closing mark tells it from the answer", async () => {
    await using two = await openTwo({
      redis,
      deps: { draftIntervalMs: () => 5 },
    });
    const { scene, local } = two;
    await scene.set("thinking", "off");
    await scene.set("model", localKey);
    const unopened = "They want to know how many there are, so I count.";
    local.reply({ text: [unopened, "\n</think>\n\n", ...answer] });
    const thinking = local.hold("one", { at: 1 });
    const answering = local.hold("one", { at: 4 });
    await scene.say("one");
    const running = scene.run();
    await thinking.waitUntilHeld();
    await untilDraft(scene, unopened);
    thinking.release();
    await answering.waitUntilHeld();
    await untilDraft(scene, shownAnswer);
    answering.release();
    await running;
    expect(await scene.said()).toEqual([answer.join("")]);
    expect((await scene.log()).at(-1)).toMatchObject({ reasoning: unopened });
    await two.expectAtRest();
  });

  it("is shown from its end, when there is much of it", async () => {
    await using two = await openTwo({
      redis,
      deps: {
        draftIntervalMs: () => 5,
        defaults: { ...quietDeps.defaults, thinking: true },
      },
    });
    const { scene, local } = two;
    await scene.set("model", localKey);
    local.reply({ reasoning: "a".repeat(500) + "b".repeat(400), text: answer });
    const thinking = local.hold("one", { at: 1 });
    await scene.say("one");
    const running = scene.run();
    await thinking.waitUntilHeld();
    await untilDraft(scene, `💭 …${"b".repeat(400)}`);
    thinking.release();
    await running;
    await two.expectAtRest();
  });
});
