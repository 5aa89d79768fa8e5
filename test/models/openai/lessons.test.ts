import { describe, expect, it } from "vitest";
import type { Model } from "../../../src/core/model.ts";
import { createOpenAiModel } from "../../../src/models/openai/model.ts";
import { ask, never, request, tools, user } from "../helpers.ts";

type Body = Readonly<Record<string, unknown>>;

const ok = 'data: {"choices":[{"index":0,"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\n';

/** A model whose server refuses some bodies. */
function refusing(
  refusal: (body: Body) => [status: number, message: string] | undefined,
  id = "a/m",
): {
  model: Model;
  bodies: Body[];
} {
  const bodies: Body[] = [];
  const model = createOpenAiModel({
    settings: { baseUrl: "http://host:1/v1" },
    id,
    fetch: (_, init) => {
      if (!(init?.body instanceof Uint8Array)) return Promise.resolve(Response.json({ data: [] }));
      const body = JSON.parse(new TextDecoder().decode(init.body)) as Body;
      bodies.push(body);
      const refused = refusal(body);
      return Promise.resolve(
        refused === undefined
          ? new Response(ok)
          : Response.json({ error: { message: refused[1] } }, { status: refused[0] }),
      );
    },
  });
  return { model, bodies };
}

const options = { temperature: 0.5, maxOutputTokens: 50 };

const hasNote = (body: Body): boolean => JSON.stringify(body["tools"]).includes("write_note");

describe("fields that a server refuses", () => {
  it.each([
    ["stream_options", 400, "Unrecognized request argument: stream_options"],
    ["stream_options", 422, "stream_options: Extra inputs are not permitted"],
    ["temperature", 400, "Unsupported value: 'temperature' does not support 0.5 with this model."],
  ])("leaves %s out from then on", async (field, status, message) => {
    const { model, bodies } = refusing((body) => (field in body ? [status, message] : undefined));
    expect((await ask(model, request("hi", { options }))).text).toBe("ok");
    expect((await ask(model, request("hi", { options }))).text).toBe("ok");
    expect(bodies.map((body) => field in body)).toEqual([true, false, false]);
  });

  it("says max_tokens in OpenAI's newer word where it is told to", async () => {
    const { model, bodies } = refusing((body) =>
      "max_tokens" in body
        ? [
            400,
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
          ]
        : undefined,
    );
    expect((await ask(model, request("hi", { options }))).text).toBe("ok");
    expect(bodies.at(-1)).toMatchObject({ max_completion_tokens: 50 });
  });

  it.each([
    [400, "'messages' is not supported"],
    [400, "a thinking person would not say this"],
    [400, "max_tokens is too large and not supported: this model's maximum context length is 4096"],
    [500, "temperature is not supported"],
  ])("does not try again after %i %s", async (status, message) => {
    const { model, bodies } = refusing(() => [status, message]);
    const answer = await ask(model, request("hi", { options }));
    expect(answer.failure?.message).toContain(message);
    expect(bodies).toHaveLength(1);
  });

  it("ends though everything is refused", async () => {
    const { model, bodies } = refusing((body) => [400, `unknown: ${Object.keys(body).join(", ")}`]);
    const answer = await ask(model, request("hi", { options }));
    expect(answer.failure?.kind).toBe("invalid-request");
    expect(bodies).toHaveLength(6);
  });

  it.each([
    ["temperature", "invalid temperature: only 1 is allowed for this model"],
    ["temperature", "`temperature` is deprecated for this model."],
    ["temperature", "Value error, temperature is out of bounds"],
    ["response_format", "This response_format type is unavailable now"],
    ["stream_options", "stream_options: unavailable"],
  ])("leaves %s out by its name: %s", async (field, message) => {
    const { model, bodies } = refusing((body) => (field in body ? [400, message] : undefined));
    const asked = request("json, hi", { options: { ...options, json: true } });
    expect((await ask(model, asked)).text).toBe("ok");
    expect((await ask(model, asked)).text).toBe("ok");
    expect(bodies.map((body) => field in body)).toEqual([true, false, false]);
  });

  it.each([
    [
      "max_tokens",
      100_000,
      8192,
      "max_tokens is too large: 100000. This model supports at most 8192",
    ],
    [
      "max_tokens",
      100_000,
      8192,
      "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]",
    ],
    ["max_tokens", 100_000, 8191, "max_tokens must be less than 8192"],
    ["max_tokens", 100_000, 16_384, "max_tokens: 100,000 > 16,384, the maximum for this model"],
    ["temperature", 1.5, 1, "temperature: range: 0..1"],
  ])("lowers %s from %d to %d: %s", async (field, sent, largest, message) => {
    const isRefused = (body: Body): boolean => Number(body[field]) > largest;
    const { model, bodies } = refusing((body) => (isRefused(body) ? [400, message] : undefined));
    const given = { temperature: 1.5, maxOutputTokens: 100_000 };
    const asked = request("hi", {
      options: {
        [field === "temperature" ? field : "maxOutputTokens"]: Object(given)[
          field === "temperature" ? field : "maxOutputTokens"
        ] as number,
      },
    });
    expect((await ask(model, asked)).text).toBe("ok");
    expect((await ask(model, asked)).text).toBe("ok");
    expect(bodies.map((body) => body[field])).toEqual([sent, largest, largest]);
  });

  it("asks without tools where only their choice is refused", async () => {
    const { model, bodies } = refusing((body) =>
      body["tool_choice"] === "none" ? [400, "tool_choice none is not supported"] : undefined,
    );
    expect((await ask(model, request("hi", { tools, toolChoice: "none" }))).text).toBe("ok");
    expect(bodies.at(-1)).not.toHaveProperty("tools");
    await ask(model, request("hi", { tools }));
    expect(bodies.at(-1)).toHaveProperty("tools");
  });

  it.each([
    "Invalid schema for function 'write_note': schema must have type object",
    "tools[1].function.parameters: invalid",
    "GenerateContentRequest.tools[0].function_declarations[1].name: invalid",
  ])("leaves one tool out: %s", async (message) => {
    const { model, bodies } = refusing((body) => (hasNote(body) ? [400, message] : undefined));
    const refused: string[] = [];
    await model.stream(request("hi", { tools }), never(), {
      onEvent: () => undefined,
      onRefused: (_, { what }) => refused.push(what),
    });
    expect(refused).toEqual(["the tool write_note"]);
    expect(bodies.at(-1)?.["tools"]).toHaveLength(tools.length - 1);
  });

  it("learns that a model has no tools, and says so with its card", async () => {
    const { model } = refusing((body) =>
      "tools" in body ? [404, "No endpoints found that support tool use"] : undefined,
    );
    const { failure } = await ask(model, request("hi", { tools }));
    expect(failure?.hasNewCard).toBe(true);
    expect(model.card.tools).toBe(false);
    expect((await ask(model, request("hi", { tools }))).text).toBe("ok");
  });

  it("asks for the whole answer where a stream is refused", async () => {
    const { model, bodies } = refusing((body) =>
      body["stream"] === true ? [400, "'stream' is not supported with this model"] : undefined,
    );
    await ask(model, request("hi"));
    expect(bodies.at(-1)).toMatchObject({ stream: false });
    expect(bodies.at(-1)).not.toHaveProperty("stream_options");
  });
});

