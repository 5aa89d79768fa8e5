import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Row } from "../../../src/bots/console/format/line.ts";
import {
  emptyRegion,
  insertAbove,
  repaint,
  settle,
} from "../../../src/bots/console/screen/repaint.ts";
import { FakeScreen } from "./fake-screen.ts";

const row = (text: string, fleeting = false): Row => ({
  text,
  width: text.length,
  fleeting,
});
const rows = (...texts: string[]) => texts.map((text) => row(text));
const letters = (text: string) => text.split("");
const tool = row("⚙ tool", true);
const size = { width: 20, reach: 5 };

describe("repainting a growing message", () => {
  it("writes only the rows that were added", () => {
    const first = repaint(emptyRegion, rows("one"), size);
    const second = repaint(first.region, rows("one", "two"), size);
    expect(first.output).toBe("\r\u001b[Jone\n");
    expect(second.output).toBe("\r\u001b[Jtwo\n");
  });

  it("writes nothing when nothing changed", () => {
    const { region } = repaint(emptyRegion, rows("one", "two"), size);
    expect(repaint(region, rows("one", "two"), size).output).toBe("");
  });

  it("goes up to the first row that changed", () => {
    const { region } = repaint(emptyRegion, rows("a", "b", "c"), size);
    expect(repaint(region, rows("a", "B", "c"), size).output).toBe("\u001b[2A\r\u001b[JB\nc\n");
  });

  it("counts rows that a narrower window has folded", () => {
    const { region } = repaint(emptyRegion, rows("x".repeat(20)), size);
    expect(repaint(region, rows("y"), { width: 8, reach: 5 }).output.slice(0, 4)).toBe("\u001b[3A");
  });

  it("leaves what scrolled away and its progress rows, and continues below", () => {
    const screen = new FakeScreen(20, 6);
    const text = rows(...letters("abcdefgh"));
    const draft = repaint(emptyRegion, [tool, ...text], size);
    screen.write(draft.output);
    screen.write(settle(draft.region, [...text, row("i")], size).output);
    expect(screen.text).toBe("⚙ tool\na\nb\nc\nd\ne\nf\ng\nh\ni");
  });

  it("writes the whole once more when what scrolled away has changed", () => {
    const draft = repaint(emptyRegion, rows(...letters("abcdefgh")), size);
    const { output } = settle(draft.region, rows(...letters("Xbcdefgh")), size);
    expect(output).toBe("\u001b[5A\r\u001b[JX\nb\nc\nd\ne\nf\ng\nh\n");
  });

  it("puts other rows above it", () => {
    const screen = new FakeScreen(20, 6);
    const draft = repaint(emptyRegion, rows("a", "b"), size);
    screen.write(draft.output);
    const inserted = insertAbove(draft.region, rows("note"), size);
    screen.write(inserted.output);
    screen.write(settle(inserted.region, rows("a", "c"), size).output);
    expect(screen.text).toBe("note\na\nc");
  });

  it("ends with the final rows below each other, whatever the drafts were", () => {
    const draft = fc.array(fc.constantFrom(...rows("a", "b", "c", "", "dd"), tool), {
      maxLength: 14,
    });
    fc.assert(
      fc.property(
        fc.array(draft, { maxLength: 8 }),
        fc.array(fc.constantFrom("a", "b", "c", "end"), { minLength: 1 }),
        fc.integer({ min: 1, max: 12 }),
        (drafts, final, reach) => {
          const screen = new FakeScreen(20, reach + 1);
          let region = emptyRegion;
          for (const each of drafts) {
            const painted = repaint(region, each, { width: 20, reach });
            screen.write(painted.output);
            region = painted.region;
          }
          screen.write(settle(region, rows(...final), { width: 20, reach }).output);
          // Progress that scrolled away stays where it was; everything else is the final.
          const written = screen.text.split("\n").filter((text) => text !== tool.text);
          expect(written.slice(-final.length)).toEqual(final);
        },
      ),
    );
  });
});
