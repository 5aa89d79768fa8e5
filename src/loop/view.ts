import type {
  AssistantEntry,
  LogEntry,
  MessageEntry,
} from "../core/history.ts";
import type { RequestMessage } from "../core/model.ts";
import { parseJsonObject } from "./json-object.ts";
import { syntheticResult } from "./sentences.ts";

export interface RequestView {
  readonly messages: readonly RequestMessage[];
  /** Every place where the view differs from the plain history, in words. */
  readonly diagnostics: readonly string[];
}

/**
 * What one model call sees of a chat: the context blocks, then the history since the last reset. The raw history is
 * never changed; every repair is a diagnostic. Pure, deterministic, idempotent.
 *
 * @param transcript entries since the last reset, oldest first.
 */
export function buildRequestView(
  transcript: readonly LogEntry[],
  context: readonly string[],
): RequestView {
  const messages: RequestMessage[] = context
    .filter((text) => text !== "")
    .map((text) => ({ role: "system", text }));
  const diagnostics: string[] = [];
  const open: OpenCalls = new Map();
  const used = new Set<string>();

  const closeOpenCalls = (): void => {
    for (const { callId, name } of open.values()) {
      diagnostics.push(`call ${callId} had no result`);
      messages.push({
        role: "tool",
        callId,
        name,
        text: syntheticResult("outcome-unknown"),
      });
    }
    open.clear();
  };

  for (const entry of transcript) {
    if (entry.kind === "tool") {
      const key = requestCallId(entry);
      const call = open.get(key);
      if (call === undefined) {
        diagnostics.push(`result ${key} had no call`);
        continue;
      }
      open.delete(key);
      // Providers match names too: the result bears its call's.
      if (validName(entry.name) !== call.name)
        diagnostics.push(`result ${key} bore another name than its call`);
      messages.push({ role: "tool", ...call, text: entry.text });
      continue;
    }
    closeOpenCalls();
    switch (entry.kind) {
      case "message":
        messages.push({ role: "user", text: spoken(entry) });
        break;
      case "assistant":
        pushAssistant(entry, { messages, diagnostics, open, used });
        break;
      case "end":
        // An apology for the model is no part of the conversation.
        if (entry.text && entry.reason !== "model-failed")
          messages.push({ role: "assistant", text: entry.text, calls: [] });
        break;
      case "reset":
        break;
    }
  }
  closeOpenCalls();
  return { messages, diagnostics };
}

/** Calls without a result yet, by what their results will be found by. */
type OpenCalls = Map<
  string,
  { readonly callId: string; readonly name: string }
>;

/** Ours, so that it is unique and valid whatever a provider wrote: `t<turn>_<round>_<index>`. */
const requestCallId = (call: {
  turn: number;
  round: number;
  index: number;
}): string => `t${call.turn}_${call.round}_${call.index}`;

/** In a group the model is told who speaks. */
const spoken = ({ group, person, text }: MessageEntry): string =>
  group ? `${person.name}: ${text}` : text;

function pushAssistant(
  entry: AssistantEntry,
  into: {
    messages: RequestMessage[];
    diagnostics: string[];
    open: OpenCalls;
    used: Set<string>;
  },
): void {
  if (entry.text === "" && entry.calls.length === 0) {
    into.diagnostics.push(
      `the answer of round ${entry.turn}.${entry.round} was empty`,
    );
    return;
  }
  const calls = entry.calls.map((call) => {
    const key = requestCallId({
      turn: entry.turn,
      round: entry.round,
      index: call.index,
    });
    const id = unused(key, into.used);
    if (id !== key)
      into.diagnostics.push(`call ${key} was there before, now ${id}`);
    const name = validName(call.name);
    if (name !== call.name)
      into.diagnostics.push(`call ${id} named an invalid tool`);
    into.open.set(into.open.has(key) ? id : key, { callId: id, name });
    const valid = parseJsonObject(call.arguments) !== undefined;
    if (!valid)
      into.diagnostics.push(
        `call ${id} had arguments that are not a JSON object`,
      );
    return { id, name, arguments: valid ? call.arguments : "{}" };
  });
  into.messages.push({ role: "assistant", text: entry.text, calls });
}

/** The id, or the first of `<id>_2`, `<id>_3` … that no call has; it is used from now on. */
function unused(id: string, used: Set<string>): string {
  let found = id;
  for (let copy = 2; used.has(found); copy += 1) found = `${id}_${copy}`;
  used.add(found);
  return found;
}

/** A model may invent any name; providers take only these characters back. */
const validName = (name: string): string =>
  name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "unnamed";
