import type { Logger } from "pino";
import type { Accept } from "../../core/inbound.ts";
import type { Bot, CommandSpec } from "../../core/ports.ts";
import { messageOf } from "../../core/errors.ts";
import { localeFor } from "../../locales/locale-for.ts";
import type { Locale } from "../../locales/locale.ts";
import { sleep } from "../../util/sleep.ts";
import { headerChunk, recapLines, type Header, type Remark } from "./format/header.ts";
import { Conversation } from "./receive/conversation.ts";
import { consoleAddress, ConsoleInput } from "./receive/console-input.ts";
import { complete, type Suggest } from "./receive/complete.ts";
import type { LineHistory } from "./receive/line-editor.ts";
import { runPipeChat } from "./receive/pipe-chat.ts";
import { TerminalChat } from "./receive/terminal-chat.ts";
import { TurnWatch, type Activity } from "./receive/turn-watch.ts";
import { TerminalDisplay } from "./screen/terminal-display.ts";
import { ConsoleSender } from "./send/console-sender.ts";
import type { Display, TypingDisplay } from "./send/display.ts";
import { DumbDisplay } from "./send/dumb-display.ts";
import type { SaveFile } from "./send/file-chunk.ts";
import { Output } from "./send/output.ts";
import { PipeDisplay } from "./send/pipe-display.ts";
import { Questions } from "./send/questions.ts";

export interface ConsoleBotDeps {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** False: a pipe, one line at a time, answers only. */
  readonly isTerminal: boolean;
  /** Columns; by default the output's own. */
  readonly width?: () => number;
  /** Whether text is styled; a terminal's cursor moves in any case. */
  readonly color: boolean;
  readonly accept: Accept;
  /** Milliseconds since the epoch, by the clock that all processes share. */
  readonly now: () => number;
  readonly commands: readonly CommandSpec[];
  readonly activity: Activity;
  readonly log: Logger;
  /** The terminal obeys no escape sequences. */
  readonly isDumb?: boolean;
  /** What a terminal begins with. Absent: nothing. */
  readonly header?: Header;
  /** What was said before this start, of which a terminal reminds; the oldest first. */
  readonly recap?: () => Promise<readonly Remark[]>;
  /** Lines of earlier sessions. */
  readonly history?: LineHistory;
  /** Candidates for what a command takes, beyond its fixed choices. */
  readonly suggest?: Suggest;
  /** BCP 47: in which the system talks to the person. */
  readonly locale?: string;
  /**
   * BCP 47: in which they are talked to now; undefined: English. By default, and where it rejects,
   * as the system does.
   */
  readonly language?: () => Promise<string | undefined>;
  /** Absent: files of text are printed, others cannot be sent. */
  readonly saveFile?: SaveFile;
  /** By default `you`. */
  readonly userName?: string;
  /** Milliseconds for which a new question takes no single key. */
  readonly keyGuardMs?: number;
}

/** The size of a terminal's stream, if it is one; 0 where the terminal itself doesn't know it. */
interface Sized {
  readonly columns?: number;
  readonly rows?: number;
}

/** A user who types on has seen the question by then. */
const defaultKeyGuardMs = 400;
/** Milliseconds: a store that is away must not keep a line from being said. */
const languageWithinMs = 250;
const defaultColumns = 80;
const defaultRows = 24;

/**
 * The chat in a terminal, and in a pipe. `made → started → ended`, by the person, the input's end,
 * or a closed output.
 */
class ConsoleBot implements Bot {
  readonly id = `${consoleAddress.platform}:${consoleAddress.bot}`;
  readonly sender: ConsoleSender;
  readonly #deps: ConsoleBotDeps;
  readonly #output: Output;
  readonly #display: Display;
  readonly #questions: Questions;
  readonly #conversation: Conversation;
  readonly #watch: TurnWatch;
  readonly #terminal: TerminalChat | undefined;
  readonly #closing = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  #language: string | undefined;

