import type { JsonObject } from "./problem.ts";
import { isObject } from "./problem.ts";

/**
 * The `input` of a Responses request as Chat Completions would have it, so that a script sees both
 * alike: calls that lie side by side become one assistant message.
 */
export function chatBodyOf(body: JsonObject): JsonObject {
  const messages: JsonObject[] = [];
  if (typeof body["instructions"] === "string")
    messages.push({ role: "system", content: body["instructions"] });
  for (const item of inputItems(body)) addItem(messages, item);
  const tools = body["tools"];
  return {
    ...body,
    messages,
    ...(Array.isArray(tools) ? { tools: tools.map(chatTool) } : {}),
  };
}

/** A text counts as one user message. */
export function inputItems(body: JsonObject): JsonObject[] {
  const input = body["input"];
  if (typeof input === "string") return [{ role: "user", content: input }];
  return Array.isArray(input) ? input.filter(isObject) : [];
}

/** `{type, name, …}` as `{type, function: {name, …}}`. */
export function chatTool(tool: unknown): unknown {
  if (!isObject(tool)) return tool;
  const { type, ...definition } = tool;
  return { type, function: definition };
}

function addItem(messages: JsonObject[], item: JsonObject): void {
  switch (item["type"]) {
    case "function_call": {
      const call = {
        id: item["call_id"],
        type: "function",
        function: { name: item["name"], arguments: item["arguments"] },
      };
      const last = messages.at(-1);
      if (last?.["role"] !== "assistant") {
        messages.push({ role: "assistant", tool_calls: [call] });
        return;
      }
      const calls = last["tool_calls"];
      last["tool_calls"] = [...(Array.isArray(calls) ? calls : []), call];
      return;
    }
    case "function_call_output":
      messages.push({
        role: "tool",
        tool_call_id: item["call_id"],
        content: item["output"],
      });
      return;
    default:
      messages.push({ role: item["role"], content: chatContent(item) });
  }
}

function chatContent(item: JsonObject): unknown {
  const content = item["content"];
  if (!Array.isArray(content)) return content;
  return content
    .filter(isObject)
    .map((part) =>
      part["type"] === "input_image"
        ? { type: "image_url", image_url: { url: part["image_url"] } }
        : { type: "text", text: part["text"] },
    );
}