const messagesOf = (body: Body): readonly Body[] => body["messages"] as readonly Body[];

describe("what else a server says of itself", () => {
  const talk = request([
    user("a"),
    user("b"),
    {
      role: "assistant",
      text: "",
      own: { reasoning: "hm", extras: { reasoning_details: [] } },
      calls: [{ id: "t1_0_0", name: "current_time", arguments: "{}" }],
    },
    { role: "tool", callId: "t1_0_0", name: "current_time", text: "noon" },
  ]);
  it.each([400, 500])("lets turns alternate after a refusal with %i", async (status) => {
    const { model, bodies } = refusing(
      (body) =>
        messagesOf(body)[1]?.["role"] === "user"
          ? [status, "Conversation roles must alternate user/assistant/user/assistant/..."]
          : undefined,
      "a/gpt-oss",
    );
    expect((await ask(model, talk)).text).toBe("ok");
    expect(messagesOf(bodies.at(-1) ?? {}).map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
    ]);
  });

  it.each([
    "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2",
    "The `reasoning_content` in the thinking mode must be passed back to the API.",
    "Missing `reasoning_content` field in the assistant message at message index 2.",
  ])("gives thoughts back: %s", async (message) => {
    const { model, bodies } = refusing((body) =>
      messagesOf(body).some((each) => each["role"] === "assistant" && !each["reasoning_content"])
        ? [400, message]
        : undefined,
    );
    expect((await ask(model, talk)).text).toBe("ok");
    expect(JSON.stringify(bodies.at(-1))).toContain('"reasoning_content":"hm"');
  });

  it("keeps back extras that it doesn't take", async () => {
    const { model, bodies } = refusing((body) =>
      JSON.stringify(body).includes("reasoning_details")
        ? [422, "messages.2.reasoning_details: Extra inputs are not permitted"]
        : undefined,
    );
    expect((await ask(model, talk)).text).toBe("ok");
    expect(JSON.stringify(bodies.at(-1))).not.toContain("reasoning_details");
  });
});
