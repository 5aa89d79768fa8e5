import * as fc from "fast-check";
import type { ModelCard, ModelRequest, RequestMessage } from "../../src/core/model.ts";
import { card, tools } from "./helpers.ts";

/** Any text that a person or a tool can produce, lone surrogates included. */
const text = fc
  .string({ unit: "binary", maxLength: 20 })
  .chain((plain) => fc.constantFrom(plain, `${plain}\ud83d`, `\udc00${plain}`, `${plain}😀`));
const spoken = text.filter((each) => each.trim() !== "");
const objectText = fc
  .dictionary(text, fc.oneof(text, fc.integer(), fc.constant(null)), {
    maxKeys: 3,
  })
  .map((value) => JSON.stringify(value));
const name = fc.constantFrom("current_time", "write_note", "gone_tool");

/** A round: the assistant's calls, then a result of each, in any order. */
const round = fc
  .tuple(
    text,
    fc.option(text, { nil: undefined }),
    fc.array(fc.record({ name, arguments: objectText, result: text }), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.boolean(),
  )
  .map(([words, reasoning, calls, backwards]) => (turn: number): RequestMessage[] => {
    const ids = calls.map((_, index) => `t${turn}_0_${index}`);
    const results = calls.map((call, index): RequestMessage => ({
      role: "tool",
      callId: ids[index] ?? "",
      name: call.name,
      text: call.result,
    }));
    return [
      {
        role: "assistant",
        text: words,
        ...(reasoning === undefined ? {} : { reasoning }),
        calls: calls.map((call, index) => ({
          id: ids[index] ?? "",
          name: call.name,
          arguments: call.arguments,
        })),
      },
      ...(backwards ? results.toReversed() : results),
    ];
  });
const image = fc.record({
  mediaType: fc.constantFrom("image/png", "image/jpeg", "image/svg+xml"),
  data: fc.base64String({ minLength: 4, maxLength: 16 }),
});
const question = fc
  .tuple(text, fc.array(image, { maxLength: 2 }))
  .map(([words, images]) => (): RequestMessage[] => [
    { role: "user", text: words, ...(images.length > 0 ? { images } : {}) },
  ]);
const answer = spoken.map((words) => (): RequestMessage[] => [
  { role: "assistant", text: words, calls: [] },
]);

/**
 * Any conversation that keeps our own order rules: results right behind their calls, someone else's
 * word last.
 */
const messages: fc.Arbitrary<RequestMessage[]> = fc
  .tuple(
    fc.array(text, { maxLength: 2 }),
    fc.array(fc.oneof(question, answer, round), { maxLength: 8 }),
    fc.oneof(question, round),
  )
  .map(([context, middle, last]) => [
    ...context.map((words): RequestMessage => ({
      role: "system",
      text: words,
    })),
    ...[...middle, last].flatMap((part, turn) => part(turn)),
  ]);

export const requests: fc.Arbitrary<ModelRequest> = fc.record({
  messages,
  tools: fc.subarray(tools),
  toolChoice: fc.constantFrom("auto", "none"),
  options: fc.record(
    {
      temperature: fc.double({ min: 0, max: 2, noNaN: true }),
      maxOutputTokens: fc.integer({ min: 1, max: 10_000 }),
      contextWindow: fc.integer({ min: 512, max: 100_000 }),
      repeatPenalty: fc.double({ min: 0.5, max: 2, noNaN: true }),
      thinking: fc.boolean(),
      keepAlive: fc.constantFrom("10m", "90s", "-1", "0", "600000ms"),
      json: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
});

export const cards: fc.Arbitrary<ModelCard> = fc
  .record({
    tools: fc.boolean(),
    thinking: fc.boolean(),
    vision: fc.boolean(),
    streaming: fc.boolean(),
    jsonMode: fc.boolean(),
    toolChoiceNone: fc.boolean(),
    settableTemperature: fc.boolean(),
    settableKeepAlive: fc.boolean(),
  })
  .map((able) => ({ ...card, ...able }));
