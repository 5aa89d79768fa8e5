import { isBlank } from "../../../core/blank.ts";
import type { Chunk } from "../../../core/ports.ts";
import { isPlain, parseMarkdown } from "../../markdown/parse.ts";
import { blocksOf } from "./blocks.ts";
import { escaped } from "./escape.ts";
import { maxContentUnits, sendable } from "./limits.ts";
import { pack } from "./pack.ts";

/**
 * The model's Markdown in Discord's dialect. What that dialect lacks is put differently (tables, deep headings, references);
 * what cannot be parsed is shown as it was written, and nothing where nothing can be seen (50006). Mentions stay text: `allowed_mentions` sees to it that they ping nobody.
 */
export function render(markdown: string): readonly Chunk[] {
  const source = sendable(markdown).replaceAll(/\r\n?/g, "\n");
  const trimmed = source.trim();
  if (isBlank(trimmed)) return [];
  if (trimmed.length <= maxContentUnits && isPlain(source.trimEnd()))
    return [{ text: trimmed }];
  const root = parseMarkdown(source);
  const chunks = root ? pack(blocksOf(source, root)) : [];
  return chunks.length > 0
    ? chunks
    : pack([{ type: "text", text: escaped(trimmed) }]);
}
