import { expect, it } from "vitest";
import { createOpenAiModel } from "../../../../src/models/openai/model.ts";
import { ask, request, tools } from "../../helpers.ts";

type Event = readonly [type: string, fields: object];

const given = '{"note":"blue"}';

const call = (more: object = {}) => ({
  type: "function_call",
  id: "fc_1",
  call_id: "call_1",
  name: "write_note",
  arguments: given,
  ...more,
});
const message = (text: string, more: object = {}) => ({
  type: "message",
  id: "msg_1",
  content: [{ type: "output_text", text }],
  ...more,
});
const added = (item: object, place?: number): Event => [
  "response.output_item.added",
  { output_index: place, item: { ...item, ...("arguments" in item ? { arguments: "" } : {}) } },
];
const delta = (id: string, text: string, place?: number): Event => [
  "response.function_call_arguments.delta",
  { output_index: place, item_id: id, delta: text },
];
const argumentsDone = (id: string, text: string, place?: number): Event => [
  "response.function_call_arguments.done",
  { output_index: place, item_id: id, arguments: text },
];
const done = (item: object, place?: number): Event => [
  "response.output_item.done",
  { output_index: place, item },
];
const text = (words: string, id: string, place?: number): Event => [
  "response.output_text.delta",
  { output_index: place, item_id: id, delta: words },
];
const completed = (...output: object[]): Event => [
  "response.completed",
  { response: { status: "completed", output } },
];
const whole = (item: ReturnType<typeof call>, place?: number): readonly Event[] => [
  added(item, place),
  delta(item.id, item.arguments, place),
  done(item, place),
];
const other = call({ id: "fc_2", call_id: "call_2", name: "read_notes", arguments: "{}" });
const second = call({ id: "fc_2", call_id: "call_2", arguments: '{"note":"red"}' });

interface Case {
  readonly events: readonly Event[];
  readonly calls?: readonly string[];
  readonly text?: string;
}

const one = [`write_note ${given}`];
const both = [...one, "read_notes {}"];
const twice = [...one, 'write_note {"note":"red"}'];

const cases: Readonly<Record<string, Case>> = {
  "another item id with every event": {
    events: [
      added(call({ id: "a1" }), 0),
      delta("b2", given, 0),
      argumentsDone("c3", given, 0),
      done(call({ id: "d4" }), 0),
      completed(call({ id: "e5" })),
    ],
    calls: one,
  },
  "another item id with every event, and no places": {
    events: [
      added(call({ id: "a1" })),
      delta("b2", given),
      argumentsDone("c3", given),
      done(call({ id: "d4" })),
      added({ ...other, id: "f6" }),
      delta("g7", "{}"),
      done({ ...other, id: "h8" }),
      completed(),
    ],
    calls: both,
  },
  "no item ids": {
    events: [
      added(call({ id: undefined }), 0),
      ["response.function_call_arguments.delta", { output_index: 0, delta: given }],
      completed(),
    ],
    calls: one,
  },
  "one item id for all": {
    events: [...whole(call(), 0), ...whole({ ...second, id: "fc_1" }, 1), completed()],
    calls: twice,
  },
  "another call_id at the end": {
    events: [added(call(), 0), done(call({ call_id: "call_x" }), 0), completed()],
    calls: one,
  },
  "every item at place 0": {
    events: [...whole(call(), 0), ...whole(second, 0), completed(call(), second)],
    calls: twice,
  },
  "every item at place 0, and no items at the end": {
    events: [...whole(call(), 0), ...whole(second, 0), completed()],
    calls: twice,
  },
  "interleaved calls": {
    events: [
      added(call(), 0),
      added(second, 1),
      delta("fc_2", '{"note":', 1),
      delta("fc_1", '{"note":', 0),
      delta("fc_2", '"red"}', 1),
      delta("fc_1", '"blue"}', 0),
      completed(),
    ],
    calls: twice,
  },
  "items out of order": {
    events: [...whole(other, 1), ...whole(call(), 0), completed()],
    calls: both,
  },
  "items out of order, and in order at the end": {
    events: [...whole(other), ...whole(call()), completed(call(), other)],
    calls: both,
  },
  "one call_id twice": {
    events: [...whole(call(), 0), done(call({ id: "again" }), 1), completed()],
    calls: one,
  },
  "one call_id twice at the end": {
    events: [completed(call({ arguments: "" }), call({ id: "again" }))],
    calls: one,
  },
  "one call_id for two tools": {
    events: [completed(call(), { ...other, call_id: "call_1" })],
    calls: both,
  },
  "arguments at the end only": {
    events: [added(call(), 0), done(call({ arguments: "" }), 0), completed(call())],
    calls: one,
  },
  "arguments in the finished item only": {
    events: [added(call(), 0), done(call(), 0), completed()],
    calls: one,
  },
  "arguments as an object": {
    events: [added(call(), 0), done(call({ arguments: { note: "blue" } }), 0), completed()],
    calls: one,
  },
  "empty arguments at the end": {
    events: [...whole(call(), 0), completed(call({ arguments: "" }))],
    calls: one,
  },
  "no call at the end": {
    events: [...whole(call(), 0), completed(message("So."))],
    calls: one,
    text: "So.",
  },
  "a call more than at the end": {
    events: [...whole(call({ arguments: "{}" }), 3), ...whole(second, 1), completed(second)],
    calls: ['write_note {"note":"red"}'],
  },
  "a delta before its item": {
    events: [
      delta("fc_1", '{"note":', 0),
      added(call(), 0),
      delta("fc_1", '"blue"}', 0),
      completed(),
    ],
    calls: one,
  },
  "a message and a call at place 0": {
    events: [added(message(""), 0), text("So.", "m", 0), ...whole(call(), 0), completed()],
    calls: one,
    text: "So.",
  },
  "text with another item id with every event": {
    events: [text("Hel", "m1"), text("lo", "m2"), completed()],
    text: "Hello",
  },
  "text whose response says the same": {
    events: [text("Hel", "m1", 0), text("lo", "m2", 0), completed(message("Hello"))],
    text: "Hello",
  },
  "two messages without places": {
    events: [
      added(message("")),
      text("One.", "m1"),
      done(message("One.")),
      added(message("")),
      text("Two.", "m2"),
      completed(message("One."), message("Two.")),
    ],
    text: "One.\n\nTwo.",
  },
  "two messages at place 0": {
    events: [
      added(message(""), 0),
      text("One.", "m1", 0),
      added(message(""), 0),
      text("Two.", "m2", 0),
      completed(),
    ],
    text: "One.\n\nTwo.",
  },
  "two messages out of order": {
    events: [
      text("Two.", "m2", 1),
      text("One.", "m1", 0),
      completed(message("One."), message("Two.")),
    ],
    text: "One.\n\nTwo.",
  },
  "two messages in pieces of each other": {
    events: [
      text("One", "m1", 0),
      text("Two", "m2", 1),
      text(".", "m1", 0),
      text(".", "m2", 1),
      completed(message("One."), message("Two.")),
    ],
    text: "One.\n\nTwo.",
  },
  "text of which a piece was lost": {
    events: [text("Hel", "m1", 0), completed(message("Hello"))],
    text: "Hello",
  },
  "text that the response repeats in part": {
    events: [text("One.", "m1", 0), text("Two.", "m2", 1), completed(message("Two."))],
    text: "One.\n\nTwo.",
  },
  "text that the response alone has": { events: [completed(message("Hello"))], text: "Hello" },
  "an end that another API has": {
    events: [
      text("Hello", "m1", 0),
      ["response.done", { response: { output: [message("Hello")] } }],
    ],
    text: "Hello",
  },
};

