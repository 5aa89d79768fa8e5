import { PermanentError } from "../../../core/errors.ts";
import type { CompactionEntry } from "../../../core/history.ts";
import { isShown } from "../layout.ts";
import { linesOf, type Line } from "../lines.ts";
import type { Outlook } from "../outlook.ts";
import type { Plan } from "../plan.ts";
import { isKept, recordOf, worthCutting } from "../record.ts";
import { shortenLines, shortenSummary } from "../shorten.ts";
import { joined, outlineOf, wantedTokens } from "../summary.ts";
import { pageFrom } from "./page.ts";

/**
 * A stretch of the conversation that a text replaces; indexes, `to` excluded.
 */
interface Segment {
  readonly from: number;
  readonly to: number;
  readonly summary: string;
}

/** Writes a stretch without a segment. */
export type WriteGap = (lines: readonly Line[], budgetTokens: number) => string | Promise<string>;

/**
 * A compaction in the making: what an agent's tools have done to a plan. Every change is checked;
 * what is protected cannot be touched. Nothing of it has an effect outside.
 */
export class Workbench {
  readonly #outlook: Outlook;
  readonly #plan: Plan;
  readonly #segments: Segment[] = [];
  readonly #results = new Map<number, string | undefined>();

  constructor(plan: Plan) {
    this.#outlook = plan.outlook;
    this.#plan = plan;
  }

  get isUntouched(): boolean {
    return this.#segments.length === 0 && this.#results.size === 0;
  }

