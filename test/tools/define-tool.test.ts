import { describe, expect, it } from "vitest";
import { z } from "zod";
import { PermanentError } from "../../src/core/errors.ts";
import { defineTool } from "../../src/tools/define-tool.ts";

const definition = {
  description: "",
  parameters: z.strictObject({ amount: z.number() }),
  effect: "read",
  history: "action",
  run: () => Promise.resolve({ text: "" }),
} as const;

const summarise = (result: string): string => result.slice(0, 5);

describe("defineTool", () => {
  it.each(["a", "files.read_file", "a-b.c_d.E9"])("takes the name %s", (name) => {
    expect(defineTool({ ...definition, confirm: "never", name }).name).toBe(name);
  });

  it.each(["", ".", "a.", ".a", "a..b", "a b", "ä", "a/b", "a\n"])(
    "refuses the name %j",
    (name) => {
      expect(() => defineTool({ ...definition, confirm: "never", name })).toThrow(PermanentError);
    },
  );

  it("has a time limit and a cap unless it says otherwise", () => {
    const tool = defineTool({ ...definition, confirm: "never", name: "a" });
    expect(tool).toMatchObject({ timeoutMs: 60_000, maxResultLength: 16_000 });
    expect(defineTool({ ...definition, confirm: "never", name: "a", timeoutMs: 5 })).toMatchObject({
      timeoutMs: 5,
    });
  });

  it("carries what it declares for old results and for repetitions, and nothing that it does not", () => {
    const tool = defineTool({
      ...definition,
      confirm: "never",
      name: "a",
      summarise,
      repeatable: false,
      loop: { sameCall: 9 },
      loopKey: ({ amount }) => amount > 4,
    });
    expect(tool).toMatchObject({
      summarise,
      repeatable: false,
      loop: { sameCall: 9 },
    });
    expect(tool.loopKey?.({ amount: 5 })).toBe(true);
    const plain = defineTool({ ...definition, confirm: "never", name: "a" });
    for (const key of ["summarise", "repeatable", "loop", "loopKey"])
      expect(plain).not.toHaveProperty(key);
  });

  it("knows the type of the arguments that its key is made of", () => {
    const wrong = defineTool({
      ...definition,
      confirm: "never",
      name: "a",
      // @ts-expect-error: the arguments have no such field.
      loopKey: ({ sum }) => sum,
    });
    expect(wrong.loopKey?.({ amount: 5 })).toBeUndefined();
  });

  it("asks always, never, or as its arguments say", () => {
    const confirms = (confirm: Parameters<typeof defineTool>[0]["confirm"]) =>
      defineTool({ ...definition, confirm, name: "a" }).confirm({ amount: 5 });
    expect(confirms("always")).toBe(true);
    expect(confirms("never")).toBe(false);
    expect(
      defineTool({
        ...definition,
        confirm: ({ amount }) => amount > 4,
        name: "a",
      }).confirm({ amount: 5 }),
    ).toBe(true);
  });
});
