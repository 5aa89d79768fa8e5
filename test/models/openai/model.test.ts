import { describe, expect, it } from "vitest";
import type { Model, ModelFailure } from "../../../src/core/model.ts";
import { createOpenAiModel } from "../../../src/models/openai/model.ts";
import { OpenAiServer } from "../../emulators/model/openai-server.ts";
import { ask, request } from "../helpers.ts";

function model(settings: { baseUrl?: string; apiKey?: string }, fetcher?: typeof fetch): Model {
  return createOpenAiModel({
    settings,
    id: "openai/gpt-4o-mini",
    ...(fetcher ? { fetch: fetcher } : {}),
  });
}

/** What becomes of one HTTP answer. */
async function failureOf(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<ModelFailure | undefined> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const answer = await ask(
    model({ apiKey: "sk-secret" }, () => Promise.resolve(new Response(text, { status, headers }))),
    request("hello"),
  );
  return answer.failure;
}

const events = (...data: unknown[]): string =>
  data.map((each) => `data: ${JSON.stringify(each)}\n\n`).join("");

describe("a model behind Chat Completions", () => {
  it("asks once: no retries of the client's own", async () => {
    await using server = await OpenAiServer.start();
    server.model.reply({ failure: { status: 500 } });
    await ask(model({ baseUrl: server.baseUrl }), request("hello"));
    expect(server.model.received).toBe(1);
  });

  it("reads nothing from the environment and prints nothing", async () => {
    await using server = await OpenAiServer.start();
    process.env["OPENAI_API_KEY"] = "sk-environment";
    process.env["OPENAI_ORG_ID"] = "org-environment";
    try {
      await ask(model({ baseUrl: server.baseUrl }), request("hello"));
    } finally {
      delete process.env["OPENAI_API_KEY"];
      delete process.env["OPENAI_ORG_ID"];
    }
    const headers = server.model.requests[0]?.headers;
    expect(headers).not.toHaveProperty("authorization");
    expect(headers).not.toHaveProperty("openai-organization");
  });

  it("sends its key, or the address's userinfo", async () => {
    await using server = await OpenAiServer.start();
    const { baseUrl } = server;
    await ask(model({ baseUrl, apiKey: " sk-one\n" }), request("hello"));
    const withUser = baseUrl.replace("//", "//ann:p%40ss@");
    await ask(model({ baseUrl: withUser }), request("hello"));
    expect(server.model.requests.map(({ headers }) => headers["authorization"])).toEqual([
      "Bearer sk-one",
      `Basic ${Buffer.from("ann:p@ss").toString("base64")}`,
    ]);
  });

  it("keeps keys and userinfo out of its messages", async () => {
    await using server = await OpenAiServer.start({ apiKey: "sk-right" });
    const wrong = await ask(
      model({ baseUrl: server.baseUrl, apiKey: "sk-wrong-key-of-ann" }),
      request("hello"),
    );
    expect(wrong.failure).toMatchObject({ kind: "auth" });
    const gone = await ask(
      model({ baseUrl: "http://ann:hush@127.0.0.1:9/v1", apiKey: "sk-x" }),
      request("hello"),
    );
    const quoted = await failureOf(400, "your key sk-secret is odd");
    expect(
      [wrong, gone].map(({ failure }) => failure?.message).join() + quoted?.message,
    ).not.toMatch(/sk-|hush|-ann/);
  });

  it("gives a key that no header can hold as a failure", async () => {
    const answer = await ask(
      model({ baseUrl: "http://127.0.0.1:9", apiKey: "sk-ключ" }),
      request("hello"),
    );
    expect(answer.failure?.kind).toBe("invalid-request");
    expect(answer.failure?.message).not.toContain("ключ");
  });

  it.each([
    [429, { error: { code: "insufficient_quota" } }, "no-credit"],
    [429, { error: { type: "requests" } }, "rate-limited"],
    [402, { error: { message: "pay" } }, "no-credit"],
    [400, { error: { code: "content_filter" } }, "moderated"],
    [
      400,
      { error: { message: "This model's maximum context length is 4096" } },
      "context-overflow",
    ],
    [400, { error: { type: "exceed_context_size_error", message: "too big" } }, "context-overflow"],
    [422, { detail: "no" }, "invalid-request"],
    [504, "gateway", "timeout"],
    [408, "gateway", "timeout"],
    [409, "locked", "overloaded"],
    [425, "too early", "overloaded"],
    [400, { object: "error", message: "Prompt is too long" }, "context-overflow"],
  ])("turns %i %j into %s", async (status, body, kind) => {
    expect(await failureOf(status, body)).toMatchObject({ kind });
  });

  it.each([
    [{ error: { code: 429, message: "slow" } }, "rate-limited"],
    [{ error: { type: "overloaded_error", message: "busy" } }, "overloaded"],
    [{ error: { message: "the context length exceeded", code: 400 } }, "context-overflow"],
    [{ error: { code: "invalid_request_error" } }, "invalid-request"],
    [{ error: "plain words" }, "overloaded"],
    [{ error: { message: "Rate limit exceeded" } }, "rate-limited"],
    [{ error: "Invalid API key" }, "auth"],
    [{ error: { message: "Request timed out" } }, "timeout"],
    [{ error: { message: "The model is overloaded" } }, "overloaded"],
  ])("turns %j after status 200 into %s", async (body, kind) => {
    expect(await failureOf(200, events(body))).toMatchObject({ kind });
  });

  it("understands a date in retry-after", async () => {
    const failure = await failureOf(429, "", {
      "retry-after": new Date(Date.now() + 60_000).toUTCString(),
    });
    expect(failure?.retryAfterMs).toBeGreaterThan(30_000);
  });

  it("survives chunks of no known shape", async () => {
    const body = events(
      null,
      7,
      {},
      { choices: null },
      { choices: [{ delta: { content: 5, tool_calls: "no" } }] },
      { choices: [{ delta: { content: "words" }, finish_reason: "stop" }] },
      { usage: { prompt_tokens: "many" } },
    );
    const answer = await ask(
      model({}, () => Promise.resolve(new Response(body))),
      request("hello"),
    );
    expect(answer).toMatchObject({ text: "words", finish: "stop" });
  });

  it("takes an answer that is not a stream for a lost one", async () => {
    expect(await failureOf(200, { choices: [] })).toMatchObject({
      kind: "network",
    });
  });

  it("keeps the usage of an answer that failed late", async () => {
    const body = events(
      { choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } },
      { error: { message: "the server had an error" } },
    );
    const answer = await ask(
      model({}, () => Promise.resolve(new Response(body))),
      request("hello"),
    );
    expect(answer.usage).toEqual({ inputTokens: 5, outputTokens: 2 });
    expect(answer.failure?.kind).toBe("overloaded");
  });
});
