import { describe, expect, it } from "vitest";
import type { ErrorReport } from "../../../src/core/error-report.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { shown } from "../busy.ts";
import { calls, openScene, type SceneOptions } from "../scene.ts";

const redis = await testDatabase();
const open = (options: Partial<SceneOptions> = {}) => openScene({ redis, ...options });

const printed = '<tool_call>\n{"name": "look", "arguments": {"secret": "of Ann"}}\n</tool_call>';
const hint = /From the platform: [^]*through the tool-calling interface/;

describe("a tool call that is written as text", () => {
  it("is asked for once more, with one hint, and never seen by people or the model", async () => {
    await using scene = await open();
    scene.model.reply({ text: `I'll look.\n\n${printed}` }, calls("look"), { text: "It is noon." });
    await scene.say("what time is it?");
    expect(await scene.run()).toEqual({ type: "done" });
    expect(await scene.said()).toEqual(["It is noon."]);
    const asked = scene.model.requests.map(shown);
    expect(asked).toHaveLength(3);
    expect(asked.map((each) => hint.test(each.join()))).toEqual([false, true, false]);
    expect(JSON.stringify(asked)).not.toContain("tool_call>");
    expect(scene.logged("warn")).toContain("the model wrote a tool call as text");
    expect(scene.logged("warn")).not.toContain("of Ann");
  });

  it("twice in a turn ends it with a sentence, and is on record for doctor", async () => {
    const noted: ErrorReport[] = [];
    await using scene = await open({ deps: { noteError: (report) => void noted.push(report) } });
    scene.model.reply({ text: printed }, { text: `Well.\n${printed}` });
    await scene.say("what time is it?");
    expect(await scene.run()).toEqual({ type: "done" });
    expect(scene.model.received).toBe(2);
    const [said = ""] = await scene.said();
    expect(said).toMatch(/^Sorry, my AI model tried to use a tool but made a mistake/);
    expect(said).not.toContain("tool_call>");
    expect(noted).toEqual([expect.objectContaining({ kind: "broken-call" })]);
    expect(noted[0]?.cause).toContain("<tool_call>");
    expect(JSON.stringify(noted)).not.toContain("of Ann");
    await scene.expectAtRest();
  });

  it("in code is what the model has to say", async () => {
    await using scene = await open();
    const text = `Qwen writes:\n\n\`\`\`\n${printed}\n\`\`\``;
    scene.model.reply({ text });
    await scene.say("how does Qwen call tools?");
    await scene.run();
    expect(await scene.said()).toEqual([text]);
  });
});
