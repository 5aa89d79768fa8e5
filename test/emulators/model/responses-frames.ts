import { randomBytes } from "node:crypto";
import type { Frame } from "./frame.ts";
import { frame } from "./frame.ts";
import type { ModelRequest } from "./model-request.ts";
import type { JsonObject } from "./problem.ts";
import type { ResponsesQuirk, ScriptedCall, Step } from "./step.ts";
import { argumentText, textChunks, usageOf } from "./step.ts";

type Has = (quirk: ResponsesQuirk) => boolean;

interface Event {
  readonly type: string;
  readonly fields: JsonObject;
  readonly content: boolean;
}

/** The server-sent events of one response, in order, its quirks applied. */
export function responsesFrames(step: Step, request: ModelRequest): Frame[] {
  const has = quirksOf(step);
  const id = newId("resp");
  const pending = { ...envelope(id, request), status: "in_progress" };
  const items = itemsOf(step, has);
  const final = finished(step, request, id, items);
  const sent: Event[] = [
    event("response.created", { response: pending }),
    event("response.in_progress", { response: pending }),
    ...(has("only-completed") ? [] : streamed(items, has)),
    event(`response.${String(final["status"])}`, {
      response: has("empty-output") ? { ...final, output: [] } : final,
    }),
  ];
  const frames = sent.map(({ type, fields, content }, index) =>
    encoded(type, { type, ...fields, sequence_number: index }, content, has),
  );
  return has("done-sentinel") ? [...frames, frame("data: [DONE]\n\n", false)] : frames;
}

function streamed(items: readonly JsonObject[], has: Has): Event[] {
  const groups = items.map((item, index) => itemEvents(item, index, has));
  const events = (has("items-in-reverse") ? groups.toReversed() : groups).flat();
  return events.map((each) => ({ ...each, fields: referenced(each.fields, has) }));
}

/** The fields that say which item an event is about, as the quirks have them. */
function referenced(fields: JsonObject, has: Has): JsonObject {
  const { output_index: index, item_id: itemId, item, ...rest } = fields;
  const isCall = (item as JsonObject | undefined)?.["type"] === "function_call";
  const id = has("changing-item-ids") ? { id: newId("item") } : {};
  const given = isCall && has("arguments-when-completed") ? { arguments: "" } : {};
  return {
    ...(has("no-output-index") ? {} : { output_index: has("all-output-index-0") ? 0 : index }),
    ...(itemId === undefined ? {} : { item_id: id.id ?? itemId }),
    ...(item === undefined ? {} : { item: { ...item, ...id, ...given } }),
    ...rest,
  };
}

/** The answer without `stream`. */
export function wholeResponse(step: Step, request: ModelRequest): JsonObject {
  return finished(step, request, newId("resp"), itemsOf(step, quirksOf(step)));
}

export const responsesLateError = frame(
  `event: error\ndata: ${JSON.stringify({ type: "error", code: "server_error", message: "The server had an error processing your request. Sorry about that!", param: null, sequence_number: 9 })}\n\n`,
  false,
);

export const responsesNotJson = frame(
  'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":\n\n',
  false,
);

function quirksOf(step: Step): Has {
  return (quirk) => step.quirks?.includes(quirk) === true;
}

function newId(prefix: string): string {
  return `${prefix}_${randomBytes(24).toString("hex")}`;
}

function event(type: string, fields: JsonObject, content = false): Event {
  return { type, fields, content };
}

function encoded(type: string, data: JsonObject, content: boolean, has: Has): Frame {
  const end = has("crlf") ? "\r\n" : "\n";
  const comment = has("sse-comments") ? `: keepalive${end}${end}` : "";
  const name = has("no-event-lines") ? "" : `event: ${type}${end}`;
  const space = has("data-without-space") ? "" : " ";
  return frame(`${comment}${name}data:${space}${JSON.stringify(data)}${end}${end}`, content);
}

function envelope(id: string, request: ModelRequest): JsonObject {
  return {
    id,
    object: "response",
    created_at: Math.floor(Date.now() / 1000),
    background: false,
    error: null,
    incomplete_details: null,
    instructions: request.body["instructions"] ?? null,
    max_output_tokens: request.body["max_output_tokens"] ?? null,
    model: request.model,
    output: [],
    parallel_tool_calls: true,
    previous_response_id: null,
    service_tier: "default",
    store: request.body["store"] !== false,
    tool_choice: request.body["tool_choice"] ?? "auto",
    tools: request.body["tools"] ?? [],
    truncation: "disabled",
    usage: null,
  };
}

function finished(
  step: Step,
  request: ModelRequest,
  id: string,
  items: readonly JsonObject[],
): JsonObject {
  const has = quirksOf(step);
  const isWhole = ["stop", "tool_calls", undefined].includes(step.finish);
  const cut = step.finish === "length" ? "max_output_tokens" : step.finish;
  const reason = isWhole ? undefined : cut;
  const usage = usageOf(step, request);
  return {
    ...envelope(id, request),
    status: reason === undefined ? "completed" : "incomplete",
    incomplete_details: reason === undefined ? null : { reason },
    output: items,
    usage: has("usage-never")
      ? null
      : {
          input_tokens: usage.inputTokens,
          input_tokens_details: {
            cache_write_tokens: 0,
            cached_tokens: usage.cachedTokens ?? 0,
          },
          output_tokens: usage.outputTokens,
          output_tokens_details: {
            reasoning_tokens: usage.reasoningTokens ?? 0,
          },
          total_tokens: usage.inputTokens + usage.outputTokens,
        },
  };
}

