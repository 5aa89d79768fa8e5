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

/** A server-sent event. */
export interface ServerEvent {
  readonly data: string;
  /** Its name is `error`, whatever its data looks like. */
  readonly isError: boolean;
}

/**
 * Server-sent events. An event ends with an empty line, the end mark with its own line. Some
 * servers close right behind their last event: at the end of the stream, one that is whole counts.
 */
export class EventSplitter {
  readonly #lines = new LineSplitter();
  #data: string | undefined;
  #isError = false;

  push(piece: string): ServerEvent[] {
    const events: ServerEvent[] = [];
    for (const line of this.#lines.push(piece)) this.#line(line, events);
    return events;
  }

  /** At the end of the stream. */
  flush(): ServerEvent[] {
    const events: ServerEvent[] = [];
    this.#line(this.#lines.flush(), events);
    if (this.#isError || (this.#data !== undefined && isJson(this.#data))) this.#line("", events);
    return events;
  }

  #line(line: string, events: ServerEvent[]): void {
    if (line === "") {
      const isError = this.#isError;
      if (isError || this.#data !== undefined) events.push({ data: this.#data ?? "", isError });
      this.#data = undefined;
      this.#isError = false;
      return;
    }
    if (/^event: ?error$/.test(line)) this.#isError = true;
    if (!line.startsWith("data:")) return;
    const value = line.slice(line.startsWith(" ", 5) ? 6 : 5);
    if (value === endMark) events.push({ data: value, isError: false });
    else this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
