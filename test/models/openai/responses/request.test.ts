import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dialectOf } from "../../../../src/models/openai/dialect.ts";
import { toResponsesBody } from "../../../../src/models/openai/responses/request.ts";
import { sentences } from "../../../emulators/model/message-rules.ts";
import { responsesRequestProblems } from "../../../emulators/model/responses-rules.ts";
import { card, currentTime, request } from "../../helpers.ts";
import { cards, requests } from "../../request-arbitrary.ts";

const dialect = dialectOf("https://api.openai.com/v1");
const asked = { model: "gpt-5-mini", card, dialect };

describe("a request in the Responses API's words", () => {
  it("keeps the vendor's rules, whatever the conversation", () => {
    fc.assert(
      fc.property(
        requests,
        cards,
        fc.constantFrom("gpt-4o-mini", "gpt-5-mini"),
        (given, able, model) => {
          const reasoningModel = model === "gpt-5-mini";
          const body = toResponsesBody({
            model,
            card: {
              ...able,
              thinking: able.thinking && reasoningModel,
              settableTemperature: !reasoningModel,
            },
            request: given,
            dialect,
          });
          const problems = responsesRequestProblems({ ...body }, { reasoningModel });
          expect(sentences(problems)).toEqual([]);
        },
      ),
    );
  });

  it("keeps every word and every call, in order", () => {
    const body = toResponsesBody({
      ...asked,
      request: request(
        [
          { role: "system", text: "Be kind." },
          { role: "system", text: "Be brief." },
          { role: "user", text: "Time?" },
          {
            role: "assistant",
            text: "Let me see.",
            reasoning: "hm",
            calls: [
              { id: "t1_0_0", name: "current_time", arguments: "{}" },
              { id: "t1_0_1", name: "current_time", arguments: '{"a":1}' },
            ],
          },
          {
            role: "tool",
            callId: "t1_0_0",
            name: "current_time",
            text: "noon",
          },
          { role: "tool", callId: "t1_0_1", name: "current_time", text: "one" },
          { role: "system", text: "Hurry." },
          { role: "user", text: "Thanks" },
        ],
        { tools: [currentTime] },
      ),
    });
    expect(body).toEqual({
      model: "gpt-5-mini",
      instructions: "Be kind.\n\nBe brief.",
      input: [
        { type: "message", role: "user", content: "Time?" },
        { type: "message", role: "assistant", content: "Let me see." },
        {
          type: "function_call",
          call_id: "t1_0_0",
          name: "current_time",
          arguments: "{}",
        },
        {
          type: "function_call",
          call_id: "t1_0_1",
          name: "current_time",
          arguments: '{"a":1}',
        },
        { type: "function_call_output", call_id: "t1_0_0", output: "noon" },
        { type: "function_call_output", call_id: "t1_0_1", output: "one" },
        { type: "message", role: "developer", content: "Hurry." },
        { type: "message", role: "user", content: "Thanks" },
      ],
      tools: [
        {
          type: "function",
          name: "current_time",
          description: currentTime.description,
          parameters: currentTime.parameters,
          strict: false,
        },
      ],
      store: false,
      stream: true,
    });
  });

  it("says tool_choice none only where the server knows it", () => {
    const none = request("hello", { tools: [currentTime], toolChoice: "none" });
    expect(toResponsesBody({ ...asked, request: none })).toMatchObject({
      tool_choice: "none",
      tools: [{ name: "current_time" }],
    });
    const without = toResponsesBody({
      ...asked,
      card: { ...card, toolChoiceNone: false },
      request: none,
    });
    expect(without).not.toHaveProperty("tools");
    expect(without).not.toHaveProperty("tool_choice");
  });

  it.each([
    [true, { effort: "medium", summary: "auto" }],
    [false, { effort: "low" }],
    [undefined, undefined],
  ])("thinks as it is told: %s", (thinking, reasoning) => {
    const given = request("hello", {
      options: thinking === undefined ? {} : { thinking },
    });
    const able = { ...card, thinking: true };
    expect(toResponsesBody({ ...asked, card: able, request: given }).reasoning).toEqual(reasoning);
    expect(toResponsesBody({ ...asked, request: given })).not.toHaveProperty("reasoning");
  });

  it("asks for JSON in its input, for instructions do not count", () => {
    const json = { options: { json: true } };
    const body = toResponsesBody({
      ...asked,
      request: request(
        [
          { role: "system", text: "Answer in JSON." },
          { role: "user", text: "hello" },
        ],
        json,
      ),
    });
    expect(body.text).toEqual({ format: { type: "json_object" } });
    expect(body.input).toHaveLength(2);
    expect(
      toResponsesBody({ ...asked, request: request("json, please", json) }).input,
    ).toHaveLength(1);
  });

  it.each([
    [5, 16],
    [500, 500],
  ])("caps the output %i at %i, no less than the API takes", (asks, sent) => {
    const options = { maxOutputTokens: asks };
    const body = toResponsesBody({
      ...asked,
      request: request("hello", { options }),
    });
    expect(body.max_output_tokens).toBe(sent);
  });

  it("shows images to models that see", () => {
    const { input } = toResponsesBody({
      ...asked,
      card: { ...card, vision: true },
      request: request([
        {
          role: "user",
          text: "",
          images: [{ mediaType: "image/jpeg", data: "aGVsbG8=" }],
        },
      ]),
    });
    expect(input).toEqual([
      {
        type: "message",
        role: "user",
        content: [
          {
            type: "input_image",
            image_url: "data:image/jpeg;base64,aGVsbG8=",
            detail: "auto",
          },
        ],
      },
    ]);
  });
});
