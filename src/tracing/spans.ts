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
import { remembered } from "./remembered.ts";
import { spanContextOf } from "./traceparent.ts";

/** Texts whose redacted form is remembered: names recur in every span. */
const maxRemembered = 1_000;
const longestRemembered = 200;

/** Times are milliseconds since the epoch, by Redis' clock; absent: now. */
export interface SpanStart {
  readonly kind: SpanKind;
  readonly startMs?: number;
  /** Absent: the span begins a trace. */
  readonly parent?: string | SpanContext | undefined;
  readonly links?: readonly (SpanContext | undefined)[];
  /** Those that are undefined are left out. */
  readonly attributes: Attributes;
  /** The span's own id, where it was written down before; absent: a new one. */
  readonly spanId?: string;
}

export interface SpanEnd {
  readonly endMs?: number;
  readonly attributes?: Attributes;
  /** `error.type`, and a sentence for a person. */
  readonly error?: { readonly type: string; readonly message?: string } | undefined;
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
  /** Is told what went wrong while a span was made. Never throws. */
  readonly failed: (error: unknown) => void;
}

/** Starts and ends spans. Every text of a span is redacted here and nowhere else. */
export class Spans {
  readonly options: SpansOptions;
  readonly #redacted: (text: string) => string;

  constructor(options: SpansOptions) {
    this.options = options;
    this.#redacted = remembered(maxRemembered, options.redact);
  }

  /** What only makes spans fails alone: messages, turns and deliveries go on without them. */
  attempt<Result>(make: () => Result): Result | undefined {
    try {
      return make();
    } catch (error) {
      this.options.failed(error);
      return undefined;
    }
  }

  start(
    name: string,
    { kind, startMs = this.options.now(), parent, links = [], attributes, spanId }: SpanStart,
  ): Span {
    const { tracer, forceId } = this.options;
    const from = typeof parent === "object" ? parent : spanContextOf(parent);
    const context = from === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, from);
    if (spanId !== undefined) forceId(spanId);
    return tracer.startSpan(
      this.#text(name),
      {
        kind,
        startTime: startMs,
        links: links.flatMap((link) => (link === undefined ? [] : [{ context: link }])),
        attributes: this.#safe(attributes),
      },
      context,
    );
  }

  end(span: Span, { endMs = this.options.now(), attributes, error }: SpanEnd): void {
    if (attributes !== undefined) span.setAttributes(this.#safe(attributes));
    if (error !== undefined) {
      span.setAttribute("error.type", this.#text(error.type));
      const message = error.message && { message: this.options.redact(error.message) };
      span.setStatus({ code: SpanStatusCode.ERROR, ...message });
    }
    span.end(endMs);
  }

  /** A span that is over already. */
  record(name: string, { endMs, error, ...start }: SpanStart & SpanEnd): Span {
    const span = this.start(name, start);
    this.end(span, { ...(endMs === undefined ? {} : { endMs }), error });
    return span;
  }

  /** Something that happened within a span. */
  event(span: Span, name: string, attributes: Attributes): void {
    span.addEvent(name, this.#safe(attributes), this.options.now());
  }

  #safe(attributes: Attributes): Attributes {
    const safe: Attributes = {};
    for (const key in attributes) {
      const value = attributes[key];
      // Our own hash of a chat; others are worth remembering.
      if (value !== undefined)
        safe[key] = key === "gen_ai.conversation.id" ? value : this.#value(value);
    }
    return safe;
  }

  #value(value: AttributeValue): AttributeValue {
    if (typeof value === "string") return this.#text(value);
    // Of the arrays only texts can hold a secret.
    return Array.isArray(value)
      ? value.map((each) => (typeof each === "string" ? this.#text(each) : String(each)))
      : value;
  }

  #text(text: string): string {
    return text.length > longestRemembered ? this.options.redact(text) : this.#redacted(text);
  }
}
