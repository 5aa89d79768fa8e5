import { spokenDecision } from "../../../text/decision-words.ts";
import { editData, editOneOfData } from "../../../core/outbox.ts";
import type { Chunk, SendOptions } from "../../../core/ports.ts";

/** A message that waits for yes or no. */
export interface Question {
  readonly messageId: string;
  readonly chunk: Chunk;
  /** E.g. `Approve? [y/n]`. */
  readonly prompt: string;
  /** The buttons' data. */
  readonly yes: string;
  readonly no: string;
  /** The data of a tap that opens a form to change its call, or asks which. Absent: there is none. */
  readonly edit?: string;
}

export type Decision = "yes" | "no";

/** As it is shown to a person. */
export const promptOf = ({ prompt, edit }: Question): string =>
  edit === undefined ? prompt : prompt.replace("[y/n]", "[y/n/e]");

/** Whether a line asks to change a question's call. */
export const isEdit = (line: string): boolean => /^\s*e(?:dit)?\s*$/i.test(line);

/** A line's answer to an open question; undefined for other lines. */
export function decisionOf(line: string): Decision | undefined {
  const word = line.trim().toLowerCase();
  if (word === "a") return "yes";
  if (word === "d") return "no";
  const said = spokenDecision(word);
  const isPlain = said?.numbers === undefined && said?.reason === undefined;
  if (said === undefined || !isPlain) return undefined;
  return said.status === "approved" ? "yes" : "no";
}

/** The data of buttons that decide about approvals, or a person who asks for access. */
const decides = { yes: /^(?:aa?|pa):/, no: /^(?:da?|pd):/ };

/** Undefined when the buttons are not a yes and a no. */
export function questionOf(
  messageId: string,
  chunk: Chunk,
  buttons: NonNullable<SendOptions["buttons"]>,
): Question | undefined {
  const yes = buttons.find(({ data }) => decides.yes.test(data));
  const no = buttons.find(({ data }) => decides.no.test(data));
  if (!yes || !no) return undefined;
  const prompt = `${yes.label}? [y/n]`;
  const [, all, id = ""] = /^a(a?):(.*)$/.exec(yes.data) ?? [];
  const edit = all === undefined ? {} : { edit: all === "" ? editData(id) : editOneOfData(id) };
  return { messageId, chunk, prompt, yes: yes.data, no: no.data, ...edit };
}

export interface QuestionsDeps {
  /** Asks the question, with its text when it `isNew`; undefined: nothing is asked any more. */
  readonly ask: (question: Question | undefined, isNew: boolean) => Promise<boolean>;
  readonly note: (text: string) => Promise<boolean>;
}

/** How long a decided question waits for its outcome before the next one is asked. Milliseconds. */
const outcomeWaitMs = 2_000;

/**
 * The open questions, oldest first; one is asked at a time. A question is `open → asked → taken (a
 * person has decided) → closed (its outcome is printed)`; a refused decision opens it again. The
 * next one is asked once the outcome is printed, so that a card is always the last thing above its
 * prompt.
 */
export class Questions {
  readonly #deps: QuestionsDeps;
  readonly #asked = new Set<string>();
  readonly #closed = new Set<string>();
  /** The replies to decisions, by the question's message: dropped once that message shows them. */
  readonly #remarks = new Map<string, string>();
  #open: Question[] = [];
  #current: Question | undefined;
  /** The message of the question that was decided, or whose outcome is being printed. */
  #settling: string | undefined;
  #settlingEnd: NodeJS.Timeout | undefined;

  constructor(deps: QuestionsDeps) {
    this.#deps = deps;
  }

  /** The question that is shown and can be answered. */
  get current(): Question | undefined {
    return this.#current;
  }

  /** A decision was made and its outcome is not printed yet: what is typed now answers nothing. */
  get isSettling(): boolean {
    return this.#settling !== undefined;
  }

