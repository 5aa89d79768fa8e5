import { randomBytes } from "node:crypto";
import type { Frame } from "./frame.ts";
import { frame } from "./frame.ts";
import type { ModelRequest } from "./model-request.ts";
import type { JsonObject } from "./problem.ts";
import { isObject } from "./problem.ts";
import type { OpenAiQuirk, ScriptedCall, ScriptedUsage, Step } from "./step.ts";
import { argumentText, textChunks, usageOf } from "./step.ts";

interface Chunk {
  readonly delta: JsonObject;
  readonly content: boolean;
}

type Has = (quirk: OpenAiQuirk) => boolean;

function quirksOf(step: Step): Has {
  return (quirk) => step.quirks?.includes(quirk) === true;
}

function finishReason(step: Step): string {
  return step.finish ?? (step.toolCalls === undefined ? "stop" : "tool_calls");
}

/** The server-sent events of one answer, in order, its quirks applied. */
export function openAiFrames(step: Step, request: ModelRequest): Frame[] {
  const has = quirksOf(step);
  const envelope = openAiEnvelope(request, "chat.completion.chunk");
  const usage = openAiUsage(usageOf(step, request));
  const asked =
    isObject(request.body["stream_options"]) &&
    request.body["stream_options"]["include_usage"] === true;
  const withUsage = (asked || has("usage-unasked")) && !has("usage-never");
  const everyUsage = withUsage && has("usage-every-chunk");
  const encode = (choices: unknown[], content: boolean, own?: JsonObject): Frame =>
    event(
      {
        ...envelope,
        choices,
        ...(own ?? (everyUsage ? { usage } : withUsage ? { usage: null } : {})),
      },
      content,
      has,
    );
  const one = (delta: JsonObject, content: boolean, index = 0): Frame =>
    encode([{ index, delta, logprobs: null, finish_reason: null }], content);

  const frames: Frame[] = [];
  if (has("empty-choices-first"))
    frames.push(
      encode([], false, {
        prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }],
      }),
    );
  for (const { delta, content } of deltas(step, has)) {
    frames.push(one(delta, content));
    if (has("two-choices") && typeof delta["content"] === "string" && content)
      frames.push(one({ content: "[another choice]" }, false, 1));
  }
  const finish = has("no-finish-reason") ? null : finishReason(step);
  const last = [{ index: 0, delta: {}, logprobs: null, finish_reason: finish }];
  if (finish !== null || has("usage-with-finish"))
    frames.push(encode(last, false, withUsage && has("usage-with-finish") ? { usage } : undefined));
  if (has("two-choices"))
    frames.push(encode([{ index: 1, delta: {}, finish_reason: "stop" }], false));
  if (withUsage && !everyUsage && !has("usage-with-finish"))
    frames.push(encode([], false, { usage }));
  if (!has("no-done")) frames.push(rawEvent("[DONE]", false, has));
  return frames;
}

function deltas(step: Step, has: Has): Chunk[] {
  const empty = has("content-null") ? { content: null } : {};
  const chunks: Chunk[] = [];
  const startsWithCalls = step.text === undefined && step.toolCalls !== undefined;
  if (!has("no-role"))
    chunks.push({
      delta: {
        role: "assistant",
        content: startsWithCalls || has("content-null") ? null : "",
        refusal: null,
      },
      content: false,
    });
  const text = (key: string, value: string): Chunk => ({
    delta: key === "content" ? { content: value } : { ...empty, [key]: value },
    content: true,
  });
  if (has("think-tags")) {
    const reasoning =
      step.reasoning === undefined ? "" : `<think>\n${step.reasoning}\n</think>\n\n`;
    chunks.push(...textChunks(reasoning).map((piece) => text("content", piece)));
  } else {
    const key = has("reasoning-field") ? "reasoning" : "reasoning_content";
    chunks.push(...textChunks(step.reasoning).map((piece) => text(key, piece)));
  }
  chunks.push(
    ...textChunks(step.text).map((piece) => text(has("refusal") ? "refusal" : "content", piece)),
  );
  const perCall = (step.toolCalls ?? []).map((call, index) => callDeltas(call, index, has));
  const ordered = has("interleaved-calls") ? interleave(perCall) : perCall.flat();
  chunks.push(
    ...ordered.map((call) => ({
      delta: { ...empty, tool_calls: [call] },
      content: true,
    })),
  );
  return chunks;
}

