import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { autoText, isDone } from "../../src/core/auto.ts";

describe("whether the goal of /auto is reached", () => {
  it.each([
    "DONE",
    "All is well.\nDONE",
    "All is well.\n\nDONE.\n\n  ",
    "**DONE**",
    "*DONE.*",
    "__DONE__.",
    "`DONE`",
    "  DONE  ",
    "DONE\r\n",
  ])("%j: yes", (text) => {
    expect(isDone(text)).toBe(true);
  });

  it.each([
    "",
    "\n",
    "done",
    "Done.",
    "It is DONE",
    "DONE: all of it",
    "DONE!",
    "DONE\nbut for one thing",
    "NOT DONE",
    "UNDONE",
  ])("%j: no", (text) => {
    expect(isDone(text)).toBe(false);
  });

  it("takes no longer for long lines", () => {
    expect(isDone(`DONE${"* ".repeat(500_000)}x`)).toBe(false);
    expect(isDone("\n".repeat(1_000_000))).toBe(false);
  });
});

it("every turn's message has the goal, says which turn it is, and never counts as done itself", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 0, max: 49 }),
      (goal, step, left) => {
        const text = autoText(goal, step, step + left);
        expect(text).toContain(goal);
        expect(text).toContain(`turn ${step} of ${step + left}`);
        expect(text).toContain("DONE alone on the last line");
        expect(isDone(text)).toBe(false);
      },
    ),
  );
  expect(autoText("x", 3, 3)).toContain("last turn");
  expect(autoText("x", 1, 3)).toContain("at most 2 more");
});
