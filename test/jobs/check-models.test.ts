import pino from "pino";
import { expect, it, vi } from "vitest";
import { startModelCheck } from "../../src/jobs/check-models.ts";
import type { ChatKey } from "../../src/core/chat.ts";
import type { OutboxEntry } from "../../src/core/outbox.ts";
import { OllamaServer } from "../emulators/model/ollama-server.ts";
import { load } from "../config/support.ts";
import { createVision } from "../../src/store/operations/vision.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());

it("owners read in their language which model is missing, and the screen shows it in English", async () => {
  await using server = await OllamaServer.start({ models: [] });
  const environment = { OLLAMA_HOST: server.baseUrl, OLLAMA_MODEL: "qwen3" };
  const languages: Readonly<Record<string, string>> = { "telegram:1": "de", "telegram:2": "zh" };
  const posted = new Map<ChatKey, string>();
  const lines: string[] = [];
  const deps = {
    settings: load({ environment }),
    store,
    access: {
      owners: () => Promise.resolve(Object.keys(languages)),
      profileOf: ({ id }: { id: string }) => Promise.resolve({ language: languages[id] }),
    } as never,
    people: {
      directChats: (id: string) => Promise.resolve([id.replace("telegram:", "telegram:7:")]),
    } as never,
    connectedBots: { among: (bots: readonly string[]) => Promise.resolve(bots) } as never,
    post: (chat: ChatKey, entry: OutboxEntry) =>
      Promise.resolve(void posted.set(chat, "text" in entry ? entry.text : "")),
    redact: (text: string) => text,
    log: pino({ level: "silent" }),
  };
  const check = startModelCheck(deps, (line) => lines.push(line));
  // The clients of models are imported first.
  await vi.waitFor(() => expect(posted.size).toBe(2), { timeout: 20_000 });
  await check[Symbol.asyncDispose]();
  expect([...posted.values()]).toEqual([
    "Ich kann niemandem antworten, bis das behoben ist.\nOllama hat qwen3 nicht.\nFühre das aus: ollama pull qwen3",
    "修复之前我无法回答任何人。\nOllama 中没有 qwen3。\n请运行：ollama pull qwen3",
  ]);
  expect(lines).toEqual(["Ollama doesn't have qwen3. Run: ollama pull qwen3"]);
});

it.each([
  ["gemma3", true],
  ["qwen3", false],
])("whether %s sees pictures is known to those who refuse files: %s", async (model, expected) => {
  await using server = await OllamaServer.start();
  const vision = createVision(store);
  await vision.write(!expected);
  const environment = { OLLAMA_HOST: server.baseUrl, OLLAMA_MODEL: model };
  const settings = load({ environment });
  const check = startModelCheck(
    { settings, store, log: pino({ level: "silent" }) } as never,
    () => {
      throw new Error("a model doesn't work");
    },
  );
  await expect.poll(() => vision.read()).toBe(expected);
  await check[Symbol.asyncDispose]();
});
