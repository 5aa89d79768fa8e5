import type { Changes } from "./changes.ts";

/**
 * One request as it arrived. `path` is decoded and starts behind `/api/v10`; status 0 means no
 * answer was given.
 */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: unknown;
  readonly files: readonly string[];
  readonly atMs: number;
  /** Undefined while the request is being handled. */
  status: number | undefined;
  /** The injected fault that met it. */
  fault?: string;
}

export interface Typing {
  readonly channelId: string;
  readonly atMs: number;
}

/**
 * What happened, in order. A violation is something that the real service forbids, loses or would
 * suffer silently.
 */
export class Recorder {
  readonly calls: Call[] = [];
  readonly typing: Typing[] = [];
  readonly violations: string[] = [];
  readonly #changes: Changes;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  call(call: Call): void {
    this.calls.push(call);
    this.#changes.notify();
  }

  finish(call: Call, status: number): void {
    call.status = status;
    this.#changes.notify();
  }

  typed(channelId: string): void {
    this.typing.push({ channelId, atMs: Date.now() });
    this.#changes.notify();
  }

  violation(text: string): void {
    this.violations.push(text);
    this.#changes.notify();
  }
}