  async open(question: Question): Promise<boolean> {
    this.#open = [...this.#open, question];
    return await this.#update();
  }

  /** Its text or its buttons have changed. */
  async replace(question: Question): Promise<boolean> {
    this.#open = this.#open.map((each) =>
      each.messageId === question.messageId ? question : each,
    );
    return await this.#settled(question.messageId);
  }

  /** The question that is asked now, to be decided; the next one is asked when it is settled. */
  take(): Question | undefined {
    const question = this.#current;
    if (question === undefined) return undefined;
    this.#open = this.#open.filter((each) => each !== question);
    this.#settling = question.messageId;
    void this.#update();
    return question;
  }

  /** It was decided by a command, which was answered with this text. */
  decided({ messageId }: Question, text: string): void {
    if (messageId === this.#current?.messageId) this.take();
    this.#open = this.#open.filter((each) => each.messageId !== messageId);
    this.remark(messageId, text);
  }

  async putBack(question: Question): Promise<void> {
    if (!this.#closed.has(question.messageId)) this.#open = [question, ...this.#open];
    await this.#settled(question.messageId);
  }

  /** The decision had no effect that a message will report. */
  async release({ messageId }: Question): Promise<void> {
    await this.#settled(messageId);
  }

  /** The question's outcome is about to be printed: nothing can be answered until `closed`. */
  close(messageId: string): void {
    this.#closed.add(messageId);
    this.#remarks.delete(messageId);
    this.#open = this.#open.filter((each) => each.messageId !== messageId);
    if (this.#current?.messageId === messageId) {
      this.#current = undefined;
      this.#settling = messageId;
    }
  }

  /** The outcome is printed: the next question is shown below it. */
  async closed(messageId: string): Promise<void> {
    const before = this.#current;
    await this.#settled(messageId, true);
    if (before !== undefined && before === this.#current) await this.#deps.ask(before, true);
  }

  /** Those that are open now, oldest first. */
  get all(): readonly Question[] {
    return this.#open;
  }

  /** These are not to be answered any more. Returns whether any of them was still open. */
  async withdraw(questions: readonly Question[]): Promise<boolean> {
    const left = this.#open.filter((each) => !questions.includes(each));
    const hasAny = left.length < this.#open.length;
    this.#open = left;
    await this.#update();
    return hasAny;
  }

  /** Said to a decision; it is printed if no outcome follows. */
  remark(messageId: string, text: string): void {
    if (this.#closed.has(messageId)) return;
    this.#remarks.set(messageId, text);
    if (this.#settling !== messageId) return;
    this.#settlingEnd = setTimeout(() => void this.#settled(messageId), outcomeWaitMs).unref();
  }

  /** Says the remarks that no message has made superfluous. */
  async notify(): Promise<void> {
    const remarks = [...this.#remarks];
    this.#remarks.clear();
    for (const [messageId, text] of remarks) {
      await this.#deps.note(text);
      if (this.#settling === messageId) this.#endSettling();
    }
  }

  /** Asks what is to be asked by now. */
  async refresh(): Promise<void> {
    await this.#update();
  }

  #endSettling(): void {
    clearTimeout(this.#settlingEnd);
    this.#settling = undefined;
  }

  async #settled(messageId: string, isPrompted = false): Promise<boolean> {
    const wasSettling = this.#settling === messageId;
    if (wasSettling) this.#endSettling();
    return await this.#update(wasSettling && isPrompted);
  }

  /** @param isPrompted the prompt of a question that is gone may still be shown. */
  async #update(isPrompted = false): Promise<boolean> {
    const next = this.#settling === undefined ? this.#open[0] : undefined;
    const hasChanged = next?.messageId !== this.#current?.messageId;
    this.#current = next;
    if (!hasChanged && !isPrompted) return true;
    const isNew = next !== undefined && !this.#asked.has(next.messageId);
    if (next) this.#asked.add(next.messageId);
    return await this.#deps.ask(next, isNew);
  }
}
