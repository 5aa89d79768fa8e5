import { EventEmitter } from "node:events";
import { echoStep } from "./echo.ts";
import type { GatePoint, Matcher } from "./gate.ts";
import { Gate, matches } from "./gate.ts";
import type { ModelRequest } from "./model-request.ts";
import type { Script, Step } from "./step.ts";
import { textDrivenScript } from "./text-driven-script.ts";

/**
 * open ⇄ held (stands at a gate); open|held → finished (all was sent), failed (as scripted),
 * aborted (the client closed its socket before the end), closed (the server was disposed
 * meanwhile).
 */
type RequestState = "open" | "held" | "finished" | "failed" | "aborted" | "closed";

export interface RecordedRequest extends ModelRequest {
  readonly id: number;
  readonly atMs: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  state: RequestState;
  heldAt?: Gate;
  /** Chunks with text, reasoning or calls that were sent. */
  chunksSent: number;
  endedAtMs?: number;
  /** The client closed its socket before the end. */
  abortedAtMs?: number;
}

type Reply = Step | Script;
type Rule = Step | ((request: ModelRequest, match: RegExpExecArray) => Step);

/**
 * What the model behind an emulated wire answers: the newest matching rule, else the next queued
 * reply, else the fallback (tool results are quoted, anything else is echoed). One model can stand
 * behind several servers.
 */
export class ScriptedModel {
  readonly requests: RecordedRequest[] = [];
  readonly #keepRequests: number;
  readonly #fallback: Script;
  readonly #rules: { matcher: Matcher; rule: Rule }[] = [];
  readonly #queue: Reply[] = [];
  readonly #gates = new Set<Gate>();
  readonly #changes = new EventEmitter().setMaxListeners(0);
  #received = 0;

  constructor({
    fallback = echoStep,
    keepRequests = 2_000,
  }: { fallback?: Script; keepRequests?: number } = {}) {
    this.#fallback = fallback;
    this.#keepRequests = keepRequests;
  }

  /** A model that does what the person's text says, without state: see `text-driven-script.ts`. */
  static textDriven(options: { keepRequests?: number } = {}): ScriptedModel {
    return new ScriptedModel({ ...options, fallback: textDrivenScript });
  }

  /** All requests ever received; `requests` keeps only the newest. */
  get received(): number {
    return this.#received;
  }

  /** Queued replies that no one has asked for yet. */
  get repliesLeft(): number {
    return this.#queue.length;
  }

  reply(...replies: Reply[]): this {
    this.#queue.push(...replies);
    return this;
  }

  when(matcher: Matcher, rule: Rule): this {
    this.#rules.unshift({ matcher, rule });
    return this;
  }

  /** Stops matching requests at a point until released. */
  hold(matcher: Matcher, { at = 1 }: { at?: GatePoint } = {}): Gate {
    const gate = new Gate({
      matcher,
      at,
      whenHeld: async (held, timeoutMs) => {
        await this.waitForRequest((request) => request.heldAt === held, {
          timeoutMs,
          what: `a request held at ${String(at)}`,
        });
      },
      onRelease: (released) => this.#gates.delete(released),
    });
    this.#gates.add(gate);
    return gate;
  }

  /**
   * The first recorded request for which the predicate holds, now or as soon as a request arrives
   * or changes its state. Rejects with the requests seen so far after `timeoutMs`.
   */
  waitForRequest(
    predicate: (request: RecordedRequest) => boolean,
    { timeoutMs = 20_000, what = "a model request" }: { timeoutMs?: number; what?: string } = {},
  ): Promise<RecordedRequest> {
    const { promise, resolve, reject } = Promise.withResolvers<RecordedRequest>();
    const known = this.requests.find(predicate);
    if (known !== undefined) return Promise.resolve(known);
    const settle = (): void => {
      clearTimeout(timer);
      this.#changes.off("change", check);
    };
    const check = (changed: RecordedRequest): void => {
      if (!predicate(changed)) return;
      settle();
      resolve(changed);
    };
    const timer = setTimeout(() => {
      settle();
      reject(new Error(`waited ${timeoutMs} ms for ${what}; ${this.#summary()}`));
    }, timeoutMs);
    this.#changes.on("change", check);
    return promise;
  }

  /** For servers: records a request. */
  receive(request: ModelRequest, headers: RecordedRequest["headers"]): RecordedRequest {
    this.#received += 1;
    const recorded: RecordedRequest = {
      ...request,
      id: this.#received,
      atMs: Date.now(),
      headers,
      state: "open",
      chunksSent: 0,
    };
    this.requests.push(recorded);
    if (this.requests.length > this.#keepRequests) this.requests.shift();
    this.#changes.emit("change", recorded);
    return recorded;
  }

  /** For servers: what to answer. Asked once per request, in the order of arrival. */
  next(request: ModelRequest): Step {
    for (const { matcher, rule } of this.#rules) {
      if (!matches(matcher, request)) continue;
      if (typeof rule !== "function") return rule;
      const match =
        matcher instanceof RegExp
          ? new RegExp(matcher, matcher.flags.replace(/[gy]/g, "")).exec(request.lastUserText)
          : null;
      return rule(request, match ?? noMatch);
    }
    const reply = this.#queue.shift() ?? this.#fallback;
    return typeof reply === "function" ? reply(request) : reply;
  }

  /** For servers: the end of a request. The first end counts. */
  end(request: RecordedRequest, state: "finished" | "failed" | "aborted" | "closed"): void {
    if (request.endedAtMs !== undefined) return;
    request.state = state;
    request.endedAtMs = Date.now();
    if (state === "aborted") request.abortedAtMs = request.endedAtMs;
    this.#changes.emit("change", request);
  }

  /** For servers: one more chunk with text, reasoning or calls has been sent. */
  sent(request: RecordedRequest): void {
    request.chunksSent += 1;
    this.#changes.emit("change", request);
  }

  /** For servers: the closed gate at which a request has to stop now. */
  gateFor(request: RecordedRequest, at: GatePoint): Gate | undefined {
    if (this.#gates.size === 0) return undefined;
    return [...this.#gates].find((gate) => gate.at === at && matches(gate.matcher, request));
  }

  /** For servers: stands at a gate until it opens or the connection ends. */
  async standAt(request: RecordedRequest, gate: Gate, signal: AbortSignal): Promise<void> {
    request.heldAt = gate;
    request.state = "held";
    this.#changes.emit("change", request);
    const ended = Promise.withResolvers<void>();
    const stop = (): void => ended.resolve();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    await Promise.race([gate.released, ended.promise]);
    signal.removeEventListener("abort", stop);
    delete request.heldAt;
    if (request.endedAtMs !== undefined) return;
    request.state = "open";
    this.#changes.emit("change", request);
  }

  #summary(): string {
    const lines = this.requests
      .slice(-10)
      .map(
        ({ id, wire, model, state, lastRole, lastUserText }) =>
          `  #${id} ${wire}/${model} ${state}, last ${lastRole}: ${JSON.stringify(lastUserText.slice(0, 80))}`,
      );
    return [`${this.#received} received`, ...lines].join("\n");
  }
}

const noMatch: RegExpExecArray = Object.assign([""] as [string], {
  index: 0,
  input: "",
});
