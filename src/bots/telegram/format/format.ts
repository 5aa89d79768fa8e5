import type { Chunk } from "../../../core/ports.ts";
import { Definitions } from "../../markdown/definitions.ts";
import { atOnce, type Steps } from "../../markdown/in-slices.ts";
import { cutPieces, isPlain } from "../../markdown/parse.ts";
import { writeBlocks } from "./blocks.ts";
import { cleanText, isInvisible } from "./clean-text.ts";
import { richChunk } from "./markup.ts";
import { RenderContext } from "./render-context.ts";
import { richBlocksOf } from "./rich.ts";
import { splitStyled } from "./split.ts";
import { StyledTextBuilder } from "./styled-text-builder.ts";
import type { StyledText } from "./styled-text.ts";

/**
 * The model's Markdown as messages for Telegram; none only if nothing of it is
 * visible.
 * @param note our own plain text below it.
 */
export function* formatSteps(markdown: string, note?: string): Steps<readonly Chunk[]> {
  const styled = yield* renderSteps(markdown, note);
  yield;
  return splitStyled(styled);
}

/** The same, where a finished answer that is one message is also there as Telegram's blocks. */
export function* formatRichSteps(markdown: string, note?: string): Steps<readonly Chunk[]> {
  const chunks = yield* formatSteps(markdown, note);
  yield;
  const [only, second] = chunks;
  if (only === undefined || second !== undefined) return chunks;
  const blocks = richBlocksOf(markdown, note);
  return blocks === undefined ? chunks : [richChunk(only, blocks)];
}

/** `formatSteps` at once, for short texts. */
export const formatMarkdown = (markdown: string, note?: string): readonly Chunk[] =>
  atOnce(formatSteps(markdown, note));

/** Words that are no Markdown, as messages. */
export const formatPlain = (text: string): readonly Chunk[] =>
  splitStyled({ text: cleanText(text), spans: [] });

/**
 * A whole Markdown document as Telegram shows it. Where nothing of it would show (`[]()`), its
 * source does.
 */
function* renderSteps(markdown: string, note?: string): Steps<StyledText> {
  const source = markdown.toWellFormed();
  const literal: StyledText = { text: cleanText(source), spans: [] };
  const words = source.trimEnd();
  if (note === undefined && words !== "" && isPlain(words))
    return { text: cleanText(words), spans: [] };
  const builder = new StyledTextBuilder();
  const pieces = yield* cutPieces(source, note);
  for (const { source: part, root } of pieces) {
    builder.breakLines(2);
    if (root === undefined) builder.write(part.trimEnd());
    else writeBlocks(root.children, new RenderContext(builder, new Definitions(root)), 2);
    yield;
  }
  const styled = builder.build();
  return isInvisible(styled.text) ? literal : styled;
}

export const renderMarkdown = (markdown: string): StyledText => atOnce(renderSteps(markdown));
