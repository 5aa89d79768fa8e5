import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model } from "../../../../src/core/model.ts";
import { createOpenAiModel } from "../../../../src/models/openai/model.ts";
import { OpenAiServer } from "../../../emulators/model/openai-server.ts";
import type { ResponsesQuirk, Step } from "../../../emulators/model/step.ts";
import { ask, pairsOf, request, tools } from "../../helpers.ts";

const quirks: readonly ResponsesQuirk[] = [
  "split-bytes",
  "crlf",
  "think-tags",
  "sse-comments",
  "data-without-space",
  "tiny-arguments",
  "refusal",
  "no-event-lines",
  "reasoning-text",
  "no-argument-deltas",
  "only-completed",
  "empty-output",
  "usage-never",
  "done-sentinel",
  "changing-item-ids",
  "no-output-index",
  "all-output-index-0",
  "items-in-reverse",
  "arguments-when-completed",
];

const step: Step = {
  reasoning: "first I think, 😀",
  text: "Here it is: 🇺🇦 < think >.",
  toolCalls: [
    { name: "current_time", arguments: { timeZone: "Asia/Tokyo" }, id: "one" },
    { name: "write_note", arguments: { note: "a “quoted” 😀" }, id: "two" },
    { name: "read_notes", arguments: {}, id: "three" },
  ],
  usage: { inputTokens: 120, outputTokens: 34 },
};

/**
 * Of a response that neither streams nor lists its items nothing is left; split bytes are slow, and
 * tried alone.
 */
function isTried(first: ResponsesQuirk, second: ResponsesQuirk): boolean {
  const pair = new Set([first, second]);
  if (pair.has("split-bytes")) return pair.size === 1;
  const isLost = pair.has("only-completed") || pair.has("arguments-when-completed");
  const isUnordered =
    pair.has("items-in-reverse") && (pair.has("no-output-index") || pair.has("all-output-index-0"));
  return !(pair.has("empty-output") && (isLost || isUnordered));
}

const pairs = pairsOf(quirks, isTried);

describe("the Responses API as servers really speak it", () => {
  let server: OpenAiServer;
  let model: Model;
  beforeAll(async () => {
    server = await OpenAiServer.start();
    model = createOpenAiModel({
      settings: { baseUrl: server.baseUrl, api: "responses" },
      id: "openai/gpt-4o-mini",
    });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it.each(pairs.map((pair) => [pair.join(" and "), pair] as const))(
    "understands %s",
    async (_, pair) => {
      server.model.reply({ ...step, quirks: pair });
      const answer = await ask(model, request("go", { tools }));
      expect(answer.failure).toBeUndefined();
      expect(answer.text).toBe(step.text);
      expect(answer.reasoning).toBe(step.reasoning);
      expect(
        answer.calls.map((call) => ({
          name: call.name,
          arguments: JSON.parse(call.arguments),
          id: call.id,
        })),
      ).toEqual(step.toolCalls);
      expect(answer.usage).toEqual(pair.includes("usage-never") ? undefined : step.usage);
      expect(answer.finish).toBe(pair.includes("refusal") ? "filtered" : "tool-calls");
    },
  );

  it.each([
    ["length", "length"],
    ["content_filter", "filtered"],
    ["stop", "stop"],
  ] as const)("turns the finish %s into %s", async (finish, reason) => {
    server.model.reply({ text: "words", finish });
    expect((await ask(model, request("go"))).finish).toBe(reason);
  });

  it("finishes an empty answer", async () => {
    server.model.reply({ text: "" });
    const answer = await ask(model, request("go"));
    expect(answer).toMatchObject({ text: "", calls: [], finish: "stop" });
  });

  it("hands on arguments that are not JSON", async () => {
    server.model.reply({
      toolCalls: [{ name: "write_note", arguments: '{"note": "half' }],
    });
    const answer = await ask(model, request("go", { tools }));
    expect(answer.calls).toMatchObject([{ arguments: '{"note": "half' }]);
  });

  it("drops calls of a model that calls though it must not", async () => {
    server.model.reply({ ...step, text: "so" });
    const answer = await ask(model, request("go", { tools, toolChoice: "none" }));
    expect(answer).toMatchObject({ text: "so", calls: [], finish: "stop" });
  });
});
