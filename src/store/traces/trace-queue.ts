import { messageOf } from "../../core/errors.ts";
import type { TraceRecord } from "../../core/trace.ts";
import type { TraceWarnings } from "./trace-warnings.ts";

/** The queue's capacity: records, and UTF-16 units of their texts. */
const maxWaiting = 256;
const maxWaitingLength = 16_000_000;
/** Records that are written together; when so many wait, they don't wait any longer. */
const maxTogether = 32;
/** Traces are written after the turn's own commits. Milliseconds. */
const delayMs = 100;
/** Records that could not be written this long after shutdown began are dropped. Milliseconds. */
const flushLimitMs = 1_000;

interface Waiting {
  readonly record: TraceRecord;
  readonly length: number;
}

interface Deps<Packed> {
  /** Makes of a record what is stored. */
  readonly pack: (record: TraceRecord) => Promise<Packed>;
  readonly write: (packed: Packed) => Promise<void>;
  readonly warnings: TraceWarnings;
}

/**
 * Records on their way to Redis: `waiting → being written → gone`; the oldest of too many that wait
 * are lost. Those that gather are packed one after the other and sent in one pipeline.
 */
export class TraceQueue<Packed> {
  readonly #deps: Deps<Packed>;
  readonly #waiting: Waiting[] = [];
  readonly #inFlight = new Set<Waiting>();
  #waitingLength = 0;
  #start: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(deps: Deps<Packed>) {
    this.#deps = deps;
  }

  add(record: TraceRecord): void {
    const length = lengthOf(record);
    this.#waiting.push({ record, length });
    this.#waitingLength += length;
    while (this.#waiting.length > maxWaiting || this.#waitingLength > maxWaitingLength)
      this.#drop("Redis takes them too slowly");
    this.#schedule();
  }

  /** Fulfils when the queue is empty: written, or dropped after a second. */
  async flush(): Promise<void> {
    const limit = Promise.withResolvers<void>();
    const timer = setTimeout(limit.resolve, flushLimitMs);
    await Promise.race([this.#drain(), limit.promise]);
    clearTimeout(timer);
    const cause = "Redis did not take them before the end";
    for (const each of this.#inFlight) this.#end(each, cause);
    while (this.#waiting.length > 0) this.#drop(cause);
  }

  async #drain(): Promise<void> {
    while (this.#writing !== undefined || this.#waiting.length > 0) await this.#write();
  }

  #schedule(): void {
    if (this.#writing !== undefined || this.#waiting.length === 0) return;
    if (this.#waiting.length >= maxTogether) void this.#write();
    else this.#start ??= setTimeout(() => void this.#write(), delayMs).unref();
  }

  #write(): Promise<void> {
    clearTimeout(this.#start);
    this.#start = undefined;
    this.#writing ??= this.#writeTogether().finally(() => {
      this.#writing = undefined;
      this.#schedule();
    });
    return this.#writing;
  }

  /** Never rejects. */
  async #writeTogether(): Promise<void> {
    const packed: [Waiting, Packed][] = [];
    while (packed.length < maxTogether) {
      const next = this.#take();
      if (next === undefined) break;
      this.#inFlight.add(next);
      try {
        packed.push([next, await this.#deps.pack(next.record)]);
      } catch (error) {
        this.#end(next, messageOf(error));
      }
    }
    await Promise.all(
      packed.map(([each, value]) =>
        this.#deps.write(value).then(
          () => this.#end(each),
          (error: unknown) => this.#end(each, messageOf(error)),
        ),
      ),
    );
  }

  /** @param cause why it is lost; absent: it is written. */
  #end(each: Waiting, cause?: string): void {
    if (this.#inFlight.delete(each) && cause !== undefined) this.#deps.warnings.lost(cause);
  }

  #take(): Waiting | undefined {
    const next = this.#waiting.shift();
    this.#waitingLength -= next?.length ?? 0;
    return next;
  }

  #drop(cause: string): void {
    this.#take();
    this.#deps.warnings.lost(cause);
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
