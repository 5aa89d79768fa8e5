import type { Chunk } from "../../../core/ports.ts";
import type { Locale } from "../../../locales/locale.ts";
import { markdownMarkup, rowsOf } from "./rows.ts";
import { sanitize } from "./sanitize.ts";

/** What a terminal begins with. */
export interface Header {
  readonly version: string;
  /** `provider/model`; undefined: the demo. */
  readonly model: string | undefined;
  /** Where the conversation, the log and files are kept. */
  readonly folder: string;
}

/** Something said before. */
export interface Remark {
  readonly by: "person" | "bot";
  readonly text: string;
}

/** Characters of a remark. */
const maxRemarkLength = 160;

const escaped = (text: string): string => text.replaceAll(/[\\`*_[\]<>#|~&]/g, "\\$&");

/** Pure. */
export function headerChunk({ version, model, folder }: Header, words: Locale["console"]): Chunk {
  const parts = [model ?? words.demoModel, folder].map((part) => escaped(part));
  const text = `**Parley ${version}** · ${parts.join(" · ")}\n${words.hints}`;
  return { text: sanitize(text), markup: markdownMarkup };
}

/** What a model has said, without its markup: enough of it for a remark. */
const shownText = (markdown: string): string =>
  rowsOf(
    { text: markdown.slice(0, 4 * maxRemarkLength).toWellFormed(), markup: markdownMarkup },
    { width: 4 * maxRemarkLength, color: false },
  )
    .map((row) => row.text)
    .join(" ");

/** The remarks, one line each. Pure. */
export function recapLines(remarks: readonly Remark[], words: Locale["console"]): string {
  if (remarks.length === 0) return "";
  const lines = remarks.map(({ by, text }) => {
    const said = by === "bot" ? shownText(sanitize(text)) : sanitize(text);
    const line = said.replaceAll(/\s+/g, " ").trim();
    const cut =
      line.length > maxRemarkLength ? `${line.slice(0, maxRemarkLength).toWellFormed()}…` : line;
    return by === "person" ? `> ${cut}` : `  ${cut}`;
  });
  return [words.earlier, ...lines].join("\n");
}
