import type { ChatKey } from "../core/chat.ts";
import type { EndReason, Usage } from "../core/history.ts";
import type { TraceRecord } from "../core/trace.ts";
import { readHistory } from "../store/turns/history.ts";
import type { Store } from "../store/redis/redis.ts";

/** A traced turn in one line. */
export interface TurnSummary {
  readonly turn: number;
  /** When its first model was asked, in milliseconds since the epoch. */
  readonly atMs: number;
  readonly calls: number;
  /** `provider/model`, each once. */
  readonly models: readonly string[];
  /** Of all attempts, as far as the models reported them. */
  readonly usage: Usage;
  /** Of all calls, without tools and people. */
  readonly totalMs: number;
  /** Undefined: it has not ended, or the history does not hold it any more. */
  readonly end: EndReason | undefined;
}

/** @param records of one turn, at least one */
export function summarise(
  turn: number,
  records: readonly TraceRecord[],
  end: EndReason | undefined,
): TurnSummary {
  return {
    turn,
    atMs: Math.min(...records.map(askedAtMs)),
    calls: records.length,
    models: [...new Set(records.map(({ model }) => model))],
    usage: sumOfUsage(records.map(usageOf)),
    totalMs: records.reduce((ms, { timing }) => ms + timing.totalMs, 0),
    end,
  };
}

export const askedAtMs = ({ atMs, timing }: TraceRecord): number => atMs - timing.totalMs;

/** The cost of a call, including its failed attempts. */
export function usageOf({ attempts, response }: TraceRecord): Usage {
  const reported = attempts.flatMap(({ usage }) => usage ?? []);
  return sumOfUsage(reported.length > 0 ? reported : [response.usage ?? none]);
}

const none: Usage = { inputTokens: 0, outputTokens: 0 };

/** Pure. */
export function sumOfUsage(usages: readonly Usage[]): Usage {
  let { inputTokens, outputTokens } = none;
  for (const usage of usages) {
    inputTokens += usage.inputTokens;
    outputTokens += usage.outputTokens;
  }
  return { inputTokens, outputTokens };
}

/** How the turns of a chat ended. @throws what `parseStored` throws. */
export async function readEnds(
  store: Store,
  chat: ChatKey,
): Promise<ReadonlyMap<number, EndReason>> {
  const ends = new Map<number, EndReason>();
  for await (const { entry } of readHistory(store, chat)) {
    if (entry.kind === "assistant" && entry.calls.length === 0) ends.set(entry.turn, "answered");
    if (entry.kind === "end") ends.set(entry.turn, entry.reason);
  }
  return ends;
}
