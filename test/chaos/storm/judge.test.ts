import { describe, expect, it } from "vitest";
import { judge, type Asked, type Seen, type Verdict } from "./judge.ts";
import type { MessageKind } from "./plan.ts";
import { longLineCount } from "./storm-model.ts";

const label = "\n\n(sent again; you may see this twice)";
const answer = (index: number): string => `c0m${index} words end of c0m${index}`;
const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, at) => `c0m0 line ${from + at} and so on`).join("\n\n");

const ask = (kind: MessageKind, index: number): Asked => ({
  mark: `c0m${index}`,
  kind,
  sentAtMs: 1_000,
});

/** One chat: who asked for what, and what stands there. */
function judged(
  kinds: readonly MessageKind[],
  texts: readonly string[],
  more: {
    readonly effects?: readonly (readonly [string, string])[];
    readonly spoilt?: readonly string[];
    readonly denied?: boolean;
  } = {},
): Verdict {
  const tap = { decision: "Deny", afterMs: 0, twice: false } as const;
  return judge({
    asked: [
      kinds.map((kind, index) => ({
        ...ask(kind, index),
        ...(more.denied ? { tap } : {}),
      })),
    ],
    seen: [texts.map((text): Seen => ({ text, hasButtons: false, atMs: 2_000 }))],
    effects: (more.effects ?? []).map(([tool, of]) => ({
      tool,
      of,
      mark: "c0m0",
      caller: "",
      atMs: 0,
    })),
    spoilt: new Set(more.spoilt),
  });
}

const bad = ({ lost, doubled, reordered, effectsTwice, wrongErrors, strange }: Verdict) => ({
  lost: lost.length,
  doubled: doubled.length,
  reordered: reordered.length,
  effectsTwice: effectsTwice.length,
  wrongErrors: wrongErrors.length,
  strange: strange.length,
});
const nothing = {
  lost: 0,
  doubled: 0,
  reordered: 0,
  effectsTwice: 0,
  wrongErrors: 0,
  strange: 0,
};

describe("the judge of a storm", () => {
  it("finds nothing wrong with one answer for each message, in order, and takes its time", () => {
    const verdict = judged(["plain", "slow"], [answer(0), answer(1)]);
    expect(bad(verdict)).toEqual(nothing);
    expect(verdict.answered).toBe(2);
    expect(verdict.latenciesMs).toEqual([1_000, 1_000]);
  });

  it("counts a draft that names only tools as left behind", () => {
    const verdict = judged(["plain"], ["⚙ shop: Pay …", "⚙ shop: Buy ✓\n⚙ shop: Pay ✗", answer(0)]);
    expect(bad(verdict)).toEqual(nothing);
    expect(verdict.leftDrafts).toBe(2);
    expect(judged(["plain"], ["⚙ Buy now", answer(0)]).strange).toHaveLength(1);
    const silent =
      "⏳ This is taking a while: the model hasn't said anything yet. /stop cancels it.";
    const silences = judged(["plain"], [silent, `⚙ shop: Pay ✓\n\n${silent}`, "…", answer(0)]);
    expect(bad(silences)).toEqual(nothing);
    expect(silences.leftDrafts).toBe(3);
  });

  it("finds a message that nothing came of, and one whose draft alone stands there", () => {
    expect(bad(judged(["plain", "plain"], [answer(1)])).lost).toBe(1);
    expect(bad(judged(["slow"], ["c0m0 some words"])).lost).toBe(1);
  });

  it("finds two answers without a label, and bears one with it", () => {
    expect(bad(judged(["plain"], [answer(0), answer(0)])).doubled).toBe(1);
    const labelled = judged(["plain"], [answer(0), answer(0) + label]);
    expect(bad(labelled)).toEqual(nothing);
    expect(labelled.labelled).toBe(1);
  });

  it("finds an answer below a later one", () => {
    expect(bad(judged(["plain", "plain"], [answer(1), answer(0)]))).toEqual({
      ...nothing,
      reordered: 1,
    });
  });

  it("takes an error for the message that has no answer, and asks for its reason", () => {
    const texts = [
      answer(0),
      "Sorry, my AI model took too long. Please try again. (error ab)",
      answer(2),
    ];
    const kinds = ["plain", "plain", "plain"] as const;
    expect(bad(judged(kinds, texts, { spoilt: ["c0m1"] }))).toEqual(nothing);
    expect(bad(judged(kinds, texts)).wrongErrors).toBe(1);
    expect(bad(judged(["plain"], ["Sorry, no.", answer(0)], { spoilt: ["c0m0"] }))).toMatchObject({
      doubled: 1,
    });
  });

  it("wants every line of a long answer once, and its end", () => {
    const [one, two] = [lines(1, 20), `${lines(21, longLineCount)}\n\nend of c0m0`];
    expect(bad(judged(["long"], [one, two]))).toEqual(nothing);
    expect(bad(judged(["long"], [one, one + label, two]))).toEqual(nothing);
    expect(bad(judged(["long"], [one, one, two])).doubled).toBe(1);
    expect(bad(judged(["long"], [two])).lost).toBe(1);
    expect(bad(judged(["long"], [one, lines(21, longLineCount)])).lost).toBe(1);
  });

  it("lets a newer message supersede a card", () => {
    const card = `✗ shop: Buy · cancelled because of a newer message\nshop.buy for: c0m0k0`;
    const verdict = judged(["buy", "plain"], [card, answer(1)]);
    expect(bad(verdict)).toEqual(nothing);
    expect(verdict.superseded).toBe(1);
  });

  it("finds effects that happened twice, or though they were denied, but lets reads be repeated", () => {
    const twice = (tool: string) =>
      bad(
        judged(["pay"], [answer(0)], {
          effects: [
            [tool, "c0m0k0"],
            [tool, "c0m0k0"],
          ],
        }),
      ).effectsTwice;
    expect([twice("pay"), twice("buy"), twice("look")]).toEqual([1, 1, 0]);
    expect(
      bad(
        judged(["buy"], [answer(0)], {
          effects: [["buy", "c0m0k0"]],
          denied: true,
        }),
      ).effectsTwice,
    ).toBe(1);
  });

  it("finds words that no one expected", () => {
    expect(bad(judged(["plain"], [answer(0), "Hello?"])).strange).toBe(1);
  });
});
