import type { Chunk } from "../../../core/ports.ts";
import { Definitions } from "../../markdown/definitions.ts";
import { isPlain, parsePieces } from "../../markdown/parse.ts";
import { writeBlocks } from "./blocks.ts";
import { cleanText, isInvisible } from "./clean-text.ts";
import { richChunk } from "./markup.ts";
import { RenderContext } from "./render-context.ts";
import { richBlocksOf } from "./rich.ts";
import { splitStyled } from "./split.ts";
import { StyledTextBuilder } from "./styled-text-builder.ts";
import type { StyledText } from "./styled-text.ts";

/**
 * The model's Markdown as messages for Telegram; none only where nothing of it can be seen.
 * @param note plain text of ours below it.
 */
export const formatMarkdown = (
  markdown: string,
  note?: string,
): readonly Chunk[] => splitStyled(renderMarkdown(markdown, note));

/** The same, where a finished answer that is one message is also there as Telegram's blocks. */
export function formatRich(markdown: string, note?: string): readonly Chunk[] {
  const chunks = formatMarkdown(markdown, note);
  const [only, second] = chunks;
  if (only === undefined || second !== undefined) return chunks;
  const blocks = richBlocksOf(markdown, note);
  return blocks === undefined ? chunks : [richChunk(only, blocks)];
}

/** Words that are no Markdown, as messages. */
export const formatPlain = (text: string): readonly Chunk[] =>
  splitStyled({ text: cleanText(text), spans: [] });

/** A whole Markdown document as Telegram shows it. Where nothing of it would show (`[]()`), its source does. */
export function renderMarkdown(markdown: string, note?: string): StyledText {
  const source = markdown.toWellFormed();
  const literal: StyledText = { text: cleanText(source), spans: [] };
  if (note === undefined && isPlain(source)) return literal;
  const builder = new StyledTextBuilder();
  for (const { source: part, root } of parsePieces(source, note)) {
    builder.breakLines(2);
    if (root === undefined) builder.write(part.trimEnd());
    else
      writeBlocks(
        root.children,
        new RenderContext(builder, new Definitions(root)),
        2,
      );
  }
  const styled = builder.build();
  return isInvisible(styled.text) ? literal : styled;
}
