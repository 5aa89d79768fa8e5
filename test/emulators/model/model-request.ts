import type { JsonObject } from "./problem.ts";
import { isObject } from "./problem.ts";
import type { Wire } from "./step.ts";
import { estimateTokens } from "./step.ts";
import { chatBodyOf } from "./responses-input.ts";
import { toolNames } from "./tool-rules.ts";

interface SeenMessage {
  readonly role: string;
  /** Text parts joined; "" where there is none. */
  readonly text: string;
  readonly images: number;
  readonly toolCalls: readonly {
    id?: string;
    name: string;
    arguments: unknown;
  }[];
}

interface SeenToolResult {
  readonly name: string;
  readonly text: string;
}

/** A chat request as a script sees it, alike on all wires. */
export interface ModelRequest {
  readonly wire: Wire;
  readonly model: string;
  readonly stream: boolean;
  /** The body as it came. */
  readonly body: JsonObject;
  readonly messages: readonly SeenMessage[];
  /** All system and developer texts, joined by newlines. */
  readonly systemText: string;
  readonly lastUserText: string;
  /** Role of the last message that is not a system or developer message. */
  readonly lastRole: string;
  /** The tool messages at the end, when the model has to answer to results. */
  readonly toolResults: readonly SeenToolResult[];
  /** Assistant messages with calls after the last user message. */
  readonly roundsSinceUser: number;
  readonly toolNames: readonly string[];
  /** Tools were offered and `tool_choice` is not `none`. */
  readonly mayCallTools: boolean;
  readonly promptTokens: number;
}

export function readModelRequest(wire: Wire, body: JsonObject): ModelRequest {
  const chat = wire === "responses" ? chatBodyOf(body) : body;
  const raw = Array.isArray(chat["messages"]) ? chat["messages"].filter(isObject) : [];
  const messages = raw.map(seenMessage);
  const talk = messages.filter(({ role }) => role !== "system" && role !== "developer");
  const lastUser = talk.findLastIndex(({ role }) => role === "user");
  const tools = toolNames(chat["tools"]);
  return {
    wire,
    model: String(body["model"]),
    // Ollama streams unless told not to, OpenAI the other way round.
    stream: wire === "ollama" ? body["stream"] !== false : body["stream"] === true,
    body,
    messages,
    systemText: messages
      .filter((message) => !talk.includes(message))
      .map(({ text }) => text)
      .join("\n"),
    lastUserText: talk[lastUser]?.text ?? "",
    lastRole: talk.at(-1)?.role ?? "",
    toolResults: trailingResults(raw),
    roundsSinceUser: talk.slice(lastUser + 1).filter(({ toolCalls }) => toolCalls.length > 0)
      .length,
    toolNames: tools,
    mayCallTools: tools.length > 0 && body["tool_choice"] !== "none",
    promptTokens: estimateTokens(
      JSON.stringify([
        messages.map(({ text, toolCalls }) => [text, toolCalls]),
        body["tools"] ?? "",
      ]),
    ),
  };
}

function seenMessage(message: JsonObject): SeenMessage {
  const parts = Array.isArray(message["content"]) ? message["content"].filter(isObject) : [];
  const images = message["images"];
  return {
    role: String(message["role"]),
    text: textOf(message),
    images:
      parts.filter((part) => part["type"] === "image_url").length +
      (Array.isArray(images) ? images.length : 0),
    toolCalls: callsOf(message),
  };
}

function textOf(message: JsonObject): string {
  const content = message["content"];
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part) => (isObject(part) && typeof part["text"] === "string" ? part["text"] : ""))
    .join("");
}

function callsOf(message: JsonObject): SeenMessage["toolCalls"] {
  const calls = message["tool_calls"];
  if (!Array.isArray(calls)) return [];
  return calls.filter(isObject).map((call) => {
    const called = isObject(call["function"]) ? call["function"] : {};
    return {
      ...(typeof call["id"] === "string" ? { id: call["id"] } : {}),
      name: String(called["name"]),
      arguments: called["arguments"],
    };
  });
}

function trailingResults(raw: readonly JsonObject[]): SeenToolResult[] {
  const talk = raw.filter(({ role }) => role !== "system" && role !== "developer");
  const start = talk.findLastIndex(({ role }) => role !== "tool") + 1;
  const asked = talk[start - 1];
  const calls = asked === undefined ? [] : callsOf(asked);
  return talk.slice(start).map((message, position) => {
    const { tool_call_id: id, tool_name: name } = message;
    const call = calls.find((each) => each.id !== undefined && each.id === id);
    return {
      name: call?.name ?? (typeof name === "string" ? name : (calls[position]?.name ?? "unknown")),
      text: textOf(message),
    };
  });
}
