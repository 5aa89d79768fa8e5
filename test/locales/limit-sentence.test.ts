import { describe, expect, it } from "vitest";
import type { LimitHit } from "../../src/core/limits.ts";
import { limitSentence } from "../../src/locales/limit-sentence.ts";
import { momentIn } from "../../src/locales/moment.ts";

const nowMs = Date.parse("2026-11-22T21:30:15Z");
const at = (text: string): number => Date.parse(`${text}Z`);

describe("the sentence of a limit", () => {
  const hit: LimitHit = {
    scope: { kind: "person" },
    limit: { metric: "cost", per: "day", max: 5 },
    used: 4.98,
    resetsAtMs: at("2026-11-23T00:00:00"),
  };

  it.each<[string | undefined, string]>([
    [
      undefined,
      "A limit is reached: cost 5usd/day (you). Used: 4.98usd. It resets in 3 hours (00:00 UTC).",
    ],
    [
      "de-AT",
      "Ein Limit ist erreicht: cost 5usd/day (für dich). Verbraucht: 4.98usd. Es beginnt in 3 Stunden (00:00 UTC) von vorn.",
    ],
    [
      "zh",
      "已达到上限：cost 5usd/day（对你）。已使用：4.98usd。 3小时后 (00:00 UTC)重新开始计算。",
    ],
  ])("in %s", (language, expected) => {
    expect(limitSentence(hit, { language, nowMs })).toBe(expected);
  });

  it.each([
    [4.983_726_452, "4.98usd"],
    [0.123_456_789, "0.123usd"],
    [0.000_185_149, "0.000185usd"],
    [0, "0usd"],
  ])("says of %d USD no more than anybody wants to know", (used, shown) => {
    const text = limitSentence({ ...hit, used }, { nowMs });
    expect(text).toContain(`Used: ${shown}.`);
  });

  it("says what an answer might have taken, where something is left", () => {
    const refused = { ...hit, used: 3.2, needs: 2.345_67 };
    expect(limitSentence(refused, { nowMs })).toBe(
      "A limit is reached: cost 5usd/day (you). Used: 3.2usd. An answer may take up to 2.35usd: more than is left. It resets in 3 hours (00:00 UTC).",
    );
    const nothingLeft = limitSentence({ ...refused, used: 5 }, { nowMs });
    expect(nothingLeft).not.toContain("may take");
  });

  it("has no end where none is known", () => {
    const places: LimitHit = {
      scope: { kind: "role", role: "guest" },
      limit: { metric: "turns", per: "at-once", max: 3 },
      used: 3,
    };
    expect(limitSentence(places, { nowMs })).toBe(
      "A limit is reached: turns 3 (you, your role being guest). Used: 3.",
    );
  });
});

describe("a moment to come", () => {
  it.each([
    ["2026-11-22T21:30:16", "in 1 second (21:30 UTC)"],
    ["2026-11-22T21:31:00", "in 45 seconds (21:31 UTC)"],
    ["2026-11-22T22:00:00", "in 30 minutes (22:00 UTC)"],
    ["2026-11-23T00:00:00", "in 3 hours (00:00 UTC)"],
    ["2026-12-01T00:00:00", "in 9 days (Dec 1, 00:00 UTC)"],
    // It is over already: not in minus one second.
    ["2026-11-22T21:30:00", "in 1 second (21:30 UTC)"],
  ])("%s", (moment, expected) => {
    expect(momentIn("en", at(moment), nowMs)).toBe(expected);
  });
});
