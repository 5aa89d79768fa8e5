import { randomBytes } from "node:crypto";
import type { Frame } from "./frame.ts";
import { frame } from "./frame.ts";
import type { ModelRequest } from "./model-request.ts";
import type { JsonObject } from "./problem.ts";
import { isObject, parseJson } from "./problem.ts";
import type { OllamaQuirk, ScriptedCall, Step } from "./step.ts";
import { argumentText, textChunks, usageOf } from "./step.ts";

type Has = (quirk: OllamaQuirk) => boolean;

/** The NDJSON lines of one answer, in order, its quirks applied. */
export function ollamaFrames(step: Step, request: ModelRequest): Frame[] {
  const has = quirksOf(step);
  const end = has("crlf") ? "\r\n" : "\n";
  const line = (message: JsonObject, content: boolean): Frame =>
    frame(
      JSON.stringify({
        ...ollamaEnvelope(request),
        message: { role: "assistant", ...message },
        done: false,
      }) + end,
      content,
    );

  const frames: Frame[] = [];
  const reasoning = seenReasoning(step, request);
  const inText = has("think-tags");
  if (inText && reasoning !== "")
    frames.push(
      ...textChunks(`<think>\n${reasoning}\n</think>\n\n`).map((piece) =>
        line({ content: piece }, true),
      ),
    );
  else
    frames.push(
      ...textChunks(reasoning).map((piece) => line({ content: "", thinking: piece }, true)),
    );
  frames.push(...textChunks(step.text).map((piece) => line({ content: piece }, true)));

  const broken = step.toolCalls?.find(isBroken);
  if (broken !== undefined)
    return [...frames, frame(JSON.stringify({ error: parseError(broken) }) + end, false)];
  const calls = (step.toolCalls ?? []).map((call, index) => ollamaCall(call, index, has));
  if (calls.length > 0 && !has("calls-in-done-line")) {
    const groups = has("calls-together") ? [calls] : calls.map((call) => [call]);
    frames.push(...groups.map((group) => line({ content: "", tool_calls: group }, true)));
  }
  if (has("no-done")) return frames;
  const lastMessage =
    calls.length > 0 && has("calls-in-done-line")
      ? { content: "", tool_calls: calls }
      : { content: "" };
  const done = JSON.stringify(doneLine(step, request, lastMessage));
  return [...frames, frame(has("no-final-newline") ? done : done + end, false)];
}

function quirksOf(step: Step): Has {
  return (quirk) => step.quirks?.includes(quirk) === true;
}

/** `think: false` keeps the model from thinking. */
function seenReasoning(step: Step, request: ModelRequest): string {
  return request.body["think"] === false ? "" : (step.reasoning ?? "");
}

function ollamaEnvelope(request: ModelRequest): JsonObject {
  // Nanoseconds, as Go writes them.
  return {
    model: request.model,
    created_at: new Date().toISOString().replace("Z", "123456Z"),
  };
}

function ollamaCall(call: ScriptedCall, index: number, has: Has): JsonObject {
  const parsed = typeof call.arguments === "string" ? JSON.parse(call.arguments) : call.arguments;
  const sent: unknown = has("arguments-string") ? JSON.stringify(parsed) : parsed;
  return has("call-ids")
    ? {
        id: call.id ?? `call_${randomBytes(4).toString("hex")}`,
        function: { index, name: call.name, arguments: sent },
      }
    : { function: { name: call.name, arguments: sent } };
}

/** Ollama parses the model's calls itself: broken JSON never reaches the client, an error does. */
function isBroken(call: ScriptedCall): boolean {
  if (typeof call.arguments !== "string") return false;
  const parsed = parseJson(call.arguments);
  return !parsed.ok || !isObject(parsed.value);
}

function parseError(call: ScriptedCall): string {
  return `error parsing tool call: raw='${argumentText(call)}', err=unexpected end of JSON input`;
}

function doneLine(step: Step, request: ModelRequest, message: JsonObject): JsonObject {
  const has = quirksOf(step);
  const usage = usageOf(step, request);
  // `tool_calls` is not one of Ollama's reasons.
  const reason = step.finish === "tool_calls" ? "stop" : (step.finish ?? "stop");
  return {
    ...ollamaEnvelope(request),
    message: { role: "assistant", ...message },
    done: true,
    ...(has("no-done-reason") ? {} : { done_reason: reason }),
    // Nanoseconds.
    total_duration: 4_883_583_458,
    load_duration: 1_334_875,
    ...(has("no-counts")
      ? {}
      : {
          prompt_eval_count: usage.inputTokens,
          prompt_eval_duration: 342_546_000,
          eval_count: usage.outputTokens,
          eval_duration: 4_535_599_000,
        }),
  };
}

/** The answer with `stream: false`. */
export function ollamaAnswer(step: Step, request: ModelRequest): JsonObject {
  const broken = step.toolCalls?.find(isBroken);
  if (broken !== undefined) return { error: parseError(broken) };
  const reasoning = seenReasoning(step, request);
  return doneLine(step, request, {
    content: textChunks(step.text).join(""),
    ...(reasoning === "" ? {} : { thinking: reasoning }),
    ...(step.toolCalls === undefined
      ? {}
      : {
          tool_calls: step.toolCalls.map((call, index) => ollamaCall(call, index, quirksOf(step))),
        }),
  });
}
