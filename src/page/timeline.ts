import { askedAtMs } from "../cli/trace-summary.ts";
import type { TraceRecord } from "../core/trace.ts";
import type { TurnState } from "../core/turn.ts";
import type { ChatAudit } from "../store/operations/audit-of-chat.ts";

const partKinds = [
  /** From the message to the first request: for a worker, a limit, files that are read. */
  "queue",
  "model",
  "compaction",
  /** A person was asked. */
  "approval",
  "tools",
  "delivery",
  /** Between the others, e.g. a restart. */
  "other",
] as const;
export type PartKind = (typeof partKinds)[number];

/** A part of the time that an answer took. Milliseconds since the epoch. */
export interface Part {
  readonly kind: PartKind;
  readonly fromMs: number;
  readonly toMs: number;
  /** The model or the tools. */
  readonly name?: string;
  readonly outcome?: string;
  readonly record?: TraceRecord;
}

export interface Timeline {
  readonly parts: readonly Part[];
  readonly fromMs: number;
  readonly toMs: number;
}

/** What is known of the times of an answer. */
export interface TurnTimes {
  /** Of its message. */
  readonly askedAtMs: number | undefined;
  /** In order. */
  readonly records: readonly TraceRecord[];
  /** Of its chat, the oldest first. */
  readonly audit: readonly ChatAudit[];
  readonly deliveredAtMs: number | undefined;
  /** Undefined: it has ended. */
  readonly open: { readonly phase: TurnState["phase"]; readonly nowMs: number } | undefined;
}

/** Undefined: no time is known. Pure. */
export function timelineOf(times: TurnTimes): Timeline | undefined {
  const { records, open, deliveredAtMs } = times;
  const [first] = records;
  const fromMs = times.askedAtMs ?? (first && askedAtMs(first));
  const last = records.at(-1);
  const toMs = Math.max(deliveredAtMs ?? 0, last?.atMs ?? 0, open?.nowMs ?? 0);
  if (fromMs === undefined || toMs <= fromMs) return undefined;
  const parts = records.flatMap((record, index): Part[] => {
    const { purpose, model, atMs } = record;
    const kind = purpose === "compaction" ? "compaction" : "model";
    const next = records[index + 1];
    const endMs = next === undefined ? (open?.nowMs ?? deliveredAtMs) : askedAtMs(next);
    return [
      { kind, fromMs: askedAtMs(record), toMs: atMs, name: model, record },
      ...(endMs === undefined ? [] : afterCall(times, record, { fromMs: atMs, toMs: endMs })),
    ];
  });
  const before: Part[] =
    first === undefined ? [] : [{ kind: "queue", fromMs, toMs: askedAtMs(first) }];
  const unrecorded =
    first === undefined && open ? [openPart(open.phase, [], { fromMs, toMs, name: "" })] : [];
  const all = [...before, ...unrecorded, ...parts, ...deliveryOf(times)];
  // Clocks of several processes may differ.
  const within = (part: Part): Part => ({
    ...part,
    fromMs: Math.max(part.fromMs, fromMs),
    toMs: Math.min(part.toMs, toMs),
  });
  return { fromMs, toMs, parts: all.map(within).filter((part) => part.toMs > part.fromMs) };
}

/** What came between a model's answer and the next request. */
function afterCall(
  { audit, open, records }: TurnTimes,
  record: TraceRecord,
  span: Pick<Part, "fromMs" | "toMs">,
): readonly Part[] {
  const called = record.response.calls.map(({ name }) => name).join(", ");
  const noted = audit.filter(({ atMs }) => atMs > span.fromMs && atMs <= span.toMs);
  const decided = noted.filter(({ action }) => action === "approval-decided");
  const ran = noted.filter(({ action }) => action === "tool-executed");
  const asked = decided.map(({ atMs, target, outcome }): Part => {
    return { kind: "approval", fromMs: span.fromMs, toMs: atMs, name: target, outcome };
  });
  const before = [...asked, ...toolParts(ran, decided, span.fromMs)];
  const isLast = record === records.at(-1);
  if (isLast && open !== undefined)
    return [...before, openPart(open.phase, before, { ...span, name: called })];
  return isLast || called === "" || noted.length > 0
    ? before
    : [{ kind: "tools", ...span, name: called }];
}

/** What an answer that isn't finished is at. */
function openPart(
  phase: TurnState["phase"],
  before: readonly Part[],
  { fromMs, ...part }: Pick<Part, "fromMs" | "toMs" | "name">,
): Part {
  const kind = kindsOfPhases[phase];
  const sinceMs = Math.max(fromMs, ...before.map(({ toMs }) => toMs));
  return kind === "approval" || kind === "tools"
    ? { kind, fromMs: sinceMs, ...part }
    : { kind, fromMs: sinceMs, toMs: part.toMs };
}

const kindsOfPhases = {
  thinking: "model",
  compacting: "compaction",
  waiting: "approval",
  acting: "tools",
  finished: "delivery",
} as const satisfies Record<TurnState["phase"], PartKind>;

/**
 * Calls of tools that only read run side by side, others one after the other. One that was asked
 * about began when it was approved.
 */
function toolParts(
  ran: readonly ChatAudit[],
  decided: readonly ChatAudit[],
  fromMs: number,
): readonly Part[] {
  const parts: Part[] = [];
  let previousMs = fromMs;
  for (const { atMs, target, outcome, details } of ran) {
    const approval = details["approval"];
    const approvedAtMs = decided.findLast(
      (line) => line.details["approval"] === approval && line.atMs <= atMs,
    )?.atMs;
    const isRead = details["effect"] === "read";
    const startMs = approvedAtMs ?? (isRead ? fromMs : previousMs);
    parts.push({ kind: "tools", fromMs: startMs, toMs: atMs, name: target, outcome });
    previousMs = atMs;
  }
  return parts;
}

function deliveryOf({ deliveredAtMs, open, records, audit }: TurnTimes): readonly Part[] {
  const last = records.at(-1);
  if (deliveredAtMs === undefined || open !== undefined || last === undefined) return [];
  const fromMs = Math.max(last.atMs, ...audit.map(({ atMs }) => atMs));
  return [{ kind: "delivery", fromMs, toMs: deliveredAtMs }];
}

/** The kind that took most of the time; side by side counts once. Undefined: nothing took any. Pure. */
export function longestOf({
  parts,
  fromMs,
  toMs,
}: Timeline): { readonly kind: PartKind; readonly ms: number } | undefined {
  const known = toMs - fromMs - covered(parts);
  const sums = partKinds.map((kind) => ({
    kind,
    ms: kind === "other" ? known : covered(parts.filter((part) => part.kind === kind)),
  }));
  const [longest] = sums.toSorted((one, other) => other.ms - one.ms);
  return longest === undefined || longest.ms <= 0 ? undefined : longest;
}

/** How long at least one of them lasted. */
function covered(parts: readonly Part[]): number {
  let untilMs = -Infinity;
  let sum = 0;
  for (const part of parts.toSorted((one, other) => one.fromMs - other.fromMs)) {
    sum += Math.max(0, part.toMs - Math.max(part.fromMs, untilMs));
    untilMs = Math.max(untilMs, part.toMs);
  }
  return sum;
}
