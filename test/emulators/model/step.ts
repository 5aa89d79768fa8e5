import type { ModelRequest } from "./model-request.ts";

export type Wire = "openai" | "responses" | "ollama";

/** `arguments` as text goes out as it is, so that it can be broken JSON. */
export interface ScriptedCall {
  readonly name: string;
  readonly arguments: object | string;
  readonly id?: string;
}

export interface ScriptedUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens?: number;
  readonly cachedTokens?: number;
}

/** The rest is what other vendors say. */
type Finish = "stop" | "length" | "tool_calls" | "content_filter" | (string & {});

/**
 * An HTTP status instead of a stream. Without `body` the vendor's own words for that status (and
 * code).
 */
export interface HttpFailure {
  readonly status: number;
  readonly code?: string;
  readonly message?: string;
  /** An object is sent as JSON, a text as HTML, as a proxy does it. */
  readonly body?: unknown;
  readonly retryAfterSeconds?: number;
  readonly retryAfterMs?: number;
}

export type Failure =
  | HttpFailure
  /** Nothing at all, until the client goes away. */
  | "hang-before-headers"
  /** Status 200, then nothing. */
  | "hang-after-headers"
  /** `failAfterChunks` chunks, then nothing. */
  | "hang-mid-stream"
  /** The socket is destroyed before the status. */
  | "cut-before-headers"
  /** The socket is destroyed after half of a frame. */
  | "cut"
  /** An error in the stream after status 200. */
  | "late-error"
  /** Status 200 and no body. */
  | "empty"
  /** A frame that is not JSON. */
  | "not-json";

type SharedQuirk =
  /** Writes of 1 to 3 bytes: lines, frames and characters arrive in halves. */
  | "split-bytes"
  | "crlf"
  /** Reasoning inside the text, as `<think>…</think>`. */
  | "think-tags";

/** How servers that speak Chat Completions differ from OpenAI, and OpenAI from its documents. */
export type OpenAiQuirk =
  | SharedQuirk
  | "no-index"
  | "no-ids"
  | "empty-later-ids"
  /** The same ids in every round. */
  | "reused-ids"
  | "no-role"
  | "name-repeated"
  | "tiny-arguments"
  | "arguments-object"
  | "whole-call"
  | "interleaved-calls"
  /** `reasoning` instead of `reasoning_content`. */
  | "reasoning-field"
  /** Sent though it was not asked for. */
  | "usage-unasked"
  | "usage-never"
  | "usage-every-chunk"
  /** In the chunk with the finish reason, not in one of its own. */
  | "usage-with-finish"
  | "no-finish-reason"
  | "no-done"
  | "sse-comments"
  | "data-without-space"
  /** `content: null` in every delta that has no text. */
  | "content-null"
  /** The text as `refusal`. */
  | "refusal"
  /** Azure's first chunk: no choices, filter results. */
  | "empty-choices-first"
  | "two-choices";

/** How servers that speak the Responses API differ from OpenAI. */
export type ResponsesQuirk =
  | SharedQuirk
  | "sse-comments"
  | "data-without-space"
  | "tiny-arguments"
  /** The text as a refusal. */
  | "refusal"
  /** Data lines without their `event:` line. */
  | "no-event-lines"
  /** Thoughts as `response.reasoning_text`, as open models show them. */
  | "reasoning-text"
  /** Calls come in their finished items only. */
  | "no-argument-deltas"
  /** Nothing but the response at the end. */
  | "only-completed"
  /** The finished response does not repeat its items. */
  | "empty-output"
  /** Another item id with every event, as GitHub Copilot and proxies of it send it. */
  | "changing-item-ids"
  | "no-output-index"
  /** Every item at place 0. */
  | "all-output-index-0"
  /** The items come in reverse; the finished response has them in order. */
  | "items-in-reverse"
  /** The arguments come in the finished response only. */
  | "arguments-when-completed"
  | "usage-never"
  /** A `[DONE]` at the end, as Chat Completions has it. */
  | "done-sentinel";

export type OllamaQuirk =
  | SharedQuirk
  /** Ids and indexes on calls, as newer servers send them. */
  | "call-ids"
  | "calls-together"
  | "calls-in-done-line"
  | "arguments-string"
  | "no-counts"
  | "no-done-reason"
  | "no-done"
  | "no-final-newline";

/** What the model answers. Quirks of the other wire are ignored, so that one step serves both. */
export interface Step {
  /** A list is sent chunk by chunk; a text is cut at its words. */
  readonly text?: string | readonly string[];
  readonly reasoning?: string;
  readonly toolCalls?: readonly ScriptedCall[];
  /** Default `tool_calls` with calls, else `stop`. */
  readonly finish?: Finish;
  /** Default: estimated, 4 characters a token. */
  readonly usage?: ScriptedUsage;
  /** Before the status line: a model that is being loaded. */
  readonly headersDelayMs?: number;
  /** Between the status line and the first frame. */
  readonly firstTokenDelayMs?: number;
  /** Before every further frame. */
  readonly chunkDelayMs?: number;
  readonly quirks?: readonly (OpenAiQuirk | ResponsesQuirk | OllamaQuirk)[];
  readonly failure?: Failure;
  /**
   * Chunks with text, reasoning or calls before a failure in the stream. Default 1 for cut,
   * late-error and hang-mid-stream, else 0.
   */
  readonly failAfterChunks?: number;
}

export type Script = (request: ModelRequest) => Step;

/** The words of a text as chunks; joined they give the text again. */
export function textChunks(text: Step["text"]): readonly string[] {
  if (text === undefined) return [];
  return typeof text === "string"
    ? (text.match(/\s*\S+\s*/g) ?? (text === "" ? [] : [text]))
    : text;
}

/** 4 characters a token: the emulators' only measure, for usage as for the context window. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

export function usageOf(step: Step, request: ModelRequest): ScriptedUsage {
  if (step.usage !== undefined) return step.usage;
  const answer =
    textChunks(step.text).join("") + (step.reasoning ?? "") + JSON.stringify(step.toolCalls ?? "");
  return {
    inputTokens: request.promptTokens,
    outputTokens: estimateTokens(answer),
  };
}

export function argumentText(call: ScriptedCall): string {
  return typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
}
