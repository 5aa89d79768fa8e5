import { unreachable } from "../../core/errors.ts";
import {
  storedFailureKind,
  type RequestImage,
  type RequestMessage,
  type ToolSpec,
} from "../../core/model.ts";
import type { TraceRecord } from "../../core/trace.ts";

/** Of one record's JSON, uncompressed. */
export const maxRecordBytes = 256 * 1_024;

/** Texts are not cut shorter than this, in UTF-16 units, before list entries are left out. */
const shortest = 200;
/** Entries of one list that are kept where not all of them fit. */
const mostEntries = 1_000;
/**
 * Number of first and of newest messages kept of a request; those in between
 * are in the history.
 */
const firstMessages = 20;
const newestMessages = 180;
/** Levels of a tool's JSON Schema that are kept. */
const maxDepth = 64;

/** The transformations of a record's parts before they are stored. */
interface Change {
  readonly text: (text: string) => string;
  readonly list: <Entry>(name: string, entries: readonly Entry[]) => Entry[];
}

/**
 * The same record without the middle of a long request, and with a note in the place of each
 * picture's data.
 */
export function briefRecord(record: TraceRecord): TraceRecord {
  const { request, response, leftOut } = record;
  const { failure } = response;
  const surplus = request.messages.length - firstMessages - newestMessages;
  const messages =
    surplus <= 0
      ? request.messages
      : [...request.messages.slice(0, firstMessages), ...request.messages.slice(-newestMessages)];
  return {
    ...record,
    request: { ...request, messages: messages.map(withoutPictures) },
    ...(failure && {
      response: { ...response, failure: { ...failure, kind: storedFailureKind(failure.kind) } },
    }),
    ...(surplus <= 0 ? {} : { leftOut: { ...leftOut, messages: surplus } }),
  };
}

const withoutPictures = (message: RequestMessage): RequestMessage =>
  message.role === "user" && message.images !== undefined
    ? { ...message, images: message.images.map(noted) }
    : message;

const noted = ({ mediaType, data }: RequestImage): RequestImage => ({
  mediaType,
  data: `[${data.length} characters of base64 left out]`,
});

/**
 * A record as JSON of at most `maxRecordBytes`: every text redacted, long texts cut in the middle,
 * and where even that is too much, lists shortened in their middle, which `leftOut` counts.
 */
export function traceJson(record: TraceRecord, redact: (text: string) => string): string {
  // Redacted first and cut then: half a secret is not recognised.
  const redacted = changed(record, wholeWith(redact));
  const whole = JSON.stringify(redacted);
  if (Buffer.byteLength(whole) <= maxRecordBytes) return whole;
  const lengths = lengthsOf(redacted);
  let textBudget = maxRecordBytes;
  let maxEntries = mostEntries;
  while (maxEntries > 0) {
    const maxLength = Math.max(shortest, waterLevel(lengths, textBudget));
    const json = JSON.stringify(shortened(redacted, { maxLength, maxEntries }));
    const bytes = Buffer.byteLength(json);
    if (bytes <= maxRecordBytes) return json;
    if (maxLength === shortest) maxEntries = Math.floor(maxEntries / 4);
    textBudget *= (0.9 * maxRecordBytes) / bytes;
  }
  return JSON.stringify(outlineOf(redacted));
}

/** Tools as JSON, every text redacted. */
export const toolsJson = (tools: readonly ToolSpec[], redact: (text: string) => string): string =>
  JSON.stringify(tools.map((tool) => changedTool(tool, wholeWith(redact))));

const wholeWith = (redact: (text: string) => string): Change => ({
  text: redact,
  list: (_name, entries) => [...entries],
});

/**
 * The rest of a record whose bulk can't be cut, for example an option: its size
 * is fixed.
 */
function outlineOf(record: TraceRecord): TraceRecord {
  const { request, response } = record;
  const { failure, finish } = response;
  return {
    v: record.v,
    chat: record.chat,
    turn: record.turn,
    call: record.call,
    purpose: record.purpose,
    atMs: record.atMs,
    tier: cut(record.tier),
    model: cut(record.model),
    why: cut(record.why),
    request: { messages: [], tools: [], toolChoice: "auto", options: {} },
    diagnostics: [],
    response: {
      text: cut(response.text),
      reasoning: cut(response.reasoning),
      calls: [],
      ...(finish === undefined ? {} : { finish }),
      ...(failure === undefined
        ? {}
        : { failure: { kind: failure.kind, message: cut(failure.message) } }),
    },
    attempts: [],
    timing: record.timing,
    leftOut: {
      messages: (record.leftOut?.["messages"] ?? 0) + request.messages.length,
      tools: request.tools.length,
      diagnostics: record.diagnostics.length,
      calls: response.calls.length,
      attempts: record.attempts.length,
      options: Object.keys(request.options).length,
    },
  };
}

