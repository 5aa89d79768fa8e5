import type { ChatKey } from "../core/chat.ts";
import { unreachable } from "../core/errors.ts";
import { answerEntryId } from "../core/outbox.ts";
import type { BegunTurn } from "../core/ports.ts";
import { untilAborted } from "../util/abort.ts";
import { AnswerDraft } from "./session/answer-draft.ts";
import { auditCall } from "./tools/audit-call.ts";
import { Billing } from "./model/billing.ts";
import { callModel, type LostCalls } from "./model/call-model.ts";
import { Compactions, compactView } from "./compaction/compact-view.ts";
import { Deadline } from "./session/deadline.ts";
import { decide, type Command } from "./machine/decide.ts";
import { restartForNews, takeNews } from "./inbox/news.ts";
import type { LoopDeps } from "./deps.ts";
import { endIfInterrupted } from "./session/end-if-interrupted.ts";
import { finishTurn, stopTurn } from "./session/finish.ts";
import { effective } from "./model/effective-settings.ts";
import { requestFor, showsThinking } from "./model/model-request.ts";
import { endRound } from "./tools/end-round.ts";
import { failReading, readAttachments } from "./inbox/read-attachments.ts";
import { openFromInbox } from "./inbox/open-from-inbox.ts";
import { prepareBilling, settleLost, spenderOf } from "./model/pay-for-call.ts";
import { askAgain, withPermit } from "./session/permit.ts";
import { withChatSkills } from "./tools/chat-skills.ts";
import { refuseCalls } from "./tools/refuse-calls.ts";
import { runCalls } from "./tools/run-calls.ts";
import { endSentence } from "./sentences.ts";
import { whileKept } from "./session/kept-turn.ts";
import { recallPassages } from "./session/recall-passages.ts";
import type { Start } from "./session/turn-starts.ts";
import { TurnLeft, TurnSession } from "./session/turn-session.ts";
import { interruptIfReplaced } from "./inbox/while-busy.ts";
import { lookForChange } from "./inbox/look-for-change.ts";
import { whileWaiting } from "./inbox/while-waiting.ts";
import { localeOf } from "./locale-of.ts";
import { takeOwnFacts } from "./own-facts.ts";
import { takePersona, withPersona } from "./persona.ts";
import { reportError } from "./report-error.ts";
import type { TurnResult } from "./turn-result.ts";
import type { TurnContext } from "./turn-context.ts";

/** A turn that killed its worker this often at the same step is given up. */
const maxDeaths = 3;

/**
 * Runs one chat until its turn ends, waits for a person, or is taken over:
 * loads the state, asks `decide`, carries out the command through the ports,
 * applies the event, commits. Handles at most one turn per call, so that other
 * chats get their share.
 *
 * @param signal aborts when the process is stopping: the turn is then released
 * as last committed.
 */
export async function runTurn(
  deps: LoopDeps,
  chat: ChatKey,
  signal: AbortSignal,
): Promise<TurnResult> {
  // In one round trip: the limits are read before the requester is known.
  const [found] = await Promise.all([deps.store.begin(chat), refreshed(deps)]);
  if (found.type === "nothing") return { type: "done" };
  if (found.type === "held") return { type: "held" };
  if (found.type === "later") return { type: "later", inMs: found.againInMs };
  const begun = await withPersona(deps.personas, found);
  if (begun.isTakenOver) deps.metrics.leaseTakenOver();
  using session = new TurnSession(deps, begun, signal);
  const context: TurnContext = {
    deps: withChatSkills(deps, session.settings, () => session.narrowing?.skills),
    session,
    billing: new Billing(),
  };
  try {
    if (begun.state !== undefined) await takePersona(context);
    return (await enter(context, begun)) ?? (await goOn(context));
  } catch (error) {
    if (error instanceof TurnLeft) return await leave(context, error);
    // Don't release the lease: its expiry counts as a death, so that a turn
    // that always fails ends as poisoned.
    throw error;
  }
}

/** Never rejects: what cannot be known now is asked for again when it is needed. */
async function refreshed(deps: LoopDeps): Promise<void> {
  const { budget, banCache, personas, personFacts, log } = deps;
  try {
    await Promise.all([
      budget.refresh(),
      banCache.refresh(),
      personas?.refresh(),
      personFacts.refresh(),
    ]);
  } catch (error) {
    log.warn({ error }, "could not ask which limits, bans, personas and facts hold");
  }
}

