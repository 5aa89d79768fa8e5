import { isBlank } from "../../../text/blank.ts";
import type { Chunk } from "../../../core/ports.ts";
import { atOnce, type Steps } from "../../markdown/in-slices.ts";
import { cutPieces, isPlain } from "../../markdown/parse.ts";
import { writeDocument } from "./blocks.ts";
import { maxContentUnits, sendable } from "./limits.ts";
import { pack } from "./pack.ts";
import { plainBlock } from "./plain.ts";
import { Writer } from "./writer.ts";

/**
 * The model's Markdown in Discord's dialect. Missing features are replaced
 * (wide tables, deep headings, references); unparsable text is shown as
 * written, and nothing is sent if nothing is visible (50006). Mentions stay
 * text: `allowed_mentions` prevents pings.
 * @param note our own plain text below it.
 */
export function* renderSteps(markdown: string, note?: string): Steps<readonly Chunk[]> {
  const source = sendable(markdown).replaceAll(/\r\n?/g, "\n");
  const trimmed = source.trim();
  if (isBlank(trimmed) && note === undefined) return [];
  const fits = trimmed.length <= maxContentUnits;
  if (note === undefined && fits && isPlain(source.trimEnd())) return [{ text: trimmed }];
  const writer = new Writer();
  const pieces = yield* cutPieces(source, note);
  for (const { source: part, root } of pieces) {
    writer.breakLines(2);
    if (root === undefined) writer.literal(part);
    else writeDocument(root, { writer });
    yield;
  }
  yield;
  const chunks = pack(writer.build());
  return chunks.length > 0 ? chunks : pack([plainBlock(trimmed)]);
}

export const render = (markdown: string, note?: string): readonly Chunk[] =>
  atOnce(renderSteps(markdown, note));
