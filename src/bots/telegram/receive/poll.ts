import type { Api } from "grammy";
import type { Update } from "grammy/types";
import type { Logger } from "pino";
import { performance } from "node:perf_hooks";
import type { PlatformWatch } from "../../../core/outage.ts";
import { sleep, sleepUnref } from "../../../util/sleep.ts";
import { Backoff, type BackoffDependencies } from "./backoff.ts";
import { failureOf } from "./failure.ts";
import { allowedUpdates } from "./update.ts";
import { UpdateWindow } from "./update-window.ts";
import { requestSignal } from "../send/request-signal.ts";

export interface PollDependencies extends BackoffDependencies {
  readonly api: Pick<Api, "getUpdates">;
  readonly log: Logger;
  /** Ends the polling. */
  readonly signal: AbortSignal;
  /** Another process may poll from now on: nothing is confirmed any more. */
  readonly lost: AbortSignal;
  readonly pollTimeoutSeconds: number;
  readonly watch: PlatformWatch;
  /** How long it is tried while Telegram is out of reach. */
  readonly outOfReachMs: number;
  /**
   * Fulfils once the update is safe with us, and may be confirmed; rejects when we were stopped
   * before that.
   */
  readonly take: (update: Update) => Promise<void>;
  /** Called after every successful request. */
  readonly onPolled: () => void;
}

/**
 * Milliseconds between looks for newer updates while an older one is still pending, as while a file
 * is fetched: Telegram then holds no request open, so that this is what everybody else waits. Twice
 * as long each time that nothing new was there, since each look brings all that is pending once
 * more; the last: where it would show nothing new.
 */
const lookAgainMs = 50;
const lookSeldomMs = 400;
const lookInVainMs = 1_000;
/** Milliseconds that the last words to Telegram may take. */
const farewellMs = 2_000;
/** Milliseconds that a request may take which Telegram does not hold open. */
const shortMs = 15_000;
/** Milliseconds; every timer that was due before fires first. */
const overdueMs = 1;
/** Milliseconds; a process that was not gone for longer still has its lease. */
const suspiciousMs = 2_000;

/**
 * Fetches updates. The offset moves past an update only once it was taken,
 * independently of others: Telegram delivers the rest again. While one chat's
 * update waits, later ones are still fetched and passed on.
 */
export class Poll {
  readonly #deps: PollDependencies;
  readonly #backoff: Backoff;
  readonly #window = new UpdateWindow();
  readonly #running = new Set<Promise<void>>();
  #failures = 0;
  #lookMs = lookAgainMs;
  #progress = Promise.withResolvers<void>();

  constructor(deps: PollDependencies) {
    this.#deps = deps;
    this.#backoff = new Backoff(
      { ...deps, serving: deps.watch },
      "receiving from Telegram",
      deps.outOfReachMs,
    );
  }

  /**
   * Fulfils when the signal has aborted and the last accepted updates are confirmed, as far as
   * Telegram listens and it is still for us to do.
   * @throws OutOfReachError when Telegram has been out of reach for too long.
   */
  async run(): Promise<void> {
    const { signal } = this.#deps;
    // The first request doesn't wait: it shows whether Telegram delivers to this process.
    let timeoutSeconds = 0;
    while (!signal.aborted) {
      await this.#wakeUp();
      if (signal.aborted) break;
      const delivered = await this.#round(timeoutSeconds);
      timeoutSeconds = delivered && !this.#window.hasPending ? this.#deps.pollTimeoutSeconds : 0;
    }
    await this.#farewell();
  }

  /** False after a failure and the pause that it asked for. */
  async #round(timeoutSeconds: number): Promise<boolean> {
    try {
      await this.#fetch(timeoutSeconds);
      if (this.#window.hasPending) await this.#settle();
      return true;
    } catch (error) {
      if (this.#deps.signal.aborted) return false;
      this.#failures += 1;
      await this.#backoff.wait(failureOf(error), this.#failures).catch((thrown: unknown) => {
        if (!this.#deps.signal.aborted) throw thrown;
      });
      return false;
    }
  }

  async #fetch(timeoutSeconds: number): Promise<void> {
    const { api, signal, onPolled } = this.#deps;
    const { offset, confirmable } = this.#window;
    const askedAt = performance.now();
    const updates = await api.getUpdates(
      { offset, timeout: timeoutSeconds, allowed_updates: allowedUpdates },
      requestSignal(
        timeoutSeconds === 0 ? AbortSignal.any([signal, AbortSignal.timeout(shortMs)]) : signal,
      ),
    );
    if (performance.now() - askedAt > suspiciousMs) await this.#wakeUp();
    signal.throwIfAborted();
    this.#window.forget(confirmable);
    this.#failures = 0;
    this.#backoff.itWorks();
    onPolled();
    const news = updates.filter((update) => this.#take(update));
    this.#lookMs = news.length > 0 ? lookAgainMs : Math.min(2 * this.#lookMs, lookSeldomMs);
  }

  /** A process that was paused finds out here, before it acts, that its lease has ended. */
  async #wakeUp(): Promise<void> {
    await sleep(overdueMs);
  }

  /** Whether it is new. */
  #take(update: Update): boolean {
    const id = update.update_id;
    if (!this.#window.add(id)) return false;
    const running = this.#deps
      .take(update)
      .then(
        () => this.#window.accept(id),
        () => undefined, // Stopped before it was taken: it stays pending, and comes again.
      )
      .finally(() => {
        this.#running.delete(running);
        if (!this.#window.hasPending) this.#progress.resolve();
      });
    this.#running.add(running);
    return true;
  }

  /** Until all are taken, or it is time to look for new ones. */
  async #settle(): Promise<void> {
    const { signal } = this.#deps;
    const progress = Promise.withResolvers<void>();
    this.#progress = progress;
    const end = (): void => progress.resolve();
    const { isFull } = this.#window;
    const timer = setTimeout(end, isFull ? lookInVainMs : this.#lookMs);
    signal.addEventListener("abort", end);
    if (!signal.aborted) await progress.promise;
    signal.removeEventListener("abort", end);
    clearTimeout(timer);
  }

  /**
   * Confirms what the next request would have confirmed, so that it is not delivered again after a
   * restart.
   */
  async #farewell(): Promise<void> {
    const { api, lost } = this.#deps;
    if (lost.aborted) return;
    await Promise.race([Promise.all(this.#running), sleepUnref(farewellMs)]);
    const { offset, confirmable } = this.#window;
    if (confirmable.length === 0 || lost.aborted) return;
    try {
      await api.getUpdates(
        { offset, limit: 1, timeout: 0, allowed_updates: allowedUpdates },
        requestSignal(AbortSignal.any([lost, AbortSignal.timeout(farewellMs)])),
      );
    } catch {
      // They come again, and are known by their ids.
    }
  }
}
