import type { ChatKey } from "../core/chat.ts";
import type { TraceRecord } from "../core/trace.ts";
import { askedAtMs } from "../cli/trace-summary.ts";
import { answerEntryId } from "../core/outbox.ts";
import { readAuditOf } from "../store/operations/audit-of-chat.ts";
import type { Services } from "../services.ts";
import { readTrace } from "../store/traces/traces.ts";
import { readDeliveredAt } from "../store/turns/delivered-at.ts";
import { readNewestReadable } from "../store/turns/history.ts";
import { readTurn, type OngoingTurn } from "../store/turns/ongoing.ts";
import { unlessUnreadable } from "../store/unreadable.ts";
import { turnsIn, type ChatTurn } from "./chat-turns.ts";
import { reportTo } from "./report.ts";
import { timelineOf, type Timeline } from "./timeline.ts";

/** History entries in which a turn is looked for. */
const maxEntries = 1_000;

export interface TurnFacts {
  /** Undefined: it isn't open. */
  readonly open: OngoingTurn | undefined;
  /** Undefined: the history does not hold it any more. */
  readonly logged: ChatTurn | undefined;
  readonly records: readonly TraceRecord[];
  /** The name of its persona; undefined: none, or no model has answered yet. */
  readonly persona: string | undefined;
  /** Undefined: no time is known. */
  readonly timeline: Timeline | undefined;
}

/** What is stored of one turn; undefined: nothing. */
export async function readTurnFacts(
  { store, log }: Pick<Services, "store" | "log">,
  chat: ChatKey,
  turn: number,
): Promise<TurnFacts | undefined> {
  const [current, history, records = []] = await Promise.all([
    readTurn(store, chat),
    readNewestReadable(store, chat, maxEntries),
    unlessUnreadable(reportTo(log, "a trace can't be shown"), `${chat} ${turn}`, () =>
      readTrace(store, chat, turn),
    ),
  ]);
  const phase = current?.turn === turn && current.phase !== "queued" ? current.phase : undefined;
  const open = phase && current;
  const logged = turnsIn(history, open?.turn).find((each) => each.turn === turn);
  if (logged === undefined && records.length === 0) return undefined;
  const [first] = records;
  const fromMs = logged?.askedAtMs ?? (first && askedAtMs(first));
  const rounds = Array.from({ length: logged?.rounds ?? 0 }, (_, index) => index + 1);
  const deliveredAtMs = await readDeliveredAt(store, chat, [
    answerEntryId({ turn }),
    ...rounds.map((segment) => answerEntryId({ turn, segment })),
  ]);
  const nowMs = store.clock.now();
  const toMs = open ? nowMs : Math.max(deliveredAtMs ?? 0, records.at(-1)?.atMs ?? 0);
  const audit = fromMs === undefined ? [] : await readAuditOf(store, chat, { fromMs, toMs });
  return {
    open,
    logged,
    records,
    persona: logged?.persona ?? records.at(-1)?.persona,
    timeline: timelineOf({
      askedAtMs: fromMs,
      records,
      audit,
      deliveredAtMs,
      open: phase && { phase, nowMs },
    }),
  };
}
