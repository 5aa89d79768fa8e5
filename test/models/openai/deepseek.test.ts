import * as fc from "fast-check";
import { expect, it } from "vitest";
import { alternating } from "../../../src/models/alternating.ts";
import { presumedCard } from "../../../src/models/openai/card.ts";
import { toChatBody } from "../../../src/models/openai/chat/request.ts";
import { dialectOf } from "../../../src/models/openai/dialect.ts";
import { sentences } from "../../emulators/model/message-rules.ts";
import { openAiRequestProblems } from "../../emulators/model/openai-request-rules.ts";
import { requests } from "../request-arbitrary.ts";

const dialect = dialectOf("https://api.deepseek.com/v1");
const model = "deepseek-reasoner";
const card = presumedCard({
  id: `d/${model}`,
  model,
  dialect,
  isOfficial: false,
});

it("gives DeepSeek its thoughts back with every answer, whatever the conversation", () => {
  fc.assert(
    fc.property(requests, (request) => {
      const body = toChatBody({ model, card, dialect, request });
      const problems = openAiRequestProblems(
        { ...body },
        { deepseek: true, extraParameters: ["thinking"] },
      );
      expect(sentences(problems)).toEqual([]);
      const thoughts = body.messages
        .filter(({ role }) => role === "assistant")
        .map((message) => Object(message).reasoning_content as unknown);
      expect(thoughts).toEqual(
        alternating(request.messages)
          .filter((message) => message.role === "assistant")
          .map(({ reasoning = " " }) => reasoning.toWellFormed()),
      );
    }),
  );
});

it.each([
  [true, { type: "enabled" }],
  [false, { type: "disabled" }],
])("tells DeepSeek whether to think: %s", (thinking, expected) => {
  const request = {
    messages: [{ role: "user" as const, text: "hello" }],
    tools: [],
    toolChoice: "auto" as const,
    options: { thinking },
  };
  const body = toChatBody({ model, card, dialect, request });
  expect(body["thinking"]).toEqual(expected);
});
