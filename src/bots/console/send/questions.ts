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
}

export type Decision = "yes" | "no";

/** What a line says to an open question; undefined for anything else. */
export function decisionOf(line: string): Decision | undefined {
  const word = line.trim().toLowerCase();
  if (["y", "yes", "a", "approve"].includes(word)) return "yes";
  if (["n", "no", "d", "deny"].includes(word)) return "no";
  return undefined;
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
  return { messageId, chunk, prompt, yes: yes.data, no: no.data };
}

export interface QuestionsDeps {
  /** Asks the question, with its text when it `isNew`; undefined: nothing is asked any more. */
  readonly ask: (
    question: Question | undefined,
    isNew: boolean,
  ) => Promise<boolean>;
  readonly note: (text: string) => Promise<boolean>;
}

/**
 * The open questions, oldest first; the first is asked. A question is
 * `open → taken (a person has decided) → closed (its message says what became of it)`; a refused decision opens it again.
 */
export class Questions {
  readonly #deps: QuestionsDeps;
  readonly #asked = new Set<string>();
  readonly #closed = new Set<string>();
  /** What was said to a decision, by the question's message: of no interest once that message says it. */
  readonly #remarks = new Map<string, string>();
  #open: Question[] = [];
  #current: Question | undefined;

  constructor(deps: QuestionsDeps) {
    this.#deps = deps;
  }

  get current(): Question | undefined {
    return this.#current;
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
    return await this.#update();
  }

  /** The question that is asked now; the next one will be asked. */
  take(): Question | undefined {
    const [question, ...left] = this.#open;
    this.#open = left;
    void this.#update();
    return question;
  }

  async putBack(question: Question): Promise<void> {
    if (this.#closed.has(question.messageId)) return;
    this.#open = [question, ...this.#open];
    await this.#update();
  }

  async close(messageId: string): Promise<void> {
    this.#closed.add(messageId);
    this.#remarks.delete(messageId);
    this.#open = this.#open.filter((each) => each.messageId !== messageId);
    await this.#update();
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

  remark(messageId: string, text: string): void {
    if (!this.#closed.has(messageId)) this.#remarks.set(messageId, text);
  }

  /** Says the remarks that no message has made superfluous. */
  async tell(): Promise<void> {
    const texts = [...this.#remarks.values()];
    this.#remarks.clear();
    for (const text of texts) await this.#deps.note(text);
  }

  async #update(): Promise<boolean> {
    const next = this.#open[0];
    const hasChanged = next?.messageId !== this.#current?.messageId;
    this.#current = next;
    if (!hasChanged) return true;
    const isNew = next !== undefined && !this.#asked.has(next.messageId);
    if (next) this.#asked.add(next.messageId);
    return await this.#deps.ask(next, isNew);
  }
}
