import {
  Agent,
  assistant,
  OpenAIChatCompletionsModel,
  run,
  setTracingDisabled,
  tool,
  user,
} from "@openai/agents";
import OpenAI from "openai";
import { z } from "zod";
import { MODEL, past, serve, systemPrompt, theTime, toolDescription } from "./system.mjs";

setTracingDisabled(true);
const agent = new Agent({
  name: "bench",
  instructions: systemPrompt,
  tools: [
    tool({
      name: "get_time",
      description: toolDescription,
      parameters: z.object({ tz: z.string() }),
      execute: async () => theTime,
    }),
  ],
  model: new OpenAIChatCompletionsModel(
    new OpenAI({ apiKey: "bench", baseURL: `${MODEL}/v1` }),
    "stub",
  ),
});
const histories = new Map();
const beginning = past.map(({ role, text }) => (role === "user" ? user(text) : assistant(text)));
await serve(async (chat, text) => {
  const result = await run(agent, [...(histories.get(chat) ?? beginning), user(text)], {
    stream: true,
  });
  let said = "";
  for await (const delta of result.toTextStream()) said += delta;
  await result.completed;
  histories.set(chat, result.history);
  return said;
});
