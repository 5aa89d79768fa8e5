import { answerEntryId } from "../../core/outbox.ts";
import type { ModelFailure } from "../../core/model.ts";
import { whenAbout } from "../../locales/moment.ts";
import { isPassing } from "../../models/retry.ts";
import { apply, type TurnEvent } from "../machine/apply.ts";
import { decide } from "../machine/decide.ts";
import { effective } from "../model/effective-settings.ts";
import { reportError } from "../report-error.ts";
import type { TurnContext } from "../turn-context.ts";
import type { TurnResult } from "../turn-result.ts";
import { newestMessageOf } from "../tools/own-words.ts";
import { stopTurn } from "./finish.ts";

const minuteMs = 60_000;
/** When a kept turn asks its models again, each after the attempt before. Milliseconds. */
export const askAgainAfterMs: readonly number[] = [1, 5, 15, 60].map((each) => each * minuteMs);

interface Failed {
  /** `provider/model` that was asked last. */
  readonly model: string;
  readonly isOwnerTold: boolean;
  readonly spent?: (TurnEvent & { type: "kept" })["spent"];
  readonly elapsedMs?: number;
}

/**
 * Keeps a turn whose models were all away: `asked → kept → asked → … → answered | failed`. The
 * person reads so the first time. Not a schedule's turn, which has its next slot, nor one that may
 * make no further call, nor one whose failure doesn't pass by itself.
 * @returns whether it is kept.
 */
export function keepTurn(context: TurnContext, failure: ModelFailure, failed: Failed): boolean {
  if (!isPassing(failure.kind)) return false;
  const { deps, session } = context;
  const { state } = session;
  const { attempts } = state.kept ?? { attempts: 0 };
  const ownMs = deps.askAgainAfterMs[attempts];
  const mostMs = deps.askAgainAfterMs.at(-1) ?? 0;
  if (ownMs === undefined || state.schedule !== undefined) return false;
  const waitMs = Math.max(ownMs, Math.min(failure.retryAfterMs ?? 0, mostMs));
  const { spent = {}, elapsedMs = 0 } = failed;
  const event = {
    type: "kept",
    untilMs: deps.clock.wall() + waitMs,
    replyTo: newestMessageOf(session.transcript, state)?.messageId,
    spent,
    elapsedMs,
  } as const;
  const then = apply(apply(state, event), { type: "kept-ended" });
  if (decide(then, effective(context).policy).type !== "call-model") return false;
  if (attempts === 0) tell(context, failure, { ...failed, waitMs });
  session.record(event);
  deps.log.warn({ chat: session.chat, attempts, waitMs }, "no model answers; the turn is kept");
  return true;
}

/** In place of what may have been shown of an answer. */
function tell(
  context: TurnContext,
  { kind, message: cause, retryAfterMs }: ModelFailure,
  { model, isOwnerTold, waitMs }: Failed & { readonly waitMs: number },
): void {
  const { session } = context;
  const { replyTo } = session.state;
  const { text } = reportError(context, {
    kind,
    cause,
    model,
    message: "the model failed",
    sentence: (locale, id) => locale.turn.kept(whenAbout(locale, waitMs), id),
    retryAfterMs,
    isOwnerTold,
  });
  session.post({
    kind: "message",
    v: 1,
    id: answerEntryId(session.state),
    text,
    ...(replyTo === undefined ? {} : { replyTo }),
  });
}

/**
 * A kept turn: asks again when it is time. Whatever else the chat has to do ends it before: the
 * question stays in the history, and the next answer takes it up. Returns when it still waits.
 * @throws TurnLeft
 */
export async function whileKept(
  { deps, session }: TurnContext,
  untilMs: number,
): Promise<TurnResult | undefined> {
  if (session.interruption !== undefined) return undefined;
  const { inbox } = session.begun;
  const isNews = inbox.some(
    ({ entry }) => entry.kind !== "edit" && !("stopped" in entry && entry.stopped === true),
  );
  if (isNews) {
    stopTurn(session, { reason: "superseded", text: "", failure: "superseded" });
    return undefined;
  }
  const leftMs = untilMs - deps.clock.wall();
  if (leftMs <= 0) {
    session.record({ type: "kept-ended" });
    return undefined;
  }
  const release = { left: inbox.length, wakeInMs: leftMs };
  const { again } = await session.commit({ release });
  return again ? { type: "again" } : { type: "later", inMs: leftMs };
}
