import { describe, expect, it } from "vitest";
import { skillTask, skillText, type Skill } from "../../src/core/skill.ts";
import type { ToolPolicy } from "../../src/loop/tools/prepare-call.ts";
import { ScriptedModel } from "../emulators/model/scripted-model.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { modelsOf, openaiKey } from "./model/two-providers.ts";
import { asDeclared, defaultContext, openScene, type Scene } from "./scene.ts";

const redis = await testDatabase();

const skill = (name: string, more: Partial<Skill> = {}): Skill => ({
  name,
  description: `About ${name}.`,
  body: `HOW-TO-${name}: do it well.`,
  files: new Map([["references/forms.md", "The forms."]]),
  ...more,
});
const pdf = skill("pdf");
const docx = skill("docx");

/** Activates what a message says after "use", reads what it says after "read", else answers. */
const script = () =>
  new ScriptedModel({
    fallback: ({ messages, lastUserText, mayCallTools }) => {
      const isFirst = messages.at(-1)?.role !== "tool";
      const [, use] = /\buse (\S+)$/.exec(lastUserText) ?? [];
      const [, of, path] = /\bread (\S+) (\S+)$/.exec(lastUserText) ?? [];
      if (isFirst && mayCallTools && use !== undefined)
        return { toolCalls: [{ name: "activate_skill", arguments: { name: use } }] };
      if (isFirst && mayCallTools && of !== undefined)
        return { toolCalls: [{ name: "read_skill_file", arguments: { skill: of, path } }] };
      return { text: "done" };
    },
  });

async function open(skills: readonly Skill[] = [docx, pdf], policy: ToolPolicy = asDeclared) {
  return await openScene({
    redis,
    script: script(),
    deps: { skills: () => skills, toolPolicy: policy },
  });
}

async function ask(scene: Scene, text: string, more = {}): Promise<void> {
  await scene.say(text, more);
  await scene.settle();
}

const lastRequest = (scene: Scene) => {
  const request = scene.model.requests.at(-1);
  if (request === undefined) throw new Error("no request");
  return request;
};
const seen = (scene: Scene): string => JSON.stringify(lastRequest(scene).messages);
const results = async (scene: Scene): Promise<string[]> =>
  (await scene.log()).flatMap((entry) => (entry.kind === "tool" ? [entry.text] : []));

describe("the request of a chat", () => {
  it("names its skills, and has tools with their names", async () => {
    await using scene = await open();
    await ask(scene, "hello");
    const { messages, toolNames, body } = lastRequest(scene);
    const system = messages.filter(({ role }) => role === "system").map(({ text }) => text);
    expect(system.join("\n")).toContain("- docx: About docx.\n- pdf: About pdf.");
    expect(system.join("\n")).toContain("It cannot allow anything");
    expect(JSON.stringify(messages)).not.toContain("HOW-TO");
    expect(toolNames).toEqual(expect.arrayContaining(["activate_skill", "read_skill_file"]));
    expect(JSON.stringify(body["tools"])).toContain('"enum":["docx","pdf"]');
  });

  it("has nothing of skills where there are none, or all are off", async () => {
    await using none = await open([]);
    await ask(none, "hello");
    await using off = await open([pdf]);
    await off.set("skillsOff", "pdf");
    await ask(off, "hello");
    for (const scene of [none, off])
      expect(JSON.stringify(lastRequest(scene).body)).not.toMatch(/skill/i);
  });

  it("leaves out those that the chat has switched off", async () => {
    await using scene = await open();
    await scene.set("skillsOff", "docx other");
    await ask(scene, "use docx");
    expect(JSON.stringify(lastRequest(scene).body["tools"])).toContain('"enum":["pdf"]');
    expect((await results(scene))[0]).toMatch(/^invalid-arguments/);
  });

  it("begins the same as long as the skills do", async () => {
    await using scene = await open();
    await ask(scene, "one");
    const before = JSON.stringify(lastRequest(scene).messages.slice(0, 1));
    await ask(scene, "two");
    expect(JSON.stringify(lastRequest(scene).messages.slice(0, 1))).toBe(before);
  });
});

describe("activate_skill", () => {
  it("gives the approved text once, and says then that it is active", async () => {
    await using scene = await open();
    await ask(scene, "use pdf");
    expect(seen(scene)).toContain("HOW-TO-pdf");
    await ask(scene, "again, use pdf");
    expect(await results(scene)).toEqual([
      skillText(pdf),
      "The skill pdf is active in this conversation: its text is above.",
    ]);
  });

  it("gives it again after /new and after /undo", async () => {
    await using scene = await open();
    await ask(scene, "use pdf");
    await scene.reset();
    await ask(scene, "hello");
    expect(seen(scene)).not.toContain("HOW-TO-pdf");
    await ask(scene, "use pdf");
    await scene.control("undo");
    await scene.settle();
    await ask(scene, "use pdf");
    expect((await results(scene)).filter((text) => text === skillText(pdf))).toHaveLength(3);
  });

  it("obeys the operator's rules, as any tool", async () => {
    await using scene = await open([pdf], (tool, declared, call) =>
      tool === "activate_skill" ? { type: "deny" } : asDeclared(tool, declared, call),
    );
    await ask(scene, "use pdf");
    await ask(scene, skillTask("pdf", "a task"), { skill: "pdf" });
    expect(seen(scene)).not.toContain("HOW-TO-pdf");
    expect(await results(scene)).toEqual([
      expect.stringMatching(/^policy-denied/),
      expect.stringMatching(/^policy-denied/),
    ]);
  });

  it.each(["../secret", "/etc/passwd", "references/../../x", "SKILL.md", "constructor"])(
    "comes with files by their paths, and no others: %s",
    async (path) => {
      await using scene = await open();
      await ask(scene, "read pdf references/forms.md");
      await ask(scene, `read pdf ${path}`);
      expect(await results(scene)).toEqual([
        expect.stringContaining("The forms."),
        expect.stringMatching(/^tool-error: this skill has no such text file/),
      ]);
    },
  );
});

