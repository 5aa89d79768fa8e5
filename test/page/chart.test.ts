import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { barChart, meter } from "../../src/page/chart.ts";
import { wellFormed } from "./well-formed.ts";

const size = fc.oneof(
  fc.double(),
  fc.constantFrom(0, -0, NaN, Infinity, -Infinity, 1e308, 5e-324, Number.MAX_VALUE),
);
const text = fc.oneof(fc.string(), fc.constantFrom("<script>alert(1)</script>", '"/><b>', "&"));

/** What is drawn: each length is a finite number within the drawing. */
function expectDrawn(markup: string, most: number): readonly Record<string, number>[] {
  const { elements } = wellFormed(markup);
  expect(elements.some(({ name }) => name === "script" || name === "b")).toBe(false);
  return elements
    .filter(({ name }) => name === "rect")
    .map(({ attributes }) => {
      const lengths = Object.fromEntries(
        ["x", "y", "width", "height"].map((each) => [each, Number(attributes[each])]),
      );
      for (const length of Object.values(lengths)) {
        expect(length).toBeGreaterThanOrEqual(0);
        expect(length).toBeLessThanOrEqual(most);
      }
      return lengths;
    });
}

describe("a chart of bars", () => {
  it("is well formed whatever its figures and names are", () => {
    fc.assert(
      fc.property(
        text,
        fc.array(fc.record({ name: text, value: size, text }), { maxLength: 40 }),
        (label, bars) => {
          const drawn = expectDrawn(barChart({ label, bars }).toString(), 720);
          expect(drawn).toHaveLength(bars.length);
        },
      ),
    );
  });

  it("shows the largest at full height, half of it at half, and something of what is tiny", () => {
    const bars = [10, 5, 1e-9, 0].map((value) => ({ name: "day", value, text: `$${value}` }));
    const drawn = expectDrawn(barChart({ label: "spent", bars }).toString(), 720);
    expect(drawn.map(({ height }) => height)).toEqual([130, 65, 2, 0]);
  });

  it("says its label and each bar's figure", () => {
    const bars = [{ name: "2026-11-24", value: 3, text: "$3.00" }];
    const markup = barChart({ label: "Spending by day", bars }).toString();
    expect(markup).toContain('role="img"');
    expect(markup).toContain('aria-label="Spending by day"');
    expect(markup).toContain("<title>2026-11-24: $3.00</title>");
  });
});

describe("a meter", () => {
  it("is well formed for any figures", () => {
    fc.assert(
      fc.property(size, size, (used, limit) => {
        expectDrawn(meter({ used, limit }).toString(), 100);
      }),
    );
  });

  it.each([
    { used: 1, limit: 4, state: "fine", drawn: [25, 98] },
    { used: 3, limit: 4, state: "near", drawn: [75, 98] },
    { used: 4, limit: 4, state: "over", drawn: [100, 98] },
    { used: 8, limit: 4, state: "over", drawn: [100, 50] },
    { used: 0, limit: 0, state: "over", drawn: [0, 0] },
  ])("$used of $limit is $state, with the limit marked", ({ used, limit, state, drawn }) => {
    const markup = meter({ used, limit }).toString();
    const [, bar, mark] = expectDrawn(markup, 100);
    expect(markup).toContain(`class="meter ${state}"`);
    expect([bar?.["width"], mark?.["x"]]).toEqual(drawn);
  });
});
