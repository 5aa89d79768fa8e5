import { visible } from "../../../text/visible-text.ts";
import { displayWidth } from "../format/width.ts";
import { inputRows } from "./input-rows.ts";
import { eraseUp, type ScreenSize } from "./repaint.ts";

/** The line being typed, as its editor has it. */
export interface TypedLine {
  readonly line: string;
  /** UTF-16 units before it. */
  readonly cursor: number;
}

/** What stands before the line. */
export interface Label {
  /** With its styles. */
  readonly text: string;
  /** Columns. */
  readonly width: number;
}

/** Spaces before all rows but the first. */
const indent = 2;
const minWidth = 4;
/** Joiners and selectors, of emoji and scripts: no terminal obeys them. */
const joining = "\u200c\u200d\ufe0e\ufe0f";

/** The line may hold what a model has written: nothing in it is obeyed, nor hidden. */
const shownOf = (line: string): string => visible(line.replaceAll(/\s/g, " "), joining);

/**
 * The line being typed, below everything else: `absent → drawn ⇄ erased → absent`. Writers erase it
 * before they write, and draw it after that.
 */
export class Prompt {
  #typed: TypedLine | undefined;
  #label: Label = { text: "", width: 0 };
  /** Rows below the line, e.g. what Tab offers. */
  #hint: readonly string[] = [];
  #drawn = { widths: [0], row: 0, column: 0 };

  attach(typed: TypedLine): void {
    this.#typed = typed;
  }

  set label(label: Label) {
    this.#label = label;
  }

  set hint(rows: readonly string[]) {
    this.#hint = rows;
  }

  /** Screen rows. */
  get height(): number {
    return this.#typed ? this.#drawn.widths.length : 0;
  }

  /** What leaves the line on the screen and puts the cursor below it. */
  detach(): string {
    const below = this.height - this.#drawn.row;
    this.#typed = undefined;
    return "\n".repeat(below);
  }

  /** Removes it from the screen, where a narrower window may have folded its rows. */
  erase(width: number): string {
    if (!this.#typed) return "";
    const { widths, row, column } = this.#drawn;
    const above = widths
      .slice(0, row)
      .reduce((sum, each) => sum + Math.max(1, Math.ceil(each / width)), 0);
    return eraseUp(above + Math.floor(column / width));
  }

  /** The screen has been cleared. */
  forget(): void {
    this.#drawn = { widths: [0], row: 0, column: 0 };
  }

  draw(size: Pick<ScreenSize, "width"> & { readonly height: number }): string {
    if (!this.#typed) return "";
    const { line, cursor } = this.#typed;
    const shown = this.#rows(line, cursor, size.width);
    // Of a line that is longer than the screen, the part around its cursor.
    const most = Math.max(1, size.height - 1 - this.#hint.length);
    const from = Math.max(0, Math.min(shown.row - most + 1, shown.rows.length - most));
    const rows = [...shown.rows.slice(from, from + most), ...this.#hint];
    const widths = [...shown.widths.slice(from, from + most), ...this.#hint.map(displayWidth)];
    const row = shown.row - from;
    this.#drawn = { widths, row, column: shown.column };
    const up = rows.length - 1 - row;
    return [
      rows.join("\n"),
      up > 0 ? `\u001b[${up}A` : "",
      "\r",
      shown.column > 0 ? `\u001b[${shown.column}C` : "",
    ].join("");
  }

  /** A line that was entered, as it stays. */
  entered(line: string, width: number): readonly { text: string; width: number }[] {
    const { rows, widths } = this.#rows(line, 0, width);
    return rows.map((text, at) => ({ text, width: widths[at] ?? 0 }));
  }

  /** The label and the line share a width, from which one column stays free for the cursor. */
  #rows(line: string, cursor: number, width: number) {
    const { text, width: labelWidth } = this.#label;
    // The label's columns are as many spaces of the first row.
    const isWide = labelWidth > width / 2;
    const room = Math.max(minWidth, width - 1 - indent);
    const pad = isWide ? 0 : labelWidth - indent;
    const filler = "\u00a0".repeat(Math.max(0, pad));
    const before = filler + shownOf(line.slice(0, cursor));
    const laid = inputRows(filler + shownOf(line), before.length, room);
    const rows = laid.rows.map((each, at) =>
      at === 0 && !isWide ? text + each.slice(filler.length) : " ".repeat(indent) + each,
    );
    const above = isWide ? [text] : [];
    return {
      rows: [...above, ...rows],
      widths: [...above.map(() => labelWidth), ...laid.widths.map((each) => each + indent)],
      row: laid.row + above.length,
      column: laid.column + indent,
    };
  }
}
