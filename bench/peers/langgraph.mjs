import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent, tool } from "langchain";
import { z } from "zod";
import { MODEL, past, serve, systemPrompt, theTime, toolDescription } from "./system.mjs";

const agent = createAgent({
  model: new ChatOpenAI({
    model: "stub",
    apiKey: "bench",
    streaming: true,
    configuration: { baseURL: `${MODEL}/v1` },
  }),
  tools: [
    tool(async () => theTime, {
      name: "get_time",
      description: toolDescription,
      schema: z.object({ tz: z.string() }),
    }),
  ],
  systemPrompt,
  checkpointer: new MemorySaver(),
});
const known = new Set();
await serve(async (chat, text) => {
  const configurable = { thread_id: String(chat) };
  if (!known.has(chat) && past.length > 0)
    await agent.graph.updateState(
      { configurable },
      {
        messages: past.map((each) =>
          each.role === "user" ? new HumanMessage(each.text) : new AIMessage(each.text),
        ),
      },
      "model_request",
    );
  known.add(chat);
  let said = "";
  const stream = await agent.stream(
    { messages: [{ role: "user", content: text }] },
    { configurable, streamMode: "messages" },
  );
  for await (const [message] of stream)
    if (message.getType() === "ai")
      said +=
        typeof message.content === "string"
          ? message.content
          : message.content.map((part) => part.text ?? "").join("");
  return said;
});
