// The Chat SDK as its documents build it: Telegram adapter, ioredis state, the AI SDK's agent,
// history kept in Redis.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createIoRedisState } from "@chat-adapter/state-ioredis";
import { createTelegramAdapter } from "@chat-adapter/telegram";
import { tool, ToolLoopAgent } from "ai";
import { Chat, ConsoleLogger } from "chat";
import { z } from "zod";
import { MODEL, past, systemPrompt, TELEGRAM, theTime, toolDescription } from "./system.mjs";

const logger = new ConsoleLogger("error");
const bot = new Chat({
  userName: "bench_bot",
  logger,
  concurrency: process.env.CONCURRENCY ?? "queue",
  state: createIoRedisState({ url: process.env.REDIS_URL, logger }),
  history: {
    user: { identity: ({ author }) => author.userId, maxPerUser: false },
  },
  adapters: {
    telegram: createTelegramAdapter({
      botToken: "1:bench",
      apiUrl: TELEGRAM,
      mode: "polling",
      logger,
    }),
  },
});
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
const seeded = new Set();
bot.onDirectMessage(async (thread, message) => {
  const { userKey } = message;
  // Its own store's shape, written by its own functions, before the first question counts.
  if (past.length > 0 && !seeded.has(userKey)) {
    seeded.add(userKey);
    for (const { role, text } of past)
      await bot.history.user.append(thread, { role, text }, { userKey });
  }
  await bot.history.user.append(thread, message);
  const known = await bot.history.user.list({ userKey, limit: 1e6 });
  const result = await agent.stream({
    messages: known.map(({ role, text }) => ({ role, content: text })),
  });
  const text = await result.text;
  await thread.post(text);
  await bot.history.user.append(thread, { role: "assistant", text }, { userKey });
});
await bot.initialize();