  constructor(deps: ConsoleBotDeps) {
    const { output: stream, input, activity, log, isDumb = false } = deps;
    const { signal } = this.#closing;
    this.#deps = deps;
    this.#language = deps.locale;
    this.#output = new Output(stream);
    const screen = deps.isTerminal ? this.#makeScreen() : undefined;
    const display = screen ?? new PipeDisplay(this.#output);
    this.#display = display;
    this.#questions = new Questions({
      ask: async (question, isNew) => {
        this.#terminal?.asked(question);
        const isShown = await display.ask(question, isNew);
        this.#watch.look();
        return isShown;
      },
      note: (text) => display.note(text),
    });
    const questions = this.#questions;
    this.#watch = new TurnWatch({ activity, questions, log, signal });
    this.sender = new ConsoleSender({
      display,
      questions,
      isOpen: () => this.#output.isOpen && !signal.aborted,
      saveFile: deps.saveFile,
      words: () => this.#words(),
      onFinal: (kind) => (kind === "message" ? this.#watch.answered() : this.#watch.look()),
    });
    this.#conversation = new Conversation({
      input: this.#makeInput(),
      display,
      questions,
    });
    const conversation = this.#conversation;
    this.#terminal =
      screen &&
      new TerminalChat({
        input,
        output: this.#output,
        display: screen,
        conversation,
        isDumb,
        questions,
        history: deps.history ?? { lines: [], add: () => undefined },
        complete: async (line) => {
          const own = [...deps.commands, { name: "quit" }];
          return await complete(line, own, deps.suggest ?? (() => Promise.resolve([])));
        },
        activity,
        log,
        words: () => this.#words(),
        keyGuardMs: deps.keyGuardMs ?? defaultKeyGuardMs,
      });
    void this.#output.gone.then(() => this.#end());
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  async start(): Promise<void> {
    if (!this.#terminal) {
      void this.#runPipe();
      return;
    }
    await this.#greet();
    void this.#terminal.ended.then(() => this.#end());
    await this.#terminal.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#terminal?.close();
    this.#end();
  }

  #end(): void {
    this.#closing.abort();
    this.#ended.resolve();
  }

  async #greet(): Promise<void> {
    const { header, recap, log } = this.#deps;
    const words = await this.#words();
    if (header) await this.#display.print(headerChunk(header, words));
    try {
      const lines = recapLines((await recap?.()) ?? [], words);
      if (lines !== "") await this.#display.note(lines);
    } catch (error) {
      log.warn({ cause: messageOf(error) }, "what was said before can't be shown");
    }
  }

  async #runPipe(): Promise<void> {
    try {
      await runPipeChat({
        input: this.#deps.input,
        conversation: this.#conversation,
        questions: this.#questions,
        watch: this.#watch,
        signal: this.#closing.signal,
      });
    } catch (error) {
      this.#deps.log.error({ err: error }, "the console's input failed");
    }
    this.#end();
  }

  #makeScreen(): TypingDisplay {
    const { output: stream, color, isDumb = false } = this.#deps;
    const sized = stream as Sized;
    const output = this.#output;
    const width = () => this.#deps.width?.() ?? (sized.columns || defaultColumns);
    if (isDumb) return new DumbDisplay(output, width);
    const display = new TerminalDisplay({
      output,
      width,
      height: () => sized.rows || defaultRows,
      color,
      words: () => localeFor(this.#language, "console").console,
    });
    stream.on("resize", () => display.redraw());
    return display;
  }

  /**
   * In the person's language, or, where that cannot be asked at once, the one that was last heard
   * of.
   */
  async #words(): Promise<Locale["console"]> {
    const { language, log } = this.#deps;
    const asked = (async () => {
      try {
        if (language) this.#language = await language();
      } catch (error) {
        log.debug({ err: error }, "the person's language is unknown just now");
      }
    })();
    const late = new AbortController();
    await Promise.race([
      asked,
      sleep(languageWithinMs, late.signal).catch(
        () => undefined, // It was told in time.
      ),
    ]);
    late.abort();
    return localeFor(this.#language, "console").console;
  }

  #makeInput(): ConsoleInput {
    const { accept, now, log, userName = "you", isTerminal, locale } = this.#deps;
    const onRetry = () => {
      if (isTerminal) void this.#sayRetry();
    };
    const { signal } = this.#closing;
    return new ConsoleInput({
      accept,
      now,
      log,
      userName,
      locale,
      signal,
      onRetry,
    });
  }

  /** Never rejects, as displays do not. */
  async #sayRetry(): Promise<void> {
    const { notHandedOver } = await this.#words();
    await this.#display.note(notHandedOver);
  }
}

/**
 * Makes the console's bot; nothing is read before `start`, and nothing that was written before is
 * lost.
 */
export function createConsoleBot(deps: ConsoleBotDeps): Bot {
  return new ConsoleBot(deps);
}
