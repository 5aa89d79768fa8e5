import type { ChatRequest, ChatResponse, Tool } from "ollama";
import { Ollama } from "ollama";
import { afterEach, describe, expect, it, vi } from "vitest";
import { OllamaServer } from "./ollama-server.ts";
import type { Failure, OllamaQuirk, Step } from "./step.ts";

const tools: Tool[] = [
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
  { name: "get_time", arguments: { zone: "Europe/Kyiv" } },
];

type Body = ChatRequest & { stream: true };

function body(overrides: Partial<ChatRequest> = {}): Body {
  return {
    model: "qwen3",
    messages: [{ role: "user", content: "hello" }],
    options: { num_ctx: 8192 },
    ...overrides,
    stream: true,
  };
}

async function collect(
  server: OllamaServer,
  overrides: Partial<ChatRequest> = {},
): Promise<ChatResponse[]> {
  return Array.fromAsync(await new Ollama({ host: server.baseUrl }).chat(body(overrides)));
}

function textOf(lines: readonly ChatResponse[]): string {
  return lines.map(({ message }) => message.content).join("");
}

function callsOf(lines: readonly ChatResponse[]): unknown[] {
  return lines.flatMap(({ message }) => message.tool_calls ?? []).map((call) => call.function);
}

async function raw(server: OllamaServer, overrides: Partial<ChatRequest> = {}) {
  const response = await fetch(`${server.baseUrl}/api/chat`, {
    method: "POST",
    body: JSON.stringify(body(overrides)),
  });
  const pieces: Uint8Array[] = await Array.fromAsync(response.body ?? []);
  return { response, pieces, text: Buffer.concat(pieces).toString("utf8") };
}

async function quirky(quirk: OllamaQuirk, step: Step, overrides: Partial<ChatRequest> = {}) {
  await using server = await OllamaServer.start();
  server.model.when(() => true, { ...step, quirks: [quirk] });
  return {
    wire: await raw(server, overrides),
    lines: await collect(server, overrides),
  };
}

afterEach(() => vi.restoreAllMocks());

describe("a normal stream", () => {
  it("brings text line by line, then one line with the reason and the counts", async () => {
    await using server = await OllamaServer.start();
    server.model.reply({
      text: "Привіт, world! 👋",
      usage: { inputTokens: 12, outputTokens: 5 },
    });
    const lines = await collect(server);
    expect(textOf(lines)).toBe("Привіт, world! 👋");
    expect(lines.slice(0, -1)).toHaveLength(3);
    expect(lines.slice(0, -1).every(({ done }) => !done)).toBe(true);
    expect(lines.at(-1)).toMatchObject({
      model: "qwen3",
      done: true,
      done_reason: "stop",
      prompt_eval_count: 12,
      eval_count: 5,
    });
    expect(Date.parse(String(lines[0]?.created_at))).toBeGreaterThan(0);
    expect(server.violations).toEqual([]);
  });

  it("thinks in its own field, unless told not to", async () => {
    await using server = await OllamaServer.start();
    server.model.when(() => true, { reasoning: "Hm, well.", text: "Yes." });
    const thinking = await collect(server, { think: true });
    expect(thinking.map(({ message }) => message.thinking ?? "").join("")).toBe("Hm, well.");
    expect(textOf(thinking)).toBe("Yes.");
    const silent = await collect(server, { think: false });
    expect(silent.some(({ message }) => message.thinking !== undefined)).toBe(false);
  });

  it("length is a reason, tool_calls is not", async () => {
    await using server = await OllamaServer.start();
    server.model.reply({ text: "x", finish: "length" }, { toolCalls: calls });
    expect((await collect(server)).at(-1)?.done_reason).toBe("length");
    expect((await collect(server, { tools })).at(-1)?.done_reason).toBe("stop");
  });

  it("answers without stream too", async () => {
    await using server = await OllamaServer.start();
    server.model.reply({ reasoning: "Hm.", text: "Hi.", toolCalls: calls });
    const whole = await new Ollama({ host: server.baseUrl }).chat({
      ...body({ tools }),
      stream: false,
    });
    expect(whole).toMatchObject({
      done: true,
      message: { content: "Hi.", thinking: "Hm." },
    });
    expect(callsOf([whole])).toEqual(calls);
  });
});

