import { createConnection } from "node:net";
import OpenAI, { APIConnectionError, APIError } from "openai";
import type {
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionTool,
} from "openai/resources";
import { describe, expect, it } from "vitest";
import { OpenAiServer } from "./openai-server.ts";
import type { Failure, OpenAiQuirk, Step } from "./step.ts";

const tools: ChatCompletionTool[] = [
  {
    type: "function",
    function: {
      name: "get_weather",
      parameters: { type: "object", properties: { city: { type: "string" } } },
    },
  },
  {
    type: "function",
    function: {
      name: "get_time",
      parameters: { type: "object", properties: {} },
    },
  },
];
const calls = [
  { name: "get_weather", arguments: { city: "Kyjiw, Україна 🇺🇦" } },
  { name: "get_time", arguments: { zone: "Europe/Kyiv", format: "24h" } },
];

function client(server: OpenAiServer, apiKey = "sk-test"): OpenAI {
  return new OpenAI({ apiKey, baseURL: server.baseUrl, maxRetries: 0 });
}

function body(
  overrides: Partial<ChatCompletionCreateParamsStreaming> = {},
): ChatCompletionCreateParamsStreaming {
  return {
    model: "gpt-4o-mini",
    messages: [{ role: "user", content: "hello" }],
    stream: true,
    stream_options: { include_usage: true },
    ...overrides,
  };
}

async function collect(
  server: OpenAiServer,
  overrides: Partial<ChatCompletionCreateParamsStreaming> = {},
): Promise<ChatCompletionChunk[]> {
  return Array.fromAsync(await client(server).chat.completions.create(body(overrides)));
}

function textOf(chunks: readonly ChatCompletionChunk[]): string {
  return chunks
    .map(({ choices }) => choices.find(({ index }) => index === 0)?.delta.content ?? "")
    .join("");
}

/** What a straightforward reader makes of the calls: by index, ids of the first delta. */
function callsOf(
  chunks: readonly ChatCompletionChunk[],
): { id: string; name: string; text: string }[] {
  const found: { id: string; name: string; text: string }[] = [];
  for (const delta of chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])) {
    const call = (found[delta.index] ??= {
      id: delta.id ?? "",
      name: delta.function?.name ?? "",
      text: "",
    });
    call.text += delta.function?.arguments ?? "";
  }
  return found;
}

