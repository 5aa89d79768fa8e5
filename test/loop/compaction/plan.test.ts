import { describe, expect, it } from "vitest";
import type { EndReason, LogEntry } from "../../../src/core/history.ts";
import { outlookOf } from "../../../src/loop/compaction/outlook.ts";
import { betterOf, planCompaction } from "../../../src/loop/compaction/plan.ts";
import { needsCompaction } from "../../../src/loop/compaction/needs.ts";
import type { CompactionRequest } from "../../../src/loop/compaction/request.ts";
import {
  card,
  chatter,
  quarter,
  requestOf,
  settings,
  shownIn,
  turnOf,
  words,
} from "./conversation.ts";

async function planned(request: CompactionRequest, more: Partial<typeof settings> = {}) {
  const outlook = outlookOf({
    request,
    settings: { ...settings, ...more },
    count: quarter,
  });
  return { outlook, plan: await planCompaction(outlook) };
}

async function recordOf(request: CompactionRequest, more: Partial<typeof settings> = {}) {
  const { plan } = await planned(request, more);
  if (plan === undefined) throw new Error("nothing was planned");
  return plan.record;
}

const open = (turn: number, question = "And now?"): LogEntry[] => turnOf(turn, { question });

/** A turn that looked at something, and got so many tokens. */
const look = (turn: number, name: string, tokens: number): LogEntry[] =>
  turnOf(turn, {
    question: `look ${turn}`,
    rounds: [{ results: [[name, words(`${name}${turn}`, tokens)]] }],
    answer: "Done.",
  });

const looks = (from: number, to: number, tokens: number): LogEntry[] =>
  Array.from({ length: to - from + 1 }, (_, place) => look(from + place, "read", tokens)).flat();

/** A turn that ended with a sentence of ours. */
const ended = (turn: number, reason: EndReason): LogEntry[] => [
  ...turnOf(turn, { question: `Try ${turn}.` }),
  { kind: "end", v: 1, turn, reason, text: `Sorry, ${reason}.` },
];

