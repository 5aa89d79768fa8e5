import { SpanKind, type Attributes } from "@opentelemetry/api";
import type { RequestMessage } from "../core/model.ts";
import type { TraceRecord } from "../core/trace.ts";
import { briefRecord, traceJson } from "../store/traces/trace-json.ts";
import type { Spans } from "./spans.ts";

/** `provider/model` in its two parts. */
function partsOf(model: string): { readonly provider: string; readonly name: string } {
  const at = model.indexOf("/");
  return { provider: model.slice(0, Math.max(0, at)), name: model.slice(at + 1) };
}

/** One model call, as its trace record has it: with its retries, below the turn's span. */
export function recordChat(spans: Spans, parent: string, record: TraceRecord): void {
  const { response, timing, attempts, request } = record;
  const { provider, name } = partsOf(record.model);
  const { finish, failure, usage } = response;
  const { temperature, maxOutputTokens } = request.options;
  const failed = attempts.filter((attempt) => attempt.failure !== undefined);
  const firstMs = timing.firstTokenMs;
  spans.record(`chat ${name}`, {
    kind: SpanKind.CLIENT,
    startMs: record.atMs - timing.totalMs,
    endMs: record.atMs,
    parent,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": provider,
      "gen_ai.request.model": name,
      "gen_ai.conversation.id": spans.conversationOf(record.chat),
      "parley.model.tier": record.tier,
      "parley.model.purpose": record.purpose,
      ...(temperature === undefined ? {} : { "gen_ai.request.temperature": temperature }),
      ...(maxOutputTokens === undefined ? {} : { "gen_ai.request.max_tokens": maxOutputTokens }),
      ...(finish === undefined
        ? {}
        : {
            "gen_ai.response.model": name,
            "gen_ai.response.finish_reasons": [finishReasons[finish]],
          }),
      ...(usage === undefined
        ? {}
        : {
            "gen_ai.usage.input_tokens": usage.inputTokens,
            "gen_ai.usage.output_tokens": usage.outputTokens,
          }),
      ...(firstMs === undefined ? {} : { "gen_ai.response.time_to_first_chunk": firstMs / 1_000 }),
      // What was tried before it answered, or before it was given up.
      ...(failed.length === 0
        ? {}
        : {
            "parley.model.failed_attempts": failed.map(
              (attempt) => `${attempt.model}: ${attempt.failure}`,
            ),
          }),
      ...(spans.withContent ? contentOf(spans, record) : {}),
    },
    ...(failure === undefined ? {} : { error: { type: failure.kind } }),
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
function contentOf({ redact }: Spans, record: TraceRecord): Attributes {
  const { request, response } = JSON.parse(traceJson(briefRecord(record), redact)) as TraceRecord;
  const { text, calls, finish } = response;
  const answer = partsIn({
    role: "assistant",
    text,
    calls: calls.map(({ wireId, name, arguments: given }) => ({
      id: wireId,
      name,
      arguments: given,
    })),
  });
  return {
    "gen_ai.input.messages": JSON.stringify(
      request.messages.map((message) => ({ role: message.role, parts: partsIn(message) })),
    ),
    "gen_ai.output.messages": JSON.stringify([
      { role: "assistant", parts: answer, finish_reason: finishReasons[finish ?? "stop"] },
    ]),
  };
}

/** A message's parts, in the conventions' form. */
function partsIn(message: RequestMessage): object[] {
  if (message.role === "tool")
    return [{ type: "tool_call_response", id: message.callId, response: message.text }];
  const calls = message.role === "assistant" ? message.calls : [];
  return [
    ...(message.text === "" ? [] : [{ type: "text", content: message.text }]),
    ...calls.map(({ id, name, arguments: given }) => ({
      type: "tool_call",
      id,
      name,
      arguments: given,
    })),
  ];
}
