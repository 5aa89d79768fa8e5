import { describe, expect, it, onTestFinished } from "vitest";
import type { Settings } from "../../src/config/settings.ts";
import { runChecks } from "../../src/doctor/check.ts";
import { memoryCheck } from "../../src/doctor/memory.ts";
import { chatKeys } from "../../src/store/keys.ts";
import type { SyntheticEmbeddings } from "../emulators/model/embeddings.ts";
import { OllamaServer } from "../emulators/model/ollama-server.ts";
import { OpenAiServer } from "../emulators/model/openai-server.ts";
import { newChat, storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { inEnglish } from "./in-english.ts";

const store = storeOn(await testDatabase());

type Embeddings = NonNullable<Settings["memory"]["embeddings"]>;

const check = async (embeddings: Embeddings | undefined, on?: typeof store) => {
  const memory = { recall: "auto", facts: "ask", summaries: true, embeddings } as const;
  return inEnglish(await runChecks(memoryCheck({ memory }, on), new AbortController().signal));
};

const threeDimensions: SyntheticEmbeddings = (texts) => texts.map(() => [1, 2, 3]);

async function openAi(embeddings: SyntheticEmbeddings, apiKey = "sk-right"): Promise<Embeddings> {
  const server = await OpenAiServer.start({ embeddings, apiKey: "sk-right" });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const endpoint = { type: "openai", baseUrl: server.baseUrl, apiKey, api: "chat" } as const;
  return { provider: "openai", model: "small", endpoint };
}

describe("the memory's embeddings", () => {
  it("aren't examined where keywords alone are searched", async () => {
    expect(await check(undefined)).toEqual([]);
  });

  it("that are made are fine, as are stored ones of the same dimension", async () => {
    const embeddings = await openAi(threeDimensions);
    const made = {
      id: "memory.embeddings",
      status: "ok",
      what: "The embeddings of openai/small are made (3 dimensions).",
    };
    expect(await check(embeddings)).toEqual([made]);
    const { vectors } = chatKeys(newChat());
    onTestFinished(async () => {
      await store.redis.del(vectors);
    });
    await store.redis.hset(vectors, "model", "openai/small 3");
    expect(await check(embeddings, store)).toEqual([
      made,
      {
        id: "memory.vectors",
        status: "ok",
        what: "The stored vectors are of openai/small (3 dimensions).",
      },
    ]);
    await store.redis.hset(vectors, "model", "openai/small 768");
    expect(await check(embeddings, store)).toMatchObject([
      made,
      {
        id: "memory.vectors",
        status: "note",
        what: "Not all chats have vectors of openai/small (3 dimensions). Others: openai/small (768 dimensions) in 1.",
      },
    ]);
  });

  it("whose key is wrong, or whose endpoint refuses, name the fix and no key", async () => {
    const wrong = await check(await openAi(threeDimensions, "sk-planted-wrong"));
    expect(wrong).toMatchObject([
      { id: "memory.embeddings", status: "warning", fix: expect.stringContaining("apiKey") },
    ]);
    expect(JSON.stringify(wrong)).not.toContain("planted");
    expect(await check(await openAi(() => 400))).toMatchObject([
      { status: "warning", fix: expect.stringContaining("Set memory.embeddings") },
    ]);
  });

  it("of an Ollama without the model, or that isn't there, name each fix", async () => {
    const server = await OllamaServer.start({});
    const endpoint = { type: "ollama", host: server.baseUrl } as const;
    const fixOf = async () =>
      (await check({ provider: "ollama", model: "nomic", endpoint })).map(({ fix }) => fix);
    expect(await fixOf()).toEqual(["Run: ollama pull nomic"]);
    await server[Symbol.asyncDispose]();
    expect(await fixOf()).toEqual(["Start it (ollama serve), or correct OLLAMA_HOST."]);
  });
});