/** Messages from before a ban aren't answered after it, without a notice. */
async function endIfBanned({ deps: { banCache, log }, session }: TurnContext): Promise<void> {
  const isBanned = (): boolean => banCache.has(session.state.requester, session.chat);
  if (!isBanned()) return;
  // The ban may have been lifted since it was read; messages accepted after that must be answered.
  await banCache.refresh("store").catch((error: unknown) => {
    const { chat } = session;
    log.warn({ error, chat }, "could not ask whether a ban still holds");
  });
  if (!isBanned()) return;
  stopTurn(session, { reason: "cancelled", text: "", failure: "cancelled" });
}

/** Continues the turn within its requester's limits. */
async function goOn(context: TurnContext): Promise<TurnResult> {
  const { deps, session, billing } = context;
  // Only the last commit is missing: that needs no permit.
  const isEnding = () => session.state.phase === "finished" || session.interruption !== undefined;
  // Do this first: the limits read below may change while other turns of theirs
  // begin.
  const start = isEnding() ? undefined : await mayStart(context);
  if (start === "throttled") return await askAgain(session, throttledMs);
  using _ = start;
  if (session.state.phase !== "finished") await endIfBanned(context);
  if (isEnding()) return await drive(context);
  [billing.caps] = await Promise.all([
    deps.budget.turnCaps(spenderOf(session)),
    recallPassages(context),
  ]);
  return await withPermit(context, () => drive(context));
}

/** A throttled turn is tried again after this. Milliseconds. */
const throttledMs = 4_000;
/**
 * Limits and bans are read again if the turn waited longer than this for its start. Milliseconds.
 */
const staleMs = 500;

/** Waits until the turn may begin; a person's turns begin a few at a time. */
async function mayStart({ deps, session }: TurnContext): Promise<Start> {
  const { turnStarts, clock } = deps;
  const beforeMs = clock.monotonic();
  const { state, signal } = session;
  const start = await turnStarts.enter(state.requester.id, signal);
  if (clock.monotonic() - beforeMs > staleMs) await refreshed(deps);
  return start;
}

/** Brings the chat to a turn that can go on, or returns when there is none. */
async function enter(context: TurnContext, begun: BegunTurn): Promise<TurnResult | undefined> {
  const { session } = context;
  if (begun.state === undefined) return await openFromInbox(context);
  if (begun.opened) return undefined;
  if (begun.state.modelCallOpen) settleLost(context);
  failReading(session);
  if (begun.deaths >= maxDeaths) {
    const { deaths } = begun;
    const { errorId, text } = reportError(context, {
      kind: "poisoned",
      cause: `${deaths} workers died at the same step of this turn`,
      message: "a turn keeps killing its worker",
      details: { deaths },
      sentence: ({ end }, id) => end.poisoned(id),
    });
    stopTurn(session, { reason: "poisoned", text, errorId, failure: "cancelled" });
    return undefined;
  }
  const { untilMs } = begun.state.kept ?? {};
  if (untilMs !== undefined) return await whileKept(context, untilMs);
  if (begun.state.phase === "waiting") return await whileWaiting(context);
  const { calls } = begun.state;
  session.record({ type: "resumed" });
  // What may have run when its worker died, and is not run again.
  for (const { index, status } of calls) {
    const call = session.state.calls[index];
    if (status === "started" && call?.status === "unknown") auditCall(context, call, "unknown");
  }
  return undefined;
}

/** What one session remembers while it works on a turn; nothing of it matters to the next one. */
interface Work {
  readonly draft: AnswerDraft;
  readonly lost: LostCalls;
  readonly compactions: Compactions;
}

