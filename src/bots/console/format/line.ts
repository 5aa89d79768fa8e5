export type Style = "bold" | "italic" | "underline" | "strike" | "code" | "dim" | "link";

/** A piece of a line that looks the same throughout. */
export interface Span {
  readonly text: string;
  readonly styles: readonly Style[];
}

/**
 * One line before wrapping: `first` stands before its first row, `rest` before the others. No span
 * has a newline.
 */
export interface Line {
  readonly spans: readonly Span[];
  readonly first: string;
  readonly rest: string;
}

/** One row of the screen as it is written, escape sequences included, without a line end. */
export interface Row {
  readonly text: string;
  /** Columns. */
  readonly width: number;
  /** A row of progress, which the final answer does not have. */
  readonly fleeting: boolean;
}

/** SGR codes that switch a style on and off again. */
const codes: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  italic: [3, 23],
  underline: [4, 24],
  strike: [9, 29],
  code: [36, 39],
  dim: [2, 22],
  link: [4, 24],
};

export function paint(span: Span, color: boolean): string {
  if (!color || span.text === "") return span.text;
  const on = span.styles.map((style) => `\u001b[${codes[style][0]}m`);
  const off = span.styles.map((style) => `\u001b[${codes[style][1]}m`);
  return on.join("") + span.text + off.toReversed().join("");
}

/** One unstyled line for each line of the text. */
export function linesOf(text: string, styles: readonly Style[] = []): Line[] {
  return text.split("\n").map((each) => ({
    spans: [{ text: each, styles }],
    first: "",
    rest: "",
  }));
}
