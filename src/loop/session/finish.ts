import { namedPersona } from "../../core/turn-persona.ts";
import type { EndReason, FailureKind, LogEntry, ToolEntry } from "../../core/history.ts";
import { parseChatKey, type ChatKey } from "../../core/chat.ts";
import { answerEntryId, spokenIn } from "../../core/outbox.ts";
import type { Commit } from "../../core/ports.ts";
import { saysNothing, slotName, type ScheduleEnd } from "../../core/schedule.ts";
import { journalKey, type TurnState } from "../../core/turn.ts";
import { shortenLine } from "../../tools/shorten.ts";
import type { Locale } from "../../locales/locale.ts";
import { autoplay } from "../inbox/autoplay.ts";
import { closeApprovals } from "../tools/approvals.ts";
import { withChange } from "../tools/changed-calls.ts";
import type { TurnResult } from "../turn-result.ts";
import type { LoopDeps } from "../deps.ts";
import { imageWords, maxImagesOfRound } from "../tools/keep-images.ts";
import { syntheticResult } from "../sentences.ts";
import type { Spent } from "../machine/spending.ts";
import { toolLine, withUsed } from "../machine/tool-line.ts";
import type { TurnSession } from "./turn-session.ts";
import { validName } from "../view/call-ids.ts";
import { localeOf } from "../locale-of.ts";
import { toolTitle } from "../../locales/tool-title.ts";
import type { TurnContext } from "../turn-context.ts";

/**
 * Puts the results of the open round into the history, in the order in which the model asked.
 * Returns them.
 */
export function closeRound({ deps, session }: TurnContext): readonly ToolEntry[] {
  const { turn, round, calls } = session.state;
  let room = maxImagesOfRound;
  const results = calls.map((call): ToolEntry => {
    deps.metrics.toolCalled(deps.toolbox.find(call.name)?.name, call.failure ?? "done");
    const settled = session.journal.get(journalKey(turn, round, call.index));
    const images = settled?.images?.slice(0, room) ?? [];
    const more = (settled?.images?.length ?? 0) - images.length;
    room -= images.length;
    return {
      kind: "tool",
      v: 1,
      turn,
      round,
      index: call.index,
      name: call.name,
      text: [
        withChange(call, settled?.text ?? syntheticResult(call.failure ?? "outcome-unknown")),
        ...(more > 0 ? [imageWords.tooMany(more)] : []),
      ].join("\n"),
      ...(call.failure === undefined ? {} : { failure: call.failure }),
      ...(call.changedBy === undefined ? {} : { changed: call.arguments }),
      ...writtenBy(call.changedById, settled?.reasonBy),
      ...(images.length === 0 ? {} : { images }),
    };
  });
  session.append(...results);
  session.dropJournal();
  return results;
}

/** Who wrote what a result repeats, as far as it is known. */
function writtenBy(...ids: readonly (string | undefined)[]): {
  readonly wordsOf?: string[];
} {
  const known = new Set(ids.filter((id) => id !== undefined));
  return known.size === 0 ? {} : { wordsOf: [...known] };
}

/**
 * Whether everyone in the chat reads what a command answers. On a Discord server only who gave it
 * does: others who wait there for a stopped answer learn of it by what there is of it.
 */
const isReadByAll = ({ state, chat }: TurnSession): boolean =>
  !state.group || parseChatKey(chat).platform !== "discord";

/**
 * The single exit of every turn: results for all open calls, the outcome, the
 * answer into the outbox, the chat released.
 * @param shown whether a draft may be visible that must not stay as it is.
 * @throws TurnLeft
 */
export async function finishTurn(
  context: TurnContext,
  { shown }: { readonly shown: boolean },
): Promise<TurnResult> {
  const { deps, session } = context;
  const { state } = session;
  const { outcome, counters } = state;
  if (outcome === undefined) throw new TypeError("a finished turn has an outcome");
  closeRound(context);
  const note = noteOf(context);
  session.append(...outcomeEntries(state, { stopAt: session.stopAt, note }));
  const text =
    outcome.text === "" && shown ? leftover(outcome.reason, localeOf(session)) : outcome.text;
  const isSilent =
    state.schedule?.isQuiet && outcome.reason === "answered" && saysNothing(outcome.text);
  if (text !== "" && !isSilent) {
    const reply = state.replyTo === undefined ? {} : { replyTo: state.replyTo };
    session.post({
      kind: "message",
      v: 1,
      id: answerEntryId(state),
      text,
      ...(note === "" ? {} : { note }),
      ...(outcome.reason === "cancelled" && isReadByAll(session) ? { onlyIfSeen: true } : {}),
      ...(state.schedule && {
        slot: slotName(state.schedule.id, state.schedule.slotMs),
        author: state.requester.id,
      }),
      ...reply,
    });
  }
  autoplay(context);
  const { again } = await session.commit({
    idle: true,
    release: {},
    ...planOf(session),
    usage: {
      models: state.spent,
      turns: 1,
      modelCalls: counters.modelCalls,
      inputTokens: counters.inputTokens,
      outputTokens: counters.outputTokens,
    },
  });
  logTurn(deps, session.chat, state);
  deps.metrics.turnFinished({
    platform: parseChatKey(session.chat).platform,
    outcome: outcome.reason,
    activeMs: counters.activeMs,
    spent: state.spent,
  });
  return { type: again ? "again" : "done" };
}

/** Ends that count as failures of the schedule that began the turn. */
const failures: ReadonlySet<EndReason> = new Set<EndReason>([
  "model-failed",
  "poisoned",
  "deadline",
  "tool-failure",
  "loop-detected",
]);

