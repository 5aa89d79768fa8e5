import type { Reservation } from "../../core/limits.ts";
import { spenderOf } from "../model/pay-for-call.ts";
import type { TurnResult } from "../turn-result.ts";
import { TurnLeft, type TurnSession } from "./turn-session.ts";
import { localeOf } from "../locale-of.ts";
import type { TurnContext } from "../turn-context.ts";

/** A turn without a permit asks again after this long. Milliseconds. */
const askAgainMs = 1_000;
/** A permit outlives its worker by this many heartbeats. */
const heartbeatsToLive = 3;

/**
 * A concurrency permit for a running turn: `free → taken → left`. The session's
 * heartbeat renews it while the turn runs; it is returned when the turn ends,
 * waits for a person or is released. A dead worker's permit expires, and a
 * fenced session leaves it to the turn's next worker.
 */
class Permit implements Disposable {
  readonly #context: TurnContext;
  readonly #id: string;
  #heartbeat: NodeJS.Timeout | undefined;
  /** Never rejects; the last one that was sent. */
  #kept: Promise<void> = Promise.resolve();

  constructor(context: TurnContext) {
    const { session } = context;
    this.#context = context;
    this.#id = `${session.chat}/${session.state.turn}`;
  }

  /** Costs no round trip if nothing limits concurrency. */
  async take(): Promise<Reservation> {
    const reservation = await this.#enter();
    if (reservation.type === "reserved")
      this.#heartbeat = setInterval(() => {
        // A permit that expired while Redis was unavailable does not stop the turn.
        this.#kept = this.#enter().then(
          () => undefined,
          (error: unknown) => this.#warn(error),
        );
      }, this.#context.deps.heartbeatMs);
    return reservation;
  }

  /** Leaves the permit to the turn's next worker. */
  keep(): void {
    this[Symbol.dispose]();
    this.#heartbeat = undefined;
  }

  /** Never rejects: a permit that could not be returned expires. */
  async leave(): Promise<void> {
    if (this.#heartbeat === undefined) return;
    this[Symbol.dispose]();
    this.#heartbeat = undefined;
    // A renewal under way would take the permit again.
    await this.#kept;
    try {
      const { deps, session } = this.#context;
      await deps.budget.leave(spenderOf(session), this.#id);
    } catch (error) {
      this.#warn(error);
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#heartbeat);
  }

  #enter(): Promise<Reservation> {
    const { deps, session } = this.#context;
    const ttlMs = heartbeatsToLive * deps.heartbeatMs;
    return deps.budget.enter(spenderOf(session), this.#id, ttlMs);
  }

  #warn(error: unknown): void {
    const { deps, session } = this.#context;
    deps.log.warn({ error, chat: session.chat }, "could not renew or return a turn's permit");
  }
}

/**
 * Runs the turn once it has a permit.
 * @throws TurnLeft
 */
export async function withPermit(
  context: TurnContext,
  work: () => Promise<TurnResult>,
): Promise<TurnResult> {
  using permit = new Permit(context);
  const reservation = await permit.take();
  if (reservation.type === "refused") return await waitForPermit(context, reservation);
  try {
    return await work();
  } catch (error) {
    // The chat's new owner has the permit, too: it belongs to the turn.
    if (error instanceof TurnLeft && error.why === "fenced") permit.keep();
    throw error;
  } finally {
    await permit.leave();
  }
}

/**
 * No permit is available: the turn is released unchanged, stays first in its
 * chat, and asks again shortly. The requester is notified once.
 * @throws TurnLeft
 */
async function waitForPermit(
  { deps, session }: TurnContext,
  { hit }: Reservation & { readonly type: "refused" },
): Promise<TurnResult> {
  const { turn, replyTo, toldToWait } = session.state;
  if (toldToWait !== true) {
    deps.metrics.limitRefused(hit.limit.metric);
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

/**
 * Releases the turn unchanged, first in its chat; it is tried again after `inMs`. @throws TurnLeft
 */
export async function askAgain(session: TurnSession, inMs: number): Promise<TurnResult> {
  if (session.state.modelCallOpen) session.record({ type: "model-call-withdrawn" });
  const { again } = await session.commit({
    release: { left: session.waiting, wakeInMs: inMs },
  });
  return again ? { type: "again" } : { type: "later", inMs };
}
