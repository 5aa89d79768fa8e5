import { array, assert, constantFrom, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { lineDiff, nearChanges } from "../../src/text/line-diff.ts";

describe("a diff of lines", () => {
  it("has every line of both texts", () => {
    const lines = array(constantFrom("a", "b", "c", "d"), { maxLength: 12 });
    assert(
      property(lines, lines, (before, after) => {
        const diff = lineDiff(before.join("\n"), after.join("\n"));
        const without = (sign: string) =>
          diff.filter((line) => line.sign !== sign).map(({ text }) => text);
        expect(without("+")).toEqual(before);
        expect(without("-")).toEqual(after);
      }),
    );
  });

  it("is shown with a few lines around each change", () => {
    const diff = lineDiff("1\n2\n3\n4\n5\n6\n7\n8", "1\n2\nthree\n4\n5\n6\n7\n8\n9");
    expect(nearChanges(diff, 1)).toEqual([
      "  …",
      "  2",
      "- 3",
      "+ three",
      "  4",
      "  …",
      "  8",
      "+ 9",
    ]);
  });
});
