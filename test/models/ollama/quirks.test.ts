import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Model } from "../../../src/core/model.ts";
import { createOllamaModel } from "../../../src/models/ollama/model.ts";
import { OllamaServer } from "../../emulators/model/ollama-server.ts";
import type { OllamaQuirk, Step } from "../../emulators/model/step.ts";
import { ask, pairsOf, request, tools } from "../helpers.ts";

const quirks: readonly OllamaQuirk[] = [
  "split-bytes",
  "crlf",
  "think-tags",
  "call-ids",
  "calls-together",
  "calls-in-done-line",
  "arguments-string",
  "no-counts",
  "no-done-reason",
  "no-final-newline",
];

const step: Step = {
  reasoning: "first I think, 😀",
  text: "Here it is: 🇺🇦.",
  toolCalls: [
    { name: "current_time", arguments: { timeZone: "Asia/Tokyo" }, id: "one" },
    { name: "write_note", arguments: { note: "a “quoted” 😀" }, id: "two" },
  ],
  usage: { inputTokens: 120, outputTokens: 34 },
};

const pairs = pairsOf(quirks);

describe("/api/chat as servers really speak it", () => {
  let server: OllamaServer;
  let model: Model;
  beforeAll(async () => {
    server = await OllamaServer.start();
    model = createOllamaModel({
      settings: { host: server.baseUrl },
      id: "ollama/qwen3",
    });
  });
  afterAll(() => server[Symbol.asyncDispose]());
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it.each(pairs.map((pair) => [pair.join(" and "), pair] as const))(
    "understands %s",
    async (_, pair) => {
      server.model.reply({ ...step, quirks: pair });
      const answer = await ask(model, request("go", { tools }));
      expect(answer.failure).toBeUndefined();
      expect(answer.text).toBe(step.text);
      expect(answer.reasoning).toBe(step.reasoning);
      const withIds = pair.includes("call-ids");
      expect(
        answer.calls.map((call) => ({
          name: call.name,
          arguments: JSON.parse(call.arguments),
          id: call.id,
        })),
      ).toEqual(
        step.toolCalls?.map((call) => ({
          ...call,
          id: withIds ? call.id : "",
        })),
      );
      expect(answer.usage).toEqual(pair.includes("no-counts") ? undefined : step.usage);
      expect(answer.finish).toBe("tool-calls");
    },
  );

  it("takes a stream without its last line for a cut one", async () => {
    server.model.reply({ text: "one two", quirks: ["no-done"] });
    const answer = await ask(model, request("go"));
    expect(answer.text).toBe("one two");
    expect(answer.failure?.kind).toBe("network");
  });

  it("tells a length stop from an end", async () => {
    server.model.reply({ text: "one two", finish: "length" });
    expect((await ask(model, request("go"))).finish).toBe("length");
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

  it("keeps the client from printing what it cannot read", async () => {
    const printed = (["log", "warn", "error"] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => undefined),
    );
    server.model.reply(
      { text: "one two", failure: "not-json" },
      { failure: { status: 502, body: "<html>Bad gateway</html>" } },
    );
    expect((await ask(model, request("go"))).failure?.kind).toBe("network");
    expect((await ask(model, request("go"))).failure?.kind).toBe("overloaded");
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  });

  it("fails for arguments that Ollama itself cannot parse", async () => {
    server.model.reply({
      toolCalls: [{ name: "write_note", arguments: '{"note": "half' }],
    });
    const answer = await ask(model, request("go", { tools }));
    expect(answer.failure?.kind).toBe("broken-call");
  });
});
