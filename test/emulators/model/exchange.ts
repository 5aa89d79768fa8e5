import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { Frame } from "./frame.ts";
import type { GatePoint } from "./gate.ts";
import type { ModelRequest } from "./model-request.ts";
import type { JsonObject } from "./problem.ts";
import type { RecordedRequest, ScriptedModel } from "./scripted-model.ts";
import type { HttpFailure, Step } from "./step.ts";

/** What differs between the two wires. */
export interface Dialect {
  readonly streamType: string;
  frames(step: Step, request: ModelRequest): Frame[];
  whole(step: Step, request: ModelRequest): JsonObject;
  /** The vendor's own error body. */
  errorBody(failure: HttpFailure, request: ModelRequest): unknown;
  /** An error after status 200. */
  readonly lateError: Frame;
  readonly notJson: Frame;
}

export interface ExchangeOptions {
  readonly model: ScriptedModel;
  readonly dialect: Dialect;
  readonly request: ModelRequest;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborted when the server is disposed. */
  readonly closing: AbortSignal;
}

/** Plays one step to one client, from the recording of the request to the end of its socket. */
export async function playStep(options: ExchangeOptions): Promise<void> {
  const { model, response } = options;
  const recorded = model.receive(options.request, options.incoming.headers);
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished)
      model.end(recorded, options.closing.aborted ? "closed" : "aborted");
    gone.abort();
  });
  await new Exchange({ ...options, recorded, gone: gone.signal }).play(model.next(options.request));
}

/** Thrown inside when the connection has ended: nothing more can be sent. */
const ended = Symbol("ended");

class Exchange {
  readonly #options: ExchangeOptions;
  readonly #recorded: RecordedRequest;
  readonly #gone: AbortSignal;
  /** Resolves when the connection (or with keep-alive this response) has ended. */
  readonly #untilGone: Promise<void>;

  constructor(options: ExchangeOptions & { recorded: RecordedRequest; gone: AbortSignal }) {
    this.#options = options;
    this.#recorded = options.recorded;
    this.#gone = options.gone;
    const { promise, resolve } = Promise.withResolvers<void>();
    options.gone.addEventListener("abort", () => resolve(), { once: true });
    this.#untilGone = promise;
  }

  async play(step: Step): Promise<void> {
    try {
      await this.#gate("headers");
      await this.#pause(step.headersDelayMs);
      if (typeof step.failure === "object") await this.#refuse(step.failure);
      else if (step.failure === "cut-before-headers") this.#destroy();
      else if (step.failure === "hang-before-headers") await this.#untilGone;
      else if (!this.#options.request.stream && step.failure === undefined) await this.#whole(step);
      else await this.#stream(step);
    } catch (error) {
      if (error !== ended) throw error;
    }
  }

  async #whole(step: Step): Promise<void> {
    const { dialect, request, response } = this.#options;
    await this.#gate(0);
    await this.#gate(1);
    await this.#pause(step.firstTokenDelayMs);
    const body = dialect.whole(step, request);
    response.writeHead(body["error"] ? 500 : 200, {
      "content-type": "application/json",
    });
    await this.#finish("finished", JSON.stringify(body));
  }

