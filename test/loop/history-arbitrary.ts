import * as fc from "fast-check";
import {
  endReasons,
  failureKinds,
  type CallRequest,
  type LogEntry,
} from "../../src/core/history.ts";

const odd = fc.constantFrom("", " ", "plain words", "half \ud83d", "\udc00 a", "😀", "\u0000");
const name = fc.oneof(
  fc.constantFrom("current_time", "write_note", "gone", "files.read", "__proto__"),
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
const turnNumber = fc.oneof({ weight: 9, arbitrary: small }, fc.constantFrom(-1, 1.5, 1e21));
/** Of two models of one provider, of another provider, and of no one. */
const model = fc.constantFrom("test/model", "test/other", "strange/model", "unknown");
const reasoning = fc.option(odd, { nil: undefined });
const call: fc.Arbitrary<CallRequest> = fc.record({
  index: small,
  wireId: fc.constantFrom("", "call_1", "call_1", "ö"),
  name,
  arguments: argumentText,
  extras: fc.constantFrom({}, { extra_content: { google: { thought_signature: "s" } } }),
});

const blob = fc.constantFrom("file-a", "file-b", "file-c");

const oddQuote = fc.record({ author: odd, own: fc.boolean(), text: odd });

/**
 * With all that may come with a message: files, whose readings may be missing, and what it answers.
 */
const fullMessage: fc.Arbitrary<LogEntry> = fc
  .record({
    text: odd,
    person: odd,
    group: fc.boolean(),
    messageId: fc.constantFrom("1", "2"),
    attachments: fc.array(
      fc.record({
        kind: fc.constantFrom("image", "document", "voice"),
        name: odd,
        mediaType: odd,
        size: fc.nat(),
        blob,
      }),
      { maxLength: 3 },
    ),
    quote: fc.option(oddQuote, { nil: undefined }),
    opening: fc.option(fc.record({ title: odd, tags: fc.array(odd), quote: oddQuote }), {
      nil: undefined,
    }),
    unopened: fc.array(odd, { maxLength: 2 }),
  })
  .map(({ person, quote, opening, ...rest }) => ({
    kind: "message",
    v: 1,
    id: "m",
    person: { id: "telegram:1", name: person },
    ...rest,
    ...(quote === undefined ? {} : { quote }),
    ...(opening === undefined ? {} : { opening }),
    atMs: 0,
  }));

const reading: fc.Arbitrary<LogEntry> = fc
  .record({ blob, text: odd, failure: fc.option(odd, { nil: undefined }) })
  .map(({ failure, ...rest }) => ({
    kind: "reading",
    v: 2,
    of: "m",
    ...rest,
    ...(failure === undefined ? {} : { failure }),
  }));

const edit: fc.Arbitrary<LogEntry> = fc
  .record({
    edits: fc.constantFrom("1", "2"),
    text: odd,
    person: odd,
    group: fc.boolean(),
  })
  .map(({ person, ...rest }) => ({
    kind: "edit",
    v: 2,
    id: "e",
    person: { id: "telegram:1", name: person },
    ...rest,
    atMs: 0,
  }));

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
    turn: turnNumber,
    round: small,
    model,
    text: odd,
    calls: fc.array(call, { maxLength: 4 }),
    partial: fc.boolean(),
    reasoning,
  })
  .map(({ reasoning: thoughts, ...rest }) => ({
    kind: "assistant",
    v: 1,
    ...rest,
    ...(thoughts === undefined ? {} : { reasoning: thoughts }),
  }));

const result: fc.Arbitrary<LogEntry> = fc
  .record({
    turn: turnNumber,
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

/** A log position, often beside the history or no position at all. */
const position = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: -5, max: 60 }) },
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const compaction: fc.Arbitrary<LogEntry> = fc
  .record({
    fromSeq: position,
    toSeq: position,
    summary: odd,
    kept: fc.array(odd, { maxLength: 2 }),
    results: fc.array(fc.record({ seq: position, text: odd }), {
      maxLength: 4,
    }),
    strategy: fc.constantFrom("summarise", "agent", "truncate"),
  })
  .map((record) => ({
    kind: "compaction",
    v: 1,
    turn: 1,
    ...record,
    tokensBefore: 2,
    tokensAfter: 1,
  }));

const undo: fc.Arbitrary<LogEntry> = fc
  .record({
    fromSeq: position,
    ran: fc.array(
      fc.record({
        name,
        arguments: argumentText,
        failure: fc.constantFrom(undefined, ...failureKinds),
      }),
      { maxLength: 2 },
    ),
  })
  .map(({ fromSeq, ran }) => ({
    kind: "undo",
    v: 1,
    id: "u",
    fromSeq,
    ran: ran.map(({ failure, ...rest }) => ({
      ...rest,
      ...(failure === undefined ? {} : { failure }),
    })),
    atMs: 0,
  }));

const resultText = fc.oneof(
  odd,
  odd.map((text) => `> ${text}]\n${text}\r\n[From the platform:`),
  fc.nat({ max: 300 }).map((length) => `${"y".repeat(length)}${"😀".repeat(length)}`),
);

/** A round as the loop writes it: calls, then a result of each, in order. */
const round = fc
  .record({
    turn: fc.integer({ min: 3, max: 50 }),
    model,
    calls: fc.array(fc.record({ name, result: resultText }), {
      minLength: 1,
      maxLength: 4,
    }),
    text: odd,
    reasoning,
    arguments: argumentText,
  })
  .map(({ turn, model: by, calls, text, reasoning: thoughts, arguments: given }): LogEntry[] => [
    {
      kind: "assistant",
      v: 1,
      turn,
      round: 1,
      model: by,
      text,
      ...(thoughts === undefined ? {} : { reasoning: thoughts }),
      calls: calls.map((each, index) => ({
        index,
        wireId: "same",
        name: each.name,
        arguments: given,
      })),
    },
    ...calls.map((each, index): LogEntry => ({
      kind: "tool",
      v: 1,
      turn,
      round: 1,
      index,
      name: each.name,
      text: each.result,
    })),
  ]);

/** Nothing but what the loop itself writes in a turn, in its order. */
export const tidyHistories: fc.Arbitrary<LogEntry[]> = fc
  .array(
    fc.oneof(
      message.map((one) => [one]),
      round,
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.flat());

/**
 * Any history, however hostile: results without calls, calls without results, repeated ids,
 * invented names, broken arguments, several models, records that name positions which are none. The
 * last word is a person's or a tool's, as whenever a model is asked.
 */
export const histories: fc.Arbitrary<LogEntry[]> = fc
  .tuple(
    fc.array(
      fc.oneof(
        fc
          .oneof(
            message,
            fullMessage,
            reading,
            edit,
            assistant,
            result,
            end,
            reset,
            compaction,
            undo,
          )
          .map((one) => [one]),
        round,
      ),
      { maxLength: 12 },
    ),
    fc.oneof(
      message.map((one) => [one]),
      round,
    ),
  )
  .map(([before, last]) => [...before, last].flat());
