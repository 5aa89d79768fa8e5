import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogEntry } from "../../../src/core/history.ts";
import { isShown, partOf } from "../../../src/loop/compaction/layout.ts";
import { measureContext } from "../../../src/loop/compaction/measure.ts";
import { needsCompaction } from "../../../src/loop/compaction/needs.ts";
import { outlookOf } from "../../../src/loop/compaction/outlook.ts";
import { planCompaction } from "../../../src/loop/compaction/plan.ts";
import { buildRequestView } from "../../../src/loop/view/build-request-view.ts";
import { requestProblems } from "../../../src/loop/view/request-problems.ts";
import { histories } from "../history-arbitrary.ts";
import {
  card,
  conversations,
  quarter,
  requestOf,
  settings,
  shownIn,
  tool,
} from "./conversation.ts";

const sizes = fc.record({
  contextWindow: fc.integer({ min: 300, max: 6_000 }),
  protectPairs: fc.nat({ max: 6 }),
  why: fc.constantFrom("checkpoint" as const, "asked" as const, "overflow" as const),
});

async function lookAt(
  entries: readonly LogEntry[],
  turn: number,
  given: {
    readonly contextWindow: number;
    readonly protectPairs: number;
    readonly why: "checkpoint" | "asked" | "overflow";
  },
) {
  const request = requestOf(entries, {
    turn,
    why: given.why,
    card: { ...card, contextWindow: given.contextWindow },
  });
  const outlook = outlookOf({
    request,
    settings: { ...settings, protectPairs: given.protectPairs },
    count: quarter,
  });
  return { request, outlook, plan: await planCompaction(outlook) };
}

const repairs = (entries: readonly LogEntry[]) =>
  buildRequestView({
    transcript: entries,
    viewStart: 0,
    card,
    context: [],
    tool,
    keepTurns: settings.keepTurns,
  }).diagnostics.filter((line) => line.startsWith("repair"));

describe("whatever was said", () => {
  it("a plan gains, measures what it gains, and is not wanted again right after", async () => {
    await fc.assert(
      fc.asyncProperty(conversations, sizes, async ({ entries, turn }, given) => {
        const before = structuredClone(entries);
        const { request, outlook, plan } = await lookAt(entries, turn, given);
        expect(entries).toEqual(before);
        if (plan === undefined) return;
        const { record } = plan;
        expect(record.tokensBefore - record.tokensAfter).toBeGreaterThan(outlook.minGainTokens - 1);
        expect(outlook.tokensWith(record)).toBe(record.tokensAfter);
        const after = [...entries, record];
        const part = partOf(after, 0);
        const { messages, tools } = requestOf(after);
        const { tokens } = measureContext({
          part,
          messages,
          tools,
          count: quarter,
        });
        expect(tokens).toBe(record.tokensAfter);
        const state = {
          tokens,
          windowTokens: outlook.windowTokens,
          compactAt: settings.compactAt,
          last: part.last,
          inVainAtTokens: undefined,
        };
        if (tokens < outlook.windowTokens) expect(needsCompaction(state)).toBe(false);
        expect(request.transcript).toEqual(before);
      }),
    );
  });

  it("a plan leaves the view valid, the open round whole, and what is kept in sight", async () => {
    await fc.assert(
      fc.asyncProperty(conversations, sizes, async ({ entries, turn }, given) => {
        const { request, outlook, plan } = await lookAt(entries, turn, given);
        if (plan === undefined) return;
        const after = [...entries, plan.record];
        expect(repairs(after)).toEqual([]);
        const { messages } = requestOf(after);
        expect(requestProblems(messages)).toEqual([]);
        // The next session does not even read what the record stands for.
        const viewStart = plan.record.toSeq + 1;
        const rest = requestOf(after.slice(viewStart), { viewStart });
        expect(rest.messages).toEqual(messages);
        const shown = shownIn(request, plan.record);
        const part = partOf(entries, 0);
        const lastRound = entries.findLastIndex(({ kind }) => kind === "assistant");
        const isKept = (index: number) => {
          const entry = entries[index];
          return entry?.kind === "tool" && entry.name === "login";
        };
        const keptTokens = entries.reduce(
          (sum, entry, index) => (isKept(index) ? sum + quarter(JSON.stringify(entry)) : sum),
          0,
        );
        const keepsAll = keptTokens <= outlook.keptTokens;
        for (const [index, entry] of entries.entries()) {
          if (index < part.start || !isShown(part, index)) continue;
          const isOpen = index > lastRound;
          if (entry.kind === "message" && isOpen) expect(shown).toContain(entry.text);
          // Kept results are cut only where they alone would fill the window.
          if (entry.kind === "tool" && (isOpen || (isKept(index) && keepsAll)))
            expect(shown).toContain(entry.text);
        }
      }),
    );
  });

  it("the protected pairs stay as they are, and where the window would overflow no more of them gives way than must", async () => {
    await fc.assert(
      fc.asyncProperty(conversations, sizes, async ({ entries, turn }, given) => {
        const { request, outlook, plan } = await lookAt(entries, turn, given);
        if (plan === undefined) return;
        const { layout, part, roomyTokens, goalsTokens } = outlook;
        const { cuts, free } = layout;
        const protectedFrom = cuts[free - 1] ?? part.start;
        const { cut, results } = plan.extent;
        if (cut <= protectedFrom && results.every((at) => at < protectedFrom)) {
          const shown = shownIn(request, plan.record);
          for (const [index, entry] of entries.entries())
            if (index >= protectedFrom && isShown(part, index))
              expect(shown).toContain("text" in entry ? entry.text : "");
          return;
        }
        // While there is room, nothing of it is touched, no matter who asks.
        expect(outlook.beforeTokens).toBeGreaterThan(roomyTokens);
        // One cut less would not have been enough.
        const place = cuts.findIndex((at) => at >= cut && at > (results.at(-1) ?? -1));
        const without = await planCompaction({
          ...outlook,
          layout: { ...layout, cuts: cuts.slice(0, Math.max(place, free)) },
        });
        const { tokensAfter } = plan.record;
        const goal = goalsTokens.find((tokens) => tokensAfter <= tokens) ?? goalsTokens.at(-1) ?? 0;
        expect(without?.record.tokensAfter ?? Infinity).toBeGreaterThan(goal);
      }),
    );
  });

  it("any history at all can be planned for, with calls and results that do not match", async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.nat({ max: 60 }), sizes, async (entries, any, given) => {
        const last = entries.at(-1);
        const turn = last?.kind === "tool" ? last.turn : any;
        const { plan } = await lookAt(entries, turn, {
          ...given,
          contextWindow: Math.ceil(given.contextWindow / 20),
        });
        if (plan === undefined) return;
        const after = [...entries, plan.record];
        // It repairs no more than was to be repaired before.
        expect(repairs(after).length).toBeLessThanOrEqual(repairs(entries).length);
        expect(plan.record.tokensAfter).toBeLessThan(plan.record.tokensBefore);
      }),
    );
  });
});
