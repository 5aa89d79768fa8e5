import type { AssistantEntry, FailureKind, LogEntry } from "../../../src/core/history.ts";
import {
  buildRequestView,
  type RequestView,
  type ViewInput,
} from "../../../src/loop/view/build-request-view.ts";

export const card = { id: "test/model", tools: true, thinking: true };

/** Tools of every class by what their names begin with; anything else is unknown. */
const classes: ViewInput["tool"] = (name) => {
  if (name.startsWith("state")) return { history: "state" };
  if (name.startsWith("action")) return { history: "action" };
  if (name.startsWith("keep")) return { history: "keep" };
  return undefined;
};

/** The view with nothing special asked of it. */
export const viewOf = (
  transcript: readonly LogEntry[],
  more: Partial<ViewInput> = {},
): RequestView =>
  buildRequestView({
    transcript,
    viewStart: 0,
    card,
    context: [],
    tool: classes,
    keepTurns: 10,
    ...more,
  });

/** Roles and texts, e.g. `user: time?`; of calls the names. */
export const linesOf = ({ messages }: RequestView): readonly string[] =>
  messages.map((message) => {
    const calls = message.role === "assistant" ? message.calls.map(({ name }) => `[${name}]`) : [];
    return `${message.role}: ${[message.text, ...calls].filter((part) => part !== "").join(" ")}`;
  });

export const asked = (text = "time?"): LogEntry => ({
  kind: "message",
  v: 1,
  id: "m1",
  person: { id: "telegram:1", name: "Ann" },
  text,
  atMs: 0,
});

/** An answer without calls. */
export const said = (text: string, more: Partial<AssistantEntry> = {}): LogEntry => ({
  kind: "assistant",
  v: 1,
  turn: 1,
  round: 1,
  model: "test/model",
  text,
  calls: [],
  ...more,
});

/** A round of one call of each tool, with its results. */
export const round = (
  turn: number,
  results: readonly {
    readonly name: string;
    readonly text: string;
    readonly arguments?: string;
    readonly failure?: FailureKind;
  }[],
  more: Partial<AssistantEntry> = {},
): LogEntry[] => [
  said("", {
    turn,
    ...more,
    calls: results.map((each, index) => ({
      index,
      wireId: "w",
      name: each.name,
      arguments: each.arguments ?? "{}",
    })),
  }),
  ...results.map((each, index): LogEntry => ({
    kind: "tool",
    v: 1,
    turn,
    round: more.round ?? 1,
    index,
    name: each.name,
    text: each.text,
    ...(each.failure === undefined ? {} : { failure: each.failure }),
  })),
];

export const compacted = (more: Partial<Extract<LogEntry, { kind: "compaction" }>>): LogEntry => ({
  kind: "compaction",
  v: 1,
  turn: 1,
  fromSeq: 0,
  toSeq: 0,
  summary: "",
  kept: [],
  results: [],
  strategy: "summarise",
  tokensBefore: 2,
  tokensAfter: 1,
  ...more,
});

export const undone = (
  fromSeq: number,
  ran: Extract<LogEntry, { kind: "undo" }>["ran"] = [],
): LogEntry => ({ kind: "undo", v: 1, id: "u", fromSeq, ran, atMs: 0 });

/** As everything stored is: no one may change it. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) {
    Object.freeze(value);
    for (const child of Object.values(value)) deepFreeze(child);
  }
  return value;
}
