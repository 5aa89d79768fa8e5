import { expect, it } from "vitest";
import { createOllamaModel } from "../../src/models/ollama/model.ts";
import { createOpenAiModel } from "../../src/models/openai/model.ts";
import { ask, request, tools } from "./helpers.ts";

const host = "http://127.0.0.1:9";
const answering =
  (body: string): typeof fetch =>
  () =>
    Promise.resolve(new Response(body));
const ollama = (...lines: readonly object[]) =>
  createOllamaModel({
    settings: { host },
    id: "a/m",
    card: { tools: true, contextWindow: 8_192 },
    fetch: answering(lines.map((line) => `${JSON.stringify(line)}\n`).join("")),
  });
const ends = (events: readonly { readonly type: string }[]): readonly string[] =>
  events.map(({ type }) => type).filter((type) => type === "finish" || type === "failure");

const call = (name: string) => ({ function: { name, arguments: {} } });
const event = (type: string, more: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;

const piece = (fields: object): string =>
  `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [{ index: 0, ...fields }] } }] })}\n\n`;

/** What fuzzing has found: streams that ended twice, or not at all. */
it("a last line that only the client takes for one ends the stream with a failure", async () => {
  const message = { role: "assistant", content: "Half" };
  for (const odd of [{ done: 1 }, { status: "success" }]) {
    const answer = await ask(ollama({ message, ...odd }), request("go"));
    expect(ends(answer.events)).toEqual(["failure"]);
    expect(answer.failure?.kind).toBe("network");
    expect(answer.text).toBe("Half");
  }
});

it("a call without a name is no call", async () => {
  const message = { content: "", tool_calls: [call(""), call("read_notes")] };
  const answer = await ask(ollama({ message, done: true }), request("go", { tools }));
  expect(answer.calls.map(({ name }) => name)).toEqual(["read_notes"]);
});

it("a call without even a place for its name doesn't take the one next to it with it", async () => {
  const nameless = [{}, { function: {} }, { function: null }, { function: { name: 7 } }];
  const message = { content: "", tool_calls: [...nameless, call("read_notes")] };
  const answer = await ask(ollama({ message, done: true }), request("go", { tools }));
  expect(answer.calls.map(({ name }) => name)).toEqual(["read_notes"]);
});

it("a call that a proxy has begun with {} is the call that follows", async () => {
  const model = createOpenAiModel({
    settings: { baseUrl: `${host}/v1` },
    id: "a/m",
    fetch: answering(
      piece({ id: "a", function: { name: "functions.write_note", arguments: "{}" } }) +
        piece({ function: { arguments: '{"note":' } }) +
        piece({ function: { arguments: '"blue"}' } }) +
        'data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}\n\n',
    ),
  });
  const answer = await ask(model, request("go", { tools }));
  expect(answer.calls).toMatchObject([{ name: "write_note", arguments: '{"note":"blue"}' }]);
});

it("what a server says behind its own end is no part of the answer", async () => {
  const model = createOpenAiModel({
    settings: { baseUrl: `${host}/v1`, api: "responses" },
    id: "a/m",
    fetch: answering(
      event("response.output_text.delta", { output_index: 0, delta: "Yes." }) +
        event("response.completed", { response: { status: "completed" } }) +
        event("error", { code: "late", message: "no" }),
    ),
  });
  const answer = await ask(model, request("go"));
  expect(ends(answer.events)).toEqual(["finish"]);
  expect(answer.text).toBe("Yes.");
});
