import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Ollama } from "ollama";
import OpenAI, { APIUserAbortError } from "openai";
import type { ChatCompletionMessageParam } from "openai/resources";
import { describe, expect, it } from "vitest";
import { readModelRequest } from "./model-request.ts";
import { OllamaServer } from "./ollama-server.ts";
import { OpenAiServer } from "./openai-server.ts";
import { ScriptedModel } from "./scripted-model.ts";
import { textDrivenScript } from "./text-driven-script.ts";

async function ask(baseUrl: string, text: string, signal?: AbortSignal): Promise<string> {
  const client = new OpenAI({ apiKey: "x", baseURL: baseUrl, maxRetries: 0 });
  const stream = await client.chat.completions.create(
    {
      model: "gpt-4o-mini",
      messages: [{ role: "user", content: text }],
      stream: true,
    },
    signal === undefined ? {} : { signal },
  );
  let answer = "";
  for await (const chunk of stream) answer += chunk.choices[0]?.delta.content ?? "";
  return answer;
}

describe("what a scripted model answers", () => {
  it("the newest matching rule, then the queue, then the fallback", async () => {
    await using server = await OpenAiServer.start();
    server.model
      .reply({ text: "queued" }, ({ lastUserText }) => ({
        text: `queued for ${lastUserText}`,
      }))
      .when("special", { text: "old rule" })
      .when(/^special (\w+)$/, (_request, match) => ({
        text: `rule for ${match[1]}`,
      }));
    expect(await ask(server.baseUrl, "special thing")).toBe("rule for thing");
    expect(await ask(server.baseUrl, "very special things")).toBe("old rule");
    expect(await ask(server.baseUrl, "a")).toBe("queued");
    expect(server.model.repliesLeft).toBe(1);
    expect(await ask(server.baseUrl, "b")).toBe("queued for b");
    expect(await ask(server.baseUrl, "c")).toBe("You said: c");
  });

  it("a rule by text does not match again when its calls have been answered", () => {
    const model = new ScriptedModel().when("weather", {
      toolCalls: [{ name: "get", arguments: {} }],
    });
    const messages: ChatCompletionMessageParam[] = [{ role: "user", content: "weather?" }];
    expect(model.next(readModelRequest("openai", { model: "m", messages })).toolCalls).toHaveLength(
      1,
    );
    messages.push(
      {
        role: "assistant",
        content: null,
        tool_calls: [
          {
            id: "1",
            type: "function",
            function: { name: "get", arguments: "{}" },
          },
        ],
      },
      { role: "tool", tool_call_id: "1", content: "rain" },
      { role: "system", content: "a hint" },
    );
    expect(model.next(readModelRequest("openai", { model: "m", messages })).text).toBe(
      "get said: rain",
    );
  });

  it("one model behind two wires: both are recorded", async () => {
    await using openai = await OpenAiServer.start();
    await using ollama = await OllamaServer.start({ model: openai.model });
    await ask(openai.baseUrl, "first");
    await new Ollama({ host: ollama.baseUrl }).chat({
      model: "qwen3",
      messages: [{ role: "user", content: "second" }],
      options: { num_ctx: 1024 },
    });
    expect(
      openai.model.requests.map(({ wire, lastUserText, stream, state }) => [
        wire,
        lastUserText,
        stream,
        state,
      ]),
    ).toEqual([
      ["openai", "first", true, "finished"],
      ["ollama", "second", false, "finished"],
    ]);
    expect(openai.model.requests[1]?.atMs).toBeGreaterThanOrEqual(
      openai.model.requests[0]?.atMs ?? Infinity,
    );
  });

  it("a script that throws is said on the wire", async () => {
    await using server = await OpenAiServer.start();
    server.model.reply(() => {
      throw new Error("oops");
    });
    await expect(ask(server.baseUrl, "hi")).rejects.toMatchObject({
      status: 500,
      message: expect.stringContaining("oops") as string,
    });
  });

  it("keeps only so many requests", async () => {
    await using server = await OpenAiServer.start({
      model: new ScriptedModel({ keepRequests: 2 }),
    });
    for (const text of ["a", "b", "c"]) await ask(server.baseUrl, text);
    expect(server.model.requests.map(({ lastUserText }) => lastUserText)).toEqual(["b", "c"]);
    expect(server.model.received).toBe(3);
  });
});

describe("gates", () => {
  it("a stream stops at a chunk until released; others pass", async () => {
    await using server = await OpenAiServer.start();
    server.model.when(() => true, { text: "one two three" });
    const gate = server.model.hold("held", { at: 2 });
    let answer = "";
    const reading = (async () => {
      const client = new OpenAI({
        apiKey: "x",
        baseURL: server.baseUrl,
        maxRetries: 0,
      });
      const stream = await client.chat.completions.create({
        model: "gpt-4o",
        messages: [{ role: "user", content: "held" }],
        stream: true,
      });
      for await (const chunk of stream) answer += chunk.choices[0]?.delta.content ?? "";
    })();
    await gate.waitUntilHeld();
    expect(await ask(server.baseUrl, "free")).toBe("one two three");
    await expect.poll(() => answer).toBe("one two ");
    expect(server.model.requests[0]).toMatchObject({
      state: "held",
      chunksSent: 2,
    });
    gate.release();
    await reading;
    expect(answer).toBe("one two three");
    expect(server.model.requests[0]?.state).toBe("finished");
    expect(await ask(server.baseUrl, "held")).toBe("one two three");
  });

  it("holds before the headers, and lets go of a client that leaves", async () => {
    await using server = await OpenAiServer.start();
    using gate = server.model.hold(() => true, { at: "headers" });
    const abort = new AbortController();
    const asked = ask(server.baseUrl, "hi", abort.signal).catch((error: unknown) => error);
    await gate.waitUntilHeld();
    abort.abort();
    expect(await asked).toBeInstanceOf(APIUserAbortError);
    const request = await server.model.waitForRequest(({ state }) => state === "aborted");
    expect(request.abortedAtMs).toBeGreaterThanOrEqual(request.atMs);
    expect(request.chunksSent).toBe(0);
  });
});

