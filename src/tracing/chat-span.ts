import { SpanKind, type Attributes, type SpanContext } from "@opentelemetry/api";
import type { RequestMessage } from "../core/model.ts";
import type { TraceRecord } from "../core/trace.ts";
import { briefRecord, traceJson } from "../store/traces/trace-json.ts";
import type { Spans } from "./spans.ts";

/** One model call, as its trace record has it: with its retries, below the turn's span. */
export function recordChat(spans: Spans, parent: SpanContext, record: TraceRecord): void {
  const { response, timing, attempts, request, model } = record;
  const { conversationOf, withContent } = spans.options;
  const { finish, failure, usage } = response;
  const at = model.indexOf("/");
  const name = model.slice(at + 1);
  const firstMs = timing.firstTokenMs;
  const failed = attempts.filter((attempt) => attempt.failure !== undefined);
  const failures = failed.map((attempt) => `${attempt.model}: ${attempt.failure}`);
  spans.record(`chat ${name}`, {
    kind: SpanKind.CLIENT,
    startMs: record.atMs - timing.totalMs,
    endMs: record.atMs,
    parent,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": model.slice(0, Math.max(0, at)),
      "gen_ai.request.model": name,
      "gen_ai.conversation.id": conversationOf(record.chat),
      "parley.model.tier": record.tier,
      "parley.persona": record.persona,
      "parley.model.purpose": record.purpose,
      "gen_ai.request.temperature": request.options.temperature,
      "gen_ai.request.max_tokens": request.options.maxOutputTokens,
      "gen_ai.response.model": finish && name,
      "gen_ai.response.finish_reasons": finish && [finishReasons[finish]],
      "gen_ai.usage.input_tokens": usage?.inputTokens,
      "gen_ai.usage.output_tokens": usage?.outputTokens,
      "gen_ai.response.time_to_first_chunk": firstMs === undefined ? undefined : firstMs / 1_000,
      // What was tried before it answered, or before it was given up.
      "parley.model.failed_attempts": failures.length === 0 ? undefined : failures,
      ...(withContent ? contentOf(spans, record) : {}),
    },
    error: failure && { type: failure.kind },
  });
}

/** The conventions' names for what a model ends with. */
const finishReasons = {
  stop: "stop",
  "tool-calls": "tool_call",
  length: "length",
  filtered: "content_filter",
} as const;

/** What was said, redacted and cut as the stored traces are: at most 256 KiB. */
function contentOf({ options }: Spans, record: TraceRecord): Attributes {
  const brief = traceJson(briefRecord(record), options.redact);
  const { request, response } = JSON.parse(brief) as TraceRecord;
  const calls = response.calls.map(({ wireId, ...call }) => ({ id: wireId, ...call }));
  const answer = partsIn({ role: "assistant", text: response.text, calls });
  const finish_reason = finishReasons[response.finish ?? "stop"];
  return {
    "gen_ai.input.messages": JSON.stringify(
      request.messages.map((message) => ({ role: message.role, parts: partsIn(message) })),
    ),
    "gen_ai.output.messages": JSON.stringify([{ role: "assistant", parts: answer, finish_reason }]),
  };
}

/** A message's parts, in the conventions' form. */
function partsIn(message: RequestMessage): object[] {
  if (message.role === "tool")
    return [{ type: "tool_call_response", id: message.callId, response: message.text }];
  const calls = message.role === "assistant" ? message.calls : [];
  return [
    ...(message.text === "" ? [] : [{ type: "text", content: message.text }]),
    ...calls.map((call) => ({
      type: "tool_call",
      id: call.id,
      name: call.name,
      arguments: call.arguments,
    })),
  ];
}
