import type OpenAI from "openai";
import { unreachable } from "../../../core/errors.ts";
import {
  hasImages,
  type ModelCard,
  type ModelRequest,
  type RequestMessage,
  type ToolSpec,
} from "../../../core/model.ts";
import { memoised, memoisedInPieces } from "../../../util/memoised.ts";
import { alternating } from "../../alternating.ts";
import { dataUrl, withVisibleImages } from "../../images.ts";
import { wellFormed, wellFormedJson } from "../../well-formed.ts";
import { wantsAlternation, type Dialect } from "../dialect.ts";
import { jsonHint, mentionsJson } from "../json-hint.ts";

export type ResponsesBody = OpenAI.Responses.ResponseCreateParams &
  Readonly<Record<string, unknown>>;
type Item = OpenAI.Responses.ResponseInputItem;

/** "Expected a value >= 16". */
const minOutputTokens = 16;

/**
 * The one place where a request becomes the Responses API's words. Pure; every text of it is
 * well-formed.
 */
export function toResponsesBody(options: {
  /** As the server calls it, without the provider. */
  readonly model: string;
  readonly card: ModelCard;
  readonly request: ModelRequest;
  readonly dialect: Pick<Dialect, "alternates">;
}): ResponsesBody {
  const { model, card, request, dialect } = options;
  const { temperature, maxOutputTokens, json, thinking } = request.options;
  const visible = withVisibleImages(request.messages, card).messages;
  const { instructions, rest } = split(
    wantsAlternation(dialect, model) ? alternating(visible) : visible,
  );
  const input = writtenItems(rest).flat();
  return {
    model: wellFormed(model),
    ...(instructions === "" ? {} : { instructions: wellFormed(instructions) }),
    input: json === true ? withHint(input) : input,
    ...toolFields(card, request),
    ...(temperature === undefined || !card.settableTemperature ? {} : { temperature }),
    ...(maxOutputTokens === undefined
      ? {}
      : { max_output_tokens: Math.max(minOutputTokens, maxOutputTokens) }),
    ...(json === true && card.jsonMode ? { text: { format: { type: "json_object" } } } : {}),
    ...(card.thinking && thinking !== undefined ? { reasoning: reasoningOf(thinking) } : {}),
    // The history is ours; the vendor need not keep it.
    store: false,
    stream: card.streaming,
  };
}

/**
 * Thoughts are shown as summaries only, and only to those who ask. Every reasoning model knows
 * these efforts.
 */
function reasoningOf(thinking: boolean): OpenAI.Reasoning {
  return thinking ? { effort: "medium", summary: "auto" } : { effort: "low" };
}

/** The context blocks at the beginning are the instructions. */
function split(messages: readonly RequestMessage[]): {
  readonly instructions: string;
  readonly rest: readonly RequestMessage[];
} {
  const found = messages.findIndex(({ role }) => role !== "system");
  const start = found < 0 ? messages.length : found;
  return {
    instructions: messages
      .slice(0, start)
      .map(({ text }) => text)
      .join("\n\n"),
    rest: messages.slice(start),
  };
}

/** `json_object` is refused where no input holds the word; instructions do not count. */
function withHint(input: readonly Item[]): Item[] {
  return mentionsJson(JSON.stringify(input))
    ? [...input]
    : [{ type: "message", role: "developer", content: jsonHint }, ...input];
}

/** Most messages of a request were in the one before. */
const writtenItems = memoisedInPieces(
  (messages: readonly RequestMessage[]) => wellFormed(messages.flatMap(toItems)),
  hasImages,
);

/**
 * Items have no vendor ids: with `store: false` the vendor would not find them.
 */
function toItems(message: RequestMessage): Item[] {
  switch (message.role) {
    case "system":
      return [{ type: "message", role: "developer", content: message.text }];
    case "user":
      return [{ type: "message", role: "user", content: userContent(message) }];
    case "assistant":
      return [
        ...(message.text === ""
          ? []
          : [
              {
                type: "message" as const,
                role: "assistant" as const,
                content: message.text,
              },
            ]),
        ...message.calls.map((call): Item => ({
          type: "function_call",
          call_id: call.id,
          name: call.name,
          arguments: wellFormedJson(call.arguments),
        })),
      ];
    case "tool":
      return [
        {
          type: "function_call_output",
          call_id: message.callId,
          output: message.text,
        },
      ];
    default:
      return unreachable(message);
  }
}

function userContent({
  text,
  images = [],
}: Extract<RequestMessage, { role: "user" }>): string | OpenAI.Responses.ResponseInputContent[] {
  if (images.length === 0) return text;
  return [
    ...(text === "" ? [] : [{ type: "input_text" as const, text }]),
    ...images.map((image) => ({
      type: "input_image" as const,
      image_url: dataUrl(image),
      detail: "auto" as const,
    })),
  ];
}

/** Both fields, or neither. */
function toolFields(
  card: ModelCard,
  { tools, toolChoice }: ModelRequest,
): Pick<ResponsesBody, "tools" | "tool_choice"> {
  if (!card.tools || tools.length === 0) return {};
  if (toolChoice === "auto") return { tools: tools.map(toTool) };
  return card.toolChoiceNone ? { tools: tools.map(toTool), tool_choice: "none" } : {};
}

/** `strict` is the default here, and would refuse every schema with an optional field. */
const toTool = memoised(
  ({ name, description, parameters }: ToolSpec): OpenAI.Responses.FunctionTool =>
    wellFormed({
      type: "function",
      name,
      description,
      parameters: { ...parameters },
      strict: false,
    }),
);