  async #refuse(failure: HttpFailure): Promise<void> {
    const { dialect, request, response } = this.#options;
    const body = failure.body ?? dialect.errorBody(failure, request);
    const html = typeof body === "string";
    response.writeHead(failure.status, {
      "content-type": html ? "text/html" : "application/json",
      ...(failure.retryAfterSeconds === undefined
        ? {}
        : { "retry-after": String(failure.retryAfterSeconds) }),
      ...(failure.retryAfterMs === undefined
        ? {}
        : { "retry-after-ms": String(failure.retryAfterMs) }),
    });
    await this.#finish("failed", html ? body : JSON.stringify(body));
  }

  async #stream(step: Step): Promise<void> {
    const { dialect, request, response } = this.#options;
    response.writeHead(200, {
      "content-type": dialect.streamType,
      "cache-control": "no-cache",
    });
    response.flushHeaders();
    if (step.failure === "empty") return this.#finish("failed");
    if (step.failure === "hang-after-headers") return this.#untilGone;
    await this.#pause(step.firstTokenDelayMs);
    const failAfter = failureChunk(step);
    const frames = dialect.frames(step, request);
    for (const [index, each] of frames.entries()) {
      await this.#gate(this.#recorded.chunksSent);
      if (index > 0) await this.#pause(step.chunkDelayMs);
      const isLast = index === frames.length - 1;
      if (failAfter !== undefined && (this.#recorded.chunksSent >= failAfter || isLast))
        return this.#fail(step, each);
      await this.#send(each.text, step);
      if (each.content) this.#options.model.sent(this.#recorded);
    }
    await this.#finish("finished");
  }

  /** A scripted failure in the place of a frame. */
  async #fail(step: Step, instead: Frame): Promise<void> {
    const { dialect } = this.#options;
    if (step.failure === "hang-mid-stream") return this.#untilGone;
    if (step.failure === "cut") {
      await this.#flush(instead.text.slice(0, Math.ceil(instead.text.length / 2)));
      return this.#destroy();
    }
    await this.#send(
      step.failure === "late-error" ? dialect.lateError.text : dialect.notJson.text,
      step,
    );
    await this.#finish("failed");
  }

  async #send(text: string, step: Step): Promise<void> {
    if (step.quirks?.includes("split-bytes") !== true) return this.#write(text);
    // Readers join what arrives in one turn of the event loop: each piece gets a turn of its own.
    for (const piece of splitBytes(text)) {
      await this.#flush(piece);
      await nextTurn();
    }
  }

  /** Waits only for a client that reads too slowly. */
  async #write(text: string): Promise<void> {
    if (this.#gone.aborted) throw ended;
    const written = Promise.withResolvers<void>();
    if (this.#options.response.write(text, () => written.resolve())) return;
    await Promise.race([written.promise, this.#untilGone]);
  }

  /** Resolves when the kernel has everything that was written so far. */
  async #flush(bytes: string | Buffer): Promise<void> {
    if (this.#gone.aborted) throw ended;
    const written = Promise.withResolvers<void>();
    this.#options.response.write(bytes, () => written.resolve());
    await Promise.race([written.promise, this.#untilGone]);
  }

  #destroy(): void {
    this.#options.model.end(this.#recorded, "failed");
    this.#options.response.destroy();
  }

  /** The state changes before the client can see the end. */
  async #finish(state: "finished" | "failed", body = ""): Promise<void> {
    if (this.#gone.aborted) throw ended;
    this.#options.model.end(this.#recorded, state);
    this.#options.response.end(body);
    await this.#untilGone;
  }

  async #gate(at: GatePoint): Promise<void> {
    const { model } = this.#options;
    for (
      let gate = model.gateFor(this.#recorded, at);
      gate !== undefined;
      gate = model.gateFor(this.#recorded, at)
    ) {
      await model.standAt(this.#recorded, gate, this.#gone);
      if (this.#gone.aborted) throw ended;
    }
  }

  async #pause(delayMs = 0): Promise<void> {
    if (this.#gone.aborted) throw ended;
    if (delayMs === 0) return;
    await pause(delayMs, undefined, { signal: this.#gone }).catch(() => {
      throw ended;
    });
  }
}

/** After how many chunks a failure inside the stream happens. */
function failureChunk(step: Step): number | undefined {
  if (step.failure === undefined) return undefined;
  return step.failAfterChunks ?? (step.failure === "not-json" ? 0 : 1);
}

/** Pieces of 1, 2 and 3 bytes in turn. */
function splitBytes(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let from = 0, size = 1; from < bytes.length; from += size, size = (size % 3) + 1)
    pieces.push(bytes.subarray(from, from + size));
  return pieces;
}
