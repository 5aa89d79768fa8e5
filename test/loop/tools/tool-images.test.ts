import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { LogEntry } from "../../../src/core/history.ts";
import type { ToolFile } from "../../../src/core/tool.ts";
import { buildRequestView } from "../../../src/loop/view/build-request-view.ts";
import { defineTool } from "../../../src/tools/define-tool.ts";
import { readResult, resultFiles, resultText } from "../../../src/tools/mcp/read-result.ts";
import { png } from "../../support/files/samples.ts";
import type { RecordedRequest } from "../../emulators/model/scripted-model.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { defaultContext, openScene, until, type Scene, type SceneOptions } from "../scene.ts";
import { modelsOf, openaiKey } from "../model/two-providers.ts";

const redis = await testDatabase();

const shot: ToolFile = { name: "shot.png", mediaType: "image/png", bytes: png };
const camera = (files: readonly ToolFile[], text: string) =>
  defineTool({
    name: "shoot",
    description: "Takes a picture.",
    parameters: z.strictObject({ label: z.string().optional() }),
    effect: "read",
    confirm: "never",
    history: "action",
    run: () => Promise.resolve({ text, files }),
  });

/** A chat with a tool that returns these files, and a model that sees, or does not. */
async function open(
  files: readonly ToolFile[],
  {
    vision = true,
    text = "Taken.",
    ...options
  }: Partial<SceneOptions & { vision: boolean; text: string }> = {},
): Promise<Scene> {
  const scene = await openScene({
    redis,
    tools: [camera(files, text)],
    ...options,
  });
  scene.with({
    models: modelsOf(
      { openai: scene.parts.server },
      { overrides: { [openaiKey]: { card: { vision } } } },
    ),
  });
  return scene;
}

const shoots = { toolCalls: [{ name: "shoot", arguments: {} }] };

/** Role and number of images of each message behind the system's. */
const shapeOf = (request: RecordedRequest | undefined): string[] =>
  (request?.messages ?? [])
    .filter(({ role }) => role !== "system")
    .map(({ role, images }) => (images > 0 ? `${role} ${images}` : role));

/** What a model of another provider is shown. */
function viewFor(scene: Scene, transcript: readonly LogEntry[]) {
  const images = new Map(
    transcript.flatMap((entry) =>
      entry.kind === "tool"
        ? (entry.images ?? []).map(
            ({ blob, mediaType }) => [blob, { mediaType, data: "eA==" }] as const,
          )
        : [],
    ),
  );
  const { messages } = buildRequestView({
    transcript,
    viewStart: 0,
    card: { id: "ollama/other", tools: true, thinking: false },
    images,
    context: [],
    tool: (name) => scene.deps.toolbox.find(name),
    keepTurns: 10,
  });
  return messages;
}

const lastText = (request: RecordedRequest | undefined): string | undefined =>
  request?.messages.at(-1)?.text;

