import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Model } from "../../src/core/model.ts";
import { createOllamaModel } from "../../src/models/ollama/model.ts";
import { createOpenAiModel } from "../../src/models/openai/model.ts";
import { ask, request, tools } from "./helpers.ts";

/**
 * Streams as servers send them; the shapes are those of the vendors' documents and of published
 * captures.
 */
const folder = new URL("./fixtures/", import.meta.url);

interface Expected {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly [name: string, given: unknown][];
  readonly usage?: readonly [input: number, output: number];
  /** A finish, or a failure's kind. */
  readonly end: string;
  /** A failure's words for the operator. */
  readonly says?: string;
}

const tokyo: [string, unknown] = ["current_time", { timeZone: "Asia/Tokyo" }];
const paris: [string, unknown] = ["current_time", { timeZone: "Europe/Paris" }];
const notes: [string, unknown] = ["read_notes", {}];

const expectations: Readonly<Record<string, Expected>> = {
  "chat/openai.sse": {
    text: "Let me look.",
    calls: [tokyo, notes],
    usage: [91, 42],
    end: "tool-calls",
  },
  "chat/azure.sse": { text: "Hello.", usage: [12, 3], end: "stop" },
  "chat/lmstudio.sse": {
    reasoning: "They want the time.",
    calls: [tokyo],
    usage: [210, 60],
    end: "tool-calls",
  },
  "chat/llamacpp.sse": {
    reasoning: "A greeting.",
    text: "Good day!",
    usage: [17, 12],
    end: "stop",
  },
  "chat/vllm.sse": {
    reasoning: "Okay, the clock.",
    text: "\n\n",
    calls: [tokyo],
    usage: [180, 51],
    end: "tool-calls",
  },
  "chat/openrouter.sse": {
    reasoning: "Small talk.",
    text: "Hi there",
    usage: [8, 96],
    end: "stop",
  },
  "chat/openrouter-late-error.sse": { text: "Half an", end: "rate-limited" },
  "chat/anthropic.sse": {
    text: "I'll check the time.",
    calls: [tokyo],
    usage: [390, 58],
    end: "tool-calls",
  },
  "chat/google.sse": {
    reasoning: "**Reading the clock**\n\nTwo cities.\n\nBoth at once.",
    text: "I look at both clocks.",
    calls: [tokyo, ["current_time", { timeZone: "Europe/Paris" }]],
    usage: [70, 40],
    end: "tool-calls",
  },
  "chat/no-index.sse": {
    calls: [tokyo, notes],
    usage: [1, 2],
    end: "tool-calls",
  },
  "chat/empty-later-ids.sse": { calls: [tokyo], end: "tool-calls" },
  "chat/no-role.sse": { text: "Hello!", end: "stop" },
  "chat/arguments-object.sse": { calls: [tokyo], end: "tool-calls" },
  "chat/no-arguments.sse": { calls: [notes], end: "tool-calls" },
  "chat/think-tags.sse": { reasoning: "Hm.", text: "Yes.", end: "stop" },
  "chat/unopened-think.sse": {
    reasoning: "They want one word.",
    text: "Yes.",
    usage: [9, 8],
    end: "stop",
  },
  "chat/mistral.sse": {
    reasoning: "12 times 12 is 144.",
    text: "144",
    usage: [10, 30],
    end: "stop",
  },
  "chat/mistral-whole.json": {
    reasoning: "12 times 12 is 144.",
    text: "144",
    usage: [3, 2],
    end: "stop",
  },
  "chat/databricks-whole.json": {
    reasoning: "12 times 12 is 144.",
    text: "144",
    usage: [3, 2],
    end: "stop",
  },
  "chat/databricks.sse": {
    reasoning: "12 times 12 is 144.",
    text: "144",
    usage: [3, 2],
    end: "stop",
  },
  "chat/mistral-references.sse": {
    text: "Paris.",
    usage: [4, 5],
    end: "stop",
  },
  "chat/function-call.sse": { calls: [tokyo], end: "tool-calls" },
  "chat/all-index-0.sse": {
    calls: [tokyo, ["current_time", { timeZone: "Europe/Paris" }], notes],
    end: "tool-calls",
  },
  "chat/whole-instead-of-stream.json": {
    text: "Hello.",
    usage: [3, 2],
    end: "stop",
  },
  "chat/error-instead-of-stream.json": {
    end: "rate-limited",
    says: "Rate limit reached for requests",
  },
  "chat/error-without-code.json": {
    end: "auth",
    says: "Incorrect API key provided",
  },
  "chat/call-in-both-forms.json": { calls: [tokyo], end: "tool-calls" },
  "chat/error-with-type.json": {
    end: "overloaded",
    says: "Overloaded",
  },
  "chat/error-with-status.json": {
    end: "rate-limited",
    says: "Too many requests",
  },
  "chat/error-text.json": {
    end: "context-overflow",
    says: "This model's maximum context length is 4096 tokens",
  },
  "chat/bare-error.sse": {
    end: "rate-limited",
    says: "Requests rate limit exceeded",
  },
  "chat/mistral-calls.sse": {
    reasoning: "A clock.",
    text: "Let me look.",
    calls: [tokyo],
    usage: [105, 31],
    end: "tool-calls",
  },
  "chat/mistral-error.json": {
    end: "rate-limited",
    says: "Requests rate limit exceeded",
  },
  "chat/mentioned-closing.sse": {
    text: "Qwen ends its thoughts with `</think>`:\n\n```\n</think>\n```\n",
    end: "stop",
  },
  "chat/function-call.json": {
    calls: [tokyo],
    usage: [80, 20],
    end: "tool-calls",
  },
  "chat/error-event.sse": {
    end: "context-overflow",
    says: "maximum context length is 4096 tokens",
  },
  "chat/error-object-event.sse": {
    end: "unknown-model",
    says: "The model `m` does not exist.",
  },
  "chat/openrouter-choice-error.sse": {
    text: "Half",
    end: "rate-limited",
    says: "Provider quota exceeded",
  },
  "chat/openrouter-error-body.json": {
    end: "rate-limited",
    says: "temporarily rate-limited upstream",
  },
  "chat/deepseek.sse": {
    reasoning: "Small talk.",
    text: "Hi",
    usage: [9, 30],
    end: "stop",
  },
  "chat/groq.sse": {
    reasoning: "The clock.",
    calls: [tokyo],
    usage: [140, 40],
    end: "tool-calls",
  },
  "chat/together.sse": { text: "Hello there", usage: [36, 3], end: "stop" },
  "chat/xai.sse": {
    reasoning: "A greeting.",
    text: "Hi!",
    usage: [8, 2],
    end: "stop",
  },
  "chat/perplexity.sse": {
    reasoning: "Look it up.",
    text: "Paris [1].",
    usage: [6, 9],
    end: "stop",
  },
  "chat/perplexity-cut.sse": {
    reasoning: "Look it up.",
    text: "Paris [1].",
    usage: [6, 9],
    end: "network",
  },
  "chat/same-index.sse": { calls: [tokyo, paris, notes], end: "tool-calls" },
  "responses/error-body.json": {
    end: "no-credit",
    says: "You exceeded your current quota",
  },
  "ollama/bare-closing.ndjson": {
    reasoning: "Hm.",
    text: "Yes.",
    usage: [26, 9],
    end: "stop",
  },
  "ollama/error-line.ndjson": {
    end: "invalid-request",
    says: "missing data required for image input",
  },
  "chat/late-error.sse": { text: "Half", end: "overloaded" },
  "chat/cut.sse": { text: "Half an ans", end: "network" },
  "chat/cut-in-a-call.sse": { end: "network" },
  "responses/openai.sse": {
    reasoning: "**Times**\n\nI need a clock.\n\n**Calling**",
    text: "One moment.",
    calls: [tokyo],
    usage: [37, 111],
    end: "tool-calls",
  },
  "responses/open-model.sse": {
    reasoning: "A greeting.",
    text: "Hi!",
    usage: [9, 7],
    end: "stop",
  },
  "responses/two-messages.sse": {
    text: "Let me think.\n\nIt is noon.",
    usage: [5, 9],
    end: "stop",
  },
  "responses/two-messages-whole.json": {
    text: "Let me think.\n\nIt is noon.",
    usage: [5, 9],
    end: "stop",
  },
  "responses/error-instead-of-stream.json": {
    end: "overloaded",
    says: "The server is overloaded",
  },
  "responses/failed.sse": { end: "rate-limited" },
  "responses/refused-prompt.sse": { end: "moderated" },
  "responses/incomplete.sse": {
    text: "Half an",
    usage: [37, 111],
    end: "length",
  },
  "responses/filtered.sse": { text: "Half", usage: [37, 111], end: "filtered" },
  "responses/refusal.sse": {
    text: "I'm sorry, no.",
    usage: [37, 111],
    end: "filtered",
  },
  "responses/error.sse": { text: "Half", end: "overloaded" },
  "responses/error-object.sse": { end: "rate-limited" },
  "responses/cut.sse": { text: "Half", end: "network" },
  "ollama/ollama.ndjson": {
    reasoning: "They want the time.",
    text: "A moment.",
    calls: [tokyo],
    usage: [26, 282],
    end: "tool-calls",
  },
  "ollama/newer-calls.ndjson": {
    calls: [tokyo, notes],
    usage: [26, 282],
    end: "tool-calls",
  },
  "ollama/arguments-string.ndjson": {
    calls: [tokyo],
    usage: [26, 282],
    end: "tool-calls",
  },
  "ollama/no-arguments.ndjson": {
    calls: [notes],
    usage: [26, 282],
    end: "tool-calls",
  },
  "ollama/cached-prompt.ndjson": { text: "Yes.", usage: [0, 282], end: "stop" },
  "ollama/late-error.ndjson": { text: "Half", end: "overloaded" },
  "ollama/cut.ndjson": { text: "Half", end: "network" },
};

