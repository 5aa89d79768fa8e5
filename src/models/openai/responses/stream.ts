import type { Usage } from "../../../core/history.ts";
import type { ModelEvent, ModelFailure } from "../../../core/model.ts";
import { AnswerText } from "../../answer-text.ts";
import { brokeOff, endOf } from "../../ends.ts";
import { failed, failedAs, lifeSign } from "../../events.ts";
import { vendorFailure } from "../../failure.ts";
import { ItemCalls } from "./calls.ts";
import type { Item, ResponsesEvent, WholeResponse } from "./event.ts";
import { eventSchema, responseSchema } from "./event.ts";
import { Paragraphs } from "./paragraphs.ts";

/**
 * Turns the events of one response into ours: text at once, calls at the end,
 * when they are complete. The finished response has the last word on both. `reading → ended` by
 * `response.completed`, `.incomplete`, `.failed` or `error`; later events are ignored.
 */
export class ResponsesStreamReader {
  readonly #mayCall: boolean;
  readonly #words = new AnswerText();
  readonly #calls = new ItemCalls();
  readonly #paragraphs = new Paragraphs();
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
    if (!whole.success) return [lifeSign];
    const { status, output } = whole.data;
    if (status) return this.#finish(whole.data);
    return output ? this.#finish({ ...whole.data, status: "completed" }) : [lifeSign];
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
    const place = event.output_index ?? undefined;
    const call = {
      place,
      callId: event.call_id ?? undefined,
      itemId: event.item_id ?? undefined,
    };
    switch (event.type) {
      case "response.output_text.delta":
        return this.#words.text(this.#paragraphs.piece(delta ?? "", place));
      case "response.refusal.delta":
        this.#refused = true;
        return this.#words.text(this.#paragraphs.piece(delta ?? "", place));
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        return this.#reasoning(delta ?? "");
      case "response.reasoning_summary_part.added":
        return (event.summary_index ?? 0) > 0 ? this.#reasoning("\n\n") : [];
      case "response.output_item.added":
      case "response.output_item.done":
        if (item) {
          this.#calls.item(item, place, event.type.endsWith("done") ? "done" : "begins");
          this.#paragraphs.edge(item, place);
        }
        return [];
      case "response.function_call_arguments.delta":
        this.#calls.delta(call, delta ?? "");
        return [];
      case "response.function_call_arguments.done":
        this.#calls.done(call, event.arguments);
        return [];
      case "response.done":
        return this.#finish({ status: "completed", ...event.response });
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
      case "response.cancelled":
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

  #reasoning(text: string): ModelEvent[] {
    this.#hasReasoning ||= text !== "";
    return this.#words.reasoning(text);
  }

  #finish(response: WholeResponse): ModelEvent[] {
    const words = [...this.#lastWords(response), ...this.#words.flush()];
    const usage = usageOf(response);
    const spent: ModelEvent[] = usage ? [{ type: "usage", usage }] : [];
    this.#ended = true;
    const failure = failureOf(response);
    if (failure !== undefined) return [...words, ...spent, failed(failure)];
    const reason = endOfResponse(response);
    const calls = this.#mayCall && reason !== "filtered" ? this.#calls.calls() : [];
    return [
      ...words,
      ...calls.map((call): ModelEvent => ({ type: "tool-call", ...call })),
      ...spent,
      { type: "finish", reason: reason ?? this.#goodEnd(calls.length > 0) },
    ];
  }

  /** The parts of the response that were not streamed, or not so: all of them if it came in one piece. */
  #lastWords({ output }: WholeResponse): ModelEvent[] {
    const items = output ?? [];
    this.#calls.finish(items);
    const isRefused = items.some((item) => item?.content?.some(({ refusal }) => Boolean(refusal)));
    this.#refused ||= isRefused;
    const thoughts = this.#hasReasoning ? "" : thoughtsOf(items.filter((item) => item != null));
    const events = this.#words.reasoning(thoughts);
    const { text, replaces } = this.#paragraphs.finish(items);
    return [...events, ...(replaces ? this.#words.replace(text) : this.#words.text(text))];
  }

  #goodEnd(hasCalls: boolean): "stop" | "tool-calls" | "filtered" {
    if (this.#refused) return "filtered";
    return hasCalls ? "tool-calls" : "stop";
  }
}

function failureOf(response: WholeResponse): ModelFailure | undefined {
  const { status, error, incomplete_details: details } = response;
  if (status === "failed" || error) {
    const { code, type, message } = error ?? {};
    return vendorFailure({
      code: code ?? undefined,
      type: type ?? undefined,
      message: message ?? code ?? "the response failed",
    });
  }
  if (status === "completed") return undefined;
  const reason = status === "incomplete" ? (details?.reason ?? "length") : (status ?? "none");
  const isEnd = status === "incomplete" && ["length", "filtered"].includes(endOf(reason));
  return isEnd ? undefined : { kind: "overloaded", message: brokeOff(reason) };
}

/** Undefined: it is complete. */
function endOfResponse(response: WholeResponse): "length" | "filtered" | undefined {
  if (response.status !== "incomplete") return undefined;
  return endOf(response.incomplete_details?.reason ?? "length") === "filtered"
    ? "filtered"
    : "length";
}

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
