import { createInterface, type Interface } from "node:readline";
import type { Logger } from "pino";
import type { CommandSpec } from "../../../core/ports.ts";
import type { Locale } from "../../../locales/locale.ts";
import { sleep } from "../../../util/sleep.ts";
import type { TerminalDisplay } from "../screen/terminal-display.ts";
import type { Output } from "../send/output.ts";
import { decisionOf, type Question, type Questions } from "../send/questions.ts";
import { complete } from "./complete.ts";
import type { Conversation } from "./conversation.ts";
import { parseLine, type ParsedLine } from "./parse-line.ts";
import { bracketedPaste, PasteFilter } from "./paste-filter.ts";
import type { Activity } from "./turn-watch.ts";

export interface TerminalChatDeps {
  readonly input: NodeJS.ReadableStream;
  readonly outputStream: NodeJS.WritableStream;
  readonly output: Output;
  readonly display: TerminalDisplay;
  readonly conversation: Conversation;
  readonly questions: Questions;
  readonly commands: readonly CommandSpec[];
  readonly activity: Activity;
  readonly log: Logger;
  readonly words: () => Promise<Locale["console"]>;
  /**
   * Milliseconds for which a new question takes no single key: it may have been meant for something
   * else.
   */
  readonly keyGuardMs: number;
}

/** The second Ctrl-C within this time quits. */
const interruptMs = 3_000;
/** How long quitting waits for what was typed before to be accepted. */
const partingMs = 3_000;
const historySize = 200;

/**
 * A person at a terminal. `open → closing (by /quit, Ctrl-D, a second Ctrl-C, the input's end) →
 * ended`. Lines are handed over one after the other; Ctrl-C does not queue after them.
 */
export class TerminalChat {
  readonly #deps: TerminalChatDeps;
  readonly #filter: PasteFilter;
  readonly #ended = Promise.withResolvers<void>();
  #line: Interface | undefined;
  #tail: Promise<void> = Promise.resolve();
  #interruptedAt = -Infinity;
  /** The line that ends now is a key that answered a question. */
  #hasAnswered = false;
  /** The rest of the word whose first letter has answered. */
  #restOfWord = "";
  /** The question that was asked when the first letter of the line was typed. */
  #typedFor: Question | undefined;

  constructor(deps: TerminalChatDeps) {
    this.#deps = deps;
    this.#filter = new PasteFilter(deps.input, (key) => this.#onKey(key));
  }

  /** Fulfils when the person has quit. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  async start(): Promise<void> {
    const { input, outputStream, output, display, commands } = this.#deps;
    const names = [...commands.map(({ name }) => name), "quit"];
    const line = createInterface({
      input: this.#filter,
      output: outputStream,
      terminal: true,
      historySize,
      removeHistoryDuplicates: true,
      completer: (typed: string) => complete(typed, names),
    });
    this.#line = line;
    line.on("history", (lines) => {
      // A key that answered a question is nothing to recall.
      if (this.#hasAnswered) lines.shift();
      this.#hasAnswered = false;
    });
    line.on("line", (typed) => this.#onLine(typed));
    line.on("SIGINT", () => this.#onInterrupt());
    line.on("close", () => void this.#onClose());
    this.#filter.on("keypress", (_, key: { name?: string; ctrl?: boolean }) => {
      if (key.ctrl && key.name === "l") display.cleared();
    });
    input.on("error", () => line.close());
    input.pipe(this.#filter);
    await output.write(bracketedPaste.on);
    display.attach(line);
    await this.#greetEarlierTurn();
  }

  /** Gives the terminal back. */
  async close(): Promise<void> {
    this.#line?.close();
    if (this.#line) await this.ended;
  }

  async #greetEarlierTurn(): Promise<void> {
    const { display, activity, words } = this.#deps;
    const now = await this.#activity(activity);
    if (now === "running") display.working();
    if (now === "waiting") await display.note((await words()).questionIsOpen);
  }

  /** `y` and `n` answer a question by themselves, where nothing is typed yet. */
  #onKey(key: string): string {
    const { questions, display, keyGuardMs } = this.#deps;
    if (this.#line?.line === "") this.#typedFor = questions.current;
    const answers =
      questions.current !== undefined &&
      this.#line?.line === "" &&
      /^[yn]$/i.test(key) &&
      performance.now() - display.askedAtMs >= keyGuardMs;
    this.#hasAnswered = answers;
    if (answers) this.#restOfWord = /y/i.test(key) ? "es" : "o";
    return answers ? `${key}\r` : key;
  }

  #onLine(typed: string): void {
    const { display, conversation, questions } = this.#deps;
    display.entered(typed);
    const text = this.#filter.expand(typed);
    // A person who types the whole word means no message by the rest of it.
    const isRestOfWord = text !== "" && text === this.#restOfWord;
    if (!/^[yn]$/i.test(text)) this.#restOfWord = "";
    if (isRestOfWord) return;
    const decision = decisionOf(text);
    const wasAskedFor = this.#typedFor;
    this.#typedFor = undefined;
    if (decision) {
      // It was meant for a question that is gone: nothing is decided, and the next one is asked
      // below.
      if (questions.isSettling) return;
      if (wasAskedFor && wasAskedFor !== questions.current) return;
    }
    const question = decision && questions.take();
    if (question) return this.#queue(() => conversation.decide(question, decision));
    const parsed = parseLine(text);
    if (parsed.type === "quit") this.#line?.close();
    else if (parsed.type !== "empty") this.#queue(() => this.#say(parsed));
  }

  async #say(parsed: Extract<ParsedLine, { type: "command" | "message" }>): Promise<void> {
    const { display, conversation, questions, words } = this.#deps;
    // The turn may ask before its message's acceptance has reached us.
    const open = questions.all;
    if (parsed.type === "message") display.working();
    if (!(await conversation.say(parsed))) return;
    if (parsed.type === "message" && (await questions.withdraw(open)))
      await display.note((await words()).questionReplaced);
  }

  #queue(work: () => Promise<void>): void {
    const { log } = this.#deps;
    this.#tail = this.#tail
      .then(work)
      .catch((error: unknown) => log.error({ err: error }, "a line was lost"));
  }

  #onInterrupt(): void {
    const now = performance.now();
    const isSecond = now - this.#interruptedAt < interruptMs;
    this.#interruptedAt = now;
    if (isSecond) return this.#line?.close();
    this.#line?.write(null, { ctrl: true, name: "e" });
    this.#line?.write(null, { ctrl: true, name: "u" });
    this.#stopOrWarn().catch((error: unknown) =>
      this.#deps.log.error({ err: error }, "Ctrl-C failed"),
    );
  }

  async #stopOrWarn(): Promise<void> {
    const { display, conversation, activity, words } = this.#deps;
    if ((await this.#activity(activity)) === "idle")
      await display.note((await words()).interruptAgain);
    else await conversation.say({ type: "command", name: "stop", argument: "" });
  }

  async #activity(activity: Activity): Promise<Awaited<ReturnType<Activity>>> {
    try {
      return await activity();
    } catch (error) {
      this.#deps.log.warn({ err: error }, "the chat's state is unknown");
      return "idle";
    }
  }

  async #onClose(): Promise<void> {
    const { input, output, display } = this.#deps;
    await display.detach();
    input.unpipe(this.#filter);
    input.pause();
    await output.write(bracketedPaste.off);
    const parting = new AbortController();
    await Promise.race([this.#tail, sleep(partingMs, parting.signal).catch(() => undefined)]);
    parting.abort();
    this.#ended.resolve();
  }
}
