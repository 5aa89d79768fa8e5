import type { Reservation } from "../../core/limits.ts";
import type { LoopDeps } from "../deps.ts";
import { spenderOf } from "../model/pay-for-call.ts";
import type { TurnResult } from "../turn-result.ts";
import { TurnLeft, type TurnSession } from "./turn-session.ts";
import { localeOf } from "../locale-of.ts";

/** After this long a turn without a place asks for one again. Milliseconds. */
const askAgainMs = 1_000;
/** A place outlives its worker by this many heartbeats. */
const heartbeatsToLive = 3;

/**
 * A concurrency permit for a running turn: `free → taken → left`. The session's
 * heartbeat renews it while the turn runs; it is returned when the turn ends,
 * waits for a person or is released. A dead worker's permit expires, and a
 * fenced session leaves it to the turn's next worker.
 */
class Place implements Disposable {
  readonly #deps: LoopDeps;
  readonly #session: TurnSession;
  readonly #id: string;
  #heartbeat: NodeJS.Timeout | undefined;
  /** Never rejects; the last one that was sent. */
  #kept: Promise<void> = Promise.resolve();

  constructor(deps: LoopDeps, session: TurnSession) {
    this.#deps = deps;
    this.#session = session;
    this.#id = `${session.chat}/${session.state.turn}`;
  }

  /** Costs no flight where nothing limits them. */
  async take(): Promise<Reservation> {
    const reservation = await this.#enter();
    if (reservation.type === "reserved")
      this.#heartbeat = setInterval(() => {
        // One that was lost meanwhile, because Redis was away for long, is no reason to stop what runs.
        this.#kept = this.#enter().then(
          () => undefined,
          (error: unknown) => this.#warn(error),
        );
      }, this.#deps.heartbeatMs);
    return reservation;
  }

  /** Leaves the permit to the turn's next worker. */
  keep(): void {
    this[Symbol.dispose]();
    this.#heartbeat = undefined;
  }

  /** Never rejects: a place that could not be left ends by itself. */
  async leave(): Promise<void> {
    if (this.#heartbeat === undefined) return;
    this[Symbol.dispose]();
    this.#heartbeat = undefined;
    // One that is under way would take the place again.
    await this.#kept;
    try {
      await this.#deps.budget.leave(spenderOf(this.#session), this.#id);
    } catch (error) {
      this.#warn(error);
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#heartbeat);
  }

  #enter(): Promise<Reservation> {
    const { budget, heartbeatMs } = this.#deps;
    const ttlMs = heartbeatsToLive * heartbeatMs;
    return budget.enter(spenderOf(this.#session), this.#id, ttlMs);
  }

  #warn(error: unknown): void {
    const { chat } = this.#session;
    this.#deps.log.warn({ error, chat }, "a turn's place: trouble");
  }
}

/**
 * Runs the turn once it has a permit.
 * @throws TurnLeft
 */
export async function withPermit(
  deps: LoopDeps,
  session: TurnSession,
  work: () => Promise<TurnResult>,
): Promise<TurnResult> {
  using place = new Place(deps, session);
  const reservation = await place.take();
  if (reservation.type === "refused")
    return await waitForPlace(session, reservation);
  try {
    return await work();
  } catch (error) {
    // The chat's new owner has the permit, too: it belongs to the turn.
    if (error instanceof TurnLeft && error.why === "fenced") place.keep();
    throw error;
  } finally {
    await place.leave();
  }
}

/**
 * No permit is available: the turn is released unchanged, stays first in its
 * chat, and asks again shortly. The requester is notified once.
 * @throws TurnLeft
 */
async function waitForPlace(
  session: TurnSession,
  { hit }: Reservation & { readonly type: "refused" },
): Promise<TurnResult> {
  const { turn, replyTo, toldToWait } = session.state;
  if (toldToWait !== true) {
    session.post({
      kind: "notice",
      v: 1,
      id: `place-${turn}`,
      ...(replyTo === undefined ? {} : { replyTo }),
      text: localeOf(session).turn.waitsForPlace(hit.limit.max),
      silent: true,
    });
    session.record({ type: "told-to-wait" });
  }
  return await askAgain(session, askAgainMs);
}

/** Gives the turn back as it is, first in its chat, to ask again in a while. @throws TurnLeft */
export async function askAgain(
  session: TurnSession,
  inMs: number,
): Promise<TurnResult> {
  if (session.state.modelCallOpen)
    session.record({ type: "model-call-withdrawn" });
  const { again } = await session.commit({
    release: { left: session.waiting, wakeInMs: inMs },
  });
  return again ? { type: "again" } : { type: "later", inMs };
}
