import { describe, expect, it } from "vitest";
import { remembering } from "../../../src/store/traces/remembering.ts";

const long = (text: string): string => text.padEnd(40, ".");

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
    const { asked, ask } = counted(1_000);
    const texts = [long("a"), long("b"), long("a")];
    for (let round = 0; round < 2; round += 1)
      expect(texts.map(ask)).toEqual(texts.map((text) => `<${text}>`));
    expect(asked).toEqual([long("a"), long("b")]);
  });

  it("forgets what came long ago, and keeps what comes again", () => {
    const { asked, ask } = counted(400);
    for (let index = 0; index < 100; index += 1) {
      ask(long("often"));
      ask(long(`once ${index}`));
    }
    expect(asked.filter((text) => text === long("often"))).toHaveLength(1);
    asked.length = 0;
    expect(ask(long("once 0"))).toBe(`<${long("once 0")}>`);
    expect(asked).toEqual([long("once 0")]);
  });

  it("doesn't keep what is huge", () => {
    const { asked, ask } = counted(1_000_000);
    const huge = "x".repeat(200_000);
    for (const text of ["short", huge, "short", huge]) ask(text);
    expect(asked).toEqual(["short", huge, huge]);
  });
});
