import { createInterface, type Interface, type Key } from "node:readline";
import { Writable } from "node:stream";
import { graphemesOf } from "../format/width.ts";
import type { TypingDisplay } from "../send/display.ts";
import type { Output } from "../send/output.ts";
import { bracketedPaste, PasteFilter, type KeyFilter } from "./paste-filter.ts";

/** What Tab makes of a line. */
export interface Completed {
  /** Replaces the line. */
  readonly line: string;
  /** Candidates between which the person still has to choose. */
  readonly choices: readonly string[];
}

/** Lines of earlier sessions, the newest first. */
export interface LineHistory {
  readonly lines: readonly string[];
  /** Never rejects. */
  add(line: string): void;
}

export interface LineEditorDeps {
  readonly input: NodeJS.ReadableStream;
  readonly output: Output;
  readonly display: TypingDisplay;
  readonly history: LineHistory;
  readonly complete: (line: string) => Promise<Completed>;
  /** The sequence that replaces a single key press. */
  readonly onKey: KeyFilter;
  readonly onEscape: () => void;
  readonly onInterrupt: () => void;
  readonly onLine: (line: string) => void;
  /** Whether a line that was entered is something to recall. */
  readonly isRecalled: (line: string) => boolean;
  /** By Ctrl-D, `close`, or the input's end. */
  readonly onClose: () => void;
}

export const historySize = 200;

/** Keys that act on one code point in readline; to people a character may have several. */
const leftwards = /^(?:backspace|left)$/;
const rightwards = /^(?:delete|right)$/;

/**
 * The line that a person types: readline edits it, the display shows it. `open → closed`.
 */
export class LineEditor {
  readonly #deps: LineEditorDeps;
  readonly #filter: PasteFilter;
  readonly #line: Interface;

  constructor(deps: LineEditorDeps) {
    const { display, history, onClose, onInterrupt } = deps;
    this.#deps = deps;
    this.#filter = new PasteFilter(deps.input, deps.onKey);
    const line = createInterface({
      input: this.#filter,
      // The display draws the line, since readline breaks it inside words.
      output: new Writable({ write: (_chunk, _encoding, done) => done() }),
      terminal: true,
      history: [...history.lines],
      historySize,
      removeHistoryDuplicates: true,
      completer: (typed: string, done: (error: null, found: [string[], string]) => void) =>
        void this.#complete(typed, (found) => done(null, [found, typed])),
    });
    this.#line = line;
    line.on("history", (lines) => {
      const [newest = ""] = lines;
      // The file of earlier lines is erased as well.
      if (/^\/forget\b/i.test(newest)) lines.length = 0;
      if (!deps.isRecalled(newest)) lines.shift();
      else if (this.#filter.expand(newest) === newest) history.add(newest);
    });
    line.on("line", (typed) => {
      if (typed !== "") display.entered(typed);
      deps.onLine(this.#filter.expand(typed));
    });
    line.on("SIGINT", onInterrupt);
    line.on("SIGCONT", () => void this.#show());
    line.on("close", onClose);
    this.#filter.prependListener("keypress", (_, key: Key) => this.#onKeypress(key));
    this.#filter.on("keypress", () => display.redraw());
    deps.input.on("error", () => line.close());
  }

  async start(): Promise<void> {
    this.#deps.input.pipe(this.#filter);
    this.#deps.display.attach(this.#line);
    await this.#show();
  }

  get text(): string {
    return this.#line.line;
  }

  /** Replaces what is typed. */
  set(text: string): void {
    this.#line.write(null, { ctrl: true, name: "e" });
    this.#line.write(null, { ctrl: true, name: "u" });
    if (text !== "") this.#line.write(text);
    this.#deps.display.redraw();
  }

  close(): void {
    this.#line.close();
  }

  /** Gives the terminal back, once it is closed. */
  async release(): Promise<void> {
    const { display, input, output } = this.#deps;
    await display.detach();
    input.unpipe(this.#filter);
    input.pause();
    await output.write(bracketedPaste.off);
  }

  async #show(): Promise<void> {
    await this.#deps.output.write(bracketedPaste.on);
    this.#deps.display.redraw();
  }

  /** Before readline sees it. */
  #onKeypress(key: Key): void {
    const { display, onEscape } = this.#deps;
    if (key.name !== "tab") display.hint("");
    if (key.ctrl && key.name === "l") display.clear();
    if (key.name === "escape") onEscape();
    if (key.ctrl || key.meta || key.name === undefined) return;
    const { line, cursor } = this.#line;
    const [character = ""] = leftwards.test(key.name)
      ? [...graphemesOf(line.slice(0, cursor))].slice(-1)
      : rightwards.test(key.name)
        ? graphemesOf(line.slice(cursor))
        : [];
    // readline does the last one by itself.
    for (let more = Array.from(character).length - 1; more > 0; more -= 1)
      this.#line.write(null, { name: key.name });
  }

  /** Never rejects, and offers readline one candidate only: it would print a list. */
  async #complete(typed: string, done: (found: string[]) => void): Promise<void> {
    const { display, complete } = this.#deps;
    const completed = await complete(typed);
    display.hint(completed.choices.join("  "));
    done(completed.line === typed ? [] : [completed.line]);
    display.redraw();
  }
}
