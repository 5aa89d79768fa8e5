// The floor's loop: the bare client, streamed, and the calls that the model asks for.
import OpenAI from "openai";
import { MODEL, past, systemPrompt, theTime, toolDescription } from "./system.mjs";

const client = new OpenAI({ apiKey: "bench", baseURL: `${MODEL}/v1` });
const tools = [
  {
    type: "function",
    function: {
      name: "get_time",
      description: toolDescription,
      parameters: {
        type: "object",
        properties: { tz: { type: "string" } },
        required: ["tz"],
        additionalProperties: false,
      },
    },
  },
];

export const beginning = [
  { role: "system", content: systemPrompt },
  ...past.map(({ role, text }) => ({ role, content: text })),
];

/** Appends to `messages`. */
export async function loop(messages) {
  for (;;) {
    const stream = await client.chat.completions.create({
      model: "stub",
      messages,
      tools,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = "";
    const calls = [];
    for await (const { choices } of stream) {
      const delta = choices[0]?.delta;
      if (delta?.content) text += delta.content;
      for (const part of delta?.tool_calls ?? []) {
        const call = (calls[part.index] ??= {
          id: "",
          type: "function",
          function: { name: "", arguments: "" },
        });
        if (part.id) call.id = part.id;
        call.function.name += part.function?.name ?? "";
        call.function.arguments += part.function?.arguments ?? "";
      }
    }
    if (calls.length === 0) {
      messages.push({ role: "assistant", content: text });
      return text;
    }
    messages.push({
      role: "assistant",
      content: text || null,
      tool_calls: calls,
    });
    for (const call of calls) {
      JSON.parse(call.function.arguments);
      messages.push({ role: "tool", tool_call_id: call.id, content: theTime });
    }
  }
}
