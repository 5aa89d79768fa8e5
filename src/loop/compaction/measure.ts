import { unreachable } from "../../core/errors.ts";
import { quotesOf, type AssistantEntry, type LogEntry } from "../../core/history.ts";
import type { ModelCard, ModelOptions, RequestMessage, ToolSpec } from "../../core/model.ts";
import { maxTokensOf, type CountTokens } from "../../models/tokens.ts";
import { isShown, type Part } from "./layout.ts";

export interface ContextMeasure {
  readonly tokens: number;
  /** Whether it rests on a figure of the provider's own, and not on our estimate alone. */
  readonly exact: boolean;
}

/** OpenAI's cookbook: what frames a message, and what frames a call. */
const tokensPerMessage = 4;
const tokensPerCall = 8;
/** Vendors charge between 258 and 1,600 for a picture of about a megapixel. */
const tokensPerImage = 1_000;

/** A whole request, estimated. With `maxTokensOf` for `count`: what it cannot exceed. Pure. */
export function estimateRequest(
  messages: readonly RequestMessage[],
  tools: readonly ToolSpec[],
  count: CountTokens,
): number {
  let tokens = tools.length === 0 ? 0 : count(JSON.stringify(tools));
  for (const message of messages) tokens += estimateMessage(message, count);
  return tokens;
}

function estimateMessage(message: RequestMessage, count: CountTokens): number {
  const tokens = tokensPerMessage + count(message.text);
  switch (message.role) {
    case "user":
      return tokens + (message.images?.length ?? 0) * tokensPerImage;
    case "assistant":
      return tokens + count(message.reasoning ?? "") + estimateCalls(message.calls, count);
    case "system":
    case "tool":
      return tokens;
    default:
      return unreachable(message);
  }
}

const estimateCalls = (
  calls: readonly { readonly name: string; readonly arguments: string }[],
  count: CountTokens,
): number =>
  calls.reduce((sum, call) => sum + tokensPerCall + count(call.name) + count(call.arguments), 0);

/** What an entry adds to a request that shows it whole. */
function estimateEntry(entry: LogEntry, count: CountTokens): number {
  switch (entry.kind) {
    case "message":
      return (
        tokensPerMessage +
        count(entry.text) +
        count(entry.opening?.title ?? "") +
        quotesOf(entry).reduce((sum, quote) => sum + count(quote.text), 0) +
        (entry.attachments ?? []).filter(({ kind }) => kind === "image").length * tokensPerImage
      );
    case "edit":
    case "reading":
      return tokensPerMessage + count(entry.text);
    case "tool":
      return tokensPerMessage + count(entry.text) + (entry.images?.length ?? 0) * tokensPerImage;
    case "assistant":
      return (
        tokensPerMessage +
        count(entry.text) +
        count(entry.reasoning ?? "") +
        estimateCalls(entry.calls, count)
      );
    case "end":
      return entry.text === undefined ? 0 : tokensPerMessage + count(entry.text);
    case "undo":
      return entry.ran.length === 0 ? 0 : tokensPerMessage + estimateCalls(entry.ran, count);
    case "reset":
    case "compaction":
      return 0;
    default:
      return unreachable(entry);
  }
}

/**
 * Answers without a figure since the last one: then it is too old, for a view leaves out more as it
 * grows older.
 */
const maxSilentAnswers = 2;

/**
 * How large the next request is: the newest figure that still holds, with what has come since, else
 * an estimate of the whole. Such a figure is what the provider reported with an answer, or what was
 * measured after a compaction; a later reset ends it, and so does an undo that reaches before it.
 * Pure.
 */
export function measureContext(input: {
  readonly part: Part;
  readonly messages: readonly RequestMessage[];
  readonly tools: readonly ToolSpec[];
  readonly count: CountTokens;
}): ContextMeasure {
  const { part, messages, tools, count } = input;
  const figure = newestFigure(part);
  if (figure === undefined)
    return { tokens: estimateRequest(messages, tools, count), exact: false };
  const tokens = figure.tokens + estimateFrom(part, figure.index + 1, count);
  const floor = trusted * estimateRequest(messages, tools, roughCount);
  return tokens < floor
    ? { tokens: Math.ceil(floor), exact: false }
    : { tokens, exact: figure.exact };
}

/** Some servers count far too little, for instance without what they had cached: no figure counts for less than this share of a rough estimate. */
const trusted = 0.5;
/** Without the tokenizer, which is loaded only where it decides something. */
const roughCount = (text: string): number => Buffer.byteLength(text) / 4;

/** What the view shows of the entries from this index on. Pure. */
export function estimateFrom(part: Part, from: number, count: CountTokens): number {
  let tokens = 0;
  for (let index = from; index < part.entries.length; index += 1)
    if (isShown(part, index)) tokens += estimateEntry(part.entries[index] as LogEntry, count);
  return tokens;
}

function newestFigure(part: Part): (ContextMeasure & { readonly index: number }) | undefined {
  let silent = 0;
  for (let index = part.entries.length - 1; index >= part.start; index -= 1) {
    const entry = part.entries[index];
    if (entry?.kind === "compaction")
      return part.hidden[index] ? undefined : { tokens: entry.tokensAfter, exact: false, index };
    if (entry?.kind !== "assistant" || !isShown(part, index)) continue;
    if ((entry.usage?.inputTokens ?? 0) > 0) return { tokens: reported(entry), exact: true, index };
    silent += 1;
    if (silent > maxSilentAnswers) return undefined;
  }
  return undefined;
}

/**
 * What the provider counted. Thoughts that are not sent again are part of its output, so that is
 * bounded by what is.
 */
function reported(entry: AssistantEntry): number {
  const { inputTokens, outputTokens } = entry.usage ?? {
    inputTokens: 0,
    outputTokens: 0,
  };
  return inputTokens + Math.min(outputTokens, estimateEntry(entry, maxTokensOf));
}

/**
 * Tokens available to a request: the window that the operator set in the
 * options, else the model's, minus the part reserved for the answer, at most a
 * quarter of it.
 */
export function windowFor(
  card: Pick<ModelCard, "contextWindow">,
  { contextWindow, maxOutputTokens = 0 }: ModelOptions,
): number {
  const window = contextWindow ?? card.contextWindow;
  return window - Math.min(maxOutputTokens, Math.floor(window / 4));
}