describe("tools", () => {
  it("a round trip: whole calls without ids, a line each; results seen by the script", async () => {
    await using server = await OllamaServer.start();
    server.model.when("hello", { text: "Let me see.", toolCalls: calls });
    const first = await collect(server, { tools });
    expect(callsOf(first)).toEqual(calls);
    expect(first.filter(({ message }) => message.tool_calls !== undefined)).toHaveLength(2);
    expect(JSON.stringify(first)).not.toContain('"id"');
    const second = await collect(server, {
      tools,
      messages: [
        { role: "user", content: "hello" },
        {
          role: "assistant",
          content: "Let me see.",
          tool_calls: calls.map((call) => ({ function: call })),
        },
        { role: "tool", content: "21 °C", tool_name: "get_weather" },
        { role: "tool", content: "12:00", tool_name: "get_time" },
      ],
    });
    expect(textOf(second)).toBe("get_weather said: 21 °C\nget_time said: 12:00");
    expect(server.violations).toEqual([]);
  });

  it("broken arguments become Ollama's own error, in the stream and without", async () => {
    await using server = await OllamaServer.start();
    server.model.when(() => true, {
      text: "So:",
      toolCalls: [{ name: "get_time", arguments: '{"a": ' }],
    });
    await expect(collect(server, { tools })).rejects.toThrow(
      /error parsing tool call: raw='\{"a": '/,
    );
    const whole = new Ollama({ host: server.baseUrl }).chat({
      ...body({ tools }),
      stream: false,
    });
    await expect(whole).rejects.toMatchObject({ status_code: 500 });
  });
});

describe("quirks, on the wire and through the client", () => {
  const text = "Grüße, світе 👩‍👩‍👧 ok";

  it("split-bytes: lines and characters arrive in halves and are still whole", async () => {
    const { wire, lines } = await quirky("split-bytes", { text });
    expect(
      wire.pieces.some(
        (piece) => !Buffer.from(Buffer.from(piece).toString("utf8")).equals(Buffer.from(piece)),
      ),
    ).toBe(true);
    expect(textOf(lines)).toBe(text);
  });

  it("crlf and no-final-newline", async () => {
    const crlf = await quirky("crlf", { text });
    expect(crlf.wire.text).toMatch(/\}\r\n$/);
    expect(textOf(crlf.lines)).toBe(text);
    const bare = await quirky("no-final-newline", { text });
    expect(bare.wire.text).toMatch(/\}$/);
    expect(bare.lines.at(-1)?.done).toBe(true);
  });

  it("think-tags", async () => {
    const { lines } = await quirky("think-tags", { reasoning: "Hm.", text });
    expect(textOf(lines)).toBe(`<think>\nHm.\n</think>\n\n${text}`);
  });

  it("no-counts and no-done-reason", async () => {
    const counts = (await quirky("no-counts", { text })).lines.at(-1);
    expect(counts).toMatchObject({ done: true, done_reason: "stop" });
    expect(counts).not.toHaveProperty("prompt_eval_count");
    expect(counts).not.toHaveProperty("eval_count");
    expect((await quirky("no-done-reason", { text })).lines.at(-1)).not.toHaveProperty(
      "done_reason",
    );
  });

  it("no-done: the client sees an incomplete stream", async () => {
    await using server = await OllamaServer.start();
    server.model.reply({ text, quirks: ["no-done"] });
    await expect(collect(server)).rejects.toThrow(
      "Did not receive done or success response in stream.",
    );
  });

  it.each<OllamaQuirk>(["call-ids", "calls-together", "calls-in-done-line"])(
    "%s: the calls are complete",
    async (quirk) => {
      const { lines } = await quirky(quirk, { toolCalls: calls }, { tools });
      expect(callsOf(lines)).toMatchObject(calls);
      const withCalls = lines.filter(({ message }) => message.tool_calls !== undefined);
      if (quirk === "call-ids")
        expect(withCalls.flatMap(({ message }) => message.tool_calls ?? [])).toMatchObject([
          {
            id: expect.stringMatching(/^call_/) as string,
            function: { index: 0 },
          },
          {
            id: expect.stringMatching(/^call_/) as string,
            function: { index: 1 },
          },
        ]);
      else expect(withCalls).toHaveLength(1);
      if (quirk === "calls-in-done-line") expect(withCalls[0]?.done).toBe(true);
    },
  );

  it("arguments-string", async () => {
    const { lines } = await quirky("arguments-string", { toolCalls: calls }, { tools });
    expect(callsOf(lines)).toEqual(
      calls.map((call) => ({
        ...call,
        arguments: JSON.stringify(call.arguments),
      })),
    );
  });
});

