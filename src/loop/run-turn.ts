import type { ChatKey } from "../core/chat.ts";
import { unreachable } from "../core/errors.ts";
import { answerEntryId } from "../core/outbox.ts";
import type { BegunTurn } from "../core/ports.ts";
import { AnswerDraft } from "./answer-draft.ts";
import { callModel } from "./call-model.ts";
import { decide } from "./decide.ts";
import type { LoopDeps } from "./deps.ts";
import { closeRound, finishTurn, stopTurn } from "./finish.ts";
import { openFromInbox } from "./open-from-inbox.ts";
import { runCalls } from "./run-calls.ts";
import { endSentence } from "./sentences.ts";
import { TurnLeft, TurnSession } from "./turn-session.ts";
import { whileWaiting } from "./while-waiting.ts";

/** A turn that killed its worker this often is given up. */
const maxDeaths = 3;

/** When to look at the chat again: at once, at a time, or when somebody wakes it. */
export type TurnResult =
  | { readonly type: "done" }
  | { readonly type: "again" }
  | { readonly type: "later"; readonly atMs: number };

/**
 * Works on one chat until its turn ends, waits for a person, or is taken away: loads the state, asks `decide`, performs
 * the command through the ports, applies what happened, commits. At most one turn is worked on per call, so that other
 * chats get their share.
 *
 * @param signal aborts when the process is stopping: the turn is then given back as last committed.
 */
export async function runTurn(
  deps: LoopDeps,
  chat: ChatKey,
  signal: AbortSignal,
): Promise<TurnResult> {
  const begun = await deps.store.begin(chat);
  if (begun.type === "nothing") return { type: "done" };
  if (begun.type === "later") return { type: "later", atMs: begun.againAtMs };
  using session = new TurnSession(deps, begun, signal);
  try {
    return (await enter(deps, session, begun)) ?? (await drive(deps, session));
  } catch (error) {
    if (error instanceof TurnLeft) return await leave(deps, session, error);
    // Not given back: the end of the lease counts as a death, so that a turn that fails every time ends as poisoned.
    throw error;
  }
}

/** Brings the chat to a turn that can go on, or returns when there is none. */
async function enter(
  deps: LoopDeps,
  session: TurnSession,
  begun: BegunTurn,
): Promise<TurnResult | undefined> {
  if (begun.state === undefined) return await openFromInbox(session);
  if (begun.opened) return undefined;
  if (begun.deaths >= maxDeaths) {
    deps.log.error(
      { chat: session.chat, turn: begun.state.turn, deaths: begun.deaths },
      "a turn keeps killing its worker",
    );
    stopTurn(session, {
      reason: "poisoned",
      text: endSentence("poisoned", deps.policy),
      failure: "cancelled",
    });
    return undefined;
  }
  if (begun.state.phase === "waiting") return await whileWaiting(deps, session);
  session.record({ type: "resumed" });
  return undefined;
}

async function drive(
  deps: LoopDeps,
  session: TurnSession,
): Promise<TurnResult> {
  using draft = new AnswerDraft(
    deps,
    session.begun.session,
    draftEntryOf(session),
  );
  using _ = deadlineTimer(deps, session);
  let lostCalls = 0;
  for (;;) {
    endIfInterrupted(deps, session);
    const command = decide(session.state, deps.policy);
    switch (command.type) {
      case "call-model":
        session.record({
          type: "model-call-started",
          ...(command.closing === undefined
            ? {}
            : { closing: command.closing }),
        });
        await session.commit();
        break;
      case "await-model": {
        const { lost } = await callModel(deps, session, draft, {
          closing: command.closing,
          lostCalls,
        });
        if (lost) lostCalls += 1;
        draft.moveTo(draftEntryOf(session));
        break;
      }
      case "start-calls":
        await runCalls(deps, session, draft, command.indexes);
        break;
      case "refuse-calls":
        for (const index of command.indexes) {
          session.record({
            type: "call-settled",
            index,
            status: "failed",
            failure: "limit-reached",
            elapsedMs: 0,
          });
        }
        break;
      case "close-round":
        closeRound(session);
        session.record({
          type: "round-closed",
          ...(command.closing === undefined
            ? {}
            : { closing: command.closing }),
        });
        break;
      case "give-up":
        stopTurn(session, {
          reason: command.reason,
          text: endSentence(command.reason, deps.policy),
          failure: "limit-reached",
        });
        break;
      case "wait": {
        // Nothing in the inbox counts as seen: whatever waits there is looked at by the next session.
        const { again } = await session.commit({ release: {} });
        return { type: again ? "again" : "done" };
      }
      case "finish":
        return await finishTurn(session, {
          shown: draft.wasShown || session.mayHaveShown,
        });
      case "await-calls":
        throw new TypeError(
          "calls are under way that this session did not start",
        );
    }
  }
}

/** Turns an interruption into the event that ends the turn, or leaves. @throws TurnLeft */
function endIfInterrupted(deps: LoopDeps, session: TurnSession): void {
  if (session.state.phase === "finished") return;
  switch (session.interruption) {
    case undefined:
      return;
    case "fenced":
      throw new TurnLeft("fenced");
    case "shutdown":
      throw new TurnLeft("shutdown");
    case "stopped":
      stopTurn(session, {
        reason: "cancelled",
        text: "",
        failure: "cancelled",
      });
      return;
    case "deadline":
      stopTurn(session, {
        reason: "deadline",
        text: endSentence("deadline", deps.policy),
        failure: "deadline",
      });
  }
}

const draftEntryOf = ({ state }: TurnSession) => ({
  id: answerEntryId(state),
  ...(state.replyTo === undefined ? {} : { replyTo: state.replyTo }),
});

/** Interrupts the turn when its active time is used up. */
function deadlineTimer(deps: LoopDeps, session: TurnSession): Disposable {
  const leftMs = Math.max(
    0,
    deps.policy.deadlineMs - session.state.counters.activeMs,
  );
  const timer = setTimeout(
    () => session.interrupt("deadline"),
    Math.min(leftMs, 2 ** 31 - 1),
  );
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

async function leave(
  deps: LoopDeps,
  session: TurnSession,
  { why }: TurnLeft,
): Promise<TurnResult> {
  deps.log.info({ chat: session.chat, why }, "left a turn");
  switch (why) {
    case "fenced":
      return { type: "done" };
    case "decided":
      await deps.store.release(session.begun.session);
      return { type: "again" };
    case "shutdown":
      await session.giveBack();
      return { type: "again" };
    default:
      return unreachable(why);
  }
}