it.each(Object.entries(cases))(
  "calls and text come as they were meant: %s",
  async (_what, { events, calls = [], text: words = "" }) => {
    const answer = await askFor(sse(events));
    expect(answer.failure).toBeUndefined();
    expect(answer.text).toBe(words);
    expect(answer.calls.map((each) => `${each.name} ${each.arguments}`)).toEqual(calls);
    expect(answer.finish).toBe(calls.length > 0 ? "tool-calls" : "stop");
  },
);

it.each([
  ["without a status", { output: [message("Hello")] }, "stop"],
  ["completed", { status: "completed", output: [message("Hello")] }, "stop"],
  ["incomplete, without a reason", { status: "incomplete", output: [message("Hello")] }, "length"],
  [
    "incomplete, at the limit",
    {
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output: [message("Hello")],
    },
    "length",
  ],
  [
    "incomplete, and filtered",
    {
      status: "incomplete",
      incomplete_details: { reason: "content_filter" },
      output: [message("Hello"), call()],
    },
    "filtered",
  ],
])("a whole response that is %s", async (_what, response, finish) => {
  const answer = await askFor(JSON.stringify(response));
  expect(answer).toMatchObject({ text: "Hello", calls: [], finish });
});

it.each([
  ["queued", { status: "queued", output: [] }, "overloaded"],
  ["in progress", { status: "in_progress", output: [call()] }, "overloaded"],
  ["cancelled", { status: "cancelled", output: [call()] }, "overloaded"],
  ["failed without words", { status: "failed", output: [call()], error: null }, "overloaded"],
  [
    "failed with words",
    { status: "failed", output: [], error: { code: "rate_limit_exceeded", message: "Slow down" } },
    "rate-limited",
  ],
  [
    "incomplete for a reason that no one knows",
    { status: "incomplete", incomplete_details: { reason: "paused" }, output: [call()] },
    "overloaded",
  ],
])("a whole response that is %s is a failure", async (_what, response, kind) => {
  const answer = await askFor(JSON.stringify(response));
  expect(answer.failure?.kind).toBe(kind);
  expect(answer.calls).toEqual([]);
});

it("a stream that is cancelled is a failure", async () => {
  const answer = await askFor(sse([...whole(call(), 0), ["response.cancelled", { response: {} }]]));
  expect(answer.failure?.kind).toBe("overloaded");
  expect(answer.calls).toEqual([]);
});

const sse = (events: readonly Event[]): string =>
  events
    .map(([type, fields]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
    .join("");

const askFor = (body: string) =>
  ask(
    createOpenAiModel({
      settings: { baseUrl: "http://127.0.0.1:9/v1", api: "responses" },
      id: "a/m",
      fetch: () => Promise.resolve(new Response(body)),
    }),
    request("go", { tools }),
  );
