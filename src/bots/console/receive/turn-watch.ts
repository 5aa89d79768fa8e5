import type { Logger } from "pino";
import { sleep } from "../../../util/sleep.ts";
import type { Questions } from "../send/questions.ts";

/**
 * `idle`: nothing in the inbox, no open turn, nothing left to deliver. `waiting`: for a decision.
 */
export type Activity = () => Promise<"idle" | "running" | "waiting">;

export type Pause =
  /** The turn has ended and everything is delivered; or none was expected. */
  | "ended"
  /** A question is asked. */
  | "asked"
  /** The turn waits for a decision that no one here can make. */
  | "stuck"
  | "closed";

export interface TurnWatchDeps {
  readonly activity: Activity;
  readonly questions: Questions;
  readonly log: Logger;
  /** Aborted when the console closes. */
  readonly signal: AbortSignal;
  /** How long a state that should pass by itself is believed to pass. */
  readonly graceMs?: number;
}

const nearPollMs = 20;
const farPollMs = 250;

/**
 * Determines when the next line of a pipe may be read. `quiet → expecting →
 * (asked → expecting)* → quiet`: a turn is expected from the moment a message
 * is passed on until its answer is printed and the chat is idle.
 */
export class TurnWatch {
  readonly #deps: TurnWatchDeps;
  readonly #graceMs: number;
  #isExpecting = false;
  #hasAnswer = false;
  #hasAsked = false;
  #bell = Promise.withResolvers<void>();

  constructor(deps: TurnWatchDeps) {
    this.#deps = deps;
    this.#graceMs = deps.graceMs ?? 3_000;
  }

  get isExpecting(): boolean {
    return this.#isExpecting;
  }

  /**
   * A message is being passed on. Returns a callback for the case that it
   * starts no turn.
   */
  expect(): () => void {
    const wasExpecting = this.#isExpecting;
    const hadAnswer = this.#hasAnswer;
    this.#isExpecting = true;
    this.#hasAnswer = false;
    return () => {
      this.#isExpecting = wasExpecting;
      this.#hasAnswer ||= hadAnswer;
    };
  }

  answered(): void {
    this.#hasAnswer = true;
    this.look();
  }

  /** Something has changed. */
  look(): void {
    this.#bell.resolve();
    this.#bell = Promise.withResolvers();
  }

  async next(): Promise<Pause> {
    const { questions, signal } = this.#deps;
    let since = performance.now();
    let before: string | undefined;
    for (;;) {
      if (signal.aborted) return "closed";
      if (questions.current) {
        this.#hasAsked = true;
        return "asked";
      }
      const { promise: changed } = this.#bell;
      const activity = await this.#activity();
      if (activity !== before) since = performance.now();
      before = activity;
      const pause = this.#pauseOf(activity, performance.now() - since);
      if (pause === "ended") this.#isExpecting = this.#hasAsked = false;
      if (pause && !questions.current && !questions.isSettling) return pause;
      await this.#wait(changed);
    }
  }

  #pauseOf(activity: Awaited<ReturnType<Activity>>, forMs: number): Pause | undefined {
    const isLong = forMs >= this.#graceMs;
    switch (activity) {
      case "idle":
        // A turn without an answer should not be; if it is, the next line must not wait for ever.
        return !this.#isExpecting || this.#hasAnswer || isLong ? "ended" : undefined;
      case "waiting":
        // Left by an earlier process, or its decision was refused here. Else the question is on its
        // way.
        return !this.#isExpecting || (this.#hasAsked && isLong) ? "stuck" : undefined;
      case "running":
        return undefined;
      default:
        return activity satisfies never;
    }
  }

  async #activity(): Promise<Awaited<ReturnType<Activity>>> {
    try {
      return await this.#deps.activity();
    } catch (error) {
      this.#deps.log.warn({ err: error }, "the chat's state is unknown");
      return "running";
    }
  }

  async #wait(changed: Promise<void>): Promise<void> {
    const { signal } = this.#deps;
    const ms = this.#hasAnswer ? nearPollMs : farPollMs;
    const stopped = new AbortController();
    const both = AbortSignal.any([signal, stopped.signal]);
    // Ends by time, by a change, or by the console's closing: whatever it is, the caller looks
    // again.
    await Promise.race([changed, sleep(ms, both).catch(() => undefined)]);
    stopped.abort();
  }
}