/** A call as its deltas: the head with id and name, then its arguments in pieces. */
function callDeltas(call: ScriptedCall, index: number, has: Has): JsonObject[] {
  const id = callId(call, index, has);
  const place = has("no-index") ? {} : { index };
  const identity = has("no-ids") ? {} : { id };
  const json = argumentText(call);
  if (has("arguments-object") || has("whole-call")) {
    const sent =
      has("arguments-object") && typeof call.arguments === "object" ? call.arguments : json;
    return [
      {
        ...place,
        ...identity,
        type: "function",
        function: { name: call.name, arguments: sent },
      },
    ];
  }
  const pieces = json.match(has("tiny-arguments") ? /.{1,2}/gsu : /.{1,16}/gsu) ?? [];
  const later = has("empty-later-ids") ? { id: "", type: "function" } : {};
  const repeated = has("name-repeated") ? { name: call.name } : {};
  return [
    {
      ...place,
      ...identity,
      type: "function",
      function: { name: call.name, arguments: "" },
    },
    ...pieces.map((piece) => ({
      ...place,
      ...later,
      function: { ...repeated, arguments: piece },
    })),
  ];
}

function callId(call: ScriptedCall, index: number, has: Has): string {
  if (has("reused-ids")) return `call_${index}`;
  return call.id ?? `call_${randomBytes(12).toString("hex")}`;
}

function interleave<T>(lists: readonly T[][]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, position) =>
    lists.flatMap((list) => list.slice(position, position + 1)),
  ).flat();
}

function event(data: JsonObject, content: boolean, has: Has): Frame {
  return rawEvent(JSON.stringify(data), content, has);
}

function rawEvent(data: string, content: boolean, has: Has): Frame {
  const end = has("crlf") ? "\r\n" : "\n";
  const comment = has("sse-comments") ? `: still working${end}${end}` : "";
  const space = has("data-without-space") ? "" : " ";
  return frame(`${comment}data:${space}${data}${end}${end}`, content);
}

function openAiEnvelope(request: ModelRequest, object: string): JsonObject {
  return {
    id: `chatcmpl-${randomBytes(15).toString("base64url")}`,
    object,
    created: Math.floor(Date.now() / 1000),
    model: request.model,
    service_tier: "default",
    system_fingerprint: "fp_emulated",
  };
}

function openAiUsage(usage: ScriptedUsage): JsonObject {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cachedTokens ?? 0,
      audio_tokens: 0,
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoningTokens ?? 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

/** The answer without `stream`. */
export function openAiCompletion(step: Step, request: ModelRequest): JsonObject {
  const has = quirksOf(step);
  const text = textChunks(step.text).join("");
  const content = text === "" && step.toolCalls !== undefined ? null : text;
  return {
    ...openAiEnvelope(request, "chat.completion"),
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: has("refusal") ? null : content,
          refusal: has("refusal") ? text : null,
          ...(step.reasoning === undefined ? {} : { reasoning_content: step.reasoning }),
          ...(step.toolCalls === undefined
            ? {}
            : {
                tool_calls: step.toolCalls.map((call, index) => ({
                  id: callId(call, index, has),
                  type: "function",
                  function: { name: call.name, arguments: argumentText(call) },
                })),
              }),
        },
        logprobs: null,
        finish_reason: finishReason(step),
      },
    ],
    ...(has("usage-never") ? {} : { usage: openAiUsage(usageOf(step, request)) }),
  };
}
