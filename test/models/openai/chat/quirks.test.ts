import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model } from "../../../../src/core/model.ts";
import { createOpenAiModel } from "../../../../src/models/openai/model.ts";
import { OpenAiServer } from "../../../emulators/model/openai-server.ts";
import type { OpenAiQuirk, Step } from "../../../emulators/model/step.ts";
import { ask, pairsOf, request, tools } from "../../helpers.ts";

const quirks: readonly OpenAiQuirk[] = [
  "split-bytes",
  "crlf",
  "think-tags",
  "no-index",
  "no-ids",
  "empty-later-ids",
  "reused-ids",
  "no-role",
  "name-repeated",
  "tiny-arguments",
  "arguments-object",
  "whole-call",
  "interleaved-calls",
  "reasoning-field",
  "usage-unasked",
  "usage-never",
  "usage-every-chunk",
  "usage-with-finish",
  "no-finish-reason",
  "no-done",
  "sse-comments",
  "data-without-space",
  "content-null",
  "refusal",
  "empty-choices-first",
  "two-choices",
];

const step: Step = {
  reasoning: "first I think, 😀",
  text: "Here it is: 🇺🇦 < think >.",
  toolCalls: [
    { name: "current_time", arguments: { timeZone: "Asia/Tokyo" } },
    { name: "write_note", arguments: { note: "a “quoted” {brace} 😀" } },
    { name: "write_note", arguments: { note: "another one" } },
    { name: "read_notes", arguments: {} },
  ],
  usage: { inputTokens: 120, outputTokens: 34 },
};

/**
 * Pieces without index and id, of calls that take turns, belong to no one; split bytes are slow,
 * and tried alone.
 */
function isTried(first: OpenAiQuirk, second: OpenAiQuirk): boolean {
  const pair = new Set([first, second]);
  if (pair.has("split-bytes")) return pair.size === 1;
  return !(pair.has("no-index") && pair.has("interleaved-calls"));
}

const pairs = pairsOf(quirks, isTried);

describe("Chat Completions as servers really speak it", () => {
  let server: OpenAiServer;
  let model: Model;
  beforeAll(async () => {
    server = await OpenAiServer.start();
    model = createOpenAiModel({
      settings: { baseUrl: server.baseUrl },
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
        })),
      ).toEqual(step.toolCalls);
      expect(answer.usage).toEqual(pair.includes("usage-never") ? undefined : step.usage);
      expect(answer.finish).toBe(pair.includes("refusal") ? "filtered" : "tool-calls");
    },
  );

  it("joins a character whose halves come in two chunks", async () => {
    server.model.reply({ text: ["smile \ud83d", "\ude00!"] });
    const answer = await ask(model, request("go"));
    expect(answer.text).toBe("smile 😀!");
    expect(answer.events.every(isWellFormed)).toBe(true);
  });

  it("hands on arguments that are not JSON", async () => {
    server.model.reply({
      toolCalls: [{ name: "write_note", arguments: '{"note": "half' }],
    });
    const answer = await ask(model, request("go", { tools }));
    expect(answer.calls).toMatchObject([{ arguments: '{"note": "half' }]);
    expect(answer.finish).toBe("tool-calls");
  });

  it("takes broken arguments without a finish reason for a cut", async () => {
    server.model.reply({
      toolCalls: [{ name: "write_note", arguments: '{"note": "half' }],
      quirks: ["no-finish-reason"],
    });
    const answer = await ask(model, request("go", { tools }));
    expect(answer.calls).toEqual([]);
    expect(answer.failure?.kind).toBe("network");
  });

  it.each([["no-finish-reason", "no-done", "usage-never"]] as const)(
    "takes a polite end of the connection for a cut: %s, %s, %s",
    async (...quirks) => {
      server.model.reply({ text: "one two", quirks });
      const answer = await ask(model, request("go"));
      expect(answer.text).toBe("one two");
      expect(answer.finish).toBeUndefined();
      expect(answer.failure?.kind).toBe("network");
    },
  );

  it("takes complete calls without an end for a cut, too", async () => {
    server.model.reply({
      toolCalls: [{ name: "read_notes", arguments: {} }],
      quirks: ["no-finish-reason", "no-done", "usage-never"],
    });
    const answer = await ask(model, request("go", { tools }));
    expect(answer.calls).toEqual([]);
    expect(answer.failure?.kind).toBe("network");
  });

  it("does not take usage beside words for an end", async () => {
    server.model.reply({
      text: "one two",
      quirks: ["no-finish-reason", "no-done", "usage-every-chunk"],
    });
    const answer = await ask(model, request("go"));
    expect(answer.failure?.kind).toBe("network");
  });

  it.each([
    ["[DONE]", ["no-finish-reason", "usage-never"]],
    ["[DONE] in bytes", ["no-finish-reason", "usage-never", "split-bytes"]],
    ["[DONE] in CRLF", ["no-finish-reason", "usage-never", "crlf"]],
    ["usage of its own", ["no-finish-reason", "no-done"]],
    ["a finish reason", ["no-done", "usage-never"]],
  ] as const)("takes %s alone for an end", async (_, quirks) => {
    server.model.reply({ text: "one two", quirks });
    const answer = await ask(model, request("go"));
    expect(answer).toMatchObject({ text: "one two", finish: "stop" });
  });

  it("does not take the words [DONE] in an answer for an end", async () => {
    server.model.reply({
      text: ["\ndata: [DONE]\n", "data: [DONE]"],
      quirks: ["no-finish-reason", "no-done", "usage-never"],
    });
    const answer = await ask(model, request("go"));
    expect(answer.failure?.kind).toBe("network");
  });

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

  it("drops calls of a model that calls though it must not", async () => {
    server.model.reply({ ...step, text: "so" });
    const answer = await ask(model, request("go", { tools, toolChoice: "none" }));
    expect(answer).toMatchObject({ text: "so", calls: [], finish: "stop" });
  });
});

function isWellFormed(event: object): boolean {
  return JSON.stringify(event).search(/\\ud[89a-f]/i) < 0;
}
