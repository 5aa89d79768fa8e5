import { randomBytes } from "node:crypto";
import type { Chunk, OutgoingFile, Sender, SendOptions, SendOutcome } from "../../../core/ports.ts";
import { messageOf } from "../../../core/errors.ts";
import type { Locale } from "../../../locales/locale.ts";
import { dimMarkup, markdownMarkup } from "../format/rows.ts";
import { sanitize } from "../format/sanitize.ts";
import type { Display } from "./display.ts";
import { fileChunk, type SaveFile } from "./file-chunk.ts";
import { questionOf, type Question, type Questions } from "./questions.ts";

type Buttons = SendOptions["buttons"];
type State = "new" | "draft" | "question" | "final";

interface Message {
  state: State;
  text: string;
}

interface Next {
  readonly chunk: Chunk;
  readonly final: boolean;
  readonly buttons: Buttons;
}

const stateAfter = (state: State, final: boolean): State =>
  final || state === "question" || state === "final" ? "final" : "draft";

/** Older messages can no longer be edited, nor their nonces be recognised. */
const maxMessages = 1_000;
const editIntervalMs = 80;
/** Kept in the outbox: the next start shows it. */
const closed: SendOutcome = {
  type: "retry",
  retryAfterMs: 1_000,
  cause: "the console is closed",
};

const chunksOf = (chunk: Chunk): readonly Chunk[] => (chunk.text.trim() === "" ? [] : [chunk]);

/** Buttons that are no question are shown as words: there is nothing to tap here. */
const withLabels = (chunk: Chunk, buttons: Buttons): Chunk =>
  buttons === undefined || buttons.length === 0
    ? chunk
    : {
        ...chunk,
        text: `${chunk.text}\n${buttons.map(({ label }) => `[${sanitize(label)}]`).join(" ")}`,
      };

export interface ConsoleSenderDeps {
  readonly display: Display;
  readonly questions: Questions;
  /** Called after every finished message; a resolution reports the result of a question. */
  readonly onFinal: (kind: "message" | "resolution") => void;
  readonly isOpen: () => boolean;
  /** Absent: files of text are printed, others refused. */
  readonly saveFile?: SaveFile | undefined;
  readonly words: () => Promise<Locale["console"]>;
}

/**
 * The console's mouth. A message is `new → draft → question → final`, the steps between optional; a
 * final message that is edited is printed again. Ids are unique over restarts, so that an edit of
 * an earlier process's message is `gone`.
 */
export class ConsoleSender implements Sender {
  readonly platform = "console";
  readonly deduplicates = true;
  readonly showsOutcomesBelow = true;
  readonly endsDrafts = true;
  readonly #deps: ConsoleSenderDeps;
  readonly #prefix = randomBytes(4).toString("hex");
  readonly #messages = new Map<string, Message>();
  readonly #nonces = new Map<string, string>();
  #count = 0;

  constructor(deps: ConsoleSenderDeps) {
    this.#deps = deps;
  }

  editIntervalMs(): number {
    return editIntervalMs;
  }

  /**
   * A note is a separate chunk: an open fence in the Markdown must not swallow
   * it.
   */
  render(markdown: string, note = ""): Promise<readonly Chunk[]> {
    const text = sanitize(markdown);
    return Promise.resolve([
      ...chunksOf({ text, markup: markdownMarkup }),
      ...chunksOf({ text: sanitize(note), markup: dimMarkup }),
    ]);
  }

  plain(text: string): readonly Chunk[] {
    return chunksOf({ text: sanitize(text) });
  }

  async send(
    _chat: unknown,
    chunk: Chunk,
    { nonce, final, buttons }: SendOptions,
  ): Promise<SendOutcome> {
    const known = this.#nonces.get(nonce);
    if (known !== undefined) return { type: "sent", messageId: known };
    if (!this.#deps.isOpen()) return closed;
    this.#count += 1;
    const messageId = `${this.#prefix}-${this.#count}`;
    const message: Message = { state: "new", text: "" };
    this.#remember(messageId, message, nonce);
    return await this.#show(messageId, message, { chunk, final, buttons });
  }

  /** A file is saved to a folder, and the message says where. */
  async sendFile(chat: unknown, file: OutgoingFile, options: SendOptions): Promise<SendOutcome> {
    const known = this.#nonces.get(options.nonce);
    if (known !== undefined) return { type: "sent", messageId: known };
    if (!this.#deps.isOpen()) return closed;
    try {
      const { saveFile, words } = this.#deps;
      const chunk = await fileChunk(file, saveFile, await words());
      return await this.send(chat, chunk, options);
    } catch (error) {
      return { type: "refused", cause: messageOf(error) };
    }
  }

  async edit(
    _chat: unknown,
    messageId: string,
    chunk: Chunk,
    { final, buttons }: Pick<SendOptions, "buttons" | "final">,
  ): Promise<SendOutcome> {
    const message = this.#messages.get(messageId);
    if (!message) return { type: "gone", cause: "it is not on this screen" };
    if (!this.#deps.isOpen()) return closed;
    return await this.#show(messageId, message, { chunk, final, buttons });
  }

  typing(): Promise<void> {
    this.#deps.display.working();
    return Promise.resolve();
  }

  async #show(messageId: string, message: Message, next: Next): Promise<SendOutcome> {
    const question = questionOf(messageId, next.chunk, next.buttons ?? []);
    const chunk = question ? next.chunk : withLabels(next.chunk, next.buttons);
    const before = { ...message };
    message.text = chunk.text;
    message.state = question ? "question" : stateAfter(before.state, next.final);
    if (message.text === before.text && message.state === before.state)
      return { type: "sent", messageId };
    const isShown = question
      ? await this.#ask(question, before.state)
      : message.state === "draft"
        ? await this.#deps.display.draft(messageId, chunk)
        : await this.#finish(messageId, chunk, before.state);
    return isShown ? { type: "sent", messageId } : closed;
  }

  async #ask(question: Question, before: State): Promise<boolean> {
    const { display, questions } = this.#deps;
    if (before === "question") return await questions.replace(question);
    if (before === "draft") await display.drop(question.messageId);
    return await questions.open(question);
  }

  async #finish(messageId: string, chunk: Chunk, before: State): Promise<boolean> {
    const { display, questions, onFinal } = this.#deps;
    if (before === "question") questions.close(messageId);
    await questions.notify();
    const isShown = await (before === "draft"
      ? display.finish(messageId, chunk)
      : display.print(chunk));
    await (before === "question" ? questions.closed(messageId) : questions.refresh());
    onFinal(before === "question" ? "resolution" : "message");
    return isShown;
  }

  #remember(messageId: string, message: Message, nonce: string): void {
    this.#messages.set(messageId, message);
    this.#nonces.set(nonce, messageId);
    for (const map of [this.#messages, this.#nonces])
      for (const key of map.keys()) {
        if (map.size <= maxMessages) break;
        map.delete(key);
      }
  }
}
