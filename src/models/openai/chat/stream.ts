import type { Extras, Usage } from "../../../core/history.ts";
import type { ModelEvent } from "../../../core/model.ts";
import { AnswerText } from "../../answer-text.ts";
import { brokeOff, endOf } from "../../ends.ts";
import { failed, failedAs, lifeSign } from "../../events.ts";
import { joinExtras, keptExtras, pickExtras } from "../../extras.ts";
import { vendorFailure } from "../../failure.ts";
import { answerExtras } from "../dialect.ts";
import { CallAssembler, isJsonObject } from "./calls.ts";
import type { CallDelta, Chunk, Delta } from "./chunk.ts";
import { chunkSchema, plainWords } from "./chunk.ts";

type Choice = NonNullable<Chunk["choices"]>[number];

const orLifeSign = (events: ModelEvent[]): ModelEvent[] =>
  events.length === 0 ? [lifeSign] : events;

/**
 * Turns the chunks of one answer into events: text at once, calls and usage at
 * the end, when they are complete. An answer without a stream is one chunk.
 *
 * A closed connection isn't an end: the server must have sent one. That is a
 * finish reason; or, from servers that omit it, `[DONE]`; or a last chunk that
 * contains only usage, after at least one other. Usage next to text doesn't
 * count, because some servers send it with every chunk. An answer without a
 * stream needs no end.
 *
 * `reading → ended`; nothing is pushed after `end`.
 */
export class ChatStreamReader {
  readonly #mayCall: boolean;
  readonly #words = new AnswerText();
  readonly #calls = new CallAssembler();
  #chunks = 0;
  #usage: Usage | undefined;
  #finish: string | undefined;
  /** Why the finish reason isn't a good one. */
  #error: Choice["error"];
  /** Whether the server could have stopped here on purpose, its finish reason aside. */
  #closed = false;
  #refused = false;
  #extras: Extras = {};

  constructor(options: { readonly mayCall: boolean }) {
    this.#mayCall = options.mayCall;
  }

  push(pieces: readonly unknown[]): ModelEvent[] {
    const events: ModelEvent[] = [];
    const before = this.#chunks;
    // Words that came together are shown together.
    let words = "";
    for (const piece of pieces) {
      const more = plainWords(piece);
      if (more === undefined) {
        events.push(...this.#words.text(words), ...this.#chunk(piece));
        words = "";
      } else {
        this.#chunks += 1;
        this.#closed = false;
        words += more;
      }
    }
    events.push(...this.#words.text(words));
    return this.#chunks === before ? events : orLifeSign(events);
  }

  #chunk(raw: unknown): ModelEvent[] {
    const parsed = chunkSchema.safeParse(raw);
    if (!parsed.success) return [];
    this.#chunks += 1;
    const { choices, usage } = parsed.data;
    if (usage)
      this.#usage = {
        inputTokens: usage.prompt_tokens,
        outputTokens: usage.completion_tokens,
      };
    const events = (choices ?? [])
      .filter((choice) => (choice.index ?? 0) === 0)
      .flatMap((choice) => this.#choice(choice));
    this.#closed = isEnd(parsed.data, this.#chunks);
    return events;
  }

  /** The server has closed the stream, with or without `[DONE]`, as far as that is known. */
  end(saidDone: boolean): ModelEvent[] {
    const end = endOf(this.#finish ?? "stop");
    const calls = this.#mayCall && end !== "filtered" ? this.#calls.calls() : [];
    const tail = this.interrupted();
    if (this.#chunks === 0)
      return [...tail, failedAs("network", "the stream ended without a single chunk")];
    if (end === "failed") return [...tail, this.#gaveUp(this.#finish ?? "")];
    // Some servers close even a cut stream politely: broken arguments betray it.
    const isCut =
      !(this.#closed || saidDone) || calls.some((call) => !isJsonObject(call.arguments));
    if (this.#finish === undefined && isCut)
      return [...tail, failedAs("network", "the stream ended in the middle of the answer")];
    const extras = keptExtras(this.#extras);
    return [
      ...tail.filter((event) => event.type !== "usage"),
      ...calls.map(({ extras, ...call }): ModelEvent => {
        const kept = keptExtras(extras);
        return { type: "tool-call", ...call, ...(kept === undefined ? {} : { extras: kept }) };
      }),
      ...tail.filter((event) => event.type === "usage"),
      {
        type: "finish",
        reason: end === "good" ? this.#goodEnd(calls.length > 0) : end,
        ...(extras === undefined ? {} : { extras }),
      },
    ];
  }

  #gaveUp(reason: string): ModelEvent {
    if (!this.#error) return failedAs("overloaded", brokeOff(reason));
    const { code, message } = this.#error;
    return failed(
      vendorFailure({
        code: code == null ? undefined : String(code),
        message: message ?? brokeOff(reason),
      }),
    );
  }

  /** Text that was held back and is still useful when the answer ends early. */
  interrupted(): ModelEvent[] {
    const words = this.#words.flush();
    return this.#usage === undefined ? words : [...words, { type: "usage", usage: this.#usage }];
  }

  #choice(choice: Choice): ModelEvent[] {
    // DashScope writes null as a text.
    if (choice.finish_reason && choice.finish_reason !== "null")
      this.#finish = choice.finish_reason;
    if (choice.error) this.#error = choice.error;
    const delta = choice.delta ?? choice.message;
    if (!delta) return [];
    for (const call of callsOf(delta)) this.#calls.add(call);
    if (delta.refusal) this.#refused = true;
    this.#extras = joinExtras(this.#extras, pickExtras(delta, answerExtras));
    return [
      ...this.#words.reasoning(delta.reasoning_content || delta.reasoning || ""),
      ...(delta.content ?? []).flatMap(({ thinking, summary, text }) => [
        ...this.#words.reasoning(thinking ?? summary ?? ""),
        ...this.#words.text(text ?? ""),
      ]),
      ...this.#words.text(delta.refusal ?? ""),
    ];
  }

  #goodEnd(hasCalls: boolean): "stop" | "tool-calls" | "filtered" {
    if (this.#refused) return "filtered";
    return hasCalls ? "tool-calls" : "stop";
  }
}

function isEnd({ choices, usage }: Chunk, chunks: number): boolean {
  // Perplexity sends the message so far with every delta.
  const isWhole = (choices ?? []).some(({ message, delta }) => message != null && delta == null);
  return isWhole || (chunks > 1 && usage != null && !saysAnything(choices));
}

const saysAnything = (choices: Chunk["choices"]): boolean =>
  (choices ?? []).some(({ delta }) => {
    if (!delta) return false;
    const { content, reasoning_content, reasoning, refusal } = delta;
    const parts = (content ?? []).flatMap((part) => [part.text, part.thinking, part.summary]);
    const words = [...parts, reasoning_content, reasoning, refusal];
    return words.some(Boolean) || callsOf(delta).length > 0;
  });

/** Servers that send a call in both forms mean it once. */
function callsOf({
  tool_calls: calls,
  function_call: legacy,
}: Pick<Delta, "tool_calls" | "function_call">): readonly CallDelta[] {
  if (calls && calls.length > 0) return calls;
  return legacy ? [{ function: legacy }] : [];
}