  /** Index of the first entry that no segment reaches. */
  get cut(): number {
    return Math.max(this.#outlook.part.start, ...this.#segments.map(({ to }) => to));
  }

  /** What can be compressed, a page of it from this position on. */
  page(fromSeq: number): Record<string, unknown> {
    const isDone = (index: number): boolean =>
      this.#results.has(index) ||
      this.#segments.some(({ from, to }) => from <= index && index < to);
    return pageFrom(this.#plan, { fromSeq, isDone });
  }

  /** @throws PermanentError that says what is wrong. */
  compressResult(given: { readonly seq: number; readonly text: string | undefined }): void {
    const { part } = this.#outlook;
    const index = given.seq - part.viewStart;
    const entry = part.entries[index];
    this.#refuseProtected(given.seq, given.seq);
    if (entry?.kind !== "tool" || !isShown(part, index))
      throw new PermanentError(`there is no tool result at ${given.seq}`);
    if (isKept(this.#outlook, index))
      throw new PermanentError(
        `the result at ${given.seq} is protected: results of ${entry.name} are kept as they are`,
      );
    if (entry.text.length < worthCutting)
      throw new PermanentError(
        `the result at ${given.seq} is short already: ${entry.text.length} characters`,
      );
    this.#results.set(index, given.text);
  }

  /** @throws PermanentError that says what is wrong. */
  compressSegment(given: {
    readonly fromSeq: number;
    readonly toSeq: number;
    readonly summary: string;
  }): void {
    const { part, layout, count, summaryTokens } = this.#outlook;
    const { fromSeq, toSeq, summary } = given;
    this.#refuseProtected(fromSeq, toSeq);
    const segment = {
      from: fromSeq - part.viewStart,
      to: toSeq + 1 - part.viewStart,
      summary,
    };
    if (!layout.cuts.includes(segment.to))
      throw new PermanentError(
        `a segment cannot end at ${toSeq}, in the middle of an exchange; it may end at: ${this.#endsNear(segment.to)}`,
      );
    const overlapping = this.#segments.find(
      ({ from, to }) => from < segment.to && segment.from < to,
    );
    if (overlapping !== undefined)
      throw new PermanentError(
        `the segment from ${overlapping.from + part.viewStart} to ${overlapping.to - 1 + part.viewStart} has been compressed already`,
      );
    const had = linesOf(part, segment.from, segment.to);
    const hadTokens = had.reduce((sum, { text }) => sum + count(text), 0);
    if (count(summary) >= hadTokens)
      throw new PermanentError(
        `the summary is as long as what it stands for: expected less than ${hadTokens} tokens, got ${count(summary)}`,
      );
    const total = this.#segments.reduce((sum, each) => sum + count(each.summary), count(summary));
    if (total > summaryTokens)
      throw new PermanentError(
        `all summaries together have room for ${summaryTokens} tokens, and this would make it ${total}`,
      );
    this.#segments.push(segment);
    this.#segments.sort((left, right) => left.from - right.from);
  }

  #refuseProtected(fromSeq: number, toSeq: number): void {
    const { part } = this.#outlook;
    const first = part.viewStart + part.start;
    const last = part.viewStart + this.#plan.limit - 1;
    if (fromSeq > toSeq) throw new PermanentError(`${fromSeq} to ${toSeq} is no segment`);
    if (fromSeq < first || toSeq > last)
      throw new PermanentError(
        `${fromSeq === toSeq ? fromSeq : `${fromSeq} to ${toSeq}`} is protected: only ${first} to ${last} can be compressed`,
      );
  }

  #endsNear(to: number): string {
    const { layout, part } = this.#outlook;
    const ends = layout.cuts.filter((cut) => cut <= this.#plan.limit);
    return ends
      .toSorted((left, right) => Math.abs(left - to) - Math.abs(right - to))
      .slice(0, 4)
      .map((cut) => cut - 1 + part.viewStart)
      .join(", ");
  }

  /** Where it stands: what is between the segments counts as it would be cut. */
  async verify(): Promise<{
    readonly tokensNow: number;
    readonly goalTokens: number;
    readonly reached: boolean;
  }> {
    const { goalTokens } = this.#plan;
    const tokensNow = this.isUntouched
      ? Math.round(this.#outlook.beforeTokens)
      : (await this.record({ cut: this.cut, results: [] })).tokensAfter;
    const reached = !this.isUntouched && tokensNow <= goalTokens;
    return { tokensNow, goalTokens: Math.round(goalTokens), reached };
  }

  /** The compaction as it is now, carried on at least to `extent`. */
  async record(
    extent: Plan["extent"],
    made: {
      readonly writeGap?: WriteGap;
      readonly model?: string;
    } = {},
  ): Promise<CompactionEntry> {
    const cut = Math.max(this.cut, extent.cut);
    const results = [...extent.results, ...this.#results.keys()];
    const write: WriteGap =
      made.writeGap ?? ((lines, budgetTokens) => shortenLines(lines, budgetTokens, this.#outlook));
    const summary = await this.#summary(cut, write);
    const { model } = made;
    return recordOf(
      this.#outlook,
      { cut, results: results.filter((index) => index >= cut) },
      {
        summary,
        strategy: "agent",
        ...(model === undefined ? {} : { model }),
        shownAs: this.#results,
      },
    );
  }

  async #summary(cut: number, write: WriteGap): Promise<string> {
    const { part, count } = this.#outlook;
    if (cut <= part.start) return part.last?.summary ?? "";
    const outline = outlineOf(this.#outlook, cut);
    const written = this.#segments.map(({ summary }) => summary);
    const gaps = this.#gaps(cut);
    const wanted = wantedTokens(gaps.flat(), count);
    const room = Math.max(0, outline.linesBudgetTokens - count(joined(written)));
    const parts = [shortenSummary(outline.earlier, outline.earlierBudgetTokens, count)];
    for (const [place, gap] of gaps.entries()) {
      const budgetTokens = Math.floor(Math.min(1, room / wanted) * wantedTokens(gap, count));
      if (gap.length > 0) parts.push(await write(gap, budgetTokens));
      parts.push(written[place] ?? "");
    }
    return joined(parts);
  }

  /** What comes before each segment, and after the last one up to the cut. */
  #gaps(cut: number): Line[][] {
    const { part } = this.#outlook;
    const gaps: Line[][] = [];
    let from = part.start;
    for (const segment of this.#segments) {
      gaps.push(linesOf(part, from, segment.from));
      from = segment.to;
    }
    return [...gaps, linesOf(part, from, cut)];
  }
}
