import { setImmediate } from "node:timers/promises";
import type { CompactionEntry } from "../../core/history.ts";
import type { Outlook } from "./outlook.ts";
import { recordOf, resultsIn, type Extent } from "./record.ts";
import { cutSummary } from "./summary.ts";

/** What is to be done, with what becomes of it where no model can be had. */
export interface Plan {
  readonly outlook: Outlook;
  readonly extent: Extent;
  /** The furthest cut that is allowed: everything after it is protected. */
  readonly limit: number;
  /** Made by cutting alone. */
  readonly record: CompactionEntry;
  /** Small enough: the target, or what cutting reaches where that is more. */
  readonly goalTokens: number;
}

/**
 * Finds the least that brings the view to its target: old results first, the oldest before the
 * newer; then whole turns from the start, then a shorter summary. Where the protected pairs leave
 * no room they give way one by one, and behind them the open turn's older rounds, but no further
 * than needed. Undefined: nothing is to be gained. Pauses between two steps, so that others get on.
 */
export async function planCompaction(given: Outlook): Promise<Plan | undefined> {
  const { cuts, free } = given.layout;
  const { targetTokens, roomyTokens, beforeTokens, minGainTokens } = given;
  const unprotected = steps(given);
  const most = unprotected.slice(-1);
  let trials = new Trials(given);
  let extent = await trials.first(unprotected, targetTokens);
  if (extent === undefined) {
    trials = new Trials(await withShorterSummary(trials, most));
    const yielding = beforeTokens > roomyTokens ? yieldingSteps(given) : [];
    extent = await goodEnough(trials, [...most, ...yielding]);
  }
  if (extent === undefined) return undefined;
  const { outlook } = trials;
  const record = await trials.record(extent);
  if (beforeTokens - record.tokensAfter < minGainTokens) return undefined;
  return {
    outlook,
    extent,
    limit: Math.max(extent.cut, cuts[free - 1] ?? 0),
    record,
    goalTokens: Math.max(targetTokens, record.tokensAfter),
  };
}

/** The first step that leaves as much room as any of them can. */
async function goodEnough(
  trials: Trials,
  ascending: readonly Extent[],
): Promise<Extent | undefined> {
  for (const goalTokens of trials.outlook.goalsTokens) {
    const extent = await trials.first(ascending, goalTokens);
    if (extent !== undefined) return extent;
  }
  return ascending.at(-1);
}

/**
 * What models make of it may be longer than what cutting leaves, but not so long that it was in
 * vain. Pure.
 */
export function betterOf({ outlook, record }: Plan, made: CompactionEntry): CompactionEntry {
  const { roomyTokens, beforeTokens, minGainTokens } = outlook;
  const mayTake = Math.min(
    Math.max(roomyTokens, record.tokensAfter + minGainTokens),
    beforeTokens - minGainTokens,
  );
  return made.tokensAfter <= mayTake ? made : record;
}

/** As much less of a summary as would reach the target, down to half of what it may have. */
async function withShorterSummary(trials: Trials, [extent]: readonly Extent[]): Promise<Outlook> {
  const { outlook } = trials;
  if (extent === undefined) return outlook;
  const { summaryTokens, targetTokens, scale } = outlook;
  const { tokensAfter } = await trials.record(extent);
  const tooMany = Math.ceil((tokensAfter - targetTokens) / scale);
  return {
    ...outlook,
    summaryTokens: Math.max(Math.floor(summaryTokens / 2), summaryTokens - tooMany),
  };
}

/** From the least to the most that can be done without touching what is protected. */
function steps(outlook: Outlook): Extent[] {
  const { part, layout } = outlook;
  const { start } = part;
  const free = layout.cuts.slice(0, layout.free);
  const results = resultsIn(outlook, start, free.at(-1) ?? start);
  return [
    ...results.map((_, place) => ({
      cut: start,
      results: results.slice(0, place + 1),
    })),
    ...free.map((cut) => ({
      cut,
      results: results.filter((index) => index >= cut),
    })),
  ];
}

/** What is protected gives way: each pair's or round's results first, then the whole of it. */
function yieldingSteps(outlook: Outlook): Extent[] {
  const { part, layout } = outlook;
  const { cuts, free } = layout;
  return cuts.slice(free).flatMap((cut, place) => {
    const before = cuts[free + place - 1] ?? part.start;
    const results = resultsIn(outlook, before, cut);
    const whole = { cut, results: [] };
    return results.length === 0 ? [whole] : [{ cut: before, results }, whole];
  });
}

/**
 * Up to this many are tried one by one; the replacement of a tiny turn can be
 * longer than the turn.
 */
const fewExtents = 50;

/** What cutting would make of extents; each is made and measured once. */
class Trials {
  readonly outlook: Outlook;
  readonly #records = new Map<Extent, CompactionEntry>();

  constructor(outlook: Outlook) {
    this.outlook = outlook;
  }

  async record(extent: Extent): Promise<CompactionEntry> {
    const known = this.#records.get(extent);
    if (known !== undefined) return known;
    await setImmediate();
    const made = recordOf(this.outlook, extent, {
      summary: cutSummary(this.outlook, extent.cut),
      strategy: "truncate",
    });
    this.#records.set(extent, made);
    return made;
  }

  /** The first that is small enough. */
  async first(ascending: readonly Extent[], goalTokens: number): Promise<Extent | undefined> {
    const fits = async (extent: Extent): Promise<boolean> =>
      (await this.record(extent)).tokensAfter <= goalTokens;
    if (ascending.length <= fewExtents) {
      for (const extent of ascending) if (await fits(extent)) return extent;
      return undefined;
    }
    // Of many, each is taken to be no larger than the one before it.
    let low = 0;
    let high = ascending.length;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const extent = ascending[middle];
      if (extent !== undefined && (await fits(extent))) high = middle;
      else low = middle + 1;
    }
    return ascending[low];
  }
}