describe("waiting", () => {
  it("finds what came before, waits for what comes, and says what it saw when nothing comes", async () => {
    await using server = await OpenAiServer.start();
    const coming = server.model.waitForRequest(({ lastUserText }) => lastUserText === "b");
    await ask(server.baseUrl, "a");
    await ask(server.baseUrl, "b");
    expect((await coming).id).toBe(2);
    expect((await server.model.waitForRequest(({ lastUserText }) => lastUserText === "a")).id).toBe(
      1,
    );
    const never = server.model.waitForRequest(() => false, {
      timeoutMs: 20,
      what: "a miracle",
    });
    await expect(never).rejects.toThrow(
      /waited 20 ms for a miracle; 2 received\n {2}#1 openai\/gpt-4o-mini finished, last user: "a"/,
    );
  });
});

const round = (name: string, result: string): object[] => [
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "1", type: "function", function: { name, arguments: "{}" } }],
  },
  { role: "tool", tool_call_id: "1", content: result },
];

describe("the text-driven model", () => {
  const tools = ["get", "put"].map((name) => ({
    type: "function",
    function: { name },
  }));
  const step = (text: string, extra: object = {}, after: object[] = []) =>
    textDrivenScript(
      readModelRequest("openai", {
        model: "m",
        messages: [{ role: "user", content: text }, ...after],
        tools,
        ...extra,
      }),
    );

  it.each<[string, object]>([
    ["say hello world", { text: "hello world" }],
    ["Ann: say hello", { text: "hello" }],
    ["some context\nsay hello", { text: "hello" }],
    ["slow 20 a b", { text: "a b", chunkDelayMs: 20, firstTokenDelayMs: 20 }],
    ["think hm | yes", { reasoning: "hm", text: "yes" }],
    ["fail 503", { failure: { status: 503 } }],
    ["cut some words", { text: "some words", failure: "cut" }],
    ["hang", { failure: "hang-before-headers" }],
    ["hang on a minute", { text: "You said: hang on a minute" }],
    ["call me later", { text: "You said: call me later" }],
    ["anything", { text: "You said: anything" }],
    [
      'call get {"a": "} and put {"}',
      { toolCalls: [{ name: "get", arguments: '{"a": "} and put {"}' }] },
    ],
    ["call get", { toolCalls: [{ name: "get", arguments: "{}" }] }],
    [
      'call get {"a":1} and put {"b":{}}',
      {
        toolCalls: [
          { name: "get", arguments: '{"a":1}' },
          { name: "put", arguments: '{"b":{}}' },
        ],
      },
    ],
    ['loop get {"a":1}', { toolCalls: [{ name: "get", arguments: '{"a":1}' }] }],
  ])("%s", (text, expected) => {
    expect(step(text)).toEqual(expected);
  });

  it("long <n> has exactly n characters, all different places", () => {
    for (const length of [1, 2, 49, 50, 51, 5000]) {
      const { text } = step(`long ${length}`);
      const joined = (text as string[]).join("");
      expect(joined).toHaveLength(length);
      expect(joined).toMatch(/\S$/);
    }
  });

  it("quotes the results, round after round", () => {
    const text = 'call get {"a":1} then put {"b":2}';
    expect(step(text).toolCalls).toEqual([{ name: "get", arguments: '{"a":1}' }]);
    expect(step(text, {}, round("get", "one")).toolCalls).toEqual([
      { name: "put", arguments: '{"b":2}' },
    ]);
    expect(step(text, {}, [...round("get", "one"), ...round("put", "two")])).toEqual({
      text: "put said: two",
    });
    expect(step('loop get {"a":1}', {}, round("get", "one")).toolCalls).toHaveLength(1);
  });

  it("does not call where it may not", () => {
    expect(step("call get", { tool_choice: "none" })).toEqual({
      text: "I may not call get now.",
    });
    expect(step("call get", { tools: undefined })).toEqual({
      text: "I may not call get now.",
    });
    expect(step("loop get", { tool_choice: "none" }, round("get", "one"))).toEqual({
      text: "get said: one",
    });
  });

  it("serves both wires from a process of its own", async () => {
    const main = fileURLToPath(new URL("./main.ts", import.meta.url));
    const child = spawn(process.execPath, [main, "--api-key", "sk-main"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exit = once(child, "exit");
    try {
      const [line] = (await once(createInterface(child.stdout), "line")) as [string];
      const addresses = JSON.parse(line) as Record<"openai" | "ollama", { baseUrl: string }>;
      await expect(ask(addresses.openai.baseUrl, "say hi")).rejects.toMatchObject({ status: 401 });
      const answer = await new Ollama({ host: addresses.ollama.baseUrl }).chat({
        model: "qwen3",
        messages: [{ role: "user", content: "say hi" }],
        options: { num_ctx: 1024 },
      });
      expect(answer.message.content).toBe("hi");
      const report = (await (
        await fetch(`${addresses.ollama.baseUrl}/__emulator`)
      ).json()) as object;
      expect(report).toMatchObject({
        received: 1,
        finished: 1,
        aborted: 0,
        violations: [],
      });
    } finally {
      child.kill("SIGTERM");
    }
    expect(await exit).toEqual([0, null]);
  });
});
