import type { ChatKey } from "../core/chat.ts";
import { askedAtMs } from "../cli/trace-summary.ts";
import { answerEntryId } from "../core/outbox.ts";
import { readAuditOf } from "../store/operations/audit-of-chat.ts";
import type { Services } from "../services.ts";
import { readTrace } from "../store/traces/traces.ts";
import { readDeliveredAt } from "../store/turns/delivered-at.ts";
import { readNewestReadable } from "../store/turns/history.ts";
import { readTurn } from "../store/turns/ongoing.ts";
import { readTurnVersion } from "../store/turns/turn-version.ts";
import { unlessUnreadable } from "../store/unreadable.ts";
import { turnsIn } from "./chat-turns.ts";
import { reportTo } from "./report.ts";
import { timelineOf } from "./timeline.ts";

/** History entries in which a turn is looked for. */
const maxEntries = 1_000;
/** What has come since without a step, such as a line of the audit log, is seen this late. Milliseconds. */
const keptForMs = 10_000;
/** The end of an answer that is being written moves in such steps. Milliseconds. */
const stepMs = 5_000;

export interface Named {
  readonly chat: ChatKey;
  readonly turn: number;
}
export type TurnFacts = NonNullable<Awaited<ReturnType<typeof readTurnFacts>>>;

/** What the renderings of one stream keep from one to the next. */
export interface Kept {
  stored?: Awaited<ReturnType<typeof readStored>>;
  /** When the answer was last found open. Milliseconds since the epoch. */
  openAtMs?: number;
}

interface Context {
  readonly services: Pick<Services, "store" | "log">;
  readonly kept: Kept;
  readonly isAgain?: true;
}

/** What is stored of one turn; undefined: nothing. `open` is undefined unless it is. */
export async function readTurnFacts(context: Context, named: Named) {
  const { kept, services } = context;
  const { store } = services;
  const current = await readTurn(store, named.chat);
  const phase = current?.turn === named.turn && current.phase !== "queued" && current.phase;
  const nowMs = store.clock.now();
  const version = `${await readTurnVersion(store, named)} ${phase !== false}`;
  if (kept.stored?.version !== version || kept.stored.atMs + keptForMs <= nowMs)
    kept.stored = await readStored(context, { ...named, isOpen: phase !== false, version });
  const { logged, records, askedAtMs: fromMs = nowMs } = kept.stored;
  if (logged === undefined && records.length === 0) return undefined;
  // Steps, so that not every rendering has another length.
  const toMs = nowMs - fromMs < 2 * stepMs ? nowMs : nowMs - ((nowMs - fromMs) % stepMs);
  const open = phase ? { phase, nowMs: toMs } : undefined;
  return {
    ...named,
    open: phase ? current : undefined,
    logged,
    records,
    persona: logged?.persona ?? records.at(-1)?.persona,
    timeline: timelineOf({ ...kept.stored, open }),
  };
}

/** All that takes long to read: the history, the trace, and the audit log of all chats. */
async function readStored(
  { services: { store, log }, isAgain }: Context,
  { chat, turn, isOpen, version }: Named & { readonly isOpen: boolean; readonly version: string },
) {
  const report = reportTo(log, "a trace can't be shown", isAgain ? "debug" : "warn");
  const [history, records = []] = await Promise.all([
    readNewestReadable(store, chat, maxEntries),
    unlessUnreadable(report, `${chat} ${turn}`, () => readTrace(store, chat, turn)),
  ]);
  // Undefined: the history does not hold it any more.
  const logged = turnsIn(history, isOpen ? turn : undefined).find((each) => each.turn === turn);
  const [first] = records;
  const fromMs = logged?.askedAtMs ?? (first && askedAtMs(first));
  const rounds = Array.from({ length: logged?.rounds ?? 0 }, (_, index) => index + 1);
  const deliveredAtMs = await readDeliveredAt(store, chat, [
    answerEntryId({ turn }),
    ...rounds.map((segment) => answerEntryId({ turn, segment })),
  ]);
  const atMs = store.clock.now();
  const toMs = isOpen ? atMs : Math.max(deliveredAtMs ?? 0, records.at(-1)?.atMs ?? 0);
  const audit = fromMs === undefined ? [] : await readAuditOf(store, chat, { fromMs, toMs });
  return { version, atMs, logged, records, askedAtMs: fromMs, audit, deliveredAtMs };
}
