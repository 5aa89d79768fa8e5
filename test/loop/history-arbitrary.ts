import * as fc from "fast-check";
import {
  endReasons,
  failureKinds,
  type CallRequest,
  type LogEntry,
} from "../../src/core/history.ts";

const odd = fc.constantFrom(
  "",
  " ",
  "plain words",
  "half \ud83d",
  "\udc00 a",
  "😀",
  "\u0000",
);
const name = fc.oneof(
  fc.constantFrom(
    "current_time",
    "write_note",
    "gone",
    "files.read",
    "__proto__",
  ),
  fc.constantFrom("", "has space", "ümlaut", "a/b", "x".repeat(100), "\ud83d"),
);
const argumentText = fc.oneof(
  fc.json({ maxDepth: 2 }),
  fc.dictionary(odd, odd, { maxKeys: 3 }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    "",
    "{",
    '{"a":',
    "null",
    "[]",
    '"text"',
    "12",
    "NaN",
    '{"__proto__":{"a":1}}',
    `{"a":${"[".repeat(9_000)}${"]".repeat(9_000)}}`,
    '{"a":"\\ud83d"}',
  ),
);
const small = fc.nat({ max: 2 });
const call: fc.Arbitrary<CallRequest> = fc.record({
  index: small,
  wireId: fc.constantFrom("", "call_1", "call_1", "ö"),
  name,
  arguments: argumentText,
});

const message: fc.Arbitrary<LogEntry> = fc
  .record({ text: odd, person: odd, group: fc.boolean() })
  .map(({ text, person, group }) => ({
    kind: "message",
    v: 1,
    id: "m",
    person: { id: "telegram:1", name: person },
    text,
    group,
    atMs: 0,
  }));

const assistant: fc.Arbitrary<LogEntry> = fc
  .record({
    turn: small,
    round: small,
    text: odd,
    calls: fc.array(call, { maxLength: 4 }),
    partial: fc.boolean(),
    reasoning: fc.option(odd, { nil: undefined }),
  })
  .map(({ reasoning, ...rest }) => ({
    kind: "assistant",
    v: 1,
    model: "test/model",
    ...rest,
    ...(reasoning === undefined ? {} : { reasoning }),
  }));

const result: fc.Arbitrary<LogEntry> = fc
  .record({
    turn: small,
    round: small,
    index: small,
    name,
    text: odd,
    failure: fc.constantFrom(undefined, ...failureKinds),
  })
  .map(({ failure, ...rest }) => ({
    kind: "tool",
    v: 1,
    ...rest,
    ...(failure === undefined ? {} : { failure }),
  }));

const end: fc.Arbitrary<LogEntry> = fc
  .record({
    turn: small,
    reason: fc.constantFrom(...endReasons),
    text: fc.option(odd, { nil: undefined }),
  })
  .map(({ text, ...rest }) => ({
    kind: "end",
    v: 1,
    ...rest,
    ...(text === undefined ? {} : { text }),
  }));

const reset = fc.constant<LogEntry>({ kind: "reset", v: 1, id: "r", atMs: 0 });

/** A round as the loop writes it: calls, then a result of each, in order. */
const round = fc
  .record({
    turn: fc.integer({ min: 3, max: 50 }),
    names: fc.array(name, { minLength: 1, maxLength: 4 }),
    text: odd,
    arguments: argumentText,
  })
  .map(({ turn, names, text, arguments: given }): LogEntry[] => [
    {
      kind: "assistant",
      v: 1,
      turn,
      round: 1,
      model: "test/model",
      text,
      calls: names.map((each, index) => ({
        index,
        wireId: "same",
        name: each,
        arguments: given,
      })),
    },
    ...names.map((each, index): LogEntry => ({
      kind: "tool",
      v: 1,
      turn,
      round: 1,
      index,
      name: each,
      text: "a result",
    })),
  ]);

/**
 * Any history, however hostile: results without calls, calls without results, repeated ids, invented names, broken
 * arguments. The last word is a person's or a tool's, as whenever a model is asked.
 */
export const histories: fc.Arbitrary<LogEntry[]> = fc
  .tuple(
    fc.array(
      fc.oneof(
        fc.oneof(message, assistant, result, end, reset).map((one) => [one]),
        round,
      ),
      { maxLength: 10 },
    ),
    fc.oneof(
      message.map((one) => [one]),
      round,
    ),
  )
  .map(([before, last]) => [...before, last].flat());
