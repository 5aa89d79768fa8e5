import type { Chunk } from "../../../core/ports.ts";
import { linesOf, type Line, type Row } from "./line.ts";
import { markdownLines } from "./markdown-lines.ts";
import { wrapLine } from "./wrap.ts";

/** How a draft shows a tool at work, e.g. `⚙ current_time {"zone":"Asia/Tokyo"} ✓`. */
const progress = /^\s*[⚙🔧🛠]/u;

export interface RowOptions {
  /** Columns. */
  readonly width: number;
  readonly color: boolean;
}

/** Marks a chunk as the model's words, which may be marked up; what has no such mark is shown as it is. */
export const markdownMarkup = "markdown";

const wrapAll = (lines: readonly Line[], options: RowOptions): Row[] =>
  lines.flatMap((line) => wrapLine(line, options));

function wordRows(text: string, chunk: Chunk, options: RowOptions): Row[] {
  const isMarkdown = options.color && chunk.markup === markdownMarkup;
  return wrapAll(
    isMarkdown
      ? markdownLines(text, options.width)
      : linesOf(text.replace(/^\n+|\s+$/g, "")),
    options,
  );
}

/** A finished message as rows of the screen. */
export function rowsOf(chunk: Chunk, options: RowOptions): Row[] {
  return wordRows(chunk.text, chunk, options);
}

/** Words of the console's own, not of a message. */
export function dimRows(text: string, options: RowOptions): Row[] {
  return wrapAll(linesOf(text, ["dim"]), options);
}

const fleetingBlank: Row = { text: "", width: 0, fleeting: true };

/** A growing message as rows: lines of progress are dim and fleeting, the words between them are as they will stay. */
export function draftRows(chunk: Chunk, options: RowOptions): Row[] {
  const rows: Row[] = [];
  let words: string[] = [];
  const flush = () => {
    const text = words.join("\n");
    if (text.trim() !== "" && rows.length > 0) rows.push(fleetingBlank);
    if (text.trim() !== "") rows.push(...wordRows(text, chunk, options));
    words = [];
  };
  for (const line of chunk.text.split("\n")) {
    if (!progress.test(line)) {
      words.push(line);
      continue;
    }
    flush();
    const wrapped = dimRows(line, options);
    rows.push(...wrapped.map((row) => ({ ...row, fleeting: true })));
  }
  flush();
  return rows;
}
