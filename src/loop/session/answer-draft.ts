import type { LoopDeps } from "../deps.ts";
import type { ToolDisplay } from "../../core/chat-settings.ts";
import type { Session } from "../../core/ports.ts";
import { secretShapes } from "../../text/secret-shapes.ts";
import { cleanLine, maxLineLength } from "../../tools/mcp/clean-text.ts";

/** Nothing is shown before this many characters have come … */
const firstCharacters = 30;
/** … or this early: an answer that is ready at once needs no draft. Milliseconds. */
const firstDelayMs = 300;
/** A model may be silent for this long before people read so. Milliseconds. */
const silentAfterMs = 10_000;
/** Replaces that where nothing else is to be shown: a message can't become empty again. */
const nothingYet = "…";
/** Platforms show "typing" for 5 s (Telegram) to 10 s (Discord). */
const typingEveryMs = 4_000;

/** Of a model's thoughts people see the newest. Characters. */
const maxThoughts = 400;

/** How much of what goes on people of the chat want to see. */
export interface DraftDisplay {
  readonly tools: ToolDisplay;
  readonly thinking: boolean;
  /** Nothing is shown at all: the answer may be nothing. */
  readonly isHidden?: boolean;
}

/** One tool call as people see it. */
interface ShownCall {
  /** What it does, in the person's language; a server's may hold anything. */
  readonly title: string;
  /** Canonical JSON. */
  readonly arguments: string;
  readonly status: "running" | "done" | "failed";
  /** What the tool says to people of its result; any text. */
  readonly display?: string;
}

/** Which message the text grows in: the outbox id of the answer that will replace it. */
interface DraftEntry {
  readonly id: string;
  readonly replyTo?: string;
}

type DraftDeps = Pick<LoopDeps, "store" | "draftIntervalMs" | "wakeDelivery" | "clock" | "log">;

/**
 * The growing answer as people see it: a line per tool, then the text so far. Overwrites one key at
 * the chat's pace; the newest wins, unchanged text is not written again. Ends with the session.
 */