/** What became of a schedule's slot; a turn that a person has ended says nothing of it. */
function planOf(session: TurnSession): Pick<Commit, "plan"> {
  const { schedule, outcome } = session.state;
  if (schedule === undefined || outcome === undefined) return {};
  const { reason } = outcome;
  if (reason === "cancelled" || reason === "superseded") return {};
  return { plan: endOfSlot(session, failures.has(reason) ? "failed" : "asked") };
}

/** @throws TypeError when no schedule began the turn. */
export function endOfSlot(
  session: TurnSession,
  outcome: NonNullable<ScheduleEnd["outcome"]>,
): ScheduleEnd {
  const { schedule, watch, requester, group, turn } = session.state;
  if (schedule === undefined) throw new TypeError("no schedule began the turn");
  const { id, slotMs } = schedule;
  const message = session.transcript.findLast(
    (entry) => entry.kind === "message" && entry.schedule?.id === id,
  );
  const text = watch?.text ?? (message?.kind === "message" ? message.text : "");
  const notice = {
    kind: "notice",
    v: 1,
    id: `plan-failed-${turn}`,
    ...spokenIn(requester.language),
    ...(group ? { person: requester.id } : {}),
    text: localeOf(session).schedules.failed(shortenLine(text, 80)),
  } as const;
  return { id, slotMs, outcome, ...(outcome === "failed" ? { notice } : {}) };
}

/** One log line for each finished turn, without message text. */
function logTurn(
  { log }: Pick<LoopDeps, "log">,
  chat: ChatKey,
  { turn, outcome, counters, spent }: TurnState,
): void {
  const { inputTokens, outputTokens, costUsd, activeMs } = counters;
  const isPriced = Object.values(spent).some((each) => each.costUsd !== undefined);
  log.info(
    {
      chat,
      turn,
      outcome: outcome?.reason,
      // Of a turn that failed: the model that was asked last.
      model: outcome?.model ?? Object.keys(spent).at(-1),
      ms: Math.round(activeMs),
      inputTokens,
      outputTokens,
      costUsd: isPriced ? costUsd : null,
      errorId: outcome?.errorId,
    },
    "turn finished",
  );
}

/** Replaces an unfinished draft, and stands below what was said of an answer. */
function leftover(reason: EndReason, { end }: Locale): string {
  if (reason === "cancelled") return end.stopped;
  return reason === "superseded" ? end.interrupted : "";
}

/**
 * Ends a turn without another model call: pending approvals are closed, open
 * calls end with `failure`.
 */
export function stopTurn(
  session: TurnSession,
  end: {
    readonly reason: EndReason;
    readonly text: string;
    /** Whose words the text is; absent: ours. */
    readonly model?: string;
    /** What the text quotes. */
    readonly errorId?: string;
    readonly failure: FailureKind;
    readonly spent?: Spent;
    readonly elapsedMs?: number;
  },
): void {
  closeApprovals(session, end.reason);
  session.record({ type: "ended", elapsedMs: 0, ...end });
}

/**
 * The lines below the answer: why it ended, and which tools the turn has used. Empty where there is
 * nothing to say.
 */
function noteOf({ deps: { defaults, toolbox }, session }: TurnContext): string {
  const { settings, state } = session;
  const { outcome, used, calls } = state;
  const locale = localeOf(session);
  const all = withUsed(used, calls);
  const mark = all.some(({ auto }) => auto) ? `⚙ ${locale.permissions.ranByAuto}` : "";
  const tools =
    (settings.tools ?? defaults.tools) === "off"
      ? mark
      : toolLine(all, (name) => {
          const tool = toolbox.find(name);
          return toolTitle({ tool: tool?.name ?? validName(name), title: tool?.title }, locale);
        });
  const isPartial = outcome?.model !== undefined && outcome.text !== "";
  const cut = isPartial ? leftover(outcome.reason, locale) : "";
  return [cut, outcome?.note ?? "", tools].filter((line) => line !== "").join("\n");
}

function outcomeEntries(
  { turn, round, outcome, ...state }: TurnState,
  { stopAt, note }: { readonly stopAt: number; readonly note: string },
): LogEntry[] {
  if (outcome === undefined) return [];
  const { reason, text, model, reasoning, extras, usage } = outcome;
  const { cut, downgraded } = outcome;
  const noted = note === "" ? {} : { note };
  // Cut off in the middle: what was said until then is kept.
  const isPartial = reason === "cancelled" || reason === "superseded";
  const entries: LogEntry[] = [];
  if (model !== undefined) {
    entries.push({
      kind: "assistant",
      v: 1,
      turn,
      round,
      model,
      text,
      ...namedPersona(state),
      calls: [],
      ...(reasoning === undefined ? {} : { reasoning }),
      ...(extras === undefined ? {} : { extras }),
      ...(usage === undefined ? {} : { usage }),
      ...(isPartial ? { partial: true } : {}),
      ...(cut === undefined ? {} : { cut }),
      ...noted,
      ...(downgraded ? { downgraded } : {}),
    });
  }
  if (reason !== "answered")
    entries.push({
      kind: "end",
      v: 1,
      turn,
      reason,
      ...namedPersona(state),
      ...(model !== undefined || text === "" ? {} : { text }),
      ...(model !== undefined || cut === undefined ? {} : { cut }),
      ...(model === undefined ? noted : {}),
      ...(reason === "cancelled" ? { stopAt } : {}),
    });
  return entries;
}