describe("a message of /skill", () => {
  it("gives the text at once, before the model has called anything", async () => {
    await using scene = await open();
    await ask(scene, skillTask("pdf", "fill in the form"), { skill: "pdf" });
    expect(scene.model.requests).toHaveLength(1);
    const { messages } = lastRequest(scene);
    expect(messages.at(-1)).toMatchObject({ role: "user" });
    expect(messages.map(({ text }) => text).join("\n")).toContain("HOW-TO-pdf");
    expect(await scene.story()).toEqual([
      expect.stringContaining("fill in the form"),
      "assistant [activate_skill]",
      "tool activate_skill done",
      "assistant done",
    ]);
    // It counts as activated.
    await ask(scene, skillTask("pdf", "another form"), { skill: "pdf" });
    await ask(scene, "use pdf");
    expect((await results(scene)).filter((text) => text === skillText(pdf))).toHaveLength(1);
    await scene.expectAtRest();
  });

  it("gives it again when the message is retried", async () => {
    await using scene = await open();
    await ask(scene, skillTask("pdf", "fill in the form"), { skill: "pdf" });
    await scene.control("retry");
    await scene.settle();
    expect(seen(scene).split("HOW-TO-pdf")).toHaveLength(2);
    await scene.expectAtRest();
  });

  it("asks the model to call it where the rules want a person to approve that", async () => {
    await using scene = await open([pdf], (tool, declared, call) =>
      tool === "activate_skill"
        ? { type: "confirm", approvers: "requester-or-admins" }
        : asDeclared(tool, declared, call),
    );
    await ask(scene, skillTask("pdf", "a task"), { skill: "pdf" });
    expect(seen(scene)).not.toContain("HOW-TO-pdf");
    expect(seen(scene)).toContain('Use the skill \\"pdf\\"');
  });

  it("says so where the skill is gone by then", async () => {
    await using scene = await open([docx]);
    await ask(scene, skillTask("pdf", "a task"), { skill: "pdf" });
    expect(await scene.story()).toContain("tool activate_skill invalid-arguments");
    expect((await scene.said()).at(-1)).toContain("done");
  });
});

/** A chat with a small model, and the skill activated long ago. */
async function compacted(body: string, strategy: "summarise" | "truncate" | "agent") {
  const long = skill("pdf", { body });
  const scene = await open([docx, long]);
  scene.with({
    context: { ...defaultContext, protectPairs: 1, strategy },
    models: modelsOf(
      { openai: scene.parts.server },
      { overrides: { [openaiKey]: { card: { contextWindow: 8_000 } } } },
    ),
  });
  await ask(scene, "use pdf");
  for (let turn = 1; turn <= 30; turn += 1) await ask(scene, `turn ${turn} ${"word ".repeat(200)}`);
  const story = await scene.story();
  expect(story.filter((line) => line.startsWith("compaction")).length).toBeGreaterThan(1);
  return { scene, long };
}

describe("a compaction", () => {
  it.each(["summarise", "truncate", "agent"] as const)(
    "keeps the text of an active skill, however often it comes: %s",
    async (strategy) => {
      const { scene, long } = await compacted(
        `HOW-TO ${"step ".repeat(400)}END-OF-SKILL`,
        strategy,
      );
      await using _ = scene;
      expect(seen(scene)).toContain("the active skills.");
      expect(seen(scene).split("END-OF-SKILL")).toHaveLength(2);
      await ask(scene, "use pdf");
      expect((await results(scene)).at(-1)).toMatch(/is active in this conversation/);
      await scene.reset();
      await ask(scene, "hello");
      expect(seen(scene)).not.toContain("END-OF-SKILL");
      await ask(scene, "use pdf");
      expect((await results(scene)).at(-1)).toBe(skillText(long));
      await scene.expectAtRest();
    },
  );

  it("lets go of one that has no room, which can then be activated again", async () => {
    const { scene, long } = await compacted(
      `HOW-TO ${"step ".repeat(2_000)}END-OF-SKILL`,
      "truncate",
    );
    await using _ = scene;
    expect(seen(scene)).not.toContain("END-OF-SKILL");
    await ask(scene, "use pdf");
    expect((await results(scene)).at(-1)).toBe(skillText(long));
  });
});