function itemsOf(step: Step, has: Has): JsonObject[] {
  const inText = has("think-tags") && step.reasoning !== undefined;
  const text =
    (inText ? `<think>\n${step.reasoning}\n</think>\n\n` : "") + textChunks(step.text).join("");
  const items: JsonObject[] = [];
  if (step.reasoning !== undefined && !inText)
    items.push(
      has("reasoning-text")
        ? {
            id: newId("rs"),
            type: "reasoning",
            summary: [],
            content: [{ type: "reasoning_text", text: step.reasoning }],
          }
        : {
            id: newId("rs"),
            type: "reasoning",
            summary: [{ type: "summary_text", text: step.reasoning }],
          },
    );
  if (text !== "" || (step.toolCalls ?? []).length === 0)
    items.push({
      id: newId("msg"),
      type: "message",
      status: "completed",
      role: "assistant",
      content: [textPart(text, has)],
    });
  return [...items, ...(step.toolCalls ?? []).map(callItem)];
}

function textPart(text: string, has: Has): JsonObject {
  return has("refusal")
    ? { type: "refusal", refusal: text }
    : { type: "output_text", annotations: [], logprobs: [], text };
}

function callItem(call: ScriptedCall): JsonObject {
  return {
    id: newId("fc"),
    type: "function_call",
    status: "completed",
    arguments: argumentText(call),
    call_id: call.id ?? newId("call").slice(0, 29),
    name: call.name,
  };
}

function itemEvents(item: JsonObject, index: number, has: Has): Event[] {
  const place = { output_index: index };
  const begun = { ...item, status: "in_progress" };
  const added = (fields: JsonObject): Event =>
    event("response.output_item.added", {
      ...place,
      item: { ...begun, ...fields },
    });
  const done = event("response.output_item.done", { ...place, item });
  const where = { item_id: item["id"], ...place };
  switch (item["type"]) {
    case "reasoning":
      return [
        added({
          summary: [],
          ...(has("reasoning-text") ? { content: [] } : {}),
        }),
        ...reasoningEvents(item, where, has),
        done,
      ];
    case "function_call":
      return [
        added({ arguments: "" }),
        ...(has("no-argument-deltas") || has("arguments-when-completed")
          ? []
          : argumentEvents(item, where, has)),
        done,
      ];
    default:
      return [added({ content: [] }), ...textEvents(item, where), done];
  }
}

function reasoningEvents(item: JsonObject, where: JsonObject, has: Has): Event[] {
  const raw = has("reasoning-text");
  const [part] = item[raw ? "content" : "summary"] as { text: string }[];
  const text = part?.text ?? "";
  const at = { ...where, [raw ? "content_index" : "summary_index"]: 0 };
  const kind = raw ? "reasoning_text" : "reasoning_summary_text";
  const bracket = (edge: "added" | "done"): Event[] =>
    raw
      ? []
      : [
          event(`response.reasoning_summary_part.${edge}`, {
            ...at,
            part: { type: "summary_text", text: edge === "done" ? text : "" },
          }),
        ];
  return [
    ...bracket("added"),
    ...textChunks(text).map((delta) => event(`response.${kind}.delta`, { ...at, delta }, true)),
    event(`response.${kind}.done`, { ...at, text }),
    ...bracket("done"),
  ];
}

function argumentEvents(item: JsonObject, where: JsonObject, has: Has): Event[] {
  const text = String(item["arguments"]);
  const pieces = text.match(has("tiny-arguments") ? /.{1,2}/gsu : /.{1,16}/gsu) ?? [];
  return [
    ...pieces.map((delta) =>
      event("response.function_call_arguments.delta", { ...where, delta }, true),
    ),
    event("response.function_call_arguments.done", {
      ...where,
      arguments: text,
    }),
  ];
}

function textEvents(item: JsonObject, where: JsonObject): Event[] {
  const [part] = item["content"] as { text?: string; refusal?: string }[];
  const kind = part?.refusal === undefined ? "output_text" : "refusal";
  const text = part?.text ?? part?.refusal ?? "";
  const at = { ...where, content_index: 0 };
  return [
    event("response.content_part.added", {
      ...at,
      part: { ...part, [kind === "refusal" ? "refusal" : "text"]: "" },
    }),
    ...textChunks(text).map((delta) =>
      event(`response.${kind}.delta`, { ...at, delta, logprobs: [] }, true),
    ),
    event(`response.${kind}.done`, {
      ...at,
      [kind === "refusal" ? "refusal" : "text"]: text,
    }),
    event("response.content_part.done", { ...at, part }),
  ];
}
