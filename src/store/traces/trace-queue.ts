import { messageOf } from "../../core/errors.ts";
import type { TraceRecord } from "../../core/trace.ts";
import type { TraceWarnings } from "./trace-warnings.ts";

/** The queue's capacity: records, and UTF-16 units of their texts. */
const maxWaiting = 256;
const maxWaitingLength = 16_000_000;
/** Records that are compressed and written at the same time. */
const concurrency = 4;
/** Traces are written after the turn's own commits. Milliseconds. */
const delayMs = 100;
/** Records that could not be written this long after shutdown began are dropped. Milliseconds. */
const flushLimitMs = 1_000;

interface Waiting {
  readonly record: TraceRecord;
  readonly length: number;
}

/**
 * Records on their way to Redis: `waiting → being written → gone`; the oldest of too many that wait
 * are lost.
 */
export class TraceQueue {
  readonly #put: (record: TraceRecord) => Promise<void>;
  readonly #warnings: TraceWarnings;
  readonly #waiting: Waiting[] = [];
  readonly #writers = new Set<Promise<void>>();
  #waitingLength = 0;
  #start: NodeJS.Timeout | undefined;

  constructor(put: (record: TraceRecord) => Promise<void>, warnings: TraceWarnings) {
    this.#put = put;
    this.#warnings = warnings;
  }

  add(record: TraceRecord): void {
    const length = lengthOf(record);
    this.#waiting.push({ record, length });
    this.#waitingLength += length;
    while (this.#waiting.length > maxWaiting || this.#waitingLength > maxWaitingLength)
      this.#drop("Redis takes them too slowly");
    this.#start ??= setTimeout(() => this.#write(), delayMs).unref();
  }

  /** Fulfils when the queue is empty: written, or dropped after a second. */
  async flush(): Promise<void> {
    this.#write();
    const limit = Promise.withResolvers<void>();
    const timer = setTimeout(limit.resolve, flushLimitMs);
    await Promise.race([Promise.all(this.#writers), limit.promise]);
    clearTimeout(timer);
    while (this.#waiting.length > 0) this.#drop("Redis did not take them before the end");
  }

  #write(): void {
    clearTimeout(this.#start);
    this.#start = undefined;
    while (this.#writers.size < concurrency && this.#waiting.length > 0) {
      const writer = this.#writeAll().finally(() => this.#writers.delete(writer));
      this.#writers.add(writer);
    }
  }

  async #writeAll(): Promise<void> {
    for (let next = this.#take(); next; next = this.#take())
      try {
        await this.#put(next.record);
      } catch (error) {
        this.#warnings.lost(messageOf(error));
      }
  }

  #take(): Waiting | undefined {
    const next = this.#waiting.shift();
    this.#waitingLength -= next?.length ?? 0;
    return next;
  }

  #drop(cause: string): void {
    this.#take();
    this.#warnings.lost(cause);
  }
}

/** About how much memory a record holds on to, in UTF-16 units. */
function lengthOf({ request, response }: TraceRecord): number {
  let length = response.text.length + response.reasoning.length;
  for (const message of request.messages) {
    length += message.text.length;
    if (message.role !== "assistant") continue;
    length += message.reasoning?.length ?? 0;
    for (const call of message.calls) length += call.arguments.length;
  }
  return length;
}
