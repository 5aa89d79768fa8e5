import type { Acceptance } from "../../../core/inbound.ts";
import { approveData } from "../../../core/outbox.ts";
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
    const { input, questions } = this.#deps;
    const open = questions.all;
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
      await this.#forget(acceptance.closes);
      await this.#show(acceptance);
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

  async #show(acceptance: Acceptance | undefined): Promise<void> {
    const { display, questions } = this.#deps;
    const said = acceptance && "text" in acceptance ? (acceptance.text ?? "") : "";
    if (said.trim() === "") return;
    const buttons = acceptance?.type === "answered" ? (acceptance.buttons ?? []) : [];
    // Nothing can be tapped here: each button is the line that does the same.
    const choices = buttons.map(({ label, typed }) => `  ${label}: ${typed}`);
    const text = sanitize([said, ...choices].join("\n"));
    await questions.notify();
    await display.print({ text });
  }
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