describe("an image in a result", () => {
  it("follows the round's results for a model that sees, and in the next turn", async () => {
    await using scene = await open([shot]);
    scene.model.reply(shoots);
    await scene.say("look");
    await scene.settle();
    await scene.say("and?");
    await scene.settle();
    const [, second, third] = scene.model.requests;
    expect(shapeOf(second)).toEqual(["user", "assistant", "tool", "user 1"]);
    expect(lastText(second)).toBe(
      "[From the platform: images of the results above: shoot: shot.png.]",
    );
    expect(JSON.stringify(second?.body)).toContain(
      `data:image/png;base64,${png.toString("base64")}`,
    );
    expect(second?.messages.at(-2)?.text).toBe("Taken.\n[sent to the person as a file: shot.png]");
    expect(shapeOf(third)).toEqual(["user", "assistant", "tool", "user 1", "assistant", "user"]);
    await scene.expectAtRest();
  });

  it("of an MCP server is shown like any other, and its base64 is no text", async () => {
    const data = png.toString("base64");
    const image = { type: "image" as const, data, mimeType: "image/png" };
    const parts = readResult({
      content: [image],
      structuredContent: { content: [image] },
    });
    await using scene = await open(resultFiles(parts), {
      text: resultText(parts),
    });
    scene.model.reply(shoots);
    await scene.say("look");
    await scene.settle();
    const last = scene.model.requests.at(-1);
    expect(shapeOf(last).at(-1)).toBe("user 1");
    expect(last?.messages.at(-2)?.text).toMatch(
      /^\[image: image\/png, \d+ bytes\]\n\[sent to the person as a file: image-1\.png\]$/,
    );
  });

  it("is a line for a model that is blind", async () => {
    await using scene = await open([shot], { vision: false });
    scene.model.reply(shoots);
    await scene.say("look");
    await scene.settle();
    const last = scene.model.requests.at(-1);
    expect(shapeOf(last)).toEqual(["user", "assistant", "tool"]);
    expect(lastText(last)).toBe(
      "Taken.\n[sent to the person as a file: shot.png]\n[image: not visible to this model]",
    );
  });

  it("is one of four of a round, none larger than 1.5 MB, none that is no image", async () => {
    const large = Buffer.concat([png, Buffer.alloc(1_500_000)]);
    const files: ToolFile[] = [
      { ...shot, name: "large.png", bytes: large },
      { ...shot, name: "text.png", bytes: Buffer.from("no image") },
      shot,
      shot,
      shot,
    ];
    await using scene = await open(files);
    scene.model.reply({
      toolCalls: [
        { name: "shoot", arguments: { label: "a" } },
        { name: "shoot", arguments: { label: "b" } },
      ],
    });
    await scene.say("look");
    await scene.settle();
    const last = scene.model.requests.at(-1);
    expect(shapeOf(last).at(-1)).toBe("user 4");
    expect(last?.messages.at(-2)?.text.split("\n")).toContain(
      "[not shown to you: large.png is larger than 1.5 MB]",
    );
    expect(last?.messages.at(-2)?.text.split("\n")).toContain(
      "[not shown to you: 2 more images; at most 4 at a time are]",
    );
  });

  it("of an old turn is only named", async () => {
    await using scene = await open([shot], {
      deps: { context: { ...defaultContext, keepTurns: 1 } },
    });
    scene.model.reply(shoots);
    await scene.say("look");
    await scene.settle();
    await scene.say("and?");
    await scene.settle();
    expect(shapeOf(scene.model.requests[1])).toContain("user 1");
    expect(shapeOf(scene.model.requests.at(-1))).not.toContain("user 1");
    expect(scene.model.requests.at(-1)?.messages.map(({ text }) => text)).toContain(
      "Taken.\n[sent to the person as a file: shot.png]",
    );
  });

  it("whose bytes are kept no longer is only named", async () => {
    await using scene = await open([shot]);
    scene.model.reply(shoots);
    await scene.say("look");
    await scene.settle();
    expect(shapeOf(scene.model.requests[1])).toContain("user 1");
    const { blobs } = scene.deps;
    scene.with({ blobs: { ...blobs, get: () => Promise.resolve(undefined) } });
    await scene.say("and?");
    await scene.settle();
    expect(shapeOf(scene.model.requests.at(-1))).not.toContain("user 1");
    expect(await scene.said()).toHaveLength(2);
    await scene.expectAtRest();
  });

  it("goes with the words that tell a model of another provider of the round", async () => {
    await using scene = await open([shot]);
    scene.model.reply(shoots);
    await scene.say("look");
    await scene.settle();
    const request = viewFor(scene, await scene.log());
    expect(request.some((each) => each.role === "tool")).toBe(false);
    expect(
      request.filter((each) => each.role === "user" && each.images?.length === 1),
    ).toHaveLength(1);
  });

  it("is one of the newest four of a request", async () => {
    await using scene = await open([shot, shot, shot]);
    scene.model.reply(shoots, shoots);
    await scene.say("look");
    await scene.settle();
    expect(shapeOf(scene.model.requests.at(-1))).toEqual([
      "user",
      "assistant",
      "tool",
      "user 1",
      "assistant",
      "tool",
      "user 3",
    ]);
  });

  it("that its provider refuses is not sent again", async () => {
    await using scene = await open([shot]);
    scene.model.reply(shoots, { failure: { status: 400 } });
    await scene.say("look");
    await scene.settle();
    expect(scene.model.requests.map(shapeOf).map((shape) => shape.at(-1))).toEqual([
      "user",
      "user 1",
      "tool",
    ]);
    expect(await scene.said()).toHaveLength(1);
    await scene.expectAtRest();
  });

  it("survives the death of its worker between the result and the next request", async () => {
    await using scene = await open([shot], { leaseMs: 50 });
    scene.model.reply(shoots);
    await scene.say("look");
    const { store } = scene.deps;
    let isSettled = false;
    const dying: typeof store = {
      ...store,
      async commit(...given) {
        const outcome = await store.commit(...given);
        isSettled ||= JSON.stringify(given).includes('"images"');
        if (isSettled) throw new Error("died");
        return outcome;
      },
    };
    const dead = scene.run(undefined, { store: dying });
    await expect(dead).rejects.toThrow("died");
    await until(async () => Number(await scene.hash("lease")) <= Date.now(), "the lease's end");
    await scene.settle();
    expect(shapeOf(scene.model.requests.at(-1)).at(-1)).toBe("user 1");
    await scene.expectAtRest();
  });

  it("is not in the history itself, which only names it", async () => {
    await using scene = await open([shot]);
    scene.model.reply(shoots);
    await scene.say("look");
    await scene.settle();
    const history = await scene.log();
    expect(JSON.stringify(history)).not.toContain(png.toString("base64").slice(0, 40));
    const result = history.find(({ kind }) => kind === "tool");
    expect(result).toMatchObject({
      images: [{ kind: "image", name: "shot.png", size: png.byteLength }],
    });
  });
});
