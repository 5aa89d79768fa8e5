import { describe, expect, it } from "vitest";
import type { CompactionEntry, LogEntry } from "../../../src/core/history.ts";
import { partOf } from "../../../src/loop/compaction/layout.ts";
import {
  estimateRequest,
  measureContext,
  windowFor,
} from "../../../src/loop/compaction/measure.ts";
import { needsCompaction } from "../../../src/loop/compaction/needs.ts";
import { card, chatter, quarter, requestOf, turnOf, words } from "./conversation.ts";

const measured = (entries: readonly LogEntry[]) => {
  const { messages, tools } = requestOf(entries);
  const part = partOf(entries, 0);
  return measureContext({ part, messages, tools, count: quarter });
};

const answered = (turn: number, inputTokens: number, outputTokens = 10) =>
  turnOf(turn, {
    question: words(`q${turn}`, 100),
    answer: words(`a${turn}`, 10),
    usage: { inputTokens, outputTokens },
  });

const undo = (fromSeq: number): LogEntry => ({
  kind: "undo",
  v: 1,
  id: "u",
  fromSeq,
  ran: [],
  atMs: 0,
});

const compaction = (tokensAfter: number): CompactionEntry => ({
  kind: "compaction",
  v: 1,
  turn: 1,
  fromSeq: 0,
  toSeq: 1,
  summary: "user: hello",
  kept: [],
  results: [],
  strategy: "truncate",
  tokensBefore: 9_000,
  tokensAfter,
});

/** Without what frames the one message. */
const size = (...of: Parameters<typeof estimateRequest>): number => estimateRequest(...of) - 4;

const tokensBehindAnAnswer = (entry: LogEntry): number =>
  measured([...answered(1, 5_000), entry]).tokens;

describe("how full the window is", () => {
  it("is never less than half of a rough estimate, whatever a server counts", () => {
    const entries = [...answered(1, 10), ...turnOf(2, { question: words("q2", 2_000) })];
    const { messages, tools } = requestOf(entries);
    const rough = estimateRequest(messages, tools, (text) => Buffer.byteLength(text) / 4);
    const lying = turnOf(3, {
      question: words("q3", 10),
      answer: "Yes.",
      usage: { inputTokens: 5, outputTokens: 1 },
    });
    const { tokens, exact } = measured([...entries, ...lying]);
    expect(tokens).toBeGreaterThanOrEqual(rough / 2);
    expect(exact).toBe(false);
  });

  it("is the provider's own last figure, and an estimate of what came since", () => {
    const entries = [
      ...answered(1, 100),
      ...answered(2, 5_000),
      ...turnOf(3, { question: words("q3", 200) }),
    ];
    // 5,000 and 10 of the answer; 200 of the question, and 4 that frame it.
    expect(measured(entries)).toEqual({ tokens: 5_214, exact: true });
  });

  it("counts a result's images as it counts a person's", () => {
    const result: LogEntry = {
      kind: "tool",
      v: 1,
      turn: 2,
      round: 1,
      index: 0,
      name: "look",
      text: "",
    };
    const image = {
      kind: "image" as const,
      mediaType: "image/png",
      size: 1,
      blob: "file-a",
    };
    expect(
      tokensBehindAnAnswer({ ...result, images: [image, image] }) - tokensBehindAnAnswer(result),
    ).toBe(2_000);
  });

  it("never adds up the figures of several answers", () => {
    const entries = [1, 2, 3, 4].flatMap((turn) => answered(turn, 1_000));
    expect(measured(entries)).toEqual({ tokens: 1_010, exact: true });
  });

  it("counts a round's calls and results that the provider has not seen yet", () => {
    const open = turnOf(2, {
      question: words("q2", 100),
      rounds: [{ results: [["read", words("r", 300)]] }],
    });
    const { tokens, exact } = measured([...answered(1, 2_000), ...open]);
    expect(exact).toBe(true);
    expect(tokens).toBeGreaterThan(2_000 + 10 + 100 + 300);
    expect(tokens).toBeLessThan(2_000 + 10 + 100 + 300 + 50);
  });

  it("does not count thoughts that are not sent again", () => {
    const { tokens } = measured(answered(1, 1_000, 30_000));
    // No more than the answer can be: its bytes, and what frames it.
    expect(tokens).toBeLessThan(1_000 + 10 * 4 + 10);
  });

  it("is an estimate of the whole where no figure holds", () => {
    const entries = chatter(3, 100);
    const { messages, tools } = requestOf(entries);
    const tokens = estimateRequest(messages, tools, quarter);
    expect(measured(entries)).toEqual({ tokens, exact: false });
    expect(tokens).toBeGreaterThan(300);
    expect(tokens).toBeLessThan(360);
    // A server that says nothing but zeros says nothing.
    expect(measured([...entries, ...answered(4, 0)]).exact).toBe(false);
  });

  it("counts tools, arguments, thoughts and pictures of a request", () => {
    const plain = { role: "user", text: "" } as const;
    expect(size([plain], [], quarter)).toBe(0);
    const image = { mediaType: "image/png", data: "AAAA" };
    expect(size([{ ...plain, images: [image, image] }], [], quarter)).toBe(2_000);
    const given = JSON.stringify({ text: words("x", 100) });
    const calling = {
      role: "assistant",
      text: "",
      reasoning: words("r", 50),
      calls: [{ id: "t1", name: "read", arguments: given }],
    } as const;
    expect(size([calling], [], quarter)).toBe(50 + 8 + 1 + quarter(given));
    const spec = { name: "read", description: words("d", 70), parameters: {} };
    expect(size([plain], [spec, spec], quarter)).toBeGreaterThan(140);
  });

  it("forgets a figure with what was taken back", () => {
    const entries = [...answered(1, 1_000), ...answered(2, 6_000), undo(2)];
    expect(measured(entries)).toEqual({ tokens: 1_010, exact: true });
    expect(measured([...entries, undo(0)]).exact).toBe(false);
  });

  it("forgets a figure with a reset", () => {
    const reset: LogEntry = { kind: "reset", v: 1, id: "r", atMs: 0 };
    const { tokens, exact } = measured([
      ...answered(1, 6_000),
      reset,
      ...turnOf(2, { question: "hello" }),
    ]);
    expect(exact).toBe(false);
    expect(tokens).toBeLessThan(50);
  });

  it("starts again with what was measured after a compaction", () => {
    const entries = [...answered(1, 9_000), compaction(3_000)];
    expect(measured(entries)).toEqual({ tokens: 3_000, exact: false });
    const asked = [...entries, ...turnOf(2, { question: words("q", 100) })];
    expect(measured(asked)).toEqual({ tokens: 3_104, exact: false });
    expect(measured([...asked.slice(0, 3), ...answered(2, 4_000)])).toEqual({
      tokens: 4_010,
      exact: true,
    });
  });

  it("forgets what was measured after a compaction with what was taken back", () => {
    const entries = [
      ...answered(1, 5_000),
      ...turnOf(2, { question: "hello" }),
      compaction(3_000),
      undo(2),
    ];
    const { tokens, exact } = measured(entries);
    expect(exact).toBe(false);
    expect(tokens).toBeLessThan(200);
  });

  it("does not trust a figure that is many answers old", () => {
    const entries = [...answered(1, 9_000), ...chatter(2, 100)];
    expect(measured(entries).exact).toBe(true);
    expect(measured([...entries, ...chatter(1, 100)]).exact).toBe(false);
  });

  it("leaves room for the answer, at most a quarter of the window", () => {
    expect(windowFor(card, {})).toBe(10_000);
    expect(windowFor(card, { maxOutputTokens: 1_000 })).toBe(9_000);
    expect(windowFor(card, { maxOutputTokens: 9_000 })).toBe(7_500);
  });

  it.each([true, false])(
    "takes the window of the options before the card's (settableContext: %s)",
    (settableContext) => {
      const given = { ...card, settableContext };
      expect(windowFor(given, { contextWindow: 4_000 })).toBe(4_000);
      expect(windowFor(given, { contextWindow: 40_000 })).toBe(40_000);
    },
  );
});