async function failing(failure: Failure, failAfterChunks?: number) {
  // The client prints what it can't parse.
  vi.spyOn(console, "warn").mockReturnValue(undefined);
  vi.spyOn(console, "log").mockReturnValue(undefined);
  await using server = await OllamaServer.start();
  server.model.when(() => true, {
    text: "one two three four",
    failure,
    ...(failAfterChunks === undefined ? {} : { failAfterChunks }),
  });
  let text = "";
  let error: unknown;
  try {
    for await (const line of await new Ollama({ host: server.baseUrl }).chat(body()))
      text += line.message.content;
  } catch (thrown) {
    error = thrown;
  }
  return { error, text, state: server.model.requests[0]?.state };
}

describe("failures", () => {
  it.each<[Failure, object]>([
    [{ status: 404 }, { status_code: 404, error: "model not found" }],
    [
      { status: 500 },
      {
        status_code: 500,
        error: expect.stringContaining("model runner has unexpectedly stopped") as string,
      },
    ],
    [
      { status: 503 },
      {
        status_code: 503,
        error: expect.stringContaining("server busy") as string,
      },
    ],
    [
      { status: 400, code: "context_length_exceeded" },
      {
        status_code: 400,
        error: "the input length exceeds the context length",
      },
    ],
    [
      { status: 502, body: "<html>502</html>" },
      { status_code: 502, error: "<html>502</html>" },
    ],
  ])("%o becomes the client's error", async (failure, expected) => {
    const { error, state } = await failing(failure);
    expect(error).toMatchObject({ name: "ResponseError", ...expected });
    expect(state).toBe("failed");
  });

  it("late-error: a line after the text", async () => {
    const { error, text } = await failing("late-error", 2);
    expect(text).toBe("one two ");
    expect(error).toMatchObject({
      message: "an error was encountered while running the model",
    });
  });

  it("cut: in the middle of a line", async () => {
    await using server = await OllamaServer.start();
    server.model.when(() => true, {
      text: "one two three",
      failure: "cut",
      failAfterChunks: 2,
    });
    const { error, text } = await failing("cut", 2);
    expect(text).toBe("one two ");
    expect(error).toMatchObject({
      message: expect.stringMatching(/terminated|closed/) as string,
    });
    await expect(raw(server)).rejects.toThrow(/terminated/);
  });

  it("empty and not-json: the client misses the last line", async () => {
    expect((await failing("empty")).error).toMatchObject({
      message: expect.stringContaining("Did not receive done") as string,
    });
    const broken = await failing("not-json", 1);
    expect(broken.text).toBe("one ");
    expect(broken.error).toMatchObject({
      message: expect.stringContaining("Did not receive done") as string,
    });
    expect(console.warn).toHaveBeenCalledWith("invalid json: ", expect.anything());
  });

  it("cut-before-headers", async () => {
    expect((await failing("cut-before-headers")).error).toMatchObject({
      message: "fetch failed",
    });
  });

  it("an abort while the model is being loaded, before the headers, is noticed", async () => {
    await using server = await OllamaServer.start();
    server.model.reply({ text: "late", headersDelayMs: 60_000 });
    const abort = new AbortController();
    const client = new Ollama({
      host: server.baseUrl,
      fetch: (input, init) => fetch(input, { ...init, signal: abort.signal }),
    });
    const asked = client.chat(body()).catch((error: unknown) => error);
    const request = await server.model.waitForRequest(() => true);
    abort.abort();
    expect(await asked).toMatchObject({ name: "AbortError" });
    await server.model.waitForRequest(({ abortedAtMs }) => abortedAtMs !== undefined);
    expect(request.state).toBe("aborted");
  });

  it("an abort in the middle of a stream is noticed", async () => {
    await using server = await OllamaServer.start();
    server.model.reply({ text: "one two three", chunkDelayMs: 60_000 });
    const client = new Ollama({ host: server.baseUrl });
    let text = "";
    const reading = (async () => {
      for await (const line of await client.chat(body())) {
        text += line.message.content;
        client.abort();
      }
    })().catch((error: unknown) => error);
    expect(await reading).toMatchObject({ name: "AbortError" });
    const request = await server.model.waitForRequest(({ state }) => state === "aborted");
    expect(text).toBe("one ");
    expect(request.chunksSent).toBe(1);
  });
});

