import type { Chunk } from "../../../core/ports.ts";
import { atOnce, type Steps } from "../../markdown/in-slices.ts";
import { linesOf, type Line, type Row } from "./line.ts";
import { markdownPieces } from "./markdown-lines.ts";
import { wrapLine } from "./wrap.ts";

/** How a draft shows a tool at work, e.g. `⚙ current_time {"zone":"Asia/Tokyo"} ✓`. */
const progress = /^\s*[⚙🔧🛠]/u;

export interface RowOptions {
  /** Columns. */
  readonly width: number;
  readonly color: boolean;
}

/**
 * Marks a chunk as the model's words, which may be marked up; what has no such mark is shown as it
 * is.
 */
export const markdownMarkup = "markdown";
/** Marks words that are less important than others. */
export const dimMarkup = "dim";

/** Adds the lines' rows to `rows`. */
function* wrapAll(lines: Iterable<Line>, options: RowOptions, rows: Row[]): Steps<void> {
  for (const line of lines)
    for (const row of wrapLine(line, options)) {
      if (row !== undefined) rows.push(row);
      yield;
    }
}

function* addWords(text: string, chunk: Chunk, options: RowOptions, rows: Row[]): Steps<void> {
  const pieces =
    chunk.markup === markdownMarkup
      ? markdownPieces(text, options.width)
      : [linesOf(text.replace(/^\n+/, "").trimEnd(), chunk.markup === dimMarkup ? ["dim"] : [])];
  for (const lines of pieces) {
    yield;
    if (lines !== undefined) yield* wrapAll(lines, options, rows);
  }
}

/** A finished message as rows of the screen. */
export function* rowSteps(chunk: Chunk, options: RowOptions): Steps<Row[]> {
  const rows: Row[] = [];
  yield* addWords(chunk.text, chunk, options, rows);
  return rows;
}

export const rowsOf = (chunk: Chunk, options: RowOptions): Row[] =>
  atOnce(rowSteps(chunk, options));

/** Words of the console's own, not of a message. */
export function* dimSteps(text: string, options: RowOptions): Steps<Row[]> {
  const rows: Row[] = [];
  yield* wrapAll(linesOf(text, ["dim"]).map(hanging), options, rows);
  return rows;
}

/** Further rows of a line are as far in as its first word. */
function hanging(line: Line): Line {
  const [span, ...spans] = line.spans;
  if (span === undefined) return line;
  const [first = ""] = /^(?:> )?\s*/.exec(span.text) ?? [];
  return {
    spans: [{ ...span, text: span.text.slice(first.length) }, ...spans],
    first,
    rest: " ".repeat(first.length),
  };
}

const fleetingBlank: Row = { text: "", width: 0, fleeting: true };

/**
 * A growing message as rows: lines of progress are dim and fleeting, the words between them are as
 * they will stay.
 */
export function* draftSteps(chunk: Chunk, options: RowOptions): Steps<Row[]> {
  const rows: Row[] = [];
  let words: string[] = [];
  function* flush(): Steps<void> {
    const text = words.join("\n");
    words = [];
    if (text.trim() === "") return;
    if (rows.length > 0) rows.push(fleetingBlank);
    yield* addWords(text, chunk, options, rows);
  }
  for (const line of chunk.text.split("\n")) {
    if (!progress.test(line)) {
      words.push(line);
      continue;
    }
    yield* flush();
    for (const row of yield* dimSteps(line, options)) rows.push({ ...row, fleeting: true });
  }
  yield* flush();
  return rows;
}

export const draftRows = (chunk: Chunk, options: RowOptions): Row[] =>
  atOnce(draftSteps(chunk, options));
