import { paint, type Line, type Row, type Span, type Style } from "./line.ts";
import { displayWidth, graphemesOf, graphemeWidth, isWiderThan } from "./width.ts";

interface Piece {
  readonly text: string;
  readonly styles: readonly Style[];
  readonly width: number;
  readonly isSpace: boolean;
}

const tab = "    ";
/** A word, or the white space between two. Of a longer run each part counts as a word. */
const runs = /\s{1,1024}|\S{1,1024}/gu;

/** Words and the white space between them; what is wider than a row comes in characters. */
function* piecesOf(spans: readonly Span[], width: number): Generator<Piece> {
  for (const { text, styles } of spans)
    for (const [run] of text.replaceAll("\t", tab).matchAll(runs)) {
      const isSpace = run.trim() === "";
      if (isWiderThan(run, width))
        for (const part of graphemesOf(run))
          yield { text: part, styles, width: graphemeWidth(part), isSpace };
      else yield { text: run, styles, width: displayWidth(run), isSpace };
    }
}

/**
 * Pieces of several spans that form one word, e.g. bold letters within it: they are kept together
 * where they fit.
 */
function* wordsOf(pieces: Iterable<Piece>, width: number): Generator<readonly Piece[]> {
  let word: Piece[] = [];
  let sum = 0;
  let units = 0;
  for (const piece of pieces) {
    const [first] = word;
    const isGlued =
      first !== undefined &&
      !piece.isSpace &&
      !first.isSpace &&
      sum + piece.width <= width &&
      units < maxWordUnits;
    if (!isGlued && first !== undefined) yield word;
    word = isGlued ? word : [];
    word.push(piece);
    sum = isGlued ? sum + piece.width : piece.width;
    units = isGlued ? units + piece.text.length : piece.text.length;
  }
  if (word.length > 0) yield word;
}

/** UTF-16 units: of pieces without a width any number would fit. */
const maxWordUnits = 1_024;

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
    width: displayWidth(prefix) + pieces.reduce((sum, each) => sum + each.width, 0),
    fleeting: false,
  };
}

/** Deep nesting leaves half of the row to the words. A prefix has no wide characters. */
const clip = (prefix: string, width: number): string => prefix.slice(0, Math.floor(width / 2));

/**
 * A line as rows of at most `width` columns: broken at white space, inside a word only where it
 * fills a row. Gives undefined in between, so that no step takes long.
 */
export function* wrapLine(
  line: Line,
  options: { readonly width: number; readonly color: boolean },
): Generator<Row | undefined> {
  const first = clip(line.first, options.width);
  const rest = clip(line.rest, options.width);
  const room = options.width - Math.max(displayWidth(first), displayWidth(rest));
  let prefix = first;
  let row: Piece[] = [];
  let used = 0;
  for (const word of wordsOf(piecesOf(line.spans, room), room)) {
    const width = word.reduce((sum, each) => sum + each.width, 0);
    const isSpace = word[0]?.isSpace ?? false;
    if (used + width > room && row.length > 0) {
      while (row.at(-1)?.isSpace) row.pop();
      yield rowOf(prefix, row, options.color);
      prefix = rest;
      row = [];
      used = 0;
      if (isSpace) continue;
    }
    row.push(...word);
    used += width;
    yield undefined;
  }
  yield rowOf(prefix, row, options.color);
}
