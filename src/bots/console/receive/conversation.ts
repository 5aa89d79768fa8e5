import type { Acceptance, AnswerButton, InboundForm } from "../../../core/inbound.ts";
import { approveAllData, approveData } from "../../../core/outbox.ts";
import { sanitize } from "../format/sanitize.ts";
import type { Display } from "../send/display.ts";
import type { Decision, Question, Questions } from "../send/questions.ts";
import type { ConsoleInput } from "./console-input.ts";
import type { ParsedLine } from "./parse-line.ts";

export interface ConversationDeps {
  readonly input: ConsoleInput;
  readonly display: Display;
  readonly questions: Questions;
}

/** A form as it was filled in, by the fields' ids. */
export interface SentForm {
  readonly data: string;
  readonly filled: Readonly<Record<string, string>>;
}

/**
 * A user's actions, in a terminal or through a pipe, and the immediate replies.
 */
export class Conversation {
  readonly #deps: ConversationDeps;

  constructor(deps: ConversationDeps) {
    this.#deps = deps;
  }

  /** Returns whether it starts a turn. */
  async say(line: Extract<ParsedLine, { type: "command" | "message" }>): Promise<boolean> {
    const { input, questions, display } = this.#deps;
    const open = questions.all;
    const { hasDraft } = display;
    const acceptance =
      line.type === "message"
        ? await input.message(line.text)
        : await input.command(line.name, line.argument);
    if (acceptance?.type !== "answered") {
      await this.#show(acceptance);
      return acceptance?.type === "queued" || acceptance?.type === "duplicate";
    }
    const decided = decidedOf(acceptance, open);
    if (decided) questions.decided(decided, sanitize(acceptance.text));
    else {
      // Before its answer: with the outcome of one card the next one would be shown.
      const { closes, isOnCard } = acceptance;
      await this.#forget(closes);
      // A draft says by itself that it was stopped, but not what else was dropped.
      if (!hasDraft || closes !== "all" || isOnCard !== true) await this.#show(acceptance);
    }
    return acceptance.startsTurn === true;
  }

  /**
   * Questions that a command decided or stopped are no longer open, though their cards don't show
   * it yet.
   */
  async #forget(closed: string | undefined): Promise<void> {
    const { questions } = this.#deps;
    if (closed === undefined) return;
    const data = approveData(closed);
    await questions.withdraw(questions.all.filter(({ yes }) => closed === "all" || yes === data));
  }

  /** A refused decision leaves the question open, unless `isLast`. */
  async decide(question: Question, decision: Decision, { isLast = false } = {}): Promise<void> {
    const { input, questions } = this.#deps;
    const acceptance = await input.tap(question.messageId, question[decision]);
    if (acceptance?.type === "answered")
      questions.remark(question.messageId, sanitize(acceptance.text));
    else await this.#show(acceptance);
    if (acceptance?.type === "refused" && !isLast) await questions.putBack(question);
    else if (acceptance?.type !== "answered") await questions.release(question);
  }

  /**
   * The form in which its call can be changed, or that follows the form which is `sent`. Undefined:
   * there is none, and the person reads why, or its call is asked about again, as changed.
   * @param isTyped nothing can be filled in here: they read what to type.
   */
  async form(
    question: Question,
    { sent, isTyped = false }: { readonly sent?: SentForm | undefined; readonly isTyped?: boolean },
  ): Promise<InboundForm | undefined> {
    const { input, questions } = this.#deps;
    const { messageId, yes, edit: data = "" } = question;
    const acceptance = await input.tap(messageId, sent?.data ?? data, sent?.filled);
    if (acceptance?.type === "form" && !isTyped) return acceptance.form;
    // The other calls of a card are still asked about.
    const isDecided = acceptance?.type === "answered" && !yes.startsWith(approveAllData(""));
    if (isDecided) questions.decided(question, sanitize(acceptance.text));
    else await this.#show(acceptance);
    return undefined;
  }

  /** As `/stop` that is typed. */
  async stop(): Promise<void> {
    await this.say({ type: "command", name: "stop", argument: "" });
  }

  async #show(acceptance: Acceptance | undefined): Promise<void> {
    const { display, questions } = this.#deps;
    const said = acceptance && "text" in acceptance ? (acceptance.text ?? "") : "";
    if (said.trim() === "") return;
    const buttons = acceptance?.type === "answered" ? (acceptance.buttons ?? []) : [];
    const text = sanitize([said, ...buttons.map(choiceLine)].join("\n"));
    await questions.notify();
    await display.print({ text });
  }
}

/** Nothing can be tapped here: a button is shown as the line that does the same. */
function choiceLine({ label, typed }: AnswerButton): string {
  const shown = sanitize(label);
  const name = shown.replace(/^✓ /, "");
  const line = typed.endsWith(name) ? typed : `${name}: ${typed}`;
  return name === shown ? `• ${line}` : `• ${line} ✓`;
}

/**
 * The question whose card says what the command has answered. @param open as it was before: the
 * card may say so already.
 */
function decidedOf(
  { closes, isOnCard }: Acceptance & { readonly type: "answered" },
  open: readonly Question[],
): Question | undefined {
  if (closes === undefined || isOnCard !== true) return undefined;
  const data = approveData(closes);
  return open.find(({ yes }) => yes === data);
}
