import { recalledSentence } from "./recalled.ts";
import type { FailureKind } from "../../core/history.ts";
import { failureKinds } from "../../core/history.ts";

/** A call and its result, as the model reads it. */
export interface CallResult {
  readonly name: string;
  /** JSON. */
  readonly arguments: string;
  readonly text: string;
}

/** One sentence or list for a result. A failure's text begins with its kind. Pure. */
export function resultSentence(given: CallResult): string {
  const result = asItRan(given);
  const kind = failureKinds.find((each) => new RegExp(`^\\W*${each}\\b`).test(result.text));
  return kind === undefined ? success(result) : failure(result, kind);
}

/** If a person changed the arguments, the result begins with that. */
function asItRan(result: CallResult): CallResult {
  const [lead = "", changed = result.arguments] =
    /^A person changed the arguments to (\{.*\})\. The result of that:\n/.exec(result.text) ?? [];
  return {
    ...result,
    arguments: changed,
    text: result.text.slice(lead.length),
  };
}

function success({ name, text, ...call }: CallResult): string {
  switch (name) {
    case "current_time":
      return `In ${place(call.arguments)} it is ${text}.`;
    case "write_note":
      return `Noted: “${argument(call.arguments, "note")}”.`;
    case "remember":
      return `I'll remember: “${argument(call.arguments, "fact")}”. /memory shows and deletes it.`;
    case "schedule":
      return `OK, I'll remind you ${argument(call.arguments, "when")}: “${argument(call.arguments, "text")}”.`;
    case "read_notes":
      return /^\s*$|\bno notes\b/i.test(text) ? "You have no notes yet." : `Your notes:\n${text}`;
    case "recall":
      return recalledSentence(argument(call.arguments, "query"), text);
    default:
      return `${name} answered: ${text}`;
  }
}

function failure(result: CallResult, kind: FailureKind): string {
  const what = deed(result);
  switch (kind) {
    case "confirmation-denied":
      return `OK, I didn't ${what}.`;
    case "confirmation-expired":
      return `I didn't ${what}, because the approval expired before anyone decided.`;
    case "superseded":
      return `I didn't ${what}, because your new message came first.`;
    case "cancelled":
      return `I didn't ${what}, because you stopped me.`;
    case "policy-denied":
      return `I didn't ${what}, because that isn't allowed here.`;
    case "limit-reached":
      return `I didn't ${what}, because a limit was reached.`;
    case "deadline":
      return `I didn't ${what}, because I ran out of time.`;
    case "outcome-unknown":
      return `I tried to ${what}, but was interrupted: it may or may not have happened, and I haven't repeated it.`;
    case "timeout":
      return `I tried to ${what}, but that took too long.`;
    case "invalid-arguments":
    case "unknown-tool":
    case "tool-error":
      return `I tried to ${what}, but that failed: ${result.text}`;
    default:
      return kind satisfies never;
  }
}

function deed({ name, ...call }: CallResult): string {
  switch (name) {
    case "current_time":
      return `look up the time in ${place(call.arguments)}`;
    case "write_note":
      return `note “${argument(call.arguments, "note")}”`;
    case "remember":
      return `remember “${argument(call.arguments, "fact")}”`;
    case "schedule":
      return `set the reminder “${argument(call.arguments, "text")}”`;
    case "read_notes":
      return "read your notes";
    case "recall":
      return `look up what was said about ${argument(call.arguments, "query")}`;
    default:
      return `use ${name}`;
  }
}

/** `America/New_York` as people write it. */
function place(given: string): string {
  const zone = argument(given, "timeZone") || "UTC";
  return (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");
}

function argument(given: string, key: string): string {
  try {
    const value: unknown = JSON.parse(given);
    const found =
      typeof value === "object" && value !== null
        ? Object.entries(value).find(([each]) => each === key)?.[1]
        : undefined;
    return typeof found === "string" ? found : "";
  } catch {
    return "";
  }
}
