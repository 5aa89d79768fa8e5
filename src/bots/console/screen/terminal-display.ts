import type { Chunk } from "../../../core/ports.ts";
import { paint, type Row, type Style } from "../format/line.ts";
import { displayWidth } from "../format/width.ts";
import { atOnce, inSlices, type Steps } from "../../markdown/in-slices.ts";
import { dimSteps, draftSteps, rowSteps } from "../format/rows.ts";
import type { Locale } from "../../../locales/locale.ts";
import type { Display } from "../send/display.ts";
import type { Output } from "../send/output.ts";
import { promptOf, type Question } from "../send/questions.ts";
import { Prompt, type TypedLine } from "./prompt.ts";
import {
  emptyRegion,
  insertAbove,
  repaint,
  settle,
  type Region,
  type ScreenSize,
} from "./repaint.ts";

const blank: Row = { text: "", width: 0, fleeting: true };
/** As long as other platforms show a typing indicator. */
const workingMs = 10_000;
const frames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const frameMs = 120;
/** Columns beyond which lines of text are hard to read. */
const maxTextWidth = 120;
const clearScreen = "\u001b[H\u001b[2J";

export interface TerminalDisplayDeps {
  readonly output: Output;
  /** Columns. */
  readonly width: () => number;
  /** Rows. */
  readonly height: () => number;
  readonly color: boolean;
  readonly words: () => Locale["console"];
}

/**
 * The conversation above, the growing message and a spinner below it, the line being typed at the
 * bottom. The growing part is `empty → working → draft → empty`; finished messages are written above
 * it.
 */
export class TerminalDisplay implements Display {
  readonly #deps: TerminalDisplayDeps;
  readonly #prompt = new Prompt();
  #region: Region = emptyRegion;
  #draft: string | undefined;
  /** The draft's rows. */
  #grown: readonly Row[] = [];
  #rest: NodeJS.Timeout | undefined;
  #spinning: NodeJS.Timeout | undefined;
  /** When the work that is going on began, by `performance.now()`. */
  #sinceMs = 0;
  #question: Question | undefined;
  /** Stands before the line instead of what is asked. */
  #label: string | undefined;
  #askedAtMs = -Infinity;
  #isDrawing = false;
  /** Fulfils once the message before the next one is laid out. */
  #laidOut: Promise<unknown> = Promise.resolve();

  constructor(deps: TerminalDisplayDeps) {
    this.#deps = deps;
  }

  /** When the question that is asked now was shown, by `performance.now()`. */
  get askedAtMs(): number {
    return this.#askedAtMs;
  }

  /** Whether a growing message is shown. */
  get hasDraft(): boolean {
    return this.#draft !== undefined;
  }

  attach(typed: TypedLine): void {
    this.#prompt.attach(typed);
    this.label();
    void this.#write("");
  }

  /** Nothing is typed any more. */
  async detach(): Promise<void> {
    this.#stopWorking();
    await this.#deps.output.write(this.#prompt.detach());
  }

