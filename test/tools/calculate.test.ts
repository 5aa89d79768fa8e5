import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { calculateTool } from "../../src/tools/calculate/calculate.ts";
import { allowedConstants, allowedFunctions } from "../../src/tools/calculate/vocabulary.ts";
import { ChildProcesses } from "../../src/tools/processes/child-processes.ts";
import { contextIn, here, textOf } from "./support/context.ts";

const processes = new ChildProcesses();
afterAll(() => processes[Symbol.dispose]());
const tool = calculateTool({ processes });
const calculate = (expression: string) => textOf(tool, { expression });

const key = (expression: string) => tool.loopKey?.({ expression });

describe("calculate", () => {
  it("gives the result", async () => {
    expect(await calculate(" 2^64 - 1 ")).toBe("18446744073709551615");
  });

  it("says what is wrong with an expression, which is no failure", async () => {
    expect(await calculate("2 +")).toMatch(/^Cannot calculate this: /);
    expect(await calculate("import(1)")).toMatch(/^Cannot calculate this: /);
  });

  it.each(["1e200!", "combinations(1e9, 5e8)"])(
    "gives up what never ends: %s",
    async (expression) => {
      expect(await calculate(expression)).toBe("Cannot calculate this: it takes too long.");
    },
  );

  it("ends with its signal", async () => {
    const controller = new AbortController();
    const running = textOf(tool, { expression: "1e200!" }, contextIn(here, controller.signal));
    const ended = expect(running).rejects.toBe("interrupted");
    controller.abort("interrupted");
    await ended;
  });

  it("of whatever its language can say ends with an answer", async () => {
    const number = fc.oneof(
      fc.constantFrom("0", "1", "2", "3", "i", "e", "1e9", "1e199", "-1e199"),
      fc.constantFrom("1e-199", "0.5", "5 kg", "3 m/s", "20 degC", "true"),
      fc.constantFrom(...allowedConstants),
      fc.double().map(String),
    );
    const { expression } = fc.letrec<{ expression: string }>((tie) => ({
      expression: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        number,
        fc
          .tuple(
            tie("expression"),
            fc.constantFrom(..."+ - * / ^ .* ./ .^ mod % & | xor << >> to == < ?: ! '".split(" ")),
            tie("expression"),
          )
          .map(([left, sign, right]) =>
            sign === "?:"
              ? `(${left} ? ${right} : 0)`
              : sign === "!" || sign === "'"
                ? `(${left})${sign} + (${right})`
                : `(${left}) ${sign} (${right})`,
          ),
        fc
          .tuple(
            fc.constantFrom(...allowedFunctions),
            fc.array(tie("expression"), { minLength: 1, maxLength: 3 }),
          )
          .map(([name, given]) => `${name}(${given.join(", ")})`),
        fc
          .array(fc.array(tie("expression"), { minLength: 2, maxLength: 2 }), {
            minLength: 1,
            maxLength: 3,
          })
          .map((rows) => `[${rows.map((row) => row.join(", ")).join("; ")}]`),
      ),
    }));
    let calculated = 0;
    await fc.assert(
      fc.asyncProperty(expression, async (given) => {
        fc.pre(given.length <= 500);
        const text = await calculate(given);
        expect(text).not.toBe("");
        expect(text.length).toBeLessThan(20_000);
        if (text.startsWith("Cannot calculate this: ")) return;
        expect(text).not.toMatch(/NaN|Infinity|function|undefined/);
        calculated += 1;
      }),
      { numRuns: 100 },
    );
    expect(calculated).toBeGreaterThan(0);
  }, 120_000);

  it.each([
    {},
    { expression: "" },
    { expression: "  " },
    { expression: "1".repeat(501) },
    { expression: 1 },
    { expression: "1", precision: 5 },
  ])("refuses %.60j", (given) => {
    expect(tool.parameters.safeParse(given).success).toBe(false);
  });

  it("old and long, says that it was cut; a cut number would be another", async () => {
    const result = await calculate(`[${"1/3, ".repeat(20)}1]`);
    const summary = tool.summarise?.(result) ?? "";
    expect(summary).toHaveLength(200);
    expect(summary).toMatch(/^\[0\.3{9}.*… \(cut: \d{3} characters\)$/);
    expect(summary).toContain(`(cut: ${result.length} characters)`);
    expect(tool.summarise?.(summary)).toBe(summary);
    expect(tool.summarise?.("42")).toBe("42");
  });

  it("takes an expression for the same however it is spaced", () => {
    expect(key("2 +  2")).toBe(key("2+2"));
    expect(key("2 + 3")).not.toBe(key("2+2"));
  });

  it("reads and asks no one", () => {
    expect(tool).toMatchObject({ effect: "read", history: "action" });
    expect(tool.confirm({ expression: "1" })).toBe(false);
  });
});
