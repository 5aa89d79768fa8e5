import { describe, expect, it } from "vitest";
import type { Model } from "../../src/core/model.ts";
import { createOllamaModel } from "../../src/models/ollama/model.ts";
import { createOpenAiModel } from "../../src/models/openai/model.ts";
import { ask, request, tools } from "./helpers.ts";

const given = { name: "write_note", arguments: '{"note":"half"}' };
const json = (fields: object): string => `data: ${JSON.stringify(fields)}\n\n`;
const host = "http://127.0.0.1:9";

/** An answer of half a sentence and a call that ends for this reason. */
const wires: Readonly<Record<string, (reason: string) => string>> = {
  chat: (reason) =>
    json({ choices: [{ delta: { content: "Half an ans" } }] }) +
    json({ choices: [{ delta: { tool_calls: [{ index: 0, id: "a", function: given }] } }] }) +
    json({ choices: [{ delta: {}, finish_reason: reason }] }) +
    "data: [DONE]\n\n",
  ollama: (reason) =>
    [
      { message: { content: "Half an ans" }, done: false },
      { message: { tool_calls: [{ function: { ...given, arguments: { note: "half" } } }] } },
      { message: { content: "" }, done: true, done_reason: reason },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(""),
  responses: (reason) =>
    json({ type: "response.output_text.delta", output_index: 0, delta: "Half an ans" }) +
    json({
      type: "response.incomplete",
      response: {
        incomplete_details: { reason },
        output: [{ type: "function_call", call_id: "a", ...given }],
      },
    }),
};

const modelOf = (wire: string, body: string): Model => {
  const fetcher: typeof fetch = () => Promise.resolve(new Response(body));
  return wire === "ollama"
    ? createOllamaModel({ settings: { host }, id: "a/m", card: { tools: true }, fetch: fetcher })
    : createOpenAiModel({
        settings: { baseUrl: `${host}/v1`, api: wire === "chat" ? "chat" : "responses" },
        id: "a/m",
        fetch: fetcher,
      });
};

const reasons: Readonly<Record<string, readonly string[]>> = {
  "tool-calls": [
    "stop, STOP, Stop, stop_sequence, STOP_SEQUENCE, end_turn, eos, eos_token, tool_calls",
    "tool-calls, toolCalls, tool_use, TOOL_CALL, function_call, COMPLETE, completed, normal",
    "FINISH_REASON_STOP, eosFound, end_of_text",
  ],
  length: [
    "length, LENGTH, model_length, max_tokens, MAX_TOKENS, max_output_tokens, token_limit",
    "model_context_window_exceeded, contextLengthReached, limit, maximum_tokens",
    "maxPredictedTokensReached",
  ],
  filtered: [
    "content_filter, content-filter, content_filter: RECITATION, SAFETY, RECITATION",
    "BLOCKLIST, PROHIBITED_CONTENT, SPII, IMAGE_SAFETY, LANGUAGE, sensitive, refusal",
    "content_filtered, guardrail_intervened, ERROR_TOXIC",
  ],
  overloaded: [
    "insufficient_system_resource, abort, aborted, network_error, pause_turn, error",
    "cancelled, unknown, other, OTHER, load, unload, timeout, time_limit",
    "MALFORMED_FUNCTION_CALL, function_call_filter: MALFORMED_FUNCTION_CALL",
    "UNEXPECTED_TOOL_CALL, malformed_model_output, FINISH_REASON_UNSPECIFIED, ?, repetition",
    "not_finished, USER_CANCEL, modelUnloaded, rate_limit, constructor",
  ],
};

describe.each(Object.keys(wires))("an answer over %s", (wire) => {
  it.each(
    Object.entries(reasons)
      // A response that isn't complete has no good end.
      .filter(([end]) => wire !== "responses" || end !== "tool-calls")
      .flatMap(([end, each]) =>
        each.flatMap((line) => line.split(", ").map((reason) => [reason, end] as const)),
      ),
  )("that ends for %s is %s", async (reason, end) => {
    const answer = await ask(modelOf(wire, wires[wire]?.(reason) ?? ""), request("go", { tools }));
    expect(answer.text).toBe("Half an ans");
    expect(answer.finish ?? answer.failure?.kind).toBe(end);
    if (answer.failure) expect(answer.failure.message).toContain(reason);
    const hasCalls = end === "tool-calls" || end === "length";
    expect(answer.calls.map(({ name }) => name)).toEqual(hasCalls ? ["write_note"] : []);
  });
});

describe.each(["chat", "responses"])("an error event over %s", (wire) => {
  const half =
    wire === "chat"
      ? json({ choices: [{ delta: { content: "Half an" } }] })
      : json({ type: "response.output_text.delta", output_index: 0, delta: "Half an" });

  it.each([
    ["in an envelope", '{"error":{"message":"it broke","code":"server_error"}}', "it broke"],
    ["of words in an envelope", '{"error":"it broke"}', "it broke"],
    ["without an envelope", '{"message":"it broke"}', "it broke"],
    ["with a type", '{"type":"error","message":"it broke"}', "it broke"],
    ["with a type and an envelope", '{"type":"error","error":{"message":"it broke"}}', "it broke"],
    ["with a type of its own", '{"type":"server_error","message":"it broke"}', "it broke"],
    ["of a framework", '{"detail":"it broke"}', "it broke"],
    ["as text in JSON", '"it broke"', "it broke"],
    ["as text", "it broke", "it broke"],
    ["as a list", '[{"message":"it broke"}]', "it broke"],
    ["of nothing", "null", "failed"],
    ["that is empty", "", "failed"],
    ["with choices", '{"choices":[{"delta":{"content":"it broke"}}]}', "it broke"],
  ])("%s is a failure", async (_what, body, says) => {
    for (const end of ["\n\n", "\n", ""]) {
      const answer = await ask(
        modelOf(wire, `${half}event: error\ndata: ${body}${end}`),
        request("go"),
      );
      expect(answer.text).toBe("Half an");
      expect(answer.finish).toBeUndefined();
      expect(answer.failure?.kind).toBe("overloaded");
      expect(answer.failure?.message).toContain(says);
    }
  });
});

describe("the last event of a stream", () => {
  const last: Readonly<Record<string, readonly [string, object]>> = {
    chat: [
      json({ choices: [{ delta: { content: "One, two" } }] }),
      { choices: [{ delta: { content: ", three." }, finish_reason: "stop" }] },
    ],
    responses: [
      json({ type: "response.output_text.delta", output_index: 0, delta: "One, two, three." }),
      { type: "response.completed", response: {} },
    ],
  };

  it.each(Object.entries(last))("counts over %s without its blank line", async (wire, events) => {
    const [before, event] = events;
    for (const end of ["\n", "\r\n", ""]) {
      const body = `${before}data: ${JSON.stringify(event)}${end}`;
      const answer = await ask(modelOf(wire, body), request("go"));
      expect(answer).toMatchObject({ text: "One, two, three.", finish: "stop" });
    }
  });

  it.each(Object.entries(last))(
    "doesn't count over %s when it is cut off",
    async (wire, events) => {
      const [before, event] = events;
      const answer = await ask(
        modelOf(wire, `${before}data: ${JSON.stringify(event).slice(0, -2)}`),
        request("go"),
      );
      expect(answer.failure?.kind).toBe("network");
    },
  );

  it("may be cut off after the end", async () => {
    const whole = json({ choices: [{ delta: { content: "Yes." }, finish_reason: "stop" }] });
    for (const rest of ["data: [DO", 'data: {"choices":[],"usa', ": ping"]) {
      const answer = await ask(modelOf("chat", whole + rest), request("go"));
      expect(answer).toMatchObject({ text: "Yes.", finish: "stop" });
    }
  });
});

it.each([
  ["an end", { stop: true, stopped_eos: true }, "stop"],
  ["the limit", { stop: true, stopped_limit: true }, "length"],
  ["the limit, as newer servers say it", { stop: true, stop_type: "limit" }, "length"],
])("llama.cpp's own API says %s", async (_what, fields, finish) => {
  const body =
    json({ content: "One, ", stop: false }) +
    json({ content: "two", stop: false }) +
    json({ content: "", ...fields, tokens_evaluated: 7, tokens_predicted: 3 });
  const answer = await ask(modelOf("chat", body), request("go"));
  expect(answer).toMatchObject({
    text: "One, two",
    finish,
    usage: { inputTokens: 7, outputTokens: 3 },
  });
});
