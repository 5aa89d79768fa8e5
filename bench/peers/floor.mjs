// The floor: long poll, the bare client's loop, send. History in memory.
import { beginning, loop } from "./bare-loop.mjs";
import { serve } from "./system.mjs";

const histories = new Map();
await serve((chat, text) => {
  const messages = histories.get(chat) ?? beginning.slice();
  histories.set(chat, messages);
  messages.push({ role: "user", content: text });
  return loop(messages);
});
