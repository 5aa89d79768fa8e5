import { describe, expect, it } from "vitest";
import type { Usage } from "../../src/core/history.ts";
import type { Model } from "../../src/core/model.ts";
import { Breakers } from "../../src/models/breaker.ts";
import { createModelChain } from "../../src/models/chain.ts";
import { createOllamaModel } from "../../src/models/ollama/model.ts";
import { createOpenAiModel } from "../../src/models/openai/model.ts";
import { ask, eventsOf, ListedModel, request } from "./helpers.ts";

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

/**
 * An answer whose usage is as given, on each wire; a text is written as it stands, for JSON has
 * numbers that we cannot write.
 */
const wires: readonly [string, (count: string) => string][] = [
  [
    "chat",
    (count) =>
      event({
        choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: null }],
      }) +
      event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }) +
      `data: {"choices":[],"usage":{"prompt_tokens":${count},"completion_tokens":${count}}}\n\ndata: [DONE]\n\n`,
  ],
  [
    "responses",
    (count) =>
      event({ type: "response.output_text.delta", delta: "Hi" }) +
      `data: {"type":"response.completed","response":{"status":"completed","usage":{"input_tokens":${count},"output_tokens":${count}}}}\n\n`,
  ],
  [
    "ollama",
    (count) =>
      `{"message":{"role":"assistant","content":"Hi"},"done":false}\n{"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":${count},"eval_count":${count}}\n`,
  ],
];

function modelOf(wire: string, body: string): Model {
  const host = "http://127.0.0.1:9";
  const fetcher = () => Promise.resolve(new Response(body));
  return wire === "ollama"
    ? createOllamaModel({ settings: { host }, id: "a/m", fetch: fetcher })
    : createOpenAiModel({
        settings: {
          baseUrl: `${host}/v1`,
          api: wire === "responses" ? "responses" : "chat",
        },
        id: "a/m",
        fetch: fetcher,
      });
}

describe.each(wires)("usage figures of %s", (wire, bodyOf) => {
  it.each(["12.5", "1e21", "1e400", "1000000000001", "-1", '"12"', '"NaN"', "true", "[1]", "null"])(
    "%s is no figure",
    async (count) => {
      const answer = await ask(modelOf(wire, bodyOf(count)), request("go"));
      expect(answer).toMatchObject({ text: "Hi", finish: "stop" });
      expect(answer.usage).toBeUndefined();
    },
  );

  it.each([0, 12, 1e12])("%d is one", async (count) => {
    const answer = await ask(modelOf(wire, bodyOf(String(count))), request("go"));
    expect(answer.usage).toEqual({ inputTokens: count, outputTokens: count });
  });
});

const chainOf = (model: Model) =>
  createModelChain({
    models: [model],
    random: () => 0.5,
    sleep: () => Promise.resolve(),
    breakers: new Breakers({ now: () => 0 }),
  });

describe("usage figures in a chain", () => {
  const oddities = [
    { inputTokens: 12.5, outputTokens: 1 },
    { inputTokens: 1, outputTokens: 1e21 },
    { inputTokens: -1, outputTokens: 1 },
    { inputTokens: Number.NaN, outputTokens: 1 },
    { inputTokens: "1" as unknown as number, outputTokens: 1 },
  ];

  it.each(oddities)("%j goes no further", async (usage) => {
    const chain = chainOf(
      new ListedModel("a/1", [
        { type: "usage", usage },
        { type: "text-delta", text: "yes" },
        { type: "usage", usage },
        { type: "finish", reason: "stop" },
      ]),
    );
    const told: Usage[] = [];
    const events = await eventsOf(chain, request("hi"), { onUsage: (_, each) => told.push(each) });
    expect(events).toEqual([
      { type: "text-delta", text: "yes" },
      { type: "finish", reason: "stop" },
    ]);
    expect(told).toEqual([]);
  });

  it.each(oddities)("%j is not told by a chain within", async (usage) => {
    const inner = new ListedModel("a/1", [{ type: "finish", reason: "stop" }]);
    const chain = chainOf({
      card: inner.card,
      async stream(asked, signal, observer) {
        observer.onUsage?.(inner.card, usage);
        await inner.stream(asked, signal, observer);
      },
    });
    const told: Usage[] = [];
    await eventsOf(chain, request("hi"), { onUsage: (_, each) => told.push(each) });
    expect(told).toEqual([]);
  });

  it("the last one that is none does not replace the one before", async () => {
    const good = { inputTokens: 3, outputTokens: 4 };
    const chain = chainOf(
      new ListedModel("a/1", [
        { type: "text-delta", text: "yes" },
        { type: "usage", usage: good },
        { type: "usage", usage: { inputTokens: 0.5, outputTokens: 4 } },
        { type: "finish", reason: "stop" },
      ]),
    );
    const told: Usage[] = [];
    await eventsOf(chain, request("hi"), { onUsage: (_, each) => told.push(each) });
    expect(told).toEqual([good]);
  });
});
