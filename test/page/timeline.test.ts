import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chatKey } from "../../src/core/chat.ts";
import type { TraceRecord } from "../../src/core/trace.ts";
import { longestOf, timelineOf, type Part } from "../../src/page/timeline.ts";
import type { ChatAudit } from "../../src/store/operations/audit-of-chat.ts";

const chat = chatKey({ platform: "telegram", bot: "77", chat: "1" });

/** A request that was answered at `atMs`, after `totalMs`, with calls of these tools. */
function record(atMs: number, totalMs: number, ...tools: readonly string[]): TraceRecord {
  return {
    v: 1,
    chat,
    turn: 1,
    call: 1,
    purpose: "answer",
    atMs,
    tier: "balanced",
    model: "openai/gpt",
    why: "the usual tier",
    request: { messages: [], tools: [], toolChoice: "auto", options: {} },
    diagnostics: [],
    response: {
      text: "",
      reasoning: "",
      calls: tools.map((name, index) => ({ index, wireId: name, name, arguments: "{}" })),
    },
    attempts: [],
    timing: { totalMs },
  };
}

const line = (
  action: string,
  atMs: number,
  details: Readonly<Record<string, string>> = {},
): ChatAudit => ({ action, chat, target: "buy", outcome: "done", details, atMs });

const nothing = { audit: [], deliveredAtMs: undefined, open: undefined };
const brief = (parts: readonly Part[] = []) =>
  parts.map(({ kind, fromMs, toMs }) => `${kind} ${fromMs}-${toMs}`);

describe("the parts of an answer", () => {
  it("are the wait, the model, the approval, the tool and the delivery", () => {
    const timeline = timelineOf({
      askedAtMs: 1_000,
      records: [record(5_000, 3_000, "buy"), record(41_000, 4_000)],
      audit: [
        line("approval-decided", 35_000, { approval: "BCDFG" }),
        line("tool-executed", 36_500, { approval: "BCDFG", effect: "once" }),
      ],
      deliveredAtMs: 42_000,
      open: undefined,
    });
    expect(brief(timeline?.parts)).toEqual([
      "queue 1000-2000",
      "model 2000-5000",
      "approval 5000-35000",
      "tools 35000-36500",
      "model 37000-41000",
      "delivery 41000-42000",
    ]);
    expect(timeline && longestOf(timeline)).toEqual({ kind: "approval", ms: 30_000 });
  });

  it("are the tools' where nothing more is known of the time between two requests", () => {
    const records = [record(2_000, 1_000, "look"), record(9_000, 1_000)];
    const timeline = timelineOf({ ...nothing, askedAtMs: 1_000, records });
    expect(brief(timeline?.parts)).toEqual([
      "model 1000-2000",
      "tools 2000-8000",
      "model 8000-9000",
    ]);
  });

  it("count reads that run side by side once, and others one after the other", () => {
    const audit = [
      line("tool-executed", 5_000, { effect: "read" }),
      line("tool-executed", 6_000, { effect: "read" }),
      line("tool-executed", 7_000, { effect: "once" }),
    ];
    const records = [record(2_000, 1_000, "a", "b", "c"), record(8_000, 1_000)];
    const timeline = timelineOf({ ...nothing, askedAtMs: 1_000, records, audit });
    expect(brief(timeline?.parts)).toEqual([
      "model 1000-2000",
      "tools 2000-5000",
      "tools 2000-6000",
      "tools 6000-7000",
      "model 7000-8000",
    ]);
    expect(timeline && longestOf(timeline)).toEqual({ kind: "tools", ms: 5_000 });
  });

  it("end now in an answer that isn't finished", () => {
    const records = [record(2_000, 1_000, "buy")];
    const open = { phase: "waiting", nowMs: 9_000 } as const;
    const timeline = timelineOf({ ...nothing, askedAtMs: 1_000, records, open });
    expect(brief(timeline?.parts)).toEqual(["model 1000-2000", "approval 2000-9000"]);
    const first = timelineOf({ ...nothing, askedAtMs: 1_000, records: [], open });
    expect(brief(first?.parts)).toEqual(["approval 1000-9000"]);
  });

  it("are none where no time is known", () => {
    expect(timelineOf({ ...nothing, askedAtMs: undefined, records: [] })).toBeUndefined();
    expect(timelineOf({ ...nothing, askedAtMs: 5, records: [] })).toBeUndefined();
  });

  it("lie within the answer, whatever the clocks say", () => {
    const at = fc.integer({ min: 0, max: 1_000 });
    const records = fc
      .array(fc.tuple(at, at, fc.constantFrom([], ["a"], ["a", "b"])), { maxLength: 4 })
      .map((each) => each.map(([atMs, totalMs, tools]) => record(atMs, totalMs, ...tools)));
    const lines = fc.array(
      fc
        .tuple(fc.constantFrom("approval-decided", "tool-executed"), at)
        .map(([action, atMs]) => line(action, atMs)),
    );
    fc.assert(
      fc.property(
        at,
        records,
        lines,
        fc.option(at, { nil: undefined }),
        (asked, all, audit, sent) => {
          const given = { askedAtMs: asked, records: all, audit, deliveredAtMs: sent };
          const timeline = timelineOf({ ...given, open: undefined });
          if (timeline === undefined) return;
          for (const part of timeline.parts) {
            expect(part.fromMs).toBeGreaterThanOrEqual(timeline.fromMs);
            expect(part.toMs).toBeLessThanOrEqual(timeline.toMs);
            expect(part.toMs).toBeGreaterThan(part.fromMs);
          }
          const longest = longestOf(timeline)?.ms ?? 0;
          expect(longest).toBeLessThanOrEqual(timeline.toMs - timeline.fromMs);
        },
      ),
    );
  });
});
