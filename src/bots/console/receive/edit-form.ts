import type { InboundForm } from "../../../core/inbound.ts";

export interface EditFormDeps {
  /** Asks for a field, with its value to change. */
  readonly show: (label: string, value: string) => void;
  /** The filled-in fields; undefined: nothing has changed. Called once. */
  readonly done: (filled: Readonly<Record<string, string>> | undefined) => void;
}

/** Shown in a line in place of a line end. */
const lineEnd = "⏎";
/**
 * At the other line ends readline would enter the line; the rest would be read as signs of ours:
 * a line end, the mark of a paste, a code.
 */
const coded = /[\r\u2028\u2029⏎]|\[(?=paste )|<(?=U\+(?:000D|2028|2029|23CE|005B|003C)>)/g;
const codes = /<U\+(000D|2028|2029|23CE|005B|003C)>/g;

/** Without line ends, so that `fromLine` gives the same value again. Pure. */
const inLine = (value: string): string =>
  value
    .replaceAll(coded, (character) => {
      const code = character.charCodeAt(0).toString(16).toUpperCase();
      return `<U+${code.padStart(4, "0")}>`;
    })
    .replaceAll("\n", lineEnd);

const fromLine = (line: string): string =>
  line
    .replaceAll(lineEnd, "\n")
    .replaceAll(codes, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** A form of which each field is a line to change. `asking → done`, by the last field or `cancel`. */
export class EditForm {
  readonly #form: InboundForm;
  readonly #deps: EditFormDeps;
  readonly #filled: Record<string, string> = {};
  #at = 0;

  constructor(form: InboundForm, deps: EditFormDeps) {
    this.#form = form;
    this.#deps = deps;
  }

  start(): void {
    const field = this.#form.fields[this.#at];
    if (field) this.#deps.show(`${field.label}:`, inLine(field.value));
    else this.#end();
  }

  enter(line: string): void {
    const field = this.#form.fields[this.#at];
    if (!field) return;
    this.#filled[field.id] = fromLine(line);
    this.#at += 1;
    this.start();
  }

  cancel(): void {
    this.#deps.done(undefined);
  }

  #end(): void {
    const { fields } = this.#form;
    const isChanged = fields.some(({ id, value }) => this.#filled[id] !== value);
    this.#deps.done(isChanged ? this.#filled : undefined);
  }
}
