import { createInterface, type Interface } from "node:readline";
import type { Logger } from "pino";
import type { Locale } from "../../../locales/locale.ts";
import { sleep } from "../../../util/sleep.ts";
import type { TypingDisplay } from "../send/display.ts";
import type { Output } from "../send/output.ts";
import { decisionOf, isEdit, type Question, type Questions } from "../send/questions.ts";
import type { Conversation, SentForm } from "./conversation.ts";
import { EditForm } from "./edit-form.ts";
import { LineEditor, type Completed, type LineHistory } from "./line-editor.ts";
import { parseLine, type ParsedLine } from "./parse-line.ts";
import type { Activity } from "./turn-watch.ts";

export interface TerminalChatDeps {
  readonly input: NodeJS.ReadableStream;
  readonly output: Output;
  readonly display: TypingDisplay;
  /** The terminal obeys no escape sequences: it edits lines by itself. */
  readonly isDumb: boolean;
  readonly conversation: Conversation;
  readonly questions: Questions;
  readonly history: LineHistory;
  /** Rejects when candidates cannot be read. */
  readonly complete: (line: string) => Promise<Completed>;
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

/**
 * A person at a terminal. `open → closing (by /quit, Ctrl-D, a second Ctrl-C, the input's end) →
 * ended`. Lines are handed over one after the other; Ctrl-C does not queue after them.
 */
export class TerminalChat {
  readonly #deps: TerminalChatDeps;
  readonly #ended = Promise.withResolvers<void>();
  readonly #line: LineEditor | Interface;
  readonly #editor: LineEditor | undefined;
  /** The question's call is being changed. */
  #form: EditForm | undefined;
  /** The question of `#form`, and what is said if it goes. */
  #changed = { messageId: "", goneNote: "" };
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
    const onLine = (typed: string) => this.#onLine(typed);
    const onClose = () => void this.#onClose();
    if (deps.isDumb) {
      this.#line = createInterface({ input: deps.input, terminal: false });
      this.#line.on("line", onLine).on("close", onClose);
      return;
    }
    this.#editor = new LineEditor({
      ...deps,
      complete: (line) => this.#complete(line),
      onKey: (key) => this.#onKey(key),
      onEscape: () => this.#cancelForm(),
      onInterrupt: () => this.#onInterrupt(),
      isRecalled: (line) => this.#isRecalled(line),
      onLine,
      onClose,
    });
    this.#line = this.#editor;
  }

  /** Fulfils when the person has quit. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  async start(): Promise<void> {
    await this.#editor?.start();
    await this.#greetEarlierTurn();
  }

  /** What is asked has changed. The form of a question that is gone would take the next message. */
  asked(question: Question | undefined): void {
    const { messageId, goneNote } = this.#changed;
    if (!this.#form || question?.messageId === messageId) return;
    this.#cancelForm();
    void this.#deps.display.note(goneNote);
  }

  /** Gives the terminal back. */
  async close(): Promise<void> {
    this.#line.close();
    await this.ended;
  }

  async #greetEarlierTurn(): Promise<void> {
    const { display, activity, words } = this.#deps;
    const now = await this.#activity(activity);
    if (now === "running") display.working();
    if (now === "waiting") await display.note((await words()).questionIsOpen);
  }

  /** Nothing typed for a question is, nor the values of a form. */
  #isRecalled(line: string): boolean {
    const isWord = decisionOf(line) !== undefined || isEdit(line);
    const isAnswer = this.#deps.questions.current !== undefined && isWord;
    const isRecalled = !this.#hasAnswered && !this.#form && !isAnswer;
    this.#hasAnswered = false;
    return isRecalled;
  }

  async #complete(line: string): Promise<Completed> {
    try {
      return await this.#deps.complete(line);
    } catch (error) {
      this.#deps.log.warn({ err: error }, "nothing to complete a line with");
      return { line, choices: [] };
    }
  }

  /** `y`, `n` and `e` answer a question by themselves, where nothing is typed yet. */
  #onKey(key: string): string {
    const { questions, display, keyGuardMs } = this.#deps;
    const isEmpty = this.#editor?.text === "" && !this.#form;
    if (isEmpty) this.#typedFor = questions.current;
    const isGuarded = performance.now() - display.askedAtMs < keyGuardMs;
    const answers =
      questions.current !== undefined && isEmpty && /^[yne]$/i.test(key) && !isGuarded;
    this.#hasAnswered = answers;
    if (!answers) return key;
    this.#restOfWord = { y: "es", n: "o", e: "dit" }[key.toLowerCase()] ?? "";
    return `${key}\r`;
  }

  #onLine(text: string): void {
    const { conversation, questions } = this.#deps;
    if (this.#form) return this.#form.enter(text);
    // A person who types the whole word means no message by the rest of it.
    const isRestOfWord = text !== "" && text === this.#restOfWord;
    if (!/^[yne]$/i.test(text)) this.#restOfWord = "";
    if (isRestOfWord) return;
    const canEdit = questions.current?.edit !== undefined;
    const edited = canEdit && isEdit(text) ? questions.current : undefined;
    const decision = decisionOf(text);
    const wasAskedFor = this.#typedFor;
    this.#typedFor = undefined;
    if (decision || edited) {
      // It was meant for a question that is gone: nothing is decided, and the next one is asked
      // below.
      if (questions.isSettling) return;
      if (wasAskedFor && wasAskedFor !== questions.current) return;
    }
    if (edited) return this.#queue(() => this.#edit(edited));
    const question = decision && questions.take();
    if (question) return this.#queue(() => conversation.decide(question, decision));
    const parsed = parseLine(text);
    if (parsed.type === "quit") this.#line.close();
    else if (parsed.type !== "empty") this.#queue(() => this.#say(parsed));
  }

  async #say(parsed: Extract<ParsedLine, { type: "command" | "message" }>): Promise<void> {
    const { display, conversation, questions, words } = this.#deps;
    // The turn may ask before its message's acceptance has reached us.
    const open = questions.all;
    if (parsed.type === "message") display.working(true);
    if (!(await conversation.say(parsed))) return;
    if (parsed.type === "message" && (await questions.withdraw(open)))
      await display.note((await words()).questionReplaced);
  }

  /** Fills in the form of the question's call, field by field. */
  async #edit(question: Question, sent?: SentForm): Promise<void> {
    const { conversation, questions, display, words } = this.#deps;
    // The key was pressed twice.
    if (this.#form) return;
    const form = await conversation.form(question, { sent, isTyped: !this.#editor });
    const { formGone } = await words();
    const { messageId } = question;
    if (!form || questions.current?.messageId !== messageId) return;
    this.#changed = { messageId, goneNote: formGone };
    this.#form = new EditForm(form, {
      show: (label, value) => {
        display.label(label);
        this.#editor?.set(value);
      },
      done: (filled) => {
        this.#form = undefined;
        display.label();
        if (filled) this.#queue(() => this.#edit(question, { data: form.data, filled }));
      },
    });
    this.#form.start();
  }

  #cancelForm(): void {
    if (!this.#form) return;
    this.#editor?.set("");
    this.#form.cancel();
  }

  #queue(work: () => Promise<void>): void {
    const { log } = this.#deps;
    this.#tail = this.#tail
      .then(work)
      .catch((error: unknown) => log.error({ err: error }, "a line was lost"));
  }

  #onInterrupt(): void {
    if (this.#form) return this.#cancelForm();
    const now = performance.now();
    const isSecond = now - this.#interruptedAt < interruptMs;
    this.#interruptedAt = now;
    if (isSecond) return this.#line.close();
    this.#editor?.set("");
    this.#stopOrWarn().catch((error: unknown) =>
      this.#deps.log.error({ err: error }, "Ctrl-C failed"),
    );
  }

  async #stopOrWarn(): Promise<void> {
    const { display, conversation, activity, words } = this.#deps;
    if ((await this.#activity(activity)) === "idle")
      await display.note((await words()).interruptAgain);
    else await conversation.stop();
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
    await this.#editor?.release();
    const parting = new AbortController();
    await Promise.race([this.#tail, sleep(partingMs, parting.signal).catch(() => undefined)]);
    parting.abort();
    this.#ended.resolve();
  }
}
