import type { Usage } from "../../../core/history.ts";
import type { ModelEvent } from "../../../core/model.ts";
import { AnswerText } from "../../answer-text.ts";
import { failed, failedAs, lifeSign } from "../../events.ts";
import { vendorFailure } from "../../failure.ts";
import { ItemCalls } from "./calls.ts";
import type { Item, ResponsesEvent, WholeResponse } from "./event.ts";
import { eventSchema, responseSchema } from "./event.ts";

/**
 * Turns the events of one response into ours: text at once, calls at the end,
 * when they are complete. `reading → ended` by `response.completed`,
 * `.incomplete`, `.failed` or `error`; later events are ignored.
 */
export class ResponsesStreamReader {
  readonly #mayCall: boolean;
  readonly #words = new AnswerText();
  readonly #calls = new ItemCalls();
  /** The message that the last text belonged to; undefined: there was no text. */
  #message: string | undefined;
  #hasReasoning = false;
  #refused = false;
  #ended = false;

  constructor(options: { readonly mayCall: boolean }) {
    this.#mayCall = options.mayCall;
  }

  push(pieces: readonly unknown[]): ModelEvent[] {
    return pieces.flatMap((piece) => this.#piece(piece));
  }

  #piece(raw: unknown): ModelEvent[] {
    if (this.#ended) return [];
    const parsed = eventSchema.safeParse(raw);
    if (parsed.success) {
      const events = this.#event(parsed.data);
      return events.length === 0 ? [lifeSign] : events;
    }
    // Without a stream the response itself is the answer.
    const whole = responseSchema.safeParse(raw);
    return whole.success && whole.data.status ? this.#finish(whole.data) : [lifeSign];
  }

  /** The server has closed the stream. */
  end(): ModelEvent[] {
    if (this.#ended) return [];
    return [...this.interrupted(), failedAs("network", "the stream ended before the response did")];
  }

  /** Text that was held back when the answer ends early. */
  interrupted(): ModelEvent[] {
    return this.#ended ? [] : this.#words.flush();
  }

  #event(event: ResponsesEvent): ModelEvent[] {
    const { delta, item } = event;
    const key = event.item_id ?? placeOf(event.output_index);
    switch (event.type) {
      case "response.output_text.delta":
        return this.#text(delta ?? "", messageOf(event));
      case "response.refusal.delta":
        this.#refused = true;
        return this.#text(delta ?? "", messageOf(event));
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        return this.#reasoning(delta ?? "");
      case "response.reasoning_summary_part.added":
        return (event.summary_index ?? 0) > 0 ? this.#reasoning("\n\n") : [];
      case "response.output_item.added":
      case "response.output_item.done":
        if (item) this.#calls.item(item, placeOf(event.output_index));
        return [];
      case "response.function_call_arguments.delta":
        this.#calls.delta(key, delta ?? "");
        return [];
      case "response.function_call_arguments.done":
        this.#calls.done(key, event.arguments);
        return [];
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
        return this.#finish({
          ...event.response,
          status: event.type.slice("response.".length),
        });
      case "error":
        return this.#finish({
          status: "failed",
          error: event.error ?? { code: event.code, message: event.message },
        });
      default:
        return [];
    }
  }

  /**
   * @param message which of the answer's messages it belongs to: each is a
   * separate paragraph
   */
  #text(text: string, message: string): ModelEvent[] {
    if (text === "") return [];
    const isAnother = this.#message !== undefined && this.#message !== message;
    this.#message = message;
    return this.#words.text(isAnother ? `\n\n${text}` : text);
  }

  #reasoning(text: string): ModelEvent[] {
    this.#hasReasoning ||= text !== "";
    return this.#words.reasoning(text);
  }

  #finish(response: WholeResponse): ModelEvent[] {
    const missed = this.#missed(response);
    const words = [...missed, ...this.#words.flush()];
    const usage = usageOf(response);
    const spent: ModelEvent[] = usage ? [{ type: "usage", usage }] : [];
    this.#ended = true;
    if (response.status === "failed" || response.error) {
      const { code, type, message } = response.error ?? {};
      const failure = vendorFailure({
        code: code ?? undefined,
        type: type ?? undefined,
        message: message ?? code ?? "the response failed",
      });
      return [...words, ...spent, failed(failure)];
    }
    const calls = this.#mayCall ? this.#calls.calls() : [];
    return [
      ...words,
      ...calls.map((call): ModelEvent => ({ type: "tool-call", ...call })),
      ...spent,
      { type: "finish", reason: this.#reason(response, calls.length > 0) },
    ];
  }

  /** The parts of the response that were not streamed: all of them if it came in one piece. */
  #missed({ output }: WholeResponse): ModelEvent[] {
    const items = (output ?? []).filter((item) => item != null);
    const events: ModelEvent[] = [];
    if (!this.#hasReasoning) events.push(...this.#words.reasoning(thoughtsOf(items)));
    if (this.#message === undefined) events.push(...this.#whole(items));
    if (this.#calls.isEmpty)
      for (const [index, item] of items.entries()) this.#calls.item(item, placeOf(index));
    return events;
  }

  #whole(items: readonly Item[]): ModelEvent[] {
    return items.flatMap(({ type, content }, index) => {
      if (type !== "message") return [];
      const parts = content ?? [];
      this.#refused ||= parts.some(({ refusal }) => Boolean(refusal));
      const text = parts.map((part) => part.text ?? part.refusal ?? "");
      return this.#text(text.join(""), placeOf(index));
    });
  }

  #reason(
    response: WholeResponse,
    hasCalls: boolean,
  ): "stop" | "tool-calls" | "length" | "filtered" {
    const { status, incomplete_details: details } = response;
    if (status === "incomplete")
      return details?.reason === "content_filter" ? "filtered" : "length";
    if (this.#refused) return "filtered";
    return hasCalls ? "tool-calls" : "stop";
  }
}

const placeOf = (index: number | null | undefined): string => `output ${index ?? 0}`;

/** By its place where there is one: some servers send another id with every event. */
const messageOf = ({ output_index: index, item_id: id }: ResponsesEvent) =>
  typeof index === "number" ? placeOf(index) : (id ?? placeOf(0));

function thoughtsOf(items: readonly Item[]): string {
  return items
    .filter(({ type }) => type === "reasoning")
    .flatMap(({ summary, content }) => (summary && summary.length > 0 ? summary : (content ?? [])))
    .map(({ text }) => text ?? "")
    .join("\n\n");
}

function usageOf({ usage }: WholeResponse): Usage | undefined {
  return usage ? { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens } : undefined;
}
