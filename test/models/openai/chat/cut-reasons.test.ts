import { expect, it } from "vitest";
import { ChatStreamReader } from "../../../../src/models/openai/chat/stream.ts";

it.each([
  ["length", "length"],
  ["model_length", "length"],
  ["max_tokens", "length"],
  ["MAX_TOKENS", "length"],
  ["stop", "stop"],
  ["eos_token", "stop"],
])("a finish reason %j is %j", (given, reason) => {
  const reader = new ChatStreamReader({ mayCall: true });
  reader.push([{ choices: [{ delta: { content: "half" }, finish_reason: given }] }]);
  expect(reader.end(true).at(-1)).toEqual({ type: "finish", reason });
});
