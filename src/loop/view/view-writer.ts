import { isBlank } from "../../text/blank.ts";
import type { RequestImage, RequestMessage } from "../../core/model.ts";
import type { PlainExchanges } from "./plain-exchanges.ts";
import { nobodyWrote } from "./platform-words.ts";

type Counted =
  "masked" | "reduced" | "reasoning" | "blank" | "images" | "edited" | "imitated" | "closed";

/** Collects the messages of a view, and in words how it differs from the plain history. */
export class ViewWriter {
  readonly #messages: RequestMessage[] = [];
  readonly #diagnostics: string[] = [];
  readonly #counts: Record<Counted, number> = {
    masked: 0,
    reduced: 0,
    reasoning: 0,
    blank: 0,
    images: 0,
    edited: 0,
    imitated: 0,
    closed: 0,
  };
  readonly #hasPerson: boolean;

  /**
   * @param hasPerson whether any message has the user role; otherwise there is
   * no request to repair.
   */
  constructor(hasPerson: boolean) {
    this.#hasPerson = hasPerson;
  }

  repair(text: string): void {
    this.#diagnostics.push(`repair: ${text}`);
  }

  /** Of these one diagnostic speaks for all. Returns how many there are by now. */
  count(what: Counted): number {
    this.#counts[what] += 1;
    return this.#counts[what];
  }

  /** @param images of the results that were written last. */
  resultImages(text: string, images: readonly RequestImage[]): void {
    this.#messages.push({ role: "user", text, images, ofResults: true });
  }

  user(text: string, images: readonly RequestImage[] = []): void {
    this.#messages.push({
      role: "user",
      text,
      ...(images.length === 0 ? {} : { images }),
    });
  }

  /** A person's message, without pictures. */
  message(message: RequestMessage & { role: "user" }): void {
    this.#messages.push(message);
  }

  assistant(message: RequestMessage & { role: "assistant" }): void {
    const last = this.#messages.at(-1)?.role;
    if (this.#hasPerson && last === undefined) {
      this.repair("the conversation began with the assistant");
      this.user(nobodyWrote);
    } else if (this.#hasPerson && last === "assistant" && message.calls.length > 0) {
      this.repair("calls came right behind the assistant's own words");
      this.user(nobodyWrote);
    }
    this.#messages.push(message);
  }

  /** The turn ended without an answer: its question, or its last result, gets this one. */
  close(text: string): void {
    const last = this.#messages.at(-1)?.role;
    if (last !== "user" && last !== "tool") return;
    this.count("closed");
    this.#messages.push({ role: "assistant", text, calls: [] });
  }

  /** Messages without calls: only the conversation's first may have to be repaired. */
  plain([first, ...others]: PlainExchanges["messages"]): void {
    if (first?.role === "assistant") this.assistant(first);
    else if (first !== undefined) this.message(first);
    this.#messages.push(...others);
  }

  result(message: RequestMessage & { role: "tool" }): void {
    this.#messages.push(message);
  }

  /**
   * To be called once, at the end.
   * @param latest what holds for this turn alone, in the platform's voice
   * @param hint for the model, at the end
   */
  finish(
    latest: readonly string[],
    hint: string | undefined,
  ): {
    readonly messages: readonly RequestMessage[];
    readonly diagnostics: readonly string[];
  } {
    this.#countedDiagnostics();
    this.#addLatest(latest.filter((text) => !isBlank(text)));
    if (hint !== undefined) this.#addHint(hint);
    if (this.#hasPerson && this.#messages.at(-1)?.role === "assistant") {
      this.repair("the conversation ended with the assistant");
      this.user(nobodyWrote);
    }
    return { messages: this.#messages, diagnostics: this.#diagnostics };
  }

  /**
   * Behind all that the next request has in common with this one, and in front of the newest
   * message: a person's own words come last.
   */
  #addLatest(latest: readonly string[]): void {
    const at = this.#messages.findLastIndex(
      (message) => message.role === "user" && !message.ofResults,
    );
    if (at < 0 || latest.length === 0) return;
    this.#messages.splice(at, 0, ...latest.map((text) => ({ role: "user" as const, text })));
    this.#diagnostics.push("latest: added in front of the newest message");
  }

  #addHint(hint: string): void {
    const last = this.#messages.at(-1);
    if (last?.role === "tool") {
      this.#messages[this.#messages.length - 1] = {
        ...last,
        text: `${last.text}\n\n${hint}`,
      };
      this.#diagnostics.push("hint: added to the last result");
      return;
    }
    this.user(hint);
    this.#diagnostics.push("hint: added at the end");
  }

  #countedDiagnostics(): void {
    const { masked, reduced, reasoning, blank, images, edited, imitated, closed } = this.#counts;
    const lines: readonly (readonly [number, string])[] = [
      [masked, `masking: ${masked} rounds of calls are shown as text`],
      [reduced, `reduction: ${reduced} results are shown short`],
      [reasoning, `reasoning: that of ${reasoning} answers is left out`],
      [blank, `blank: ${blank} texts without words are left out or named so`],
      [images, `images: of ${images} pictures only a line is shown`],
      [edited, `edit: ${edited} messages are shown as they were edited`],
      [closed, `closed: ${closed} questions without an answer get a line instead`],
      [imitated, `imitation: of ${imitated} texts our own brackets are round`],
    ];
    for (const [count, line] of lines) if (count > 0) this.#diagnostics.push(line);
  }
}
