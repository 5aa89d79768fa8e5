import { parseArgs } from "node:util";
import { OllamaServer } from "./ollama-server.ts";
import { OpenAiServer } from "./openai-server.ts";
import { ScriptedModel } from "./scripted-model.ts";

// Both wires in a process of their own, the text-driven model behind them:
//   node test/emulators/model/main.ts [--openai-port n] [--ollama-port n] [--api-key key] [--openai-model id]…
// prints one line {"openai":{"baseUrl"},"ollama":{"baseUrl"}} and ends on SIGTERM, SIGINT or a
// closed IPC channel.
const { values } = parseArgs({
  options: {
    "openai-port": { type: "string", default: "0" },
    "ollama-port": { type: "string", default: "0" },
    "openai-model": { type: "string", multiple: true },
    "api-key": { type: "string" },
  },
});
const model = ScriptedModel.textDriven();
const apiKey = values["api-key"];
const models = values["openai-model"];
await using openai = await OpenAiServer.start({
  model,
  port: Number(values["openai-port"]),
  ...(apiKey === undefined ? {} : { apiKey }),
  ...(models === undefined ? {} : { models }),
});
await using ollama = await OllamaServer.start({
  model,
  port: Number(values["ollama-port"]),
});
console.log(
  JSON.stringify({
    openai: { baseUrl: openai.baseUrl },
    ollama: { baseUrl: ollama.baseUrl },
  }),
);

const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
for (const event of ["SIGTERM", "SIGINT", "disconnect"]) process.once(event, () => stop());
await stopped;
