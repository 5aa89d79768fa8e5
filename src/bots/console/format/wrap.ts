import { paint, type Line, type Row, type Span, type Style } from "./line.ts";
import { displayWidth, graphemesOf } from "./width.ts";

interface Piece {
  readonly text: string;
  readonly styles: readonly Style[];
  readonly width: number;
  readonly isSpace: boolean;
}

const tab = "    ";

/** Words and the white space between them; what is wider than a row comes in characters. */
function piecesOf(span: Span, width: number): Piece[] {
  const texts = span.text
    .replaceAll("\t", tab)
    .split(/(\s+)/u)
    .flatMap((word) =>
      displayWidth(word) > width ? graphemesOf(word) : [word],
    );
  return texts
    .filter((text) => text !== "")
    .map((text) => ({
      text,
      styles: span.styles,
      width: displayWidth(text),
      isSpace: text.trim() === "",
    }));
}

/** Pieces of several spans that form one word, e.g. bold letters within it: they are kept together where they fit. */
function wordsOf(pieces: readonly Piece[], width: number): Piece[][] {
  const words: Piece[][] = [];
  let sum = 0;
  for (const piece of pieces) {
    const word = words.at(-1);
    const glued =
      word !== undefined &&
      !piece.isSpace &&
      !word[0]?.isSpace &&
      sum + piece.width <= width;
    if (glued) word.push(piece);
    else words.push([piece]);
    sum = glued ? sum + piece.width : piece.width;
  }
  return words;
}

function rowOf(prefix: string, pieces: readonly Piece[], color: boolean): Row {
  const spans: { text: string; styles: readonly Style[] }[] = [];
  for (const piece of pieces) {
    const last = spans.at(-1);
    if (last?.styles === piece.styles) last.text += piece.text;
    else spans.push({ text: piece.text, styles: piece.styles });
  }
  return {
    text:
      paint({ text: prefix, styles: ["dim"] }, color) +
      spans.map((span) => paint(span, color)).join(""),
    width:
      displayWidth(prefix) + pieces.reduce((sum, each) => sum + each.width, 0),
    fleeting: false,
  };
}

/** Deep nesting leaves half of the row to the words. A prefix has no wide characters. */
const clip = (prefix: string, width: number): string =>
  prefix.slice(0, Math.floor(width / 2));

/** A line as rows of at most `width` columns: broken at white space, inside a word only where it fills a row. */
export function wrapLine(
  line: Line,
  options: { readonly width: number; readonly color: boolean },
): Row[] {
  const first = clip(line.first, options.width);
  const rest = clip(line.rest, options.width);
  const room =
    options.width - Math.max(displayWidth(first), displayWidth(rest));
  const pieces = line.spans.flatMap((span) => piecesOf(span, room));
  const rows: Piece[][] = [];
  let row: Piece[] = [];
  let used = 0;
  for (const word of wordsOf(pieces, room)) {
    const width = word.reduce((sum, each) => sum + each.width, 0);
    const isSpace = word[0]?.isSpace ?? false;
    if (used + width > room && row.length > 0) {
      while (row.at(-1)?.isSpace) row.pop();
      rows.push(row);
      row = [];
      used = 0;
      if (isSpace) continue;
    }
    row.push(...word);
    used += width;
  }
  rows.push(row);
  return rows.map((pieces, index) =>
    rowOf(index === 0 ? first : rest, pieces, options.color),
  );
}