/** The bytes of a stream as they arrive, past the client. */
async function raw(
  server: OpenAiServer,
  overrides: Partial<ChatCompletionCreateParamsStreaming> = {},
) {
  const response = await fetch(`${server.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body(overrides)),
  });
  const pieces: Uint8Array[] = await Array.fromAsync(response.body ?? []);
  const text = Buffer.concat(pieces).toString("utf8");
  const events = [...text.matchAll(/^data: ?(\{.*)$/gm)].map(
    ([, json = ""]) => JSON.parse(json) as ChatCompletionChunk,
  );
  return {
    response,
    pieces,
    text,
    events,
    deltas: events.flatMap(({ choices }) => choices.map(({ delta }) => delta)),
  };
}

async function quirky(
  quirk: OpenAiQuirk,
  step: Step,
  overrides: Partial<ChatCompletionCreateParamsStreaming> = {},
) {
  await using server = await OpenAiServer.start();
  server.model.when(() => true, { ...step, quirks: [quirk] });
  return {
    wire: await raw(server, overrides),
    chunks: await collect(server, overrides),
  };
}

describe("a normal stream", () => {
  it("brings role, text in chunks, finish reason and usage, in this order", async () => {
    await using server = await OpenAiServer.start();
    server.model.reply({
      text: "Привіт, world! 👋",
      usage: {
        inputTokens: 12,
        outputTokens: 5,
        cachedTokens: 4,
        reasoningTokens: 1,
      },
    });
    const chunks = await collect(server);
    expect(chunks[0]?.choices[0]?.delta).toEqual({
      role: "assistant",
      content: "",
      refusal: null,
    });
    expect(textOf(chunks)).toBe("Привіт, world! 👋");
    expect(chunks.filter(({ choices }) => choices[0]?.delta.content).length).toBe(3);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe("stop");
    expect(chunks.at(-1)).toMatchObject({
      object: "chat.completion.chunk",
      model: "gpt-4o-mini",
      choices: [],
      usage: {
        prompt_tokens: 12,
        completion_tokens: 5,
        total_tokens: 17,
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens_details: { reasoning_tokens: 1 },
      },
    });
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(server.violations).toEqual([]);
  });

  it("has no usage when no one asked", async () => {
    await using server = await OpenAiServer.start();
    const { stream_options: _, ...without } = body();
    const chunks = await Array.fromAsync(await client(server).chat.completions.create(without));
    expect(chunks.some((chunk) => "usage" in chunk)).toBe(false);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("stop");
  });

  it("sends the chunks that the script names", async () => {
    await using server = await OpenAiServer.start();
    server.model.reply({ text: ["a", "b c", "d"], finish: "length" });
    const chunks = await collect(server);
    expect(
      chunks
        .flatMap(({ choices }) => choices[0]?.delta.content ?? [])
        .filter((text) => text !== ""),
    ).toEqual(["a", "b c", "d"]);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe("length");
  });

  it("answers without stream too, and to the client's stream helper", async () => {
    await using server = await OpenAiServer.start();
    server.model.when(() => true, { text: "Hi.", toolCalls: calls });
    const whole = await client(server).chat.completions.create({
      model: "gpt-4o",
      messages: [{ role: "user", content: "hi" }],
      tools,
    });
    expect(whole.choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: { content: "Hi." },
    });
    const helped = await client(server)
      .chat.completions.stream({ ...body({ tools }) })
      .finalChatCompletion();
    const parsed = helped.choices[0]?.message.tool_calls?.map(
      (call) => call.type === "function" && JSON.parse(call.function.arguments),
    );
    expect(parsed).toEqual(calls.map((call) => call.arguments));
  });

  it("echoes when there is no script", async () => {
    await using server = await OpenAiServer.start();
    expect(textOf(await collect(server))).toBe("You said: hello");
  });
});

describe("tools", () => {
  it("a round trip: calls with unique ids, results seen by the script, every rule kept", async () => {
    await using server = await OpenAiServer.start();
    server.model.when("hello", { text: "Let me see.", toolCalls: calls });
    const first = await collect(server, { tools });
    const found = callsOf(first);
    expect(textOf(first)).toBe("Let me see.");
    expect(
      found.map(({ name, text }) => ({
        name,
        arguments: JSON.parse(text) as object,
      })),
    ).toEqual(calls);
    expect(new Set(found.map(({ id }) => id)).size).toBe(2);
    expect(first.at(-2)?.choices[0]?.finish_reason).toBe("tool_calls");

    const second = await collect(server, {
      tools,
      messages: [
        { role: "user", content: "hello" },
        {
          role: "assistant",
          content: "Let me see.",
          tool_calls: found.map(({ id, name, text }) => ({
            id,
            type: "function",
            function: { name, arguments: text },
          })),
        },
        { role: "tool", tool_call_id: found[1]?.id ?? "", content: "12:00" },
        { role: "tool", tool_call_id: found[0]?.id ?? "", content: "21 °C" },
      ],
    });
    expect(textOf(second)).toBe("get_time said: 12:00\nget_weather said: 21 °C");
    expect(server.violations).toEqual([]);
    expect(
      server.model.requests.map(({ roundsSinceUser, mayCallTools }) => [
        roundsSinceUser,
        mayCallTools,
      ]),
    ).toEqual([
      [0, true],
      [1, true],
    ]);
  });

  it("broken arguments go out as they are", async () => {
    await using server = await OpenAiServer.start();
    server.model.reply({
      toolCalls: [{ name: "get_weather", arguments: '{"city": "Ky', id: "call_x" }],
    });
    expect(callsOf(await collect(server, { tools }))).toEqual([
      { id: "call_x", name: "get_weather", text: '{"city": "Ky' },
    ]);
  });
});

function joined(deltas: readonly object[], key: string): string {
  return deltas.map((delta) => (Reflect.get(delta, key) as string | undefined) ?? "").join("");
}

describe("quirks, on the wire and through the client", () => {
  const text = "Grüße, світе 👩‍👩‍👧 ok";

  it("split-bytes: characters arrive in halves and are still whole", async () => {
    const { wire, chunks } = await quirky("split-bytes", { text });
    expect(
      wire.pieces.some(
        (piece) => !Buffer.from(Buffer.from(piece).toString("utf8")).equals(Buffer.from(piece)),
      ),
    ).toBe(true);
    expect(textOf(chunks)).toBe(text);
  });

  it.each<[OpenAiQuirk, RegExp]>([
    ["crlf", /^data: \{.*\}\r\n\r\ndata: /],
    ["sse-comments", /^: still working\n\ndata: \{/],
    ["data-without-space", /^data:\{/],
  ])("%s: the text is the same", async (quirk, form) => {
    const { wire, chunks } = await quirky(quirk, { text });
    expect(wire.text).toMatch(form);
    expect(textOf(chunks)).toBe(text);
    expect(chunks.at(-1)?.usage?.total_tokens).toBeGreaterThan(0);
  });

  it("no-done: the stream just ends", async () => {
    const { wire, chunks } = await quirky("no-done", { text });
    expect(wire.text).not.toContain("[DONE]");
    expect(textOf(chunks)).toBe(text);
    expect((await quirky("crlf", { text })).wire.text).toMatch(/data: \[DONE\]\r\n\r\n$/);
  });

  it("no-finish-reason", async () => {
    const { chunks } = await quirky("no-finish-reason", { text });
    expect(
      chunks.some(({ choices }) => choices.some((choice) => choice.finish_reason !== null)),
    ).toBe(false);
  });

  it("no-role", async () => {
    const { wire } = await quirky("no-role", { text });
    expect(wire.deltas.some((delta) => "role" in delta)).toBe(false);
  });

  it("usage-never, -every-chunk, -with-finish, -unasked", async () => {
    expect((await quirky("usage-never", { text })).chunks.some((chunk) => "usage" in chunk)).toBe(
      false,
    );
    expect(
      (await quirky("usage-every-chunk", { text })).chunks.every(
        ({ usage }) => (usage?.total_tokens ?? 0) > 0,
      ),
    ).toBe(true);
    const withFinish = (await quirky("usage-with-finish", { text })).chunks.at(-1);
    expect(withFinish?.choices[0]?.finish_reason).toBe("stop");
    expect(withFinish?.usage?.total_tokens).toBeGreaterThan(0);
    const unasked = await quirky(
      "usage-unasked",
      { text },
      { stream_options: { include_usage: false } },
    );
    expect(unasked.chunks.at(-1)?.usage?.total_tokens).toBeGreaterThan(0);
  });

  it("reasoning in its three places", async () => {
    const step: Step = { reasoning: "Hm, let me think.", text };
    const standard = await quirky("no-role", step);
    expect(joined(standard.wire.deltas, "reasoning_content")).toBe(step.reasoning);
    const other = await quirky("reasoning-field", step);
    expect(joined(other.wire.deltas, "reasoning")).toBe(step.reasoning);
    expect(joined(other.wire.deltas, "reasoning_content")).toBe("");
    const tags = await quirky("think-tags", step);
    expect(textOf(tags.chunks)).toBe(`<think>\n${step.reasoning}\n</think>\n\n${text}`);
  });

  it("content-null: every delta without text says so", async () => {
    const { wire } = await quirky("content-null", { toolCalls: calls }, { tools });
    const bare = wire.deltas.filter(
      (delta) => delta.tool_calls !== undefined || delta.role !== undefined,
    );
    expect(bare.length).toBeGreaterThan(2);
    expect(bare.every(({ content }) => content === null)).toBe(true);
  });

  it("refusal", async () => {
    const { chunks } = await quirky("refusal", {
      text: "I can't help with that.",
    });
    expect(textOf(chunks)).toBe("");
    expect(chunks.map(({ choices }) => choices[0]?.delta.refusal ?? "").join("")).toBe(
      "I can't help with that.",
    );
  });

  it("empty-choices-first and two-choices", async () => {
    expect((await quirky("empty-choices-first", { text })).chunks[0]?.choices).toEqual([]);
    const { chunks } = await quirky("two-choices", { text });
    expect(textOf(chunks)).toBe(text);
    expect(
      chunks.some(
        ({ choices }) => choices[0]?.index === 1 && choices[0].delta.content === "[another choice]",
      ),
    ).toBe(true);
  });

  it("no-index: the deltas of a call can't be told apart but by their ids and order", async () => {
    const { wire } = await quirky("no-index", { toolCalls: calls }, { tools });
    const deltas = wire.deltas.flatMap(({ tool_calls: list }) => list ?? []);
    expect(deltas.some((delta) => "index" in delta)).toBe(false);
    expect(deltas.filter(({ id }) => id !== undefined)).toHaveLength(2);
  });

  it.each<OpenAiQuirk>([
    "empty-later-ids",
    "name-repeated",
    "tiny-arguments",
    "whole-call",
    "interleaved-calls",
    "no-ids",
    "reused-ids",
  ])("%s: the arguments are complete", async (quirk) => {
    const { wire, chunks } = await quirky(quirk, { toolCalls: calls }, { tools });
    expect(callsOf(chunks).map(({ text: json }) => JSON.parse(json) as object)).toEqual(
      calls.map((call) => call.arguments),
    );
    const deltas = wire.deltas.flatMap(({ tool_calls: list }) => list ?? []);
    const later = deltas.filter((delta) => delta.type === undefined || delta.id === "");
    const evidence: Partial<Record<OpenAiQuirk, () => void>> = {
      "empty-later-ids": () => expect(later.every(({ id }) => id === "")).toBe(true),
      "name-repeated": () =>
        expect(deltas.every((delta) => delta.function?.name !== undefined)).toBe(true),
      "tiny-arguments": () =>
        expect(
          Math.max(...deltas.map((delta) => delta.function?.arguments?.length ?? 0)),
        ).toBeLessThanOrEqual(4),
      "whole-call": () => expect(deltas).toHaveLength(2),
      "interleaved-calls": () =>
        expect(deltas.slice(0, 4).map(({ index }) => index)).toEqual([0, 1, 0, 1]),
      "no-ids": () => expect(deltas.some((delta) => "id" in delta)).toBe(false),
      "reused-ids": () => expect(callsOf(chunks).map(({ id }) => id)).toEqual(["call_0", "call_1"]),
    };
    evidence[quirk]?.();
  });

  it("arguments-object: an object where text is due", async () => {
    const { wire } = await quirky("arguments-object", { toolCalls: calls }, { tools });
    const sent: unknown[] = wire.deltas
      .flatMap(({ tool_calls: list }) => list ?? [])
      .map((delta) => delta.function?.arguments);
    expect(sent).toEqual(calls.map((call) => call.arguments));
  });

  it("several at once, and the other wire's are ignored", async () => {
    await using server = await OpenAiServer.start();
    server.model.reply({
      text,
      quirks: ["crlf", "split-bytes", "sse-comments", "no-counts", "calls-together"],
    });
    expect(textOf(await collect(server))).toBe(text);
  });
});

async function failing(failure: Failure, failAfterChunks?: number) {
  await using server = await OpenAiServer.start();
  server.model.when(() => true, {
    text: "one two three four",
    failure,
    ...(failAfterChunks === undefined ? {} : { failAfterChunks }),
  });
  const got: string[] = [];
  let error: unknown;
  try {
    for await (const chunk of await client(server).chat.completions.create(body()))
      got.push(textOf([chunk]));
  } catch (thrown) {
    error = thrown;
  }
  return {
    error,
    text: got.join(""),
    state: server.model.requests[0]?.state,
  };
}

describe("failures", () => {
  it.each<[Failure, object]>([
    [{ status: 401 }, { status: 401, code: "invalid_api_key", type: "invalid_request_error" }],
    [{ status: 404 }, { status: 404, code: "model_not_found" }],
    [
      { status: 429, retryAfterSeconds: 2, retryAfterMs: 1500 },
      { status: 429, code: "rate_limit_exceeded", type: "requests" },
    ],
    [
      { status: 429, code: "insufficient_quota" },
      { status: 429, code: "insufficient_quota", type: "insufficient_quota" },
    ],
    [
      { status: 400, code: "context_length_exceeded" },
      { status: 400, code: "context_length_exceeded", param: "messages" },
    ],
    [{ status: 500 }, { status: 500, type: "server_error" }],
    [
      { status: 503, message: "Try later." },
      { status: 503, error: { message: "Try later." } },
    ],
  ])("%o becomes the client's error", async (failure, expected) => {
    const { error, state } = await failing(failure);
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject(expected);
    expect(state).toBe("failed");
  });

  it("429 says when to come back", async () => {
    const { error } = await failing({
      status: 429,
      retryAfterSeconds: 2,
      retryAfterMs: 1500,
    });
    const headers = (error as APIError).headers;
    expect([headers?.get("retry-after"), headers?.get("retry-after-ms")]).toEqual(["2", "1500"]);
  });

  it("a proxy's page in HTML", async () => {
    const { error } = await failing({
      status: 502,
      body: "<html><h1>502 Bad Gateway</h1></html>",
    });
    expect(error).toMatchObject({ status: 502 });
  });

  it("late-error: after the text, inside status 200", async () => {
    const { error, text } = await failing("late-error", 2);
    expect(text).toBe("one two ");
    expect(error).toMatchObject({ type: "server_error", status: undefined });
  });

  it("cut: the socket dies in the middle of a frame", async () => {
    const { error, text } = await failing("cut", 3);
    expect(text).toBe("one two three ");
    expect(error).toMatchObject({
      message: expect.stringMatching(/terminated|aborted|closed/i) as string,
    });
  });

  it("cut-before-headers: a connection error", async () => {
    expect((await failing("cut-before-headers")).error).toBeInstanceOf(APIConnectionError);
  });

  it("empty: no event at all", async () => {
    expect(await failing("empty")).toMatchObject({
      error: undefined,
      text: "",
    });
  });

  it("not-json", async () => {
    expect((await failing("not-json")).error).toBeInstanceOf(SyntaxError);
    expect((await failing("not-json", 2)).text).toBe("one two ");
  });

  it.each<[Failure, string]>([
    ["hang-before-headers", ""],
    ["hang-after-headers", ""],
    ["hang-mid-stream", "one "],
  ])("%s: until the client gives up, which the server notices", async (failure, expected) => {
    await using server = await OpenAiServer.start();
    server.model.reply({ text: "one two three", failure });
    const abort = new AbortController();
    let text = "";
    const reading = (async () => {
      for await (const chunk of await client(server).chat.completions.create(body(), {
        signal: abort.signal,
      }))
        text += textOf([chunk]);
    })().catch((error: unknown) => error);
    const request = await server.model.waitForRequest(
      ({ chunksSent }) => chunksSent === (expected === "" ? 0 : 1),
    );
    expect(request.state).toBe("open");
    if (expected !== "") await expect.poll(() => text).toBe(expected);
    abort.abort();
    await reading;
    await server.model.waitForRequest(({ abortedAtMs }) => abortedAtMs !== undefined);
    expect(request.state).toBe("aborted");
    expect(text).toBe(expected);
  });
});

describe("authentication and routing", () => {
  it("a wrong key gets 401, the right one is let in", async () => {
    await using server = await OpenAiServer.start({
      apiKey: "sk-right-0123456789",
    });
    const wrong = client(server, "sk-wrong-0123456789").chat.completions.create(body());
    await expect(wrong).rejects.toMatchObject({
      status: 401,
      code: "invalid_api_key",
      message: expect.stringContaining("Incorrect API key provided: sk-wrong*******6789") as string,
    });
    expect(server.model.received).toBe(0);
    expect(await (await fetch(`${server.baseUrl}/models`)).json()).toMatchObject({
      error: {
        message: expect.stringContaining("didn't provide an API key") as string,
      },
    });
    const right = new OpenAI({
      apiKey: "sk-right-0123456789",
      baseURL: server.baseUrl,
      maxRetries: 0,
    });
    expect(textOf(await Array.fromAsync(await right.chat.completions.create(body())))).toBe(
      "You said: hello",
    );
    expect(server.hits.map(({ status }) => status)).toEqual([401, 401, 200]);
  });

  it("lists its models, with what compatible servers add", async () => {
    await using server = await OpenAiServer.start({
      models: ["a", { id: "b", listing: { max_model_len: 32_768 } }],
    });
    const models = await Array.fromAsync(client(server).models.list());
    expect(models).toMatchObject([
      { id: "a", object: "model" },
      { id: "b", max_model_len: 32_768 },
    ]);
    expect(await client(server).models.retrieve("a")).toMatchObject({
      id: "a",
    });
    await expect(client(server).models.retrieve("c")).rejects.toMatchObject({
      status: 404,
      code: "model_not_found",
    });
  });

  it("an unknown model or path gets 404", async () => {
    await using server = await OpenAiServer.start();
    await expect(collect(server, { model: "gpt-9" })).rejects.toMatchObject({
      status: 404,
      code: "model_not_found",
    });
    const other = await fetch(`${server.baseUrl}/other`, { method: "POST" });
    expect([other.status, await other.json()]).toMatchObject([
      404,
      { error: { message: "Invalid URL (POST /v1/other)" } },
    ]);
  });

  it("a prompt longer than the window gets context_length_exceeded", async () => {
    await using server = await OpenAiServer.start({
      models: [{ id: "small", contextWindow: 50 }],
    });
    const long = collect(server, {
      model: "small",
      messages: [{ role: "user", content: "x".repeat(400) }],
    });
    await expect(long).rejects.toMatchObject({
      status: 400,
      code: "context_length_exceeded",
      param: "messages",
    });
    expect(textOf(await collect(server, { model: "small" }))).toBe("You said: hello");
  });

  it("a broken rule gets 400 in the vendor's shape and is written down; the model is not asked", async () => {
    await using server = await OpenAiServer.start();
    const orphan = collect(server, {
      messages: [
        { role: "user", content: "hello" },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            {
              id: "call_1",
              type: "function",
              function: { name: "get_time", arguments: "{}" },
            },
          ],
        },
        { role: "user", content: "and?" },
      ],
    });
    await expect(orphan).rejects.toMatchObject({
      status: 400,
      type: "invalid_request_error",
      param: "messages.[2].role",
      code: null,
      message: expect.stringContaining("did not have response messages: call_1") as string,
    });
    expect(server.violations).toMatchObject([
      { wire: "openai", problems: [expect.stringContaining("call_1")] },
    ]);
    expect(server.model.received).toBe(0);
  });

  it("gpt-5 models refuse what they really refuse", async () => {
    await using server = await OpenAiServer.start();
    await expect(collect(server, { model: "gpt-5-mini", temperature: 0.7 })).rejects.toMatchObject({
      status: 400,
      code: "unsupported_value",
    });
    expect(
      textOf(
        await collect(server, {
          model: "gpt-5-mini",
          max_completion_tokens: 99,
        }),
      ),
    ).toBe("You said: hello");
  });

  it("a body that is no JSON gets 400", async () => {
    await using server = await OpenAiServer.start();
    const response = await fetch(`${server.baseUrl}/chat/completions`, {
      method: "POST",
      body: "{",
    });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { type: "invalid_request_error" } },
    ]);
  });
});

describe("disposal", () => {
  it("ends hanging requests at once and frees the port", async () => {
    let port = 0;
    let reading: Promise<unknown>;
    let state: () => string | undefined;
    {
      await using server = await OpenAiServer.start();
      port = Number(new URL(server.baseUrl).port);
      server.model.reply({ failure: "hang-after-headers" });
      reading = collect(server).catch((error: unknown) => error);
      await server.model.waitForRequest(() => true);
      state = () => server.model.requests[0]?.state;
    }
    expect(await reading).toBeInstanceOf(Error);
    expect(state()).toBe("closed");
    const { promise, resolve } = Promise.withResolvers<unknown>();
    createConnection(port, "127.0.0.1").once("error", resolve).once("connect", resolve);
    expect(await promise).toMatchObject({ code: "ECONNREFUSED" });
    await using again = await OpenAiServer.start({ port });
    expect(textOf(await collect(again))).toBe("You said: hello");
  });
});