describe("questions about models", () => {
  it("version, tags and show", async () => {
    await using server = await OllamaServer.start();
    const client = new Ollama({ host: server.baseUrl });
    expect((await client.version()).version).toMatch(/^\d+\.\d+\.\d+$/);
    expect((await client.list()).models.map(({ name }) => name)).toEqual([
      "qwen3:latest",
      "llama3.2:latest",
      "gemma3:latest",
    ]);
    const shown = await client.show({ model: "qwen3" });
    expect(shown.capabilities).toEqual(["completion", "tools", "thinking"]);
    expect(shown.model_info).toMatchObject({
      "general.architecture": "qwen3",
      "qwen3.context_length": 40_960,
    });
    expect((await client.ps()).models).toEqual([]);
    await expect(client.show({ model: "nope" })).rejects.toMatchObject({
      status_code: 404,
      error: "model 'nope' not found",
    });
    expect(server.hits.map(({ path, status }) => `${status} ${path}`)).toContain("404 /api/show");
  });

  it("an unknown model gets 404, with and without a tag the known one answers", async () => {
    await using server = await OllamaServer.start();
    await expect(collect(server, { model: "nope" })).rejects.toMatchObject({
      status_code: 404,
      error: "model 'nope' not found",
    });
    expect(textOf(await collect(server, { model: "qwen3:latest" }))).toBe("You said: hello");
    await expect(collect(server, { model: "qwen3:8b" })).rejects.toMatchObject({
      status_code: 404,
    });
  });

  it("refuses what the model can't do, in Ollama's words", async () => {
    await using server = await OllamaServer.start();
    await expect(collect(server, { model: "gemma3", tools })).rejects.toMatchObject({
      status_code: 400,
      error: "registry.ollama.ai/library/gemma3:latest does not support tools",
    });
    await expect(collect(server, { model: "llama3.2", think: true })).rejects.toMatchObject({
      error: '"llama3.2" does not support thinking',
    });
    const pictured = [{ role: "user", content: "?", images: ["iVBORw0KGgo="] }];
    await expect(collect(server, { model: "qwen3", messages: pictured })).rejects.toMatchObject({
      status_code: 400,
    });
    expect(textOf(await collect(server, { model: "gemma3", messages: pictured }))).toBe(
      "You said: ?",
    );
    expect(server.model.requests[0]?.messages[0]?.images).toBe(1);
  });

  it("a broken rule gets 400 and is written down; the model is not asked", async () => {
    await using server = await OllamaServer.start();
    await expect(collect(server, { options: { temperature: 1 } })).rejects.toMatchObject({
      status_code: 400,
      error: expect.stringContaining("num_ctx") as string,
    });
    expect(server.violations).toMatchObject([
      { wire: "ollama", problems: [expect.stringContaining("num_ctx")] },
    ]);
    expect(server.model.received).toBe(0);
  });

  it("asks for a key when it has one", async () => {
    await using server = await OllamaServer.start({ apiKey: "secret" });
    await expect(collect(server)).rejects.toMatchObject({ status_code: 401 });
    const client = new Ollama({
      host: server.baseUrl,
      headers: { authorization: "Bearer secret" },
    });
    expect(textOf(await Array.fromAsync(await client.chat(body())))).toBe("You said: hello");
  });
});