describe("a plan", () => {
  it("puts a summary in the place of the oldest turns, and no more of them than needed", async () => {
    // 7,500 of 10,000 tokens; the window's 40 % are 4,000.
    const entries = [...chatter(15, 500), ...open(16)];
    const request = requestOf(entries, { turn: 16 });
    const record = await recordOf(request);
    expect(record).toMatchObject({
      fromSeq: 0,
      turn: 16,
      strategy: "truncate",
    });
    expect(record.tokensBefore).toBeGreaterThan(7_500);
    expect(record.tokensAfter).toBeLessThanOrEqual(4_000);
    // One turn less would not do: what it leaves and what a turn weighs are more than the target.
    expect(record.tokensAfter).toBeGreaterThan(4_000 - 500);
    expect(entries[record.toSeq + 1]?.kind).toBe("message");
    const shown = shownIn(request, record);
    expect(shown).toContain("user: q1-1000");
    expect(shown).not.toContain("q1-1040");
    expect(shown).toContain(words("a15", 250));
    expect(shown).toContain(words("q11", 250));
  });

  it("cuts old results first, oldest first, and lets that be all when it is enough", async () => {
    const entries = [...looks(1, 9, 900), ...open(10)];
    const request = requestOf(entries, { turn: 10 });
    const record = await recordOf(request, { compactTo: 0.6 });
    expect(record).toMatchObject({
      fromSeq: 0,
      toSeq: -1,
      summary: "",
      kept: [],
    });
    // Each is 850 tokens less: 8,300 → 5,800 takes three, the results of the turns 1 to 3.
    expect(record.results.map(({ seq }) => seq)).toEqual([2, 6, 10]);
    expect(record.results[0]?.text).toHaveLength(200);
    expect(record.results[0]?.text).toMatch(/^read1-1000 .*… \[cut\]$/s);
    expect(record.tokensAfter).toBeLessThanOrEqual(6_000);
  });

  it("does not cut results that the view cuts anyway, for they are old", async () => {
    // The view shows the results of ten turns whole, the open one included.
    const entries = [...looks(1, 14, 1_000), ...open(15)];
    const { results } = await recordOf(requestOf(entries, { turn: 15 }), {
      compactTo: 0.6,
    });
    expect(results.length).toBeGreaterThan(0);
    for (const { seq } of results) expect(seq).toBeGreaterThan(4 * 4);
  });

  it("leaves results alone that are kept, newest of their state, short, or protected", async () => {
    const entries = [
      ...look(1, "login", 700),
      ...look(2, "status", 700),
      ...look(3, "status", 700),
      ...look(4, "read", 90),
      ...look(5, "search", 700),
      ...looks(6, 10, 900),
      ...open(11),
    ];
    const record = await recordOf(requestOf(entries, { turn: 11 }), {
      compactTo: 0.67,
    });
    expect(record.results).toEqual([
      // An older word of a state, and a result that its tool has words for.
      { seq: 6, text: expect.stringMatching(/^status2-1000/) as string },
      { seq: 18, text: "2800 found" },
    ]);
  });

  it("keeps what a summary stands for of the class `keep`, word for word", async () => {
    const secret = "account 4711,\n  key: a b c";
    const entries = [
      ...turnOf(1, {
        question: "log in",
        rounds: [{ results: [["login", secret]] }],
        answer: "You are in.",
      }),
      ...chatter(15, 500),
      ...open(17),
    ];
    const request = requestOf(entries, { turn: 17 });
    const record = await recordOf(request);
    expect(record.toSeq).toBeGreaterThan(4);
    expect(record.kept).toEqual([`Result of login {"turn":1,"place":0,"index":0}:\n${secret}`]);
    // Quoted, so that no line of it can pass for a line of ours.
    expect(shownIn(request, record)).toContain("> account 4711,\n>   key: a b c");
    // And with the next one too, though the result itself lies behind the view's start by then.
    const next = requestOf([...entries, record, ...chatter(14, 500), ...open(40)], { turn: 40 });
    expect((await recordOf(next)).kept).toEqual(record.kept);
  });

  it("does not keep that a tool of the class `keep` failed", async () => {
    const signIn = turnOf(1, {
      question: "log in",
      rounds: [{ results: [["login", "timeout: it took too long"]] }],
      answer: "That failed.",
    }).map((entry) => (entry.kind === "tool" ? { ...entry, failure: "timeout" as const } : entry));
    const entries = [...signIn, ...chatter(15, 500), ...open(17)];
    expect((await recordOf(requestOf(entries, { turn: 17 }))).kept).toEqual([]);
  });

  it("cuts kept results only where they would fill the window, the longest first", async () => {
    const entries = [
      ...[900, 1_100, 50].flatMap((tokens, place) =>
        turnOf(place + 1, {
          question: "log in",
          rounds: [{ results: [["login", words(`key${place}`, tokens)]] }],
          answer: "You are in.",
        }),
      ),
      ...chatter(12, 500),
      ...open(17),
    ];
    const { kept } = await recordOf(requestOf(entries, { turn: 17 }));
    expect(kept.map((text) => text.includes("… [cut]"))).toEqual([false, true, false]);
  });

  it("bounds what it keeps, however much there is to keep", async () => {
    const entries = [
      ...Array.from({ length: 80 }, (_, place) => look(place + 1, "login", 120)).flat(),
      ...open(90),
    ];
    const { kept } = await recordOf(requestOf(entries, { turn: 90 }));
    expect(quarter(kept.join("\n"))).toBeLessThanOrEqual(2_600);
    expect(kept.at(-1)).toContain(words("login75", 120));
    expect(kept.some((text) => text.includes("… [cut]"))).toBe(true);
  });

  it("lets the protected pairs give way one by one before the window overflows", async () => {
    // Five pairs of 1,800 tokens are 9,000.
    const entries = [...chatter(5, 1_800), ...open(6)];
    const request = requestOf(entries, { turn: 6 });
    const record = await recordOf(request);
    // At 60 % there is room enough: two pairs go, three stay.
    expect(record.toSeq).toBe(3);
    expect(record.tokensAfter).toBeLessThanOrEqual(6_000);
    expect(shownIn(request, record)).toContain(words("q3", 900));
  });

  it("does not give up pairs for room that cannot be had", async () => {
    // What leads every request takes three quarters of the window by itself.
    const context = [words("prompt", 7_500)];
    const entries = [
      ...Array.from({ length: 6 }, (_, place) =>
        turnOf(place + 1, {
          question: words(`q${place + 1}`, 390),
          answer: "Noted.",
        }),
      ).flat(),
      ...open(7),
    ];
    const request = requestOf(entries, { turn: 7, context });
    const record = await recordOf(request);
    expect(record.tokensBefore).toBeGreaterThan(9_800);
    // Below 90 % it fits: two pairs give way, three stay.
    expect(record.toSeq).toBe(5);
    expect(record.tokensAfter).toBeLessThanOrEqual(9_000);
    expect(shownIn(request, record)).toContain(words("q4", 390));
  });

  it("leaves protected pairs alone that a person asks to have shortened while there is room", async () => {
    for (const pairs of [1, 5]) {
      const entries = chatter(pairs, 3_000);
      const request = requestOf(entries, {
        turn: 9,
        why: "asked",
        card: { ...card, contextWindow: 100_000 },
      });
      expect((await planned(request)).plan).toBeUndefined();
      // What is not protected is shortened all the same.
      const { plan } = await planned(request, { protectPairs: pairs - 1 });
      expect(plan?.record.toSeq).toBe(1);
    }
    // Where there is none they give way, as for anybody.
    const tight = requestOf(chatter(3, 3_000), { turn: 9, why: "asked" });
    expect((await recordOf(tight)).toSeq).toBe(3);
  });

  it("leaves an open turn room for several rounds", async () => {
    // Twelve rounds, each of them an eighth of the window.
    const turn = turnOf(7, {
      question: "Read all of it.",
      rounds: Array.from({ length: 12 }, (_, place) => ({
        results: [["read", words(`book${place}`, 1_250)]] as const,
      })),
    });
    let entries = chatter(5, 900);
    let compactions = 0;
    for (let end = 3; end <= turn.length; end += 2) {
      entries = [...entries, ...turn.slice(end === 3 ? 0 : end - 2, end)];
      const request = requestOf(entries, { turn: 7 });
      const { outlook, plan } = await planned(request);
      const { beforeTokens: tokens, windowTokens, part } = outlook;
      const { compactAt } = settings;
      const { last } = part;
      const state = { tokens, windowTokens, compactAt, last };
      if (!needsCompaction({ ...state, inVainAtTokens: undefined })) continue;
      if (plan === undefined) throw new Error("nothing was planned");
      compactions += 1;
      entries = [...entries, plan.record];
    }
    expect(compactions).toBeGreaterThan(1);
    expect(compactions).toBeLessThanOrEqual(4);
  });

  it("cuts a protected pair's results before it gives up the pair", async () => {
    const entries = [
      ...Array.from({ length: 5 }, (_, place) =>
        turnOf(place + 1, {
          question: words(`q${place + 1}`, 700),
          rounds: [{ results: [["read", words(`r${place + 1}`, 900)]] }],
          answer: "Done.",
        }),
      ).flat(),
      ...open(6),
    ];
    const record = await recordOf(requestOf(entries, { turn: 6 }));
    expect(record.toSeq).toBe(3);
    expect(record.results.map(({ seq }) => seq)).toEqual([6]);
  });

  it("shortens a single giant turn between its rounds, and keeps what it is about", async () => {
    const question = `Sort my 900 photos.\n${words("photo", 100)}`;
    const entries = turnOf(7, {
      question,
      rounds: Array.from({ length: 12 }, (_, place) => ({
        text: words(`thought${place + 1}`, 300),
        results: [
          ["read", words(`x${place + 1}`, 300)],
          ["gone", words(`y${place + 1}`, 90)],
        ] as const,
      })),
    });
    const request = requestOf(entries, { turn: 7 });
    const record = await recordOf(request);
    expect(entries[record.toSeq + 1]?.kind).toBe("assistant");
    expect(record.kept).toEqual([
      `The message that the following is about, written by Ann:\n${question}`,
    ]);
    const shown = shownIn(request, record);
    expect(shown).toContain("> Sort my 900 photos.\n> photo-1000");
    // No model has seen the last round's results yet.
    expect(shown).toContain(words("x12", 300));
    expect(shown).toContain(words("y12", 90));
    // The same turn goes on, and is shortened again: it is still about the same.
    const more = turnOf(7, {
      question: "",
      rounds: Array.from({ length: 12 }, (_, place) => ({
        text: words(`again${place + 1}`, 600),
        results: [["read", "ok"]] as const,
      })),
    }).slice(1);
    const again = requestOf([...entries, record, ...more], { turn: 7 });
    expect((await recordOf(again)).kept).toEqual(record.kept);
    // A later turn is about something else.
    const later = requestOf([...entries, record, ...chatter(14, 500), ...open(30)], { turn: 30 });
    const after = await recordOf(later);
    expect(after.kept).toEqual([]);
    expect(after.summary.match(/user: Sort my 900 photos\./g)).toHaveLength(1);
  });

  it("cuts what a giant turn is about to 2,000 tokens", async () => {
    const entries = turnOf(7, {
      question: words("q", 5_000),
      rounds: [
        { results: [["read", "one"]] },
        { text: words("t", 4_000), results: [["read", "two"]] },
      ],
    });
    const [message = ""] = (await recordOf(requestOf(entries, { turn: 7 }))).kept;
    expect(quarter(message)).toBeGreaterThan(1_900);
    expect(quarter(message)).toBeLessThan(2_100);
    expect(message).toMatch(/…$/);
  });

  it("finds nothing where only the open round fills the window", async () => {
    const entries = turnOf(7, {
      question: "Read it.",
      rounds: [{ results: [["read", words("book", 9_000)]] }],
    });
    expect((await planned(requestOf(entries, { turn: 7 }))).plan).toBeUndefined();
    expect((await planned(requestOf(entries, { turn: 7, why: "overflow" }))).plan).toBeUndefined();
  });

  it("finds nothing where hardly anything is to be gained", async () => {
    // 450 tokens of old talk before a window's fill of one message.
    const entries = [...chatter(6, 70), ...turnOf(7, { question: words("book", 8_000) })];
    expect((await planned(requestOf(entries, { turn: 7 }))).plan).toBeUndefined();
  });

  it("is cumulative: the newest record stands for everything since the last reset", async () => {
    const first = [...chatter(15, 500), ...open(16)];
    const one = await recordOf(requestOf(first, { turn: 16 }));
    // As a later session sees it: the transcript begins behind what the record stands for.
    const viewStart = one.toSeq + 1;
    const entries = [...first.slice(viewStart), one, ...chatter(14, 500), ...open(50)];
    const request = requestOf(entries, { turn: 50, viewStart });
    const two = await recordOf(request);
    expect(two.fromSeq).toBe(0);
    expect(two.toSeq).toBeGreaterThan(one.toSeq);
    expect(two.summary).toContain("user: q1-1000");
    // The same in the session that made the first one, whose transcript still begins at the start.
    const whole = [...first, one, ...chatter(14, 500), ...open(50)];
    expect(await recordOf(requestOf(whole, { turn: 50 }))).toEqual(two);
  });

  it("carries cut results on, as long as no summary stands for them", async () => {
    const first = [...looks(1, 8, 950), ...open(9)];
    const cut = await recordOf(requestOf(first, { turn: 9 }), {
      compactTo: 0.6,
    });
    expect(cut.results.map(({ seq }) => seq)).toEqual([2, 6, 10]);
    // What stands for a result may be an agent's own words.
    const results = cut.results.map(({ seq }) => ({ seq, text: `my ${seq}` }));
    const one = { ...cut, results };
    const entries = [...first, one, ...looks(10, 11, 1_150), ...open(12)];
    const two = await recordOf(requestOf(entries, { turn: 12 }), {
      compactTo: 0.6,
    });
    expect(two.toSeq).toBe(-1);
    expect(two.results.map(({ seq }) => seq)).toEqual([2, 6, 10, 14, 18]);
    expect(two.results.slice(0, 3)).toEqual(results);
    const all = [...entries, two, ...chatter(20, 500), ...open(60)];
    const three = await recordOf(requestOf(all, { turn: 60 }));
    expect(three.toSeq).toBeGreaterThan(10);
    expect(three.results.every(({ seq }) => seq > three.toSeq)).toBe(true);
  });

  it("says what was taken back but ran all the same", async () => {
    const undone = turnOf(2, {
      question: "Pay.",
      rounds: [{ results: [["pay", "paid"]] }],
      answer: "Paid.",
    });
    const entries: LogEntry[] = [
      ...undone,
      {
        kind: "undo",
        v: 1,
        id: "u",
        fromSeq: 0,
        ran: [{ name: "pay", arguments: '{"eur":5}' }],
        atMs: 0,
      },
      ...chatter(15, 500),
      ...open(16),
    ];
    const { summary } = await recordOf(requestOf(entries, { turn: 16 }));
    expect(summary).toContain('taken back by a person, but it ran: pay: {"eur":5}');
    expect(summary).not.toContain("Paid.");
  });

  it("does not remember apologies, but how a turn ended", async () => {
    const entries = [
      ...ended(1, "model-failed"),
      ...ended(2, "deadline"),
      ...chatter(15, 500),
      ...open(16),
    ];
    const { summary } = await recordOf(requestOf(entries, { turn: 16 }));
    expect(summary).toMatch(
      /^user: Try 1\.\nuser: Try 2\.\nassistant: Sorry, deadline\.\nuser: q1/,
    );
  });

  it("brings what a person asks for to 40 % of what it is, however little that be", async () => {
    const entries = chatter(20, 100);
    const record = await recordOf(requestOf(entries, { turn: 30, why: "asked" }));
    expect(record.tokensBefore).toBeLessThan(2_500);
    expect(record.tokensAfter).toBeLessThan(0.75 * record.tokensBefore);
    expect(shownIn(requestOf(entries), record)).toContain(words("q16", 50));
    // Nothing but the protected pairs: nothing to do.
    expect(
      (await planned(requestOf(chatter(5, 100), { turn: 30, why: "asked" }))).plan,
    ).toBeUndefined();
  });

  it("prefers what a model wrote, unless that is so long that it was in vain", async () => {
    const { plan } = await planned(requestOf([...chatter(15, 500), ...open(16)], { turn: 16 }));
    if (plan === undefined) throw new Error("nothing was planned");
    const made = (tokensAfter: number) => ({ ...plan.record, tokensAfter });
    // At 60 % there is room enough.
    for (const tokens of [100, plan.record.tokensAfter, 5_999])
      expect(betterOf(plan, made(tokens)).tokensAfter).toBe(tokens);
    expect(betterOf(plan, made(6_001))).toBe(plan.record);
  });

  it("believes a provider that refuses a request as too long", async () => {
    // By our count it is half full: then that is more than there is room for.
    const entries = [...chatter(12, 400), ...open(13)];
    const request = requestOf(entries, { turn: 13, why: "overflow" });
    const record = await recordOf(request);
    expect(record.tokensBefore).toBeLessThan(5_000);
    expect(record.tokensAfter).toBeLessThanOrEqual(0.6 * record.tokensBefore);
  });

  it("measures in the provider's tokens, not in ours", async () => {
    // The provider counts twice as many as we do.
    const talk = chatter(15, 250);
    const last = talk.at(-1);
    if (last?.kind !== "assistant") throw new Error("expected an answer");
    const entries: LogEntry[] = [
      ...talk.slice(0, -1),
      { ...last, usage: { inputTokens: 7_300, outputTokens: 250 } },
      ...open(16),
    ];
    const request = requestOf(entries, { turn: 16 });
    const record = await recordOf(request);
    expect(record.tokensBefore).toBeGreaterThan(7_400);
    expect(record.tokensAfter).toBeLessThanOrEqual(4_000);
    const ours = quarter(shownIn(request, record));
    expect(record.tokensAfter).toBeGreaterThan(1.8 * ours);
  });
});
