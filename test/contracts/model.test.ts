import type { Model } from "../../src/core/model.ts";
import { createDemoModel } from "../../src/models/demo/model.ts";
import { cloudLimits, withTimeLimits } from "../../src/models/limits.ts";
import { createOllamaModel } from "../../src/models/ollama/model.ts";
import { createOpenAiModel } from "../../src/models/openai/model.ts";
import { sleep } from "../../src/util/sleep.ts";
import { OllamaServer } from "../emulators/model/ollama-server.ts";
import { OpenAiServer } from "../emulators/model/openai-server.ts";
import { ScriptedModel } from "../emulators/model/scripted-model.ts";
import type { ModelSubject } from "./model-contract.ts";
import { modelContract } from "./model-contract.ts";

const tokyo = 'current_time {"timeZone":"Asia/Tokyo"}';
const paris = 'current_time {"timeZone":"Europe/Paris"}';
const questions = {
  text: "say one two three four five",
  call: `call ${tokyo}`,
  parallel: `call ${tokyo} and ${paris}`,
  long: `slow 5 ${"word ".repeat(150).trim()}`,
};

function behind(
  server: OpenAiServer | OllamaServer,
  build: (address: string) => Model,
): ModelSubject {
  const model = build(server.baseUrl);
  return {
    model: withTimeLimits(model, cloudLimits),
    questions,
    server: {
      next: (step) => void server.model.reply(step),
      // Port 9 (discard) is closed on every machine that runs tests.
      unreachable: build("http://127.0.0.1:9"),
      limited: (schedule) => withTimeLimits(model, cloudLimits, { schedule }),
      received: () => server.model.waitForRequest(() => true),
      aborted: () => server.model.waitForRequest(({ state }) => state === "aborted"),
      violations: () => server.violations,
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

modelContract("openai", {
  hasServer: true,
  setup: async () =>
    behind(await OpenAiServer.start({ model: ScriptedModel.textDriven() }), (baseUrl) =>
      createOpenAiModel({
        settings: { baseUrl, apiKey: "sk-test" },
        id: "openai/gpt-4o-mini",
      }),
    ),
});

modelContract("openai responses", {
  hasServer: true,
  setup: async () =>
    behind(await OpenAiServer.start({ model: ScriptedModel.textDriven() }), (baseUrl) =>
      createOpenAiModel({
        settings: { baseUrl, apiKey: "sk-test", api: "responses" },
        id: "openai/gpt-4o-mini",
      }),
    ),
});

modelContract("ollama", {
  hasServer: true,
  setup: async () =>
    behind(await OllamaServer.start({ model: ScriptedModel.textDriven() }), (host) =>
      createOllamaModel({ settings: { host }, id: "ollama/qwen3" }),
    ),
});

modelContract("demo", {
  hasServer: false,
  setup: () =>
    Promise.resolve({
      model: createDemoModel({ sleep, wordDelayMs: 1 }),
      questions: {
        text: "hello",
        call: "What time is it in Tokyo?",
        parallel: "What time is it in Tokyo and Paris?",
        long: "count to 500",
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
});
