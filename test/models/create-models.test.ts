import { describe, expect, it } from "vitest";
import type { ModelsDescription } from "../../src/models/create-models.ts";
import { createModels } from "../../src/models/create-models.ts";
import { OllamaServer } from "../support/models/ollama-server.ts";
import { OpenAiServer } from "../support/models/openai-server.ts";
import { ask, request } from "./helpers.ts";

const demo = { provider: "demo", model: "demo" };

describe("models from a description", () => {
  it("makes the demo, for every tier that asks", async () => {
    const models = createModels(
      {
        providers: { demo: { type: "demo" } },
        tiers: { balanced: { models: [demo] } },
      },
      { sleep: () => Promise.resolve() },
    );
    expect(models("balanced").card.id).toBe("demo/demo");
    expect(models("deep")).toBe(models("balanced"));
    expect((await ask(models("fast"), request("hello"))).finish).toBe("stop");
  });

  it("asks every provider in its own words, with what tier and operator say", async () => {
    await using openai = await OpenAiServer.start({ apiKey: "sk-right" });
    await using ollama = await OllamaServer.start();
    const description: ModelsDescription = {
      providers: {
        cloud: { type: "openai", baseUrl: openai.baseUrl, apiKey: "sk-right" },
        local: { type: "ollama", host: ollama.baseUrl },
      },
      tiers: {
        fast: {
          models: [{ provider: "local", model: "qwen3" }],
          options: { temperature: 0.1, keepAlive: "5m" },
        },
        smart: {
          models: [{ provider: "cloud", model: "gpt-4o" }],
          options: { maxOutputTokens: 99 },
        },
      },
      overrides: {
        "local/qwen3": {
          card: { contextWindow: 16_384, thinking: false },
          options: { keepAlive: "10m", repeatPenalty: 1.1 },
        },
      },
    };
    const models = createModels(description);
    await ask(
      models("fast"),
      request("hello", { options: { temperature: 0.2 } }),
    );
    await ask(models("smart"), request("hello"));
    expect(ollama.model.requests[0]?.body).toMatchObject({
      model: "qwen3",
      keep_alive: "5m",
      options: { num_ctx: 16_384, temperature: 0.2, repeat_penalty: 1.1 },
    });
    expect(ollama.model.requests[0]?.body).not.toHaveProperty("think");
    expect(openai.model.requests[0]?.body).toMatchObject({
      model: "gpt-4o",
      max_tokens: 99,
    });
    expect(models("fast").card).toMatchObject({
      id: "local/qwen3",
      contextWindow: 16_384,
    });
    expect(models("smart").card).toMatchObject({
      id: "cloud/gpt-4o",
      contextWindow: 128_000,
    });
  });

  it("falls back from one provider to another, and tells of it", async () => {
    await using ollama = await OllamaServer.start();
    const told: string[] = [];
    const models = createModels(
      {
        providers: {
          openai: { type: "openai", baseUrl: "http://127.0.0.1:9/v1" },
          ollama: { type: "ollama", host: ollama.baseUrl },
        },
        tiers: {
          balanced: {
            models: [
              { provider: "openai", model: "gpt-4o" },
              { provider: "ollama", model: "qwen3" },
            ],
          },
        },
      },
      {
        sleep: () => Promise.resolve(),
        onRetry: ({ card, failure }) => told.push(`${card.id} ${failure.kind}`),
      },
    );
    const answer = await ask(models("balanced"), request("hello"));
    expect(answer.text).toBe("You said: hello");
    expect(told).toEqual(Array(4).fill("openai/gpt-4o network"));
  });

  it("says which provider a model lacks, and which address is none", () => {
    const tiers = { fast: { models: [{ provider: "nowhere", model: "m" }] } };
    expect(() =>
      createModels({ providers: { demo: { type: "demo" } }, tiers }),
    ).toThrow(
      'The model "nowhere/m" names the provider "nowhere", which is not configured (there are: demo)',
    );
    expect(() =>
      createModels({
        providers: { nowhere: { type: "openai", baseUrl: "ann:hush@example" } },
        tiers,
      }),
    ).toThrow('The address of provider "nowhere" is "example"');
    expect(() => createModels({ providers: {}, tiers: {} })("fast")).toThrow(
      'No model for the tier "fast"',
    );
  });

  it("asks a provider through the API and with the words that its settings name", async () => {
    await using openai = await OpenAiServer.start({
      extraParameters: ["repeat_penalty"],
      pages: {
        "/api/v0/models": {
          data: [{ id: "gpt-4o", type: "llm", loaded_context_length: 4321 }],
        },
      },
    });
    const { baseUrl } = openai;
    const models = createModels({
      providers: {
        new: { type: "openai", baseUrl, api: "responses" },
        lmstudio: { type: "openai", baseUrl, api: "chat", preset: "lmstudio" },
      },
      tiers: {
        fast: { models: [{ provider: "new", model: "gpt-4o" }] },
        smart: {
          models: [{ provider: "lmstudio", model: "gpt-4o" }],
          options: { repeatPenalty: 1.1 },
        },
      },
    });
    await ask(models("fast"), request("hello"));
    await ask(models("smart"), request("hello"));
    expect(openai.model.requests.map(({ wire }) => wire)).toEqual([
      "responses",
      "openai",
    ]);
    expect(openai.model.requests[1]?.body).toMatchObject({
      repeat_penalty: 1.1,
    });
    expect(models("smart").card.contextWindow).toBe(4321);
    expect(openai.violations).toEqual([]);
  });
});
