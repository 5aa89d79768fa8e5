import { describe, expect, it } from "vitest";
import { createOllamaModel } from "../../../src/models/ollama/model.ts";
import { OllamaServer } from "../../emulators/model/ollama-server.ts";
import { ask, eventsOf, request, tools } from "../helpers.ts";

const shows = ({ hits }: OllamaServer): number =>
  hits.filter(({ path }) => path === "/api/show").length;

const urlOf = (input: string | URL | Request): string =>
  input instanceof Request ? input.url : input.toString();

describe("a model of an Ollama server", () => {
  it("asks the server once what the model can do", async () => {
    await using server = await OllamaServer.start();
    const model = createOllamaModel({
      settings: { host: server.baseUrl },
      id: "local/gemma3",
    });
    expect(model.card).toMatchObject({ tools: true, contextWindow: 8192 });
    await ask(model, request("hello", { tools }));
    await ask(model, request("hello", { tools }));
    expect(model.card).toMatchObject({
      id: "local/gemma3",
      tools: false,
      vision: true,
      thinking: false,
      toolChoiceNone: false,
      contextWindow: 8192,
    });
    expect(shows(server)).toBe(1);
    expect(server.model.requests.map(({ toolNames }) => toolNames)).toEqual([[], []]);
  });

  it("never asks for a larger window than the model has, unless told to", async () => {
    await using server = await OllamaServer.start({
      models: [
        {
          name: "tiny",
          architecture: "llama",
          contextLength: 2048,
          capabilities: ["completion"],
        },
      ],
    });
    const settings = { host: server.baseUrl };
    const asked = createOllamaModel({ settings, id: "local/tiny" });
    const told = createOllamaModel({
      settings,
      id: "local/tiny",
      card: { contextWindow: 4096, tools: true },
    });
    await ask(asked, request("hello"));
    await ask(told, request("hello"));
    expect(server.model.requests.map(({ body }) => body["options"])).toEqual([
      { num_ctx: 2048 },
      { num_ctx: 4096 },
    ]);
    expect(told.card.tools).toBe(true);
  });

  it("answers though the question about the model fails, and asks again", async () => {
    await using server = await OllamaServer.start();
    let refusals = 1;
    const model = createOllamaModel({
      settings: { host: server.baseUrl },
      id: "local/gemma3",
      fetch: (input, init) =>
        urlOf(input).endsWith("/api/show") && refusals-- > 0
          ? Promise.reject(new TypeError("fetch failed"))
          : fetch(input, init),
    });
    expect((await ask(model, request("hello"))).finish).toBe("stop");
    expect(model.card.vision).toBe(false);
    await ask(model, request("hello"));
    expect(model.card.vision).toBe(true);
  });

  it("says how to get a model that is not there", async () => {
    await using server = await OllamaServer.start();
    const model = createOllamaModel({
      settings: { host: server.baseUrl },
      id: "ollama/nowhere:7b",
    });
    const { failure } = await ask(model, request("hello"));
    expect(failure).toMatchObject({ kind: "unknown-model" });
    expect(failure?.message).toContain("ollama pull nowhere:7b");
  });

  it("reads a host without a scheme, and sends its userinfo as a header", async () => {
    await using server = await OllamaServer.start();
    const host = server.baseUrl.replace("http://", "ann:hush@");
    const model = createOllamaModel({ settings: { host }, id: "ollama/qwen3" });
    expect((await ask(model, request("hello"))).finish).toBe("stop");
    expect(server.model.requests[0]?.headers["authorization"]).toBe(
      `Basic ${Buffer.from("ann:hush").toString("base64")}`,
    );
  });

  it("stops waiting for the question about the model when it is aborted", async () => {
    const asked = Promise.withResolvers<void>();
    const model = createOllamaModel({
      settings: { host: "http://127.0.0.1:9" },
      id: "ollama/qwen3",
      fetch: () => {
        asked.resolve();
        return new Promise(() => undefined);
      },
    });
    const stopping = new AbortController();
    const answer = ask(model, request("hello"), stopping.signal);
    await asked.promise;
    stopping.abort();
    expect((await answer).events).toEqual([]);
  });

  it("turns a server's late words about its context into an overflow", async () => {
    const body = '{"error":"the input length exceeds the context length"}\n';
    const model = createOllamaModel({
      settings: { host: "http://127.0.0.1:9" },
      id: "ollama/qwen3",
      fetch: () => Promise.resolve(new Response(body)),
    });
    expect((await ask(model, request("hello"))).failure?.kind).toBe("context-overflow");
  });

  it("does not send what cannot fit, for the server would cut it silently", async () => {
    await using server = await OllamaServer.start();
    const model = createOllamaModel({
      settings: { host: server.baseUrl },
      id: "ollama/qwen3",
      card: { contextWindow: 1000 },
    });
    const { failure } = await ask(model, request("word ".repeat(1200)));
    expect(failure).toMatchObject({ kind: "context-overflow" });
    expect(failure?.message).toContain("1000");
    expect(server.model.received).toBe(0);
    expect((await ask(model, request("word ".repeat(800)))).finish).toBe("stop");
  });

  it("shows images to a model that sees, and tells of those it cannot show", async () => {
    await using server = await OllamaServer.start();
    const seen = request([
      {
        role: "user",
        text: "What is this?",
        images: [{ mediaType: "image/png", data: "aGVsbG8=" }],
      },
    ]);
    const omitted: unknown[] = [];
    for (const name of ["gemma3", "llama3.2"])
      await eventsOf(
        createOllamaModel({
          settings: { host: server.baseUrl },
          id: `ollama/${name}`,
        }),
        seen,
        { onOmitted: (card, omission) => omitted.push([card.id, omission]) },
      );
    expect(server.model.requests.map(({ messages }) => messages[0])).toMatchObject([
      { text: "What is this?", images: 1 },
      {
        text: "What is this?\n[image: not visible to this model]",
        images: 0,
      },
    ]);
    expect(omitted).toEqual([["ollama/llama3.2", { what: "images", count: 1 }]]);
  });

  it("knows a model that only embeds", async () => {
    await using server = await OllamaServer.start({
      models: [
        {
          name: "nomic",
          architecture: "nomic-bert",
          contextLength: 2048,
          capabilities: ["embedding"],
        },
      ],
    });
    const model = createOllamaModel({
      settings: { host: server.baseUrl },
      id: "ollama/nomic",
    });
    await ask(model, request("hello"));
    expect(model.card).toMatchObject({ embeddings: true, tools: false });
  });

  it("leaves out what the operator says cannot be set", async () => {
    await using server = await OllamaServer.start();
    const model = createOllamaModel({
      settings: { host: server.baseUrl },
      id: "ollama/qwen3",
      card: {
        settableKeepAlive: false,
        settableTemperature: false,
        jsonMode: false,
      },
    });
    const options = { keepAlive: "10m", temperature: 0.5, json: true };
    await ask(model, request("hello", { options }));
    const { keep_alive, format, options: sent } = server.model.requests[0]?.body ?? {};
    expect({ keep_alive, format, sent }).toEqual({
      keep_alive: undefined,
      format: undefined,
      sent: { num_ctx: 8192 },
    });
  });
});
