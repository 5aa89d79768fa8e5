import { describe, expect, it } from "vitest";
import { remembering } from "../../src/store/remembering.ts";

function counted(maxLength: number) {
  const asked: string[] = [];
  const ask = remembering((text) => {
    asked.push(text);
    return `<${text}>`;
  }, maxLength);
  return { asked, ask };
}

describe("a function that remembers", () => {
  it("gives what it gave, and is asked once", () => {
    const { asked, ask } = counted(100);
    expect(["a", "b", "a", ""].map(ask)).toEqual(["<a>", "<b>", "<a>", "<>"]);
    expect(["b", "a", ""].map(ask)).toEqual(["<b>", "<a>", "<>"]);
    expect(asked).toEqual(["a", "b", ""]);
  });

  it("forgets what came long ago, and keeps what comes again", () => {
    const { asked, ask } = counted(10);
    for (let index = 0; index < 100; index += 1) {
      ask("often");
      ask(`once ${index}`);
    }
    expect(asked.filter((text) => text === "often")).toHaveLength(1);
    asked.length = 0;
    expect(ask("once 0")).toBe("<once 0>");
    expect(asked).toEqual(["once 0"]);
  });
});