describe("whether to compact", () => {
  const state = {
    tokens: 7_000,
    windowTokens: 10_000,
    compactAt: 0.7,
    last: undefined,
    inVainAtTokens: undefined,
  };

  it("begins at the trigger, and not a token before", () => {
    expect(needsCompaction(state)).toBe(true);
    expect(needsCompaction({ ...state, tokens: 6_999 })).toBe(false);
    expect(needsCompaction({ ...state, tokens: 300 })).toBe(false);
  });

  it("does not wait after a compaction that helped", () => {
    const last = { tokensAfter: 6_900 };
    expect(needsCompaction({ ...state, last })).toBe(true);
  });

  it("waits for a tenth of the window after one that did not bring it below the trigger", () => {
    const last = { tokensAfter: 7_500 };
    const at = (tokens: number) => needsCompaction({ ...state, last, tokens });
    expect(at(7_600)).toBe(false);
    expect(at(8_499)).toBe(false);
    expect(at(8_500)).toBe(true);
    // What does not fit at all cannot wait.
    const high = { tokensAfter: 9_800 };
    expect(needsCompaction({ ...state, last: high, tokens: 9_999 })).toBe(false);
    expect(needsCompaction({ ...state, last: high, tokens: 10_000 })).toBe(true);
  });

  it("waits for a tenth of the window after a look that found nothing to gain", () => {
    const looked = { ...state, inVainAtTokens: 8_000 };
    expect(needsCompaction({ ...looked, tokens: 8_100 })).toBe(false);
    expect(needsCompaction({ ...looked, tokens: 8_999 })).toBe(false);
    expect(needsCompaction({ ...looked, tokens: 9_000 })).toBe(true);
  });

  it("never waits with what does not fit into the window at all", () => {
    const looked = { ...state, inVainAtTokens: 9_999 };
    expect(needsCompaction({ ...looked, tokens: 9_999 })).toBe(false);
    expect(needsCompaction({ ...looked, tokens: 10_000 })).toBe(true);
    const full = { ...looked, inVainAtTokens: 10_000 };
    expect(needsCompaction({ ...full, tokens: 10_500 })).toBe(true);
  });
});
