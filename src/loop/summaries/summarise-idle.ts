import type { Logger } from "pino";
import type { ChatKey } from "../../core/chat.ts";
import type { Budget } from "../../core/limits.ts";
import { shownSummaries, type ConversationSummary, type Summaries } from "../../core/summaries.ts";
import type { ModelChain } from "../../models/chain.ts";
import type { CountTokens } from "../../models/tokens.ts";
import { askModel } from "../compaction/ask-model.ts";
import { partOf } from "../compaction/layout.ts";
import { linesOf, type Line } from "../compaction/lines.ts";
import { windowFor } from "../compaction/measure.ts";
import { recapPrompt } from "../compaction/prompts.ts";
import { lineShortener, shortenLines, shortenSummary } from "../compaction/shorten.ts";
import { addSpending, spentOn, type Spent } from "../machine/spending.ts";
import type { Payer } from "../model/payment.ts";
import type { OnUsage } from "../model/usage-watch.ts";
import { asEditedNow, endedConversations, type EndedConversation } from "./ended-conversations.ts";

export interface SummariseIdleDeps {
  readonly summaries: Pick<Summaries, "unsummarised" | "add">;
  /** The models of the tier `compaction`. */
  readonly chain: () => ModelChain;
  readonly budget: Budget;
  readonly clock: {
    /** Milliseconds, never going back. */
    readonly monotonic: () => number;
    /** Milliseconds since the epoch, by the clock that all processes share. */
    readonly wall: () => number;
  };
  readonly log: Logger;
}

const summaryTokens = 200;
/** Without the tokenizer, which is slow to load: ordinary text of any alphabet has fewer. */
const roughly: CountTokens = (text) => Math.ceil(Buffer.byteLength(text) / 3);

const shorten = lineShortener(roughly);

/** What a model is shown of a conversation at most, and what is left for its prompt and its answer. */
const maxInputTokens = 16_000;
const restTokens = 2_000;
/** Tokens of an answer; a model that thinks spends them on its thoughts first. */
const maxOutputTokens = 1_024;
/** Lines of a conversation that are looked at, the newest. */
const maxLines = 300;

/**
 * Writes the summaries of conversations that are over: `/new` ended them, or six hours of silence. No
 * turn waits for it. Repeated, or done by two workers, it adds each summary once: the store knows by
 * its position which conversation has one.
 * @returns when to look again, if nothing is said before; undefined: after the next turn.
 */
export async function summariseIdle(
  deps: SummariseIdleDeps,
  chat: ChatKey,
  signal: AbortSignal,
): Promise<{ readonly againAtMs: number | undefined }> {
  const { entries, ...read } = await deps.summaries.unsummarised(chat);
  const { ended, endsAtMs } = endedConversations(asEditedNow(entries), deps.clock.wall());
  // Of a history from before there were summaries, only those that would be shown.
  for (const conversation of ended.slice(-shownSummaries)) {
    signal.throwIfAborted();
    let spent: Spent = {};
    const onUsage: OnUsage = (card, usage, how) => {
      spent = addSpending(spent, spentOn(card, usage, how));
    };
    const summary = await summaryOf(deps, { chat, conversation, signal, onUsage });
    if (summary !== undefined && (await deps.summaries.add(chat, summary, { ...read, spent })))
      deps.log.info({ chat, model: summary.model }, "a conversation that is over was summarised");
  }
  return { againAtMs: endsAtMs };
}

interface Task {
  readonly chat: ChatKey;
  readonly conversation: EndedConversation;
  readonly signal: AbortSignal;
  readonly onUsage: OnUsage;
}

const isInGroup = (entries: EndedConversation["entries"]): boolean =>
  entries.some(({ entry }) => entry.kind === "message" && entry.group === true);

/** Undefined: nothing is left of it to be summarised. @throws the signal's reason */
async function summaryOf(
  deps: SummariseIdleDeps,
  task: Task,
): Promise<ConversationSummary | undefined> {
  const { entries, last } = task.conversation;
  const from = entries[0]?.position ?? 0;
  const part = partOf(
    entries.map(({ entry }) => entry),
    from,
  );
  const earlier = part.last?.summary ?? "";
  const lines = linesOf(part, part.start, part.entries.length).slice(-maxLines);
  if (lines.length === 0 && earlier === "") return undefined;
  const written = await askFor(deps, task, textOf(deps.chain(), earlier, lines));
  // What was cut off is done again by another worker.
  task.signal.throwIfAborted();
  const base = {
    v: 1,
    from,
    to: entries.at(-1)?.position ?? from,
    atMs: last.atMs,
    ...(isInGroup(entries) ? {} : { person: last.person.id }),
  } as const;
  return written === undefined
    ? { ...base, text: lastExchange(lines, earlier) }
    : {
        ...base,
        text: shortenSummary(written.text, summaryTokens, roughly),
        model: written.model,
      };
}

function textOf(chain: ModelChain, earlier: string, lines: readonly Line[]): string {
  const windowTokens = Math.min(...chain.cards.map((card) => windowFor(card, {})));
  const room = Math.max(summaryTokens, Math.min(maxInputTokens, windowTokens - restTokens));
  const start = shortenSummary(earlier, room / 4, roughly);
  const rest = shortenLines(lines, room - roughly(start), { count: roughly, shorten });
  return [start, rest].filter((text) => text !== "").join("\n");
}

/** Where no model answers. */
function lastExchange(lines: readonly Line[], earlier: string): string {
  const asked = lines.findLastIndex(({ who }) => who.startsWith("user"));
  const newest = lines.slice(Math.max(0, asked));
  return newest.length === 0
    ? shortenSummary(earlier, summaryTokens, roughly)
    : shortenLines(newest, summaryTokens, { count: roughly, shorten });
}

/** Charged like a turn of the person who wrote last. Undefined: no model answered, or a limit forbids it. */
async function askFor(
  { chain, budget, clock, log }: SummariseIdleDeps,
  { chat, conversation: { entries, last }, signal, onUsage }: Task,
  text: string,
): Promise<{ readonly text: string; readonly model: string } | undefined> {
  const spender = { person: last.person, chat, role: last.role };
  const settled: Promise<void>[] = [];
  const payer: Payer = {
    budget,
    spender,
    isMetered: await budget.isLimited(spender),
    nameOf: (own) => `${chat}/summary.${entries.at(-1)?.position ?? 0}.${own}`,
    newName: () => `${clock.monotonic()}`,
    alongside: (written) => void settled.push(written),
    log,
  };
  const reply = await askModel(
    { chain: chain(), signal, observer: { payer, onUsage }, monotonic: clock.monotonic },
    {
      messages: recapPrompt(text, summaryTokens),
      tools: [],
      toolChoice: "none",
      options: { maxOutputTokens },
    },
  );
  await Promise.all(settled);
  return reply;
}