export class AnswerDraft implements Disposable {
  readonly #deps: DraftDeps;
  readonly #session: Session;
  #entry: DraftEntry;
  readonly #display: DraftDisplay;
  readonly #calls = new Map<string, ShownCall>();
  readonly #progress = new Map<string, string>();
  #news = "";
  #text = "";
  #reasoning = "";
  #silence: { readonly line: string; readonly sinceMs: number } | undefined;
  #wasSilent = false;
  #written: string | undefined;
  #writtenAtMs: number;
  #generation = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    deps: DraftDeps,
    session: Session,
    { entry, display }: { readonly entry: DraftEntry; readonly display: DraftDisplay },
  ) {
    this.#deps = deps;
    this.#session = session;
    this.#entry = entry;
    this.#display = display;
    this.#writtenAtMs = deps.clock.monotonic();
    if (!display.isHidden) this.#schedule(firstDelayMs);
  }

  /** Whether people may have seen a part of it. */
  get wasShown(): boolean {
    return this.#written !== undefined && this.#written !== "";
  }

  /**
   * What was shown so far is said for good: the answer goes on in another message, which is empty
   * yet.
   */
  moveTo(entry: DraftEntry): void {
    if (entry.id === this.#entry.id) return;
    // The model's text is sent as a separate message.
    if (this.#text === "") void this.settle();
    this.#entry = entry;
    this.#calls.clear();
    this.#progress.clear();
    this.#news = "";
    this.#text = "";
    this.#reasoning = "";
    this.#wasSilent = false;
    this.#written = undefined;
  }

  /**
   * Shows what has come since it was last written, where people have seen any of it: nothing more
   * may come for long, and a call that has ended would be shown as running. Never rejects.
   */
  async settle(): Promise<void> {
    if (!this.wasShown || this.#shown() === this.#written) return;
    await this.#write().catch((error: unknown) => this.#notWritten(error));
  }

  setText(text: string, reasoning: string): void {
    this.#text = text;
    this.#reasoning = reasoning;
  }

  /** @param line for people, if the model is silent for long. Undefined: it is done. */
  awaitWords(line: string | undefined): void {
    this.#silence =
      line === undefined ? undefined : { line, sinceMs: this.#deps.clock.monotonic() };
  }

  /** The text so far is generated again. @param why one line for people */
  restart(why: string): void {
    this.setText("", "");
    this.setNews(why);
  }

  /** One line about what goes on besides; empty: nothing. */
  setNews(line: string): void {
    this.#news = line;
  }

  setCall(key: string, call: ShownCall): void {
    this.#calls.set(key, call);
    if (call.status !== "running") this.#progress.delete(key);
  }

  /** What a running call says of itself; only the newest line counts. */
  setProgress(key: string, line: string): void {
    if (this.#calls.get(key)?.status === "running") this.#progress.set(key, line);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.#write()
        .catch((error: unknown) => this.#notWritten(error))
        .finally(() => {
          if (this.#timer !== undefined)
            this.#schedule(this.#deps.draftIntervalMs(this.#session.chat));
        });
    }, delayMs);
  }

  #notWritten(error: unknown): void {
    const { chat } = this.#session;
    this.#deps.log.debug({ error, chat }, "draft not written");
  }

  async #write(): Promise<void> {
    const text = this.#shown();
    const nowMs = this.#deps.clock.monotonic();
    const idle = text === (this.#written ?? "");
    if (idle && this.#written !== undefined && nowMs - this.#writtenAtMs < typingEveryMs) return;
    this.#written = text;
    this.#writtenAtMs = nowMs;
    this.#generation += 1;
    const draft = {
      v: 1 as const,
      ...this.#entry,
      text,
      generation: this.#generation,
    };
    if (await this.#deps.store.draft(this.#session, draft))
      await this.#deps.wakeDelivery(this.#session.chat);
  }

  #shown(): string {
    const isShort = this.#text.length < firstCharacters && !this.#wasSilent;
    const text = isShort ? "" : this.#text;
    const news = this.#news === "" ? "" : `↻ ${this.#news}`;
    const shown = [this.#toolLines(), news, this.#thoughts(text), text]
      .filter((part) => part !== "")
      .join("\n\n");
    return this.#withSilence(shown);
  }

  /** Says that a model is silent, until it isn't. */
  #withSilence(shown: string): string {
    const { sinceMs = Infinity, line = "" } = this.#silence ?? {};
    const isThinking = this.#display.thinking && this.#reasoning !== "";
    const isSilent =
      this.#text === "" && !isThinking && this.#deps.clock.monotonic() - sinceMs >= silentAfterMs;
    this.#wasSilent ||= isSilent;
    if (!isSilent) return shown === "" && this.#wasSilent ? nothingYet : shown;
    return shown === "" ? `⏳ ${line}` : `${shown}\n\n⏳ ${line}`;
  }

  #toolLines(): string {
    const { tools } = this.#display;
    if (tools === "off") return "";
    return [...this.#calls]
      .map(([key, call]) => lineOf(call, tools, this.#progress.get(key)).trimEnd())
      .join("\n");
  }

  /** Shown only until the answer itself begins. */
  #thoughts(text: string): string {
    if (!this.#display.thinking || text !== "") return "";
    const thoughts = oneLine(this.#reasoning).trim();
    if (thoughts === "") return "";
    return thoughts.length > maxThoughts
      ? `💭 …${thoughts.slice(-maxThoughts).toWellFormed()}`
      : `💭 ${thoughts}`;
  }
}

const marks = { running: "…", done: "✓", failed: "✗" } as const;

/**
 * Title, short arguments, and what the tool says to people. They may hold anything: one line, no
 * code spans.
 */
function lineOf(
  { title, arguments: given, status, display: result }: ShownCall,
  display: "names" | "full",
  progress: string | undefined,
): string {
  const parts = [`⚙ ${cleanLine(oneLine(title), maxLineLength)}`];
  if (display === "full" && given !== "{}")
    parts.push(`\`${shortened(oneLine(withoutSecrets(given)), 60)}\``);
  parts.push(marks[status]);
  const said = progress ?? (display === "full" ? result : undefined);
  if (said !== undefined) parts.push(cleanLine(oneLine(said), maxLineLength));
  return parts.join(" ");
}

/**
 * More of the arguments than a line can show, so that what a cut leaves of a secret is known for
 * one. Characters.
 */
const maxLooked = 1_000;

const withoutSecrets = (given: string): string =>
  secretShapes.reduce(
    (shown, shape) => shown.replace(shape, "$<kept>••••"),
    given.slice(0, maxLooked),
  );

const oneLine = (text: string): string => text.replaceAll(/[`\n\r]/g, " ");

const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 3).toWellFormed()}…` : text;
