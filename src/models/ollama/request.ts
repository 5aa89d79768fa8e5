import type { ChatRequest, Message, Tool } from "ollama";
import { unreachable } from "../../core/errors.ts";
import {
  hasImages,
  type ModelCard,
  type ModelRequest,
  type RequestMessage,
  type ToolSpec,
} from "../../core/model.ts";
import { memoised, memoisedInPieces } from "../../util/memoised.ts";
import { withVisibleImages } from "../images.ts";
import { wellFormed } from "../well-formed.ts";

/**
 * The one place where a request becomes `/api/chat`'s words. Pure; every text of it is well-formed.
 */
export function toChatRequest(options: {
  /** As the server calls it, without the provider. */
  readonly model: string;
  readonly card: ModelCard;
  readonly request: ModelRequest;
}): ChatRequest & { stream: boolean } {
  const { model, card, request } = options;
  const { temperature, maxOutputTokens, contextWindow, repeatPenalty } = request.options;
  const { thinking, keepAlive, json } = request.options;
  const mayCall =
    card.tools &&
    request.tools.length > 0 &&
    // The wire has no way to say that offered tools must not be called.
    request.toolChoice === "auto";
  const write = card.thinking ? withThoughts : withoutThoughts;
  return {
    model: wellFormed(model),
    messages: write(inCallOrder(withVisibleImages(request.messages, card).messages)).flat(),
    stream: card.streaming,
    ...(mayCall ? { tools: request.tools.map(toTool) } : {}),
    ...(card.thinking ? { think: thinking ?? true } : {}),
    ...(json === true && card.jsonMode ? { format: "json" } : {}),
    ...(keepAlive === undefined || !card.settableKeepAlive
      ? {}
      : { keep_alive: duration(keepAlive) }),
    options: {
      // Always: without it Ollama runs at 4,096 tokens and cuts longer prompts silently.
      ...(card.settableContext ? { num_ctx: contextWindow ?? card.contextWindow } : {}),
      ...(maxOutputTokens === undefined ? {} : { num_predict: maxOutputTokens }),
      ...(temperature === undefined || !card.settableTemperature ? {} : { temperature }),
      ...(repeatPenalty === undefined ? {} : { repeat_penalty: repeatPenalty }),
    },
  };
}

/**
 * Why a request cannot fit into its window, undefined where it may. Ollama would cut the oldest
 * messages, and with them the system prompt, without a word. Six bytes a token is more than prose
 * has, so nothing that fits is refused.
 */
export function overflow(body: ChatRequest): string | undefined {
  const window = body.options?.num_ctx;
  if (window === undefined) return undefined;
  const { messages = [], tools = [] } = body;
  let bytes = 0;
  for (const piece of bytesOf([...messages, ...tools])) bytes += piece;
  const tokens = Math.ceil(bytes / 6);
  return tokens < window
    ? undefined
    : `prompt and tools are at least ${tokens} tokens, the context window is ${window}`;
}

/** Of their JSON, pictures aside. */
const bytesOf = memoisedInPieces(
  (parts: readonly (Message | Tool)[]) =>
    Buffer.byteLength(
      JSON.stringify(parts.map((part) => ("images" in part ? { ...part, images: [] } : part))),
    ),
  (part) => "images" in part,
);

/** Go wants a number without a unit as a number: seconds, or -1 for ever. */
function duration(text: string): string | number {
  return /^-?\d+$/.test(text) ? Number(text) : text;
}

type ToolMessage = Extract<RequestMessage, { role: "tool" }>;

/**
 * Calls have no ids on this wire: results are matched by their order, so they follow in the calls'
 * own.
 */
function inCallOrder(messages: readonly RequestMessage[]): RequestMessage[] {
  const ordered: RequestMessage[] = [];
  let callIds: readonly string[] = [];
  let results: ToolMessage[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      results.push(message);
      continue;
    }
    ordered.push(...sorted(results, callIds), message);
    results = [];
    if (message.role === "assistant") callIds = message.calls.map((call) => call.id);
  }
  return [...ordered, ...sorted(results, callIds)];
}

function sorted(results: readonly ToolMessage[], callIds: readonly string[]): ToolMessage[] {
  return results.toSorted((a, b) => callIds.indexOf(a.callId) - callIds.indexOf(b.callId));
}

/** Most messages of a request were in the one before. */
const messageWriter = (showsThoughts: boolean) =>
  memoisedInPieces(
    (messages: readonly RequestMessage[]) =>
      messages.map((message) => wellFormed(toMessage(message, showsThoughts))),
    hasImages,
  );
const withThoughts = messageWriter(true);
const withoutThoughts = messageWriter(false);

function toMessage(message: RequestMessage, showsThoughts: boolean): Message {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.text };
    case "user":
      return {
        role: "user",
        content: message.text,
        ...(message.images === undefined ? {} : { images: message.images.map(({ data }) => data) }),
      };
    case "assistant":
      return {
        role: "assistant",
        content: message.text,
        ...(showsThoughts && message.reasoning ? { thinking: message.reasoning } : {}),
        ...(message.calls.length === 0
          ? {}
          : {
              tool_calls: message.calls.map((call) => ({
                function: {
                  name: call.name,
                  arguments: argumentsOf(call.arguments),
                },
              })),
            }),
      };
    case "tool":
      return { role: "tool", tool_name: message.name, content: message.text };
    default:
      return unreachable(message);
  }
}

/**
 * The wire wants an object. The port promises the text of one; anything else is sent as no
 * arguments.
 */
function argumentsOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}

const toTool = memoised(({ name, description, parameters }: ToolSpec): Tool =>
  wellFormed({ type: "function", function: { name, description, parameters } }),
);