async function drive(context: TurnContext): Promise<TurnResult> {
  const { deps, session } = context;
  using draft = new AnswerDraft(deps, session.begun.session, {
    entry: draftEntryOf(session),
    display: {
      tools: session.settings.tools ?? deps.defaults.tools,
      thinking: showsThinking(context),
      // Of a kept turn people read only the answer.
      isHidden: session.state.schedule?.isQuiet === true || session.state.kept !== undefined,
    },
  });
  using deadline = new Deadline(session);
  session.onWaiting = () => {
    void interruptIfReplaced(context);
    void restartForNews(context, draft);
  };
  await interruptIfReplaced(context);
  const work: Work = {
    draft,
    lost: { breaks: new Map() },
    compactions: new Compactions(),
  };
  for (;;) {
    endIfInterrupted(context);
    if (session.state.watch !== undefined && session.state.phase !== "finished") {
      const unchanged = await lookForChange(context);
      if (unchanged !== undefined) return unchanged;
      continue;
    }
    const { policy } = effective(context);
    deadline.keep(policy.deadlineMs);
    const command = decide(session.state, policy);
    if (command.type === "finish")
      return await finishTurn(context, {
        shown: draft.wasShown || session.mayHaveShown,
      });
    if (command.type === "wait") {
      await draft.settle();
      // Nothing in the inbox counts as seen: whatever waits there is looked at by the next session.
      const { again } = await session.commit({ release: {} });
      return { type: again ? "again" : "done" };
    }
    if (command.type === "keep") {
      const wakeInMs = Math.max(0, command.untilMs - deps.clock.wall());
      const { again } = await session.commit({ release: { wakeInMs } });
      return again ? { type: "again" } : { type: "later", inMs: wakeInMs };
    }
    await perform(context, work, command);
  }
}

async function perform(
  context: TurnContext,
  work: Work,
  command: Exclude<Command, { type: "finish" | "wait" | "keep" }>,
): Promise<void> {
  const { session } = context;
  switch (command.type) {
    case "call-model":
      session.record({
        type: "model-call-started",
        ...(command.closing === undefined ? {} : { closing: command.closing }),
      });
      await session.commit();
      break;
    case "await-model":
      await awaitModel(context, work, command);
      break;
    case "compact":
      await readAttachments(context, work.draft);
      if (session.interruption === undefined) await compactView(context, work);
      break;
    case "start-calls":
      await runCalls(context, work.draft, command.indexes);
      break;
    case "refuse-calls":
      await refuseCalls(context, command);
      break;
    case "close-round":
      await endRound(context, command.closing);
      break;
    case "give-up":
      stopTurn(session, {
        reason: command.reason,
        text: endSentence(command.reason, effective(context).policy, localeOf(session)),
        failure: "limit-reached",
      });
      break;
    default:
      unreachable(command);
  }
}

/** Asks the model, or finds that the view has to be shortened before. */
async function awaitModel(
  context: TurnContext,
  work: Work,
  { closing }: Command & { type: "await-model" },
): Promise<void> {
  const { session } = context;
  const { compactions } = work;
  await prepareBilling(context);
  await takeNews(context);
  await readAttachments(context, work.draft);
  // The drive ends or leaves the turn.
  if (session.interruption !== undefined) return;
  await takeOwnFacts(context);
  // Its window and its tools are presumed until its server was asked.
  const { chain } = effective(context);
  await untilAborted(Promise.resolve(chain.learnCard?.()), session.signal);
  const prepared = requestFor(context, closing);
  if (await compactions.isDue(context, prepared)) {
    session.record({ type: "compaction-started" });
    await session.commit();
    return;
  }
  const { draft, lost } = work;
  const came = await callModel(context, draft, {
    closing,
    prepared,
    lost,
    canShrink: (refused) => compactions.helpsOverflow(context, refused),
  });
  if (came === "overflow") session.record({ type: "compaction-started" });
  draft.moveTo(draftEntryOf(session));
}

const draftEntryOf = ({ state }: TurnSession) => ({
  id: answerEntryId(state),
  ...(state.replyTo === undefined ? {} : { replyTo: state.replyTo }),
});

async function leave({ deps, session }: TurnContext, { why }: TurnLeft): Promise<TurnResult> {
  deps.log.info({ chat: session.chat, why }, "left a turn");
  switch (why) {
    case "fenced":
      return { type: "done" };
    case "decided":
      await deps.store.release(session.begun.session);
      return { type: "again" };
    case "shutdown":
      await session.release();
      return { type: "again" };
    default:
      return unreachable(why);
  }
}
