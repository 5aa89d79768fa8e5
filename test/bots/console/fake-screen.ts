/**
 * A terminal as far as the console uses one: text, line ends, and the cursor's moves up, right and
 * to the left edge.
 */
export class FakeScreen {
  readonly #width: number;
  readonly #height: number;
  /** Every row ever written, the oldest first. */
  readonly rows: string[] = [""];
  /** The first row of the screen: those above have scrolled away. */
  #top = 0;
  #row = 0;
  #column = 0;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
  }

  /** What a person who scrolls up sees, without empty rows at the end. */
  get text(): string {
    return this.rows
      .map((row) => row.trimEnd())
      .join("\n")
      .trimEnd();
  }

  write(output: string): void {
    // oxlint-disable-next-line no-control-regex -- those are what is looked for
    const parts = output.match(/\u001b\[\??[0-9;]*[A-Za-z]|[^]/gu) ?? [];
    for (const part of parts) {
      if (part.startsWith("\u001b")) this.#obey(part);
      else if (part === "\n") this.#down();
      else if (part === "\r") this.#column = 0;
      else this.#put(part);
    }
  }

  #obey(sequence: string): void {
    const count = Number.parseInt(sequence.slice(2), 10) || 1;
    switch (sequence.at(-1)) {
      case "A":
        this.#row = Math.max(this.#top, this.#row - count);
        return;
      case "C":
        this.#column += count;
        return;
      case "G":
        this.#column = count - 1;
        return;
      case "J":
        this.rows.splice(this.#row + 1);
        this.rows[this.#row] = this.#current.slice(0, this.#column);
        return;
      case "m":
      case "h":
      case "l":
        return;
      default:
        throw new Error(`the screen does not know ${JSON.stringify(sequence)}`);
    }
  }

  get #current(): string {
    return this.rows[this.#row] ?? "";
  }

  #down(): void {
    this.#row += 1;
    this.#column = 0;
    if (this.#row === this.rows.length) this.rows.push("");
    this.#top = Math.max(this.#top, this.#row - this.#height + 1);
  }

  #put(character: string): void {
    if (this.#column >= this.#width) this.#down();
    const row = this.#current.padEnd(this.#column);
    this.rows[this.#row] = row.slice(0, this.#column) + character + row.slice(this.#column + 1);
    this.#column += 1;
  }
}
