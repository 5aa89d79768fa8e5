import { cutBefore } from "./graphemes.ts";

export interface CutOptions {
  /** Where the piece begins. */
  readonly from: number;
  /** UTF-16 units that the piece may have. */
  readonly maxUnits: number;
  /** Places where a paragraph's end is no good place to cut, e.g. inside a block of code. */
  readonly isInside?: (index: number) => boolean;
}

/**
 * Where a piece ends that begins at `from`: at the last paragraph, else the last line, else the
 * last word that leaves it at least a quarter of its limit, else between two characters as people
 * see them. Always above `from`.
 */
export function findCut(text: string, options: CutOptions): number {
  const { from, maxUnits, isInside = () => false } = options;
  const end = from + maxUnits;
  if (text.length <= end) return text.length;
  const earliest = from + Math.max(1, Math.floor(maxUnits / 4));
  // Only what is looked at: a search in the whole of a long text would go back to its beginning.
  const window = text.slice(from, end + 2);
  for (
    let at = window.lastIndexOf("\n\n", maxUnits);
    from + at >= earliest;
    at = window.lastIndexOf("\n\n", at - 1)
  )
    if (!isInside(from + at)) return from + at;
  const line = from + window.lastIndexOf("\n", maxUnits);
  if (line >= earliest) return line;
  for (let at = end; at >= earliest; at -= 1) if (isSpace(text.charCodeAt(at))) return at;
  return cutBefore(text, end, from);
}

/** Spaces where a line may break: not the no-break ones. */
const isSpace = (unit: number): boolean =>
  unit === 0x20 ||
  unit === 0x09 ||
  unit === 0x3000 ||
  (unit >= 0x2000 && unit <= 0x200a && unit !== 0x2007);
