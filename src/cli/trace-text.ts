import { isDeepStrictEqual } from "node:util";
import { unreachable } from "../core/errors.ts";
import type { RequestMessage } from "../core/model.ts";
import type { TraceRecord } from "../core/trace.ts";
import { askedAtMs, usageOf, type TurnSummary } from "./trace-summary.ts";

/** Characters of a message that the account of a turn shows, and of an answer. */
const messageLength = 160;
const answerLength = 2_000;
/** Messages of one request that it shows. */
const shownMessages = 40;

/** E.g. `1 message`, `1,204 messages`. */
export const count = (amount: number, what: string): string =>
  `${number(amount)} ${what}${amount === 1 ? "" : "s"}`;

const number = (amount: number): string => Math.round(amount).toLocaleString("en");

/** E.g. `2026-11-20 19:30:38`. */
const utc = (atMs: number): string => new Date(atMs).toISOString().slice(0, 19).replace("T", " ");

/** A line per turn, the columns in line. */
export function turnTable(turns: readonly TurnSummary[]): string {
  const head = ["turn", "time (UTC)", "calls", "in", "out", "ms", "end"];
  const rows = turns.map(({ turn, atMs, calls, usage, totalMs, end }) => [
    String(turn),
    utc(atMs),
    number(calls),
    number(usage.inputTokens),
    number(usage.outputTokens),
    number(totalMs),
    end ?? "–",
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const models = turns.map((turn) => turn.models.join(", "));
  return [head, ...rows]
    .map((row, index) => {
      const cells = row.map((cell, column) =>
        // Time and end are words, the others numbers.
        column === 1 || column === 6
          ? cell.padEnd(widths[column] ?? 0)
          : cell.padStart(widths[column] ?? 0),
      );
      return [...cells, index === 0 ? "models" : models[index - 1]].join("  ");
    })
    .join("\n");
}

/** The requests and answers of a turn's models, for people. */
export function turnAccount(summary: TurnSummary, records: readonly TraceRecord[]): string {
  const [first] = records;
  const calls = count(summary.calls, "model call");
  const end = summary.end === undefined ? "" : `, ended: ${summary.end}`;
  return [
    `Turn ${summary.turn} of ${first?.chat}: ${calls}, ${utc(summary.atMs)} UTC${end}`,
    ...records.map((record, index) => callAccount(record, records[index - 1]).join("\n")),
  ].join("\n\n");
}

function callAccount(record: TraceRecord, before: TraceRecord | undefined): string[] {
  const { call, purpose, model, tier, why, persona, attempts, diagnostics } = record;
  return [
    `Call ${call} (${purpose}): ${model}, tier ${tier}${persona === undefined ? "" : `, persona ${persona}`}${why === "" ? "" : `: ${why}`}`,
    `  time      ${timingOf(record)}`,
    `  tokens    ${tokensOf(record)}`,
    ...(attempts.length > 1
      ? attempts.map((attempt) => `  attempt   ${attempt.model}: ${attempt.failure ?? "answered"}`)
      : []),
    `  request   ${requestSize(record)}`,
    ...diagnostics.map((diagnostic) => `  view      ${diagnostic}`),
    ...leftOutLines(record),
    ...messageLines(record, before),
    ...responseLines(record),
  ];
}

function timingOf(record: TraceRecord): string {
  const { totalMs, firstTokenMs } = record.timing;
  const first =
    firstTokenMs === undefined
      ? "nothing came"
      : `the first words after ${number(firstTokenMs)} ms`;
  return `${utc(askedAtMs(record))} UTC, ${number(totalMs)} ms, ${first}`;
}

function tokensOf(record: TraceRecord): string {
  const { inputTokens, outputTokens } = usageOf(record);
  return inputTokens + outputTokens === 0
    ? "not reported"
    : `${number(inputTokens)} in, ${number(outputTokens)} out`;
}

function requestSize({ request }: TraceRecord): string {
  const { messages, tools, toolChoice, options } = request;
  const length = messages.reduce((sum, { text }) => sum + text.length, 0);
  return [
    count(messages.length, "message"),
    count(length, "character"),
    count(tools.length, "tool"),
    `tool choice ${toolChoice}`,
    ...Object.entries(options).map(([name, value]) => `${name} ${value}`),
  ].join(", ");
}

function leftOutLines({ leftOut = {} }: TraceRecord): string[] {
  return Object.entries(leftOut).map(
    ([name, amount]) => `  left out  ${number(amount)} of the ${name}`,
  );
}

/** The messages that the call before did not have; of many, the first and the newest. */
function messageLines(
  { request: { messages } }: TraceRecord,
  before: TraceRecord | undefined,
): string[] {
  const known = before?.request.messages ?? [];
  let same = 0;
  while (
    same < Math.min(messages.length, known.length) &&
    isDeepStrictEqual(messages[same], known[same])
  )
    same += 1;
  const lines = messages
    .map(messageLine)
    .map((line, index) => `  ${String(index + 1).padStart(7)}   ${line}`)
    .slice(same);
  const surplus = lines.length - shownMessages;
  const first = shownMessages / 4;
  return [
    ...(same > 0 ? [`            ${count(same, "message")} as before`] : []),
    ...(surplus > 0
      ? [
          ...lines.slice(0, first),
          `            ${count(surplus, "message")} not shown here`,
          ...lines.slice(first + surplus),
        ]
      : lines),
  ];
}

function messageLine(message: RequestMessage): string {
  const text = oneLine(message.text, messageLength);
  switch (message.role) {
    case "system":
      return `system: ${text}`;
    case "user": {
      const images = message.images?.length ?? 0;
      const seen = images > 0 ? ` (${count(images, "picture")})` : "";
      return `user${seen}: ${text}`;
    }
    case "assistant": {
      const calls = message.calls.map(
        (call) => ` → ${call.name} ${oneLine(call.arguments, messageLength)}`,
      );
      return `assistant: ${text}${calls.join("")}`;
    }
    case "tool":
      return `tool ${message.name}: ${text}`;
    default:
      return unreachable(message);
  }
}

function responseLines({ response }: TraceRecord): string[] {
  const { text, reasoning, calls, finish, failure } = response;
  const end =
    failure === undefined
      ? (finish ?? "cut off")
      : `failed, ${failure.kind}: ${oneLine(failure.message, answerLength)}`;
  return [
    `  answer    ${end}`,
    ...(reasoning === "" ? [] : block("thought", reasoning)),
    ...(text === "" ? [] : block("text", text)),
    ...calls.map((call) => `  call      ${call.name} ${oneLine(call.arguments, answerLength)}`),
  ];
}

function block(title: string, text: string): string[] {
  const cut = text.length > answerLength ? `${text.slice(0, answerLength).toWellFormed()} …` : text;
  return cut
    .split("\n")
    .map((line, index) => `  ${(index === 0 ? title : "").padEnd(10)}${line}`.trimEnd());
}

function oneLine(text: string, maxLength: number): string {
  // Cut first: the rest may be long.
  const line = text
    .slice(0, maxLength * 2)
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > maxLength || text.length > maxLength * 2
    ? `${line.slice(0, maxLength).toWellFormed()} …`
    : line;
}
