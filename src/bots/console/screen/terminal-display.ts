import type { Interface } from "node:readline";
import type { Chunk } from "../../../core/ports.ts";
import { paint, type Row, type Style } from "../format/line.ts";
import { atOnce, inSlices, type Steps } from "../../markdown/in-slices.ts";
import { dimSteps, draftSteps, rowSteps } from "../format/rows.ts";
import type { Display } from "../send/display.ts";
import type { Output } from "../send/output.ts";
import type { Question } from "../send/questions.ts";
import { Prompt } from "./prompt.ts";
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

export interface TerminalDisplayDeps {
  readonly output: Output;
  /** Columns. */
  readonly width: () => number;
  /** Rows. */
  readonly height: () => number;
  readonly color: boolean;
}

/**
 * The conversation above, the growing message below it, the line being typed at the bottom. The
 * growing part is `empty → working → draft → empty`; finished messages are written above it.
 */
export class TerminalDisplay implements Display {
  readonly #deps: TerminalDisplayDeps;
  readonly #prompt = new Prompt();
  #region: Region = emptyRegion;
  #draft: string | undefined;
  #working: NodeJS.Timeout | undefined;
  #askedAtMs = -Infinity;
  /** Fulfils once the message before the next one is laid out. */
  #laidOut: Promise<unknown> = Promise.resolve();

  constructor(deps: TerminalDisplayDeps) {
    this.#deps = deps;
  }

  /** When the question that is asked now was shown, by `performance.now()`. */
  get askedAtMs(): number {
    return this.#askedAtMs;
  }

  attach(line: Interface): void {
    this.#prompt.attach(line);
    this.#prompt.set(this.#styled("> ", ["bold"]));
    this.#prompt.draw();
  }

  /** Nothing is typed any more. */
  async detach(): Promise<void> {
    clearTimeout(this.#working);
    await this.#deps.output.write(this.#prompt.detach());
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
    return await this.#grow(rows);
  }

  async finish(messageId: string, chunk: Chunk): Promise<boolean> {
    if (this.#draft !== messageId) return await this.print(chunk);
    const rows = await this.#layOut(rowSteps(chunk, this.#rowOptions()));
    if (this.#draft !== messageId) return await this.#insert(rows);
    const final = rows.length > 0 ? [...rows, blank] : [];
    const painted = settle(this.#region, final, this.#size());
    this.#draft = undefined;
    return await this.#paint(painted);
  }

  async drop(messageId: string): Promise<boolean> {
    return this.#draft === messageId ? await this.finish(messageId, { text: "" }) : true;
  }

  working(): void {
    if (this.#draft !== undefined) return;
    clearTimeout(this.#working);
    this.#working = setTimeout(() => this.#rest(), workingMs).unref();
    void this.#grow(atOnce(dimSteps("…", this.#rowOptions())));
  }

  async ask(question: Question | undefined, isNew: boolean): Promise<boolean> {
    if (question) this.#askedAtMs = performance.now();
    const { before, after } = this.#prompt.surround();
    this.#prompt.set(
      question
        ? this.#styled(`${question.prompt} `, ["bold", "code"])
        : this.#styled("> ", ["bold"]),
    );
    const written = this.#deps.output.write(before + after);
    this.#prompt.draw();
    return question && isNew ? await this.print(question.chunk) : await written;
  }

  /**
   * A line was entered: readline has left it at the bottom. It belongs above whatever still grows.
   */
  entered(text: string): void {
    const { width, reach } = this.#size();
    const below = this.#prompt.height(width, text);
    if (this.#region.live.length === 0) return this.#prompt.draw();
    const echo: Row = {
      text: this.#prompt.text + text,
      width: 0,
      fleeting: false,
    };
    const size = { width, below, reach: Math.max(1, reach + 1 - below) };
    void this.#paint(insertAbove(this.#region, [echo], size));
  }

  /** The user has cleared the screen. */
  cleared(): void {
    this.#region = { frozen: this.#region.frozen, live: [] };
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
      width: Math.max(8, this.#deps.width() - 1),
      color: this.#deps.color,
    };
  }

  #size(): ScreenSize {
    const width = Math.max(1, this.#deps.width());
    const reach = this.#deps.height() - this.#prompt.height(width) - 1;
    return { width, reach: Math.max(1, reach) };
  }

  /** The growing text ends as it is. */
  #abandon(): void {
    if (this.#draft !== undefined) this.#region = emptyRegion;
  }

  #rest(): void {
    clearTimeout(this.#working);
    if (this.#draft === undefined && this.#region.live.length > 0)
      void this.#paint(settle(this.#region, [], this.#size()));
  }

  async #grow(rows: readonly Row[]): Promise<boolean> {
    const next = rows.length > 0 ? [...rows, blank] : [];
    return await this.#paint(repaint(this.#region, next, this.#size()));
  }

  async #insert(rows: readonly Row[]): Promise<boolean> {
    const place = this.#draft === undefined ? settle : insertAbove;
    return await this.#paint(place(this.#region, [...rows, blank], this.#size()));
  }

  async #paint(painted: { readonly output: string; readonly region: Region }): Promise<boolean> {
    this.#region = painted.region;
    if (painted.output === "") return this.#deps.output.isOpen;
    const { before, after } = this.#prompt.surround();
    const written = this.#deps.output.write(before + painted.output + after);
    if (this.#deps.output.isOpen) this.#prompt.draw();
    return await written;
  }
}
