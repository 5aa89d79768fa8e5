/**
 * What it costs to parse a part of a document, estimated before it is parsed: micromark's time
 * grows with the square of some structures. Microseconds on a slow core, measured with micromark 4;
 * an estimate may be too high, not too low.
 */
export interface Cost {
  readonly units: number;
  /** The constant part. Microseconds. */
  readonly ownUs: number;
  /** Each of these goes over every unit of the document again. Microseconds per unit. */
  readonly perUnitUs: number;
}

export const noCost: Cost = { units: 0, ownUs: 0, perUnitUs: 0 };

export const sumOf = (one: Cost, other: Cost): Cost => ({
  units: one.units + other.units,
  ownUs: one.ownUs + other.ownUs,
  perUnitUs: one.perUnitUs + other.perUnitUs,
});

export const totalUs = ({ units, ownUs, perUnitUs }: Cost): number => ownUs + perUnitUs * units;

const unitUs = 0.6;
const lineUs = 20;
const blockUs = 40;
const specialUs = 2;
/**
 * Of one mark and one unit of the same paragraph: the parser looks for the mark's partner in all of
 * it.
 */
const markUs = 0.009;
/**
 * Of one list, quote or footnote and one unit of the document: all of it is copied when the
 * container ends.
 */
const containerUs = 0.012;
/**
 * Of one underlined heading and one unit of the document. Higher than measured (0.035): smaller
 * pieces cost less in all.
 */
const underlineUs = 0.1;

/** Brackets, emphasis, unfinished HTML, and what an address may end with. */
const marks = /[\])&]|<[!?]|\*+|_+|~+/g;
const specials = /[\\[\]!&|<>$(:@`*_~#]/g;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Runs of backticks look for one of the same length in the rest of the paragraph. */
const backtickLengths = (text: string): number =>
  new Set(text.match(/`+/g)?.map((run) => run.length)).size;

/** The cost of words that may all be one paragraph. */
export function costOfWords(text: string, lines: number): Cost {
  const searches = count(text, marks) + backtickLengths(text);
  return {
    units: text.length,
    ownUs:
      text.length * unitUs +
      blockUs +
      lines * lineUs +
      count(text, specials) * specialUs +
      searches * text.length * markUs,
    perUnitUs: 0,
  };
}

/** The cost of lines in which nothing is looked for, e.g. a block of code. */
export const costOfCode = (text: string): Cost => ({
  units: text.length,
  ownUs: text.length * 0.2,
  perUnitUs: 0,
});

/** The cost that a line adds to the rest of its document by what it begins or ends. */
export const costOfStructure = (containers: number, isHeading: boolean): Cost => ({
  units: 0,
  ownUs: containers * blockUs,
  perUnitUs: containers * containerUs + (isHeading ? underlineUs : 0),
});
