/** Text that comes in pieces, as lines. They end with LF, CRLF or CR. Linear in the text. */
export class LineSplitter {
  /** The beginning of a line, as it came. */
  #held: string[] = [];
  /** Whether the last line ended with a CR, whose LF may follow. */
  #afterReturn = false;

  push(piece: string): string[] {
    const text = this.#afterReturn && piece.startsWith("\n") ? piece.slice(1) : piece;
    if (piece !== "") this.#afterReturn = piece.endsWith("\r");
    const lines = text.includes("\r") ? text.split(/\r\n|\r|\n/) : text.split("\n");
    this.#held.push(lines[0] ?? "");
    const rest = lines.pop() ?? "";
    if (lines.length === 0) return [];
    lines[0] = this.#held.join("");
    this.#held = [rest];
    return lines;
  }

  /** What follows the last line. */
  flush(): string {
    return this.#held.join("");
  }
}

/** What a server says behind its last event. */
export const endMark = "[DONE]";

/**
 * The data of server-sent events. An event ends with an empty line, the end mark with its own line
 * or with the stream: some servers close right behind it. An event that is cut off is left out.
 */
export class EventSplitter {
  readonly #lines = new LineSplitter();
  #data: string | undefined;

  push(piece: string): string[] {
    const events: string[] = [];
    for (const line of this.#lines.push(piece)) this.#line(line, events);
    return events;
  }

  /** At the end of the stream. */
  flush(): string[] {
    const events: string[] = [];
    this.#line(this.#lines.flush(), events);
    return events.filter((event) => event === endMark);
  }

  #line(line: string, events: string[]): void {
    if (line === "") {
      if (this.#data !== undefined) events.push(this.#data);
      this.#data = undefined;
      return;
    }
    if (!line.startsWith("data:")) return;
    const value = line.slice(line.startsWith(" ", 5) ? 6 : 5);
    if (value === endMark) events.push(value);
    else this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
  }
}