  /** What stands before the line, by default what is asked. */
  label(text?: string): void {
    this.#label = text;
    const shown = text ?? (this.#question ? promptOf(this.#question) : "");
    const styles: readonly Style[] = shown === "" ? ["bold"] : ["bold", "code"];
    const label = shown === "" ? "> " : `${shown} `;
    this.#prompt.label = { text: this.#styled(label, styles), width: displayWidth(label) };
    this.redraw();
  }

  /** Words below the line being typed, until the next key. */
  hint(text: string): void {
    const rows = atOnce(dimSteps(text, this.#rowOptions()));
    this.#prompt.hint = text === "" ? [] : rows.map((row) => row.text);
    this.redraw();
  }

  /** The line being typed has changed, or the window. Several changes at once are drawn once. */
  redraw(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    setImmediate(() => {
      if (this.#isDrawing) void this.#write("");
    });
  }

  async print(chunk: Chunk): Promise<boolean> {
    return await this.#insert(await this.#layOut(rowSteps(chunk, this.#rowOptions())));
  }

  async note(text: string): Promise<boolean> {
    return await this.#insert(await this.#layOut(dimSteps(text, this.#rowOptions())));
  }

  async draft(messageId: string, chunk: Chunk): Promise<boolean> {
    if (this.#draft !== messageId) this.#abandon();
    this.#draft = messageId;
    const rows = await this.#layOut(draftSteps(chunk, this.#rowOptions()));
    // Meanwhile another one may have begun.
    if (this.#draft !== messageId) return this.#deps.output.isOpen;
    this.#grown = rows;
    this.#spin();
    return await this.#grow();
  }

  async finish(messageId: string, chunk: Chunk): Promise<boolean> {
    if (this.#draft !== messageId) return await this.print(chunk);
    const rows = await this.#layOut(rowSteps(chunk, this.#rowOptions()));
    if (this.#draft !== messageId) return await this.#insert(rows);
    const final = rows.length > 0 ? [...rows, blank] : [];
    const painted = settle(this.#region, final, this.#size());
    this.#draft = undefined;
    this.#stopWorking();
    return await this.#paint(painted);
  }

  async drop(messageId: string): Promise<boolean> {
    return this.#draft === messageId ? await this.finish(messageId, { text: "" }) : true;
  }

  /** @param isNew work has begun just now; what is counted already goes on being counted. */
  working(isNew = false): void {
    const isCounted = isNew ? this.#spinning !== undefined : this.#rest !== undefined;
    if (!isCounted) this.#sinceMs = performance.now();
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.#end(), workingMs).unref();
    this.#spin();
    void this.#grow();
  }

  async ask(question: Question | undefined, isNew: boolean): Promise<boolean> {
    if (question) {
      this.#askedAtMs = performance.now();
      // It is the person's turn.
      this.#end();
    }
    this.#question = question;
    this.label(this.#label);
    return question && isNew ? await this.print(question.chunk) : await this.#write("");
  }

  /** A line was entered: it belongs above whatever still grows. */
  entered(text: string): void {
    const size = this.#size();
    const rows = this.#prompt.entered(text, size.width);
    const echo = rows.map((row): Row => ({ ...row, fleeting: false }));
    void this.#paint(insertAbove(this.#region, echo, size));
  }

  /** The user clears the screen. */
  clear(): void {
    this.#region = { frozen: this.#region.frozen, live: [] };
    this.#prompt.forget();
    void this.#deps.output.write(clearScreen);
    void this.#grow();
    this.redraw();
  }

  /** A long message takes a while, in which other work goes on; no later message overtakes it. */
  async #layOut(steps: Steps<Row[]>): Promise<Row[]> {
    const rows = this.#laidOut.then(async () => await inSlices(steps));
    this.#laidOut = rows.catch(() => undefined);
    return await rows;
  }

  #styled(text: string, styles: readonly Style[]): string {
    return paint({ text, styles }, this.#deps.color);
  }

  /** One column stays free: a full row would leave the cursor where terminals disagree. */
  #rowOptions(): { readonly width: number; readonly color: boolean } {
    return {
      width: Math.min(maxTextWidth, Math.max(8, this.#deps.width() - 1)),
      color: this.#deps.color,
    };
  }

  #size(): ScreenSize {
    const width = Math.max(1, this.#deps.width());
    const reach = this.#deps.height() - this.#prompt.height - 1;
    return { width, reach: Math.max(1, reach) };
  }

  /** The growing text ends as it is. */
  #abandon(): void {
    if (this.#draft !== undefined) this.#region = emptyRegion;
    this.#grown = [];
  }

  #spin(): void {
    this.#spinning ??= setInterval(() => void this.#grow(), frameMs).unref();
  }

  #stopWorking(): void {
    clearTimeout(this.#rest);
    clearInterval(this.#spinning);
    this.#rest = this.#spinning = undefined;
    this.#grown = [];
  }

  /** Nothing has been heard of the work for a while, or it waits. */
  #end(): void {
    if (this.#draft !== undefined) return;
    this.#stopWorking();
    if (this.#region.live.length > 0) void this.#paint(settle(this.#region, [], this.#size()));
  }

  async #grow(): Promise<boolean> {
    const spinner = this.#spinning ? [...this.#spinner(), blank] : [];
    const words = this.#grown.length > 0 ? [...this.#grown, blank] : [];
    return await this.#paint(repaint(this.#region, [...words, ...spinner], this.#size()));
  }

  #spinner(): Row[] {
    const ms = performance.now() - this.#sinceMs;
    const frame = frames[Math.floor(ms / frameMs) % frames.length] ?? "";
    const text = `${frame} ${this.#deps.words().working(Math.floor(ms / 1_000))}`;
    const rows = atOnce(dimSteps(text, this.#rowOptions()));
    return rows.map((row) => ({ ...row, fleeting: true }));
  }

  async #insert(rows: readonly Row[]): Promise<boolean> {
    if (this.#draft === undefined) this.#pause();
    const place = this.#draft === undefined ? settle : insertAbove;
    return await this.#paint(place(this.#region, [...rows, blank], this.#size()));
  }

  /** The spinner goes; what is counted goes on if work is heard of again. */
  #pause(): void {
    clearInterval(this.#spinning);
    this.#spinning = undefined;
  }

  async #paint(painted: { readonly output: string; readonly region: Region }): Promise<boolean> {
    this.#region = painted.region;
    if (painted.output === "") return this.#deps.output.isOpen;
    return await this.#write(painted.output);
  }

  /** Above the line being typed. */
  async #write(text: string): Promise<boolean> {
    this.#isDrawing = false;
    const width = Math.max(1, this.#deps.width());
    const erased = this.#prompt.erase(width);
    const drawn = this.#prompt.draw({ width, height: this.#deps.height() });
    return await this.#deps.output.write(erased + text + drawn);
  }
}