/** Of all texts of a record, in ascending order. */
function lengthsOf(record: TraceRecord): readonly number[] {
  const lengths: number[] = [];
  changed(record, {
    list: (_name, entries) => [...entries],
    text(text) {
      lengths.push(text.length);
      return text;
    },
  });
  return lengths.sort((one, other) => one - other);
}

/**
 * The length to which texts must be cut so that all together are no longer than `budget`: the short
 * ones stay whole.
 * @param lengths ascending
 */
function waterLevel(lengths: readonly number[], budget: number): number {
  let left = budget;
  for (const [index, length] of lengths.entries()) {
    const share = left / (lengths.length - index);
    if (length > share) return Math.floor(share);
    left -= length;
  }
  return Infinity;
}

function shortened(
  record: TraceRecord,
  { maxLength, maxEntries }: { readonly maxLength: number; readonly maxEntries: number },
): TraceRecord {
  const leftOut: Record<string, number> = { ...record.leftOut };
  const short = changed(record, {
    text: (text) => cutMiddle(text, maxLength),
    list(name, entries) {
      const surplus = entries.length - maxEntries;
      if (surplus <= 0) return [...entries];
      leftOut[name] = (leftOut[name] ?? 0) + surplus;
      // The first messages are the system's, the last ones the newest.
      const first = Math.floor(maxEntries / 4);
      return [...entries.slice(0, first), ...entries.slice(first + surplus)];
    },
  });
  return Object.keys(leftOut).length === 0 ? short : { ...short, leftOut };
}

const cut = (text: string): string => cutMiddle(text, shortest);

function cutMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const head = Math.ceil(maxLength / 2);
  const tail = Math.floor(maxLength / 2);
  const marker = ` … [${text.length - head - tail} characters left out] … `;
  const cut = text.slice(0, head) + marker + text.slice(text.length - tail);
  return cut.toWellFormed();
}

/**
 * Applies a change to every text and list of a record. What names it (chat, numbers, tier) stays.
 */
function changed(record: TraceRecord, change: Change): TraceRecord {
  const { text, list } = change;
  const { request, response } = record;
  const { failure } = response;
  return {
    ...record,
    model: text(record.model),
    why: text(record.why),
    request: {
      ...request,
      messages: list("messages", request.messages).map((message) =>
        changedMessage(message, change),
      ),
      tools: list("tools", request.tools).map((tool) => changedTool(tool, change)),
    },
    diagnostics: list("diagnostics", record.diagnostics).map(text),
    response: {
      ...response,
      text: text(response.text),
      reasoning: text(response.reasoning),
      calls: list("calls", response.calls).map((call) => ({
        ...call,
        wireId: text(call.wireId),
        name: text(call.name),
        arguments: text(call.arguments),
      })),
      ...(failure === undefined ? {} : { failure: { ...failure, message: text(failure.message) } }),
    },
    attempts: list("attempts", record.attempts).map((attempt) => ({
      ...attempt,
      model: text(attempt.model),
      ...(attempt.failure === undefined ? {} : { failure: text(attempt.failure) }),
    })),
  };
}

function changedTool(tool: ToolSpec, change: Change): ToolSpec {
  return {
    name: change.text(tool.name),
    description: change.text(tool.description),
    parameters: changedObject(tool.parameters, change),
  };
}

function changedMessage(message: RequestMessage, { text, list }: Change): RequestMessage {
  const shown = text(message.text);
  switch (message.role) {
    case "system":
      return { ...message, text: shown };
    case "user":
      return {
        ...message,
        text: shown,
        ...(message.images === undefined
          ? {}
          : {
              images: list("images", message.images).map((image) => ({
                mediaType: text(image.mediaType),
                data: text(image.data),
              })),
            }),
      };
    case "assistant":
      return {
        ...message,
        text: shown,
        ...(message.reasoning === undefined ? {} : { reasoning: text(message.reasoning) }),
        calls: list("calls", message.calls).map((call) => ({
          id: text(call.id),
          name: text(call.name),
          arguments: text(call.arguments),
        })),
      };
    case "tool":
      return {
        ...message,
        callId: text(message.callId),
        name: text(message.name),
        text: shown,
      };
    default:
      return unreachable(message);
  }
}

function changedObject(given: object, change: Change, depth = 0): Record<string, unknown> {
  const entries = change.list("parameters", Object.entries(given));
  return Object.fromEntries(
    entries.map(([key, value]) => [change.text(key), changedValue(value, change, depth + 1)]),
  );
}

function changedValue(value: unknown, change: Change, depth: number): unknown {
  if (typeof value === "string") return change.text(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > maxDepth) return "[left out]";
  return Array.isArray(value)
    ? change.list("parameters", value).map((each) => changedValue(each, change, depth + 1))
    : changedObject(value, change, depth);
}
