import type OpenAI from "openai";
import { unreachable } from "../../../core/errors.ts";
import {
  hasImages,
  type ModelCard,
  type ModelRequest,
  type RequestCall,
  type RequestMessage,
  type ToolSpec,
} from "../../../core/model.ts";
import { memoised, memoisedInPieces } from "../../../util/memoised.ts";
import { alternating } from "../../alternating.ts";
import { dataUrl, withVisibleImages } from "../../images.ts";
import { wellFormed, wellFormedJson } from "../../well-formed.ts";
import { isReasoningModel } from "../card.ts";
import { wantsAlternation, type Dialect } from "../dialect.ts";
import { jsonHint, mentionsJson } from "../json-hint.ts";
import { isMistral, toMistral } from "./mistral.ts";

/** OpenAI's fields plus a dialect's. */
export type ChatBody = OpenAI.Chat.ChatCompletionCreateParams & Readonly<Record<string, unknown>>;

/**
 * The one place where a request becomes Chat Completions' words. Pure; every text of it is
 * well-formed.
 */
export function toChatBody(options: {
  /** As the server calls it, without the provider. */
  readonly model: string;
  readonly card: ModelCard;
  readonly request: ModelRequest;
  readonly dialect: Dialect;
}): ChatBody {
  const { model, card, request, dialect } = options;
  const { json, thinking } = request.options;
  const visible = withVisibleImages(request.messages, card).messages;
  const turns = wantsAlternation(dialect, model) ? alternating(visible) : visible;
  const messages = withHint(turns, json === true);
  const none: OpenAI.Chat.ChatCompletionMessageParam[] = [];
  const written = none.concat(
    ...messageWriter(dialect)(dialect.oneSystemMessage ? withOneSystemMessage(messages) : messages),
  );
  return {
    model: wellFormed(model),
    messages: isMistral(model) ? toMistral(written) : written,
    ...toolFields(card, request),
    ...numberFields(options),
    ...(json === true && card.jsonMode ? { response_format: { type: "json_object" } } : {}),
    ...(card.thinking && thinking !== undefined ? dialect.thinking(thinking) : {}),
    ...(card.streaming
      ? {
          stream: true,
          ...(dialect.streamOptions ? { stream_options: { include_usage: true } } : {}),
        }
      : { stream: false }),
  };
}

function numberFields({
  model,
  card,
  request,
  dialect,
}: Parameters<typeof toChatBody>[0]): Record<string, unknown> {
  const { temperature, maxOutputTokens, repeatPenalty } = request.options;
  const { outputCap, repeatPenalty: penaltyField } = dialect;
  const capField =
    outputCap !== "by-model"
      ? outputCap
      : isReasoningModel(model)
        ? "max_completion_tokens"
        : "max_tokens";
  return {
    ...(temperature === undefined || !card.settableTemperature ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { [capField]: maxOutputTokens }),
    ...(repeatPenalty === undefined || penaltyField === undefined
      ? {}
      : { [penaltyField]: repeatPenalty }),
  };
}

/**
 * `json_object` is refused where no message holds the word; a server without it has nothing but the
 * word.
 */
function withHint(messages: readonly RequestMessage[], json: boolean): readonly RequestMessage[] {
  return json && !messages.some(({ text }) => mentionsJson(text))
    ? [{ role: "system", text: jsonHint }, ...messages]
    : messages;
}

/** Those at the beginning become one; many local chat templates refuse a second. */
function withOneSystemMessage(messages: readonly RequestMessage[]): readonly RequestMessage[] {
  const end = messages.findIndex(({ role }) => role !== "system");
  const leading = messages.slice(0, end < 0 ? messages.length : end);
  if (leading.length < 2) return messages;
  const text = leading.map((message) => message.text).join("\n\n");
  const first: readonly RequestMessage[] = [{ role: "system", text }];
  return first.concat(messages.slice(leading.length));
}

/** Both fields, or neither: `tool_choice` without `tools` is refused, as is an empty list. */
function toolFields(
  card: ModelCard,
  { tools, toolChoice }: ModelRequest,
): Pick<ChatBody, "tools" | "tool_choice"> {
  if (!card.tools || tools.length === 0) return {};
  if (toolChoice === "auto") return { tools: tools.map(toTool) };
  return card.toolChoiceNone ? { tools: tools.map(toTool), tool_choice: "none" } : {};
}

const toTool = memoised(
  ({ name, description, parameters }: ToolSpec): OpenAI.Chat.ChatCompletionFunctionTool =>
    wellFormed({
      type: "function",
      function: { name, description, parameters: { ...parameters } },
    }),
);

/** Most messages of a request were in the one before. */
const messageWriter = memoised((dialect: Dialect) =>
  memoisedInPieces(
    (messages: readonly RequestMessage[]) =>
      messages.map((message) => wellFormed(toMessage(message, dialect))),
    hasImages,
  ),
);

function toMessage(
  message: RequestMessage,
  dialect: Dialect,
): OpenAI.Chat.ChatCompletionMessageParam {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.text };
    case "user":
      return { role: "user", content: userContent(message) };
    case "assistant":
      return {
        role: "assistant",
        ...(message.calls.length === 0
          ? { content: message.text }
          : {
              content: message.text === "" ? null : message.text,
              tool_calls: toCalls(message.calls, dialect),
            }),
        ...(dialect.returnsExtras ? message.own?.extras : {}),
        // Others get none: Chat Completions takes no reasoning, and some servers answer 400 to it.
        ...(dialect.reasoningField === undefined
          ? {}
          : {
              [dialect.reasoningField]: message.own?.reasoning ?? message.reasoning ?? noThoughts,
            }),
      };
    case "tool":
      return {
        role: "tool",
        tool_call_id: message.callId,
        content: message.text,
      };
    default:
      return unreachable(message);
  }
}

function userContent({
  text,
  images = [],
}: Extract<RequestMessage, { role: "user" }>): string | OpenAI.Chat.ChatCompletionContentPart[] {
  if (images.length === 0) return text;
  return [
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...images.map((image) => ({
      type: "image_url" as const,
      image_url: { url: dataUrl(image) },
    })),
  ];
}

/** Servers that want thoughts back refuse an answer without any, some also an empty text. */
const noThoughts = " ";

/** Calls that have none of their own get the dialect's extras: of parallel calls only the first has a signature. */
function toCalls(
  calls: readonly RequestCall[],
  { returnsExtras, callFields }: Dialect,
): OpenAI.Chat.ChatCompletionMessageFunctionToolCall[] {
  const haveOwn = returnsExtras && calls.some(({ extras }) => extras !== undefined);
  return calls.map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: wellFormedJson(call.arguments) },
    ...(haveOwn ? call.extras : callFields),
  }));
}
