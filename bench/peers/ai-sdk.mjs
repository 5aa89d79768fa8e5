import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { tool, ToolLoopAgent } from "ai";
import { z } from "zod";
import { MODEL, past, serve, systemPrompt, theTime, toolDescription } from "./system.mjs";

const provider = createOpenAICompatible({
  name: "stub",
  baseURL: `${MODEL}/v1`,
  apiKey: "bench",
  includeUsage: true,
});
const agent = new ToolLoopAgent({
  model: provider("stub"),
  instructions: systemPrompt,
  tools: {
    get_time: tool({
      description: toolDescription,
      inputSchema: z.object({ tz: z.string() }),
      execute: async () => theTime,
    }),
  },
});
const histories = new Map();
const beginning = past.map(({ role, text }) => ({ role, content: text }));
await serve(async (chat, text) => {
  const messages = histories.get(chat) ?? beginning.slice();
  histories.set(chat, messages);
  messages.push({ role: "user", content: text });
  const result = await agent.stream({ messages });
  let said = "";
  for await (const delta of result.textStream) said += delta;
  messages.push(...(await result.response).messages);
  return said;
});
