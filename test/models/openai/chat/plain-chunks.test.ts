import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { ModelEvent } from "../../../../src/core/model.ts";
import { plainWords } from "../../../../src/models/openai/chat/chunk.ts";
import { ChatStreamReader } from "../../../../src/models/openai/chat/stream.ts";

const orAbsent = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const words = fc.constantFrom("", " ", "word", "<think>", "</think>", "\ud83d");
const delta = fc.record(
  {
    role: fc.constant("assistant"),
    content: fc.oneof(words, fc.constant(null), fc.constant([{ type: "text", text: "part" }])),
    reasoning_content: orAbsent(words),
    refusal: fc.constantFrom(null, "no"),
    tool_calls: fc.constant([
      { index: 0, id: "call_1", function: { name: "now", arguments: "{}" } },
    ]),
  },
  { requiredKeys: [] },
);
const choice = fc.record(
  {
    index: fc.constantFrom(0, 0, 1, null),
    delta: fc.option(delta, { nil: null }),
    message: delta,
    finish_reason: fc.constantFrom(null, "stop", "length", "error"),
    logprobs: fc.constant(null),
  },
  { requiredKeys: [] },
);
const chunk = fc.record(
  {
    id: fc.constant("chatcmpl-1"),
    choices: fc.array(choice, { maxLength: 2 }),
    usage: fc.constantFrom(null, { prompt_tokens: 1, completion_tokens: 2 }),
  },
  { requiredKeys: [] },
);

/** The same chunk to every reader, but none that `plainWords` reads. */
const notPlain = (given: object): object => ({ usage: "none", ...given });
const withoutUsage = ({ usage, ...rest }: { readonly usage?: unknown }): object =>
  usage == null ? rest : { ...rest, usage };

it("a chunk of words alone is read as any other", () => {
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 6 }), fc.boolean(), (chunks, saidDone) => {
      const quick = new ChatStreamReader({ mayCall: true });
      const thorough = new ChatStreamReader({ mayCall: true });
      for (const each of chunks) {
        const other = notPlain(withoutUsage(each));
        expect(plainWords(other)).toBeUndefined();
        expect(quick.push([each])).toEqual(thorough.push([other]));
      }
      expect(quick.end(saidDone)).toEqual(thorough.end(saidDone));
    }),
  );
});

/** What people see of events: neighbouring words as one, and no signs of life. */
function shown(events: readonly ModelEvent[]): ModelEvent[] {
  const merged: ModelEvent[] = [];
  for (const event of events) {
    const last = merged.at(-1);
    if (event.type === "text-delta" && last?.type === "text-delta")
      merged[merged.length - 1] = { ...last, text: last.text + event.text };
    else if (event.type !== "text-delta" || event.text !== "") merged.push(event);
  }
  return merged;
}

it("chunks that come together are read as those that come one by one", () => {
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 6 }), fc.boolean(), (chunks, saidDone) => {
      const together = new ChatStreamReader({ mayCall: true });
      const single = new ChatStreamReader({ mayCall: true });
      const one = together.push(chunks);
      const other = chunks.flatMap((each) => single.push([each]));
      expect(shown(one)).toEqual(shown(other));
      expect(one.length > 0).toBe(other.length > 0);
      expect(together.end(saidDone)).toEqual(single.end(saidDone));
    }),
  );
});

it("is what nearly all chunks of OpenAI are", () => {
  expect(
    plainWords({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1,
      model: "gpt",
      service_tier: "default",
      system_fingerprint: null,
      choices: [{ index: 0, delta: { content: "word" }, logprobs: null, finish_reason: null }],
      usage: null,
      obfuscation: "x",
    }),
  ).toBe("word");
});
