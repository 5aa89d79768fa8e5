import type { Row } from "../format/line.ts";

/**
 * The screen lines of a growing message. The cursor is in the first column, below the last live
 * row. A row is `live` while it can be repainted; one that may have left the top of the screen is
 * `frozen` for ever.
 */
export interface Region {
  readonly frozen: readonly Row[];
  readonly live: readonly Row[];
}

export const emptyRegion: Region = { frozen: [], live: [] };

export interface ScreenSize {
  /** Columns now; rows may have been written for another width. */
  readonly width: number;
  /** Rows that a repaint can reach, i.e. those of the screen without the prompt's. */
  readonly reach: number;
}

export interface Painted {
  /** The sequences for the terminal. */
  readonly output: string;
  readonly region: Region;
}

/** A narrower window has folded rows that were written for a wider one. */
const heightOf = (rows: readonly Row[], width: number): number =>
  rows.reduce((sum, row) => sum + Math.max(1, Math.ceil(row.width / width)), 0);

const write = (rows: readonly Row[]): string => rows.map((row) => `${row.text}\n`).join("");

/** Moves up, and clears from there to the end of the screen. */
export const eraseUp = (rows: number): string => `${rows > 0 ? `\u001b[${rows}A` : ""}\r\u001b[J`;

const isSame = (a: Row | undefined, b: Row | undefined): boolean =>
  a !== undefined && b !== undefined && a.text === b.text;

function freeze(region: Region, { width, reach }: ScreenSize): Region {
  let height = heightOf(region.live, width);
  let count = 0;
  for (const row of region.live) {
    if (height <= reach) break;
    height -= heightOf([row], width);
    count += 1;
  }
  return {
    frozen: [...region.frozen, ...region.live.slice(0, count)],
    live: region.live.slice(count),
  };
}

/**
 * The rows that follow the frozen ones, progress left out of the comparison; undefined when they do
 * not begin so.
 */
function afterFrozen(frozen: readonly Row[], next: readonly Row[]): readonly Row[] | undefined {
  const lastSolid = frozen.findLastIndex((row) => !row.fleeting);
  const solid = frozen.filter((row) => !row.fleeting);
  const shown = next.flatMap((row, index) => (row.fleeting ? [] : [index]));
  const begins = solid.every((row, at) => isSame(row, next[shown[at] ?? -1]));
  if (!begins) return undefined;
  const rest = next.slice((shown[solid.length - 1] ?? -1) + 1);
  const progressShown = frozen.length - 1 - lastSolid;
  const progressNext = rest.findIndex((row) => !row.fleeting);
  return rest.slice(Math.min(progressShown, progressNext < 0 ? rest.length : progressNext));
}

/** Turns the live rows into `rows`, writing from the first one that differs. */
function replace(live: readonly Row[], rows: readonly Row[], width: number): string {
  let same = 0;
  while (isSame(live[same], rows[same])) same += 1;
  if (same === live.length && same === rows.length) return "";
  return eraseUp(heightOf(live.slice(same), width)) + write(rows.slice(same));
}

/** The message has grown or changed, and will again. What scrolled away stays as it was. */
export function repaint(region: Region, next: readonly Row[], size: ScreenSize): Painted {
  const { frozen, live } = freeze(region, size);
  const rows = afterFrozen(frozen, next) ?? next.slice(frozen.length);
  return {
    output: replace(live, rows, size.width),
    region: freeze({ frozen, live: rows }, size),
  };
}

/**
 * The final text. If the lines that scrolled away are not its beginning, all of it is written
 * again.
 */
export function settle(region: Region, final: readonly Row[], size: ScreenSize): Painted {
  const { frozen, live } = freeze(region, size);
  const rows = afterFrozen(frozen, final) ?? final;
  return { output: replace(live, rows, size.width), region: emptyRegion };
}

/**
 * Writes rows above the live ones. `below` is the number of screen rows that something else (a line
 * that was entered) has put below them, which are cleared too.
 */
export function insertAbove(
  region: Region,
  rows: readonly Row[],
  size: ScreenSize & { readonly below?: number },
): Painted {
  const { frozen, live } = freeze(region, size);
  const erase = heightOf(live, size.width) + (size.below ?? 0);
  return {
    output: eraseUp(erase) + write([...rows, ...live]),
    region: { frozen, live },
  };
}
