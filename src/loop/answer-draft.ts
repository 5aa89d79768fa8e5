import type { LoopDeps } from "./deps.ts";
import type { Session } from "../core/ports.ts";

/** Nothing is shown before this many characters have come … */
const firstCharacters = 30;
/** … or this early: an answer that is ready at once needs no draft. Milliseconds. */
const firstDelayMs = 300;
/** Platforms show "typing" for 5 s (Telegram) to 10 s (Discord). */
const typingEveryMs = 4_000;

/** Which message the text grows in: the outbox id of the answer that will replace it. */
interface DraftEntry {
  readonly id: string;
  readonly replyTo?: string;
}

type DraftDeps = Pick<
  LoopDeps,
  "store" | "draftIntervalMs" | "wakeDelivery" | "clock" | "log"
>;

/**
 * The growing answer as people see it: a line per tool, then the text so far. Overwrites one key at the chat's pace;
 * the newest wins, unchanged text is not written again. Ends with the session.
 */
export class AnswerDraft implements Disposable {
  readonly #deps: DraftDeps;
  readonly #session: Session;
  #entry: DraftEntry;
  readonly #lines = new Map<string, string>();
  #text = "";
  #written: string | undefined;
  #writtenAtMs: number;
  #generation = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: DraftDeps, session: Session, entry: DraftEntry) {
    this.#deps = deps;
    this.#session = session;
    this.#entry = entry;
    this.#writtenAtMs = deps.clock.monotonic();
    this.#schedule(firstDelayMs);
  }

  /** Whether people may have seen a part of it. */
  get wasShown(): boolean {
    return this.#written !== undefined && this.#written !== "";
  }

  /** What was shown so far is said for good: the answer goes on in another message, which is empty yet. */
  moveTo(entry: DraftEntry): void {
    if (entry.id === this.#entry.id) return;
    this.#entry = entry;
    this.#lines.clear();
    this.#text = "";
    this.#written = undefined;
  }

  setText(text: string): void {
    this.#text = text;
  }

  setLine(key: string, line: string): void {
    this.#lines.set(key, line);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.#write()
        .catch((error: unknown) =>
          this.#deps.log.debug(
            { error, chat: this.#session.chat },
            "draft not written",
          ),
        )
        .finally(() => {
          if (this.#timer !== undefined)
            this.#schedule(this.#deps.draftIntervalMs(this.#session.chat));
        });
    }, delayMs);
  }

  async #write(): Promise<void> {
    const text = this.#shown();
    const nowMs = this.#deps.clock.monotonic();
    const idle = text === (this.#written ?? "");
    if (
      idle &&
      this.#written !== undefined &&
      nowMs - this.#writtenAtMs < typingEveryMs
    )
      return;
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
    const text = this.#text.length < firstCharacters ? "" : this.#text;
    return [[...this.#lines.values()].join("\n"), text]
      .filter((part) => part !== "")
      .join("\n\n");
  }
}
