import {
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Attributes,
  type AttributeValue,
  type Span,
  type SpanContext,
  type SpanKind,
  type Tracer,
} from "@opentelemetry/api";
import type { ChatKey } from "../core/chat.ts";
import { spanContextOf } from "./traceparent.ts";

/** Texts whose redacted form is remembered: names recur in every span. */
const maxRemembered = 1_000;
const longestRemembered = 200;

export interface SpanStart {
  readonly kind: SpanKind;
  /** Milliseconds since the epoch, by Redis' clock, as all times here. */
  readonly startMs: number;
  /** Absent: the span begins a trace. */
  readonly parent?: string | undefined;
  readonly links?: readonly (SpanContext | undefined)[];
  readonly attributes: Attributes;
  /** The span's own id, where it was written down before; absent: a new one. */
  readonly spanId?: string;
}

export interface SpanEnd {
  readonly endMs: number;
  readonly attributes?: Attributes;
  /** `error.type`, and a sentence for a person. */
  readonly error?: { readonly type: string; readonly message?: string };
}

export interface SpansOptions {
  readonly tracer: Tracer;
  /** Makes the next span have this id. */
  readonly forceId: (spanId: string) => void;
  readonly redact: (text: string) => string;
  /** The chat's name in traces: the same in all processes, and no id of a person. */
  readonly conversationOf: (chat: ChatKey) => string;
  /** Whether messages, arguments and results are part of the spans. */
  readonly withContent: boolean;
  readonly now: () => number;
}

/** Starts and ends spans. Every text of a span is redacted here and nowhere else. */
export class Spans {
  readonly now: () => number;
  readonly conversationOf: (chat: ChatKey) => string;
  readonly withContent: boolean;
  readonly redact: (text: string) => string;
  readonly #options: SpansOptions;
  readonly #redacted = new Map<string, string>();

  constructor(options: SpansOptions) {
    this.#options = options;
    this.now = options.now;
    this.redact = options.redact;
    this.conversationOf = options.conversationOf;
    this.withContent = options.withContent;
  }

  start(name: string, { kind, startMs, parent, links = [], attributes, spanId }: SpanStart): Span {
    const { tracer, forceId } = this.#options;
    const from = spanContextOf(parent);
    const context = from === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, from);
    if (spanId !== undefined) forceId(spanId);
    return tracer.startSpan(
      this.#name(name),
      {
        kind,
        startTime: startMs,
        links: links.flatMap((link) => (link === undefined ? [] : [{ context: link }])),
        attributes: this.#safe(attributes),
      },
      context,
    );
  }

  end(span: Span, { endMs, attributes = {}, error }: SpanEnd): void {
    span.setAttributes(this.#safe(attributes));
    if (error !== undefined) {
      const { type, message } = error;
      span.setAttributes(this.#safe({ "error.type": type }));
      span.setStatus({
        code: SpanStatusCode.ERROR,
        ...(message === undefined ? {} : { message: this.redact(message) }),
      });
    }
    span.end(endMs);
  }

  /** A span that is over already. */
  record(name: string, { endMs, error, ...start }: SpanStart & SpanEnd): Span {
    const span = this.start(name, start);
    this.end(span, { endMs, ...(error === undefined ? {} : { error }) });
    return span;
  }

  /** Something that happened within a span. */
  event(span: Span, name: string, attributes: Attributes): void {
    span.addEvent(name, this.#safe(attributes), this.now());
  }

  #safe(attributes: Attributes): Attributes {
    const safe: Attributes = {};
    for (const [key, value] of Object.entries(attributes)) safe[key] = this.#value(value);
    return safe;
  }

  #value(value: AttributeValue | undefined): AttributeValue | undefined {
    if (typeof value === "string") return this.#name(value);
    // Of the arrays only texts can hold a secret.
    return Array.isArray(value)
      ? value.map((each) => (typeof each === "string" ? this.#name(each) : String(each)))
      : value;
  }

  #name(text: string): string {
    if (text.length > longestRemembered) return this.redact(text);
    const known = this.#redacted.get(text);
    if (known !== undefined) return known;
    if (this.#redacted.size >= maxRemembered) this.#redacted.clear();
    const redacted = this.redact(text);
    this.#redacted.set(text, redacted);
    return redacted;
  }
}
