import type { InboundForm } from "../../../core/inbound.ts";

export interface EditFormDeps {
  /** Asks for a field, with its value to change. */
  readonly show: (label: string, value: string) => void;
  /** The filled-in fields; undefined: nothing has changed. Called once. */
  readonly done: (filled: Readonly<Record<string, string>> | undefined) => void;
}

/** Stands for a line end, in a line. */
const lineEnd = "⏎";

const inLine = (value: string): string => value.replaceAll(/\r?\n/g, lineEnd);

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
    const isSame = line === inLine(field.value);
    this.#filled[field.id] = isSame ? field.value : line.replaceAll(lineEnd, "\n");
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
