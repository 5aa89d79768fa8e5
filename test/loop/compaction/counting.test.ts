import { describe, expect, it } from "vitest";
import { countFor, countForPlan } from "../../../src/loop/compaction/counting.ts";
import { outlookOf } from "../../../src/loop/compaction/outlook.ts";
import { planCompaction } from "../../../src/loop/compaction/plan.ts";
import { lineShortener } from "../../../src/loop/compaction/shorten.ts";
import { summarise } from "../../../src/loop/compaction/summarise.ts";
import { card, chatter, quarter, requestOf, settings, turnOf, words } from "./conversation.ts";
import { prose } from "./workshop.ts";

/** Calls back whenever the event loop gets a chance. */
function onEachTick(tick: () => void): Disposable {
  let timer = setImmediate(function next() {
    tick();
    timer = setImmediate(next);
  });
  return { [Symbol.dispose]: () => clearImmediate(timer) };
}

const longTurns = 1_000;
const longRequest = () =>
  requestOf([...chatter(longTurns, 800), ...turnOf(longTurns + 1, { question: "And now?" })], {
    turn: longTurns + 1,
    card: { ...card, contextWindow: 1_000_000 },
  });

describe("counting", () => {
  it("ahead counts what a measure asks for, and the same", async () => {
    const asked = ["", "short", prose("the book", 900), "x".repeat(20_000)];
    const measure = (count: (text: string) => number) => asked.map(count);
    expect(measure(await countFor(measure))).toEqual(measure(await countFor(() => undefined)));
  });

  it("ahead of a plan pauses for others", async () => {
    const request = requestOf([
      ...turnOf(1, { question: prose("a novel", 8_000), answer: "Read." }),
      ...turnOf(2, { question: prose("a letter", 20) }),
    ]);
    let ticks = 0;
    using _ = onEachTick(() => {
      ticks += 1;
    });
    await countForPlan(request, 5);
    // 400,000 characters.
    expect(ticks).toBeGreaterThan(50);
  });
});

describe("planning", () => {
  it("goes in steps, each of which counts little that was not counted ahead", async () => {
    const request = longRequest();
    const known = new Set(request.transcript.map((entry) => ("text" in entry ? entry.text : "")));
    let ticks = 0;
    let fresh = 0;
    let most = 0;
    using _ = onEachTick(() => {
      ticks += 1;
      fresh = 0;
    });
    const outlook = outlookOf({
      request,
      settings,
      count(text) {
        if (!known.has(text)) fresh += text.length;
        known.add(text);
        most = Math.max(most, fresh);
        return quarter(text);
      },
    });
    const plan = await planCompaction(outlook);
    expect(plan?.record.tokensBefore).toBeGreaterThan(700_000);
    expect(plan?.record.tokensAfter).toBeLessThan(450_000);
    expect(ticks).toBeGreaterThan(5);
    // Of 3,200,000 characters.
    expect(most).toBeGreaterThan(1_000);
    expect(most).toBeLessThan(250_000);
  });
});

describe("a summary", () => {
  it("pauses between its pieces, also where no model is asked", async () => {
    const { signal } = new AbortController();
    const outlook = { count: quarter, shorten: lineShortener(quarter) };
    // 200,000 tokens in pieces of 4,500: there is no room for any of them.
    const lines = Array.from({ length: 200 }, (_, place) => ({
      who: "user",
      text: words(`line${place}`, 1_000),
      targetTokens: 50,
    }));
    let ticks = 0;
    using _ = onEachTick(() => {
      ticks += 1;
    });
    const written = await summarise(
      outlook,
      { earlier: "", earlierBudgetTokens: 0, lines, linesBudgetTokens: 100 },
      {
        chain: {
          card,
          cards: [card],
          stream() {
            throw new Error("no model is to be asked");
          },
        },
        signal,
        observer: {},
        monotonic: () => 0,
      },
    );
    expect(written.model).toBeUndefined();
    expect(ticks).toBeGreaterThan(30);
  });
});