describe("streams as they really are", () => {
  it("are all tried", () => {
    const files = ["chat", "responses", "ollama"].flatMap((wire) =>
      readdirSync(new URL(wire, folder)).map((name) => `${wire}/${name}`),
    );
    expect(files.toSorted()).toEqual(Object.keys(expectations).toSorted());
  });

  const wholes = Object.entries(expectations).filter(([file]) => file.endsWith(".json"));
  it.each([
    ...Object.entries(expectations).map((each) => [...each, true] as const),
    ...wholes.map((each) => [...each, false] as const),
  ])("%s", async (file, { says, ...expected }, streaming) => {
    const body = readFileSync(new URL(file, folder));
    const type = file.endsWith(".json") ? "application/json" : "text/plain";
    const answer = await ask(
      modelOf({ file, streaming }, () =>
        Promise.resolve(new Response(body, { headers: { "content-type": type } })),
      ),
      request("go", { tools }),
    );
    expect({
      text: answer.text,
      reasoning: answer.reasoning,
      calls: answer.calls.map(({ name, arguments: given }) => [name, JSON.parse(given)]),
      usage: answer.usage && [answer.usage.inputTokens, answer.usage.outputTokens],
      end: answer.finish ?? answer.failure?.kind,
    }).toEqual({
      text: "",
      reasoning: "",
      calls: [],
      usage: undefined,
      ...expected,
    });
    if (says !== undefined) expect(answer.failure?.message).toContain(says);
  });
});

function modelOf(
  { file, streaming }: { readonly file: string; readonly streaming: boolean },
  fetcher: typeof fetch,
): Model {
  // No one listens there: every answer is the fixture.
  const host = "http://127.0.0.1:9";
  return file.startsWith("ollama/")
    ? createOllamaModel({
        settings: { host },
        id: "a/m",
        card: { streaming },
        fetch: fetcher,
      })
    : createOpenAiModel({
        settings: {
          baseUrl: `${host}/v1`,
          api: file.startsWith("responses/") ? "responses" : "chat",
        },
        id: "a/m",
        card: { streaming },
        fetch: fetcher,
      });
}
