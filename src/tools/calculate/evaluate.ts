import { createRequire } from "node:module";
import type * as Mathjs from "mathjs";
import { PermanentError, messageOf } from "../../core/errors.ts";
import { checkTree, roleOf } from "./check-tree.ts";
import { clearNames, respelt } from "./vocabulary.ts";

/**
 * mathjs' own bundle: one file, 80 ms and 10 MB to load; its modules are a thousand files, 600 ms
 * and 37 MB.
 */
const bundle = "mathjs/lib/browser/math.js";

/**
 * Numbers end at 1e200 (and are shown as 0 below 1e-200), so none has more than 200 digits before
 * its point, and no operation can ask for more memory than that. Arithmetic has some digits more
 * than the longest whole number: whole numbers, and `mod` of them, are exact.
 */
const maxExponent = 200;
const precision = maxExponent + 24;
/**
 * decimal.js' series for sine and cosine need terms far below their result's last digit: with -200
 * they are wrong.
 */
const minExponent = -5_000;
const smallest = `1e-${maxExponent}`;
const tolerance = 10 ** -(maxExponent + 12);
/** Significant digits of a result that is not a whole number. */
const shownDigits = 20;

/**
 * Makes the function that evaluates an expression: its result, or a sentence that says what is
 * wrong with it. It may take for ever (`1e200!`), so it belongs into a child process.
 */
export function createEvaluator(): (expression: string) => string {
  const mathjs = createRequire(import.meta.url)(bundle) as typeof Mathjs;
  const math = mathjs.create(mathjs.all ?? {});
  math.config({
    number: "BigNumber",
    precision,
    relTol: tolerance,
    absTol: tolerance,
  });
  math.createUnit({
    mph: "1 mile/hour",
    knot: { definition: "1852 m/hour", aliases: ["knots"] },
  });
  // The class of big numbers is decimal.js' own, which mathjs' types do not say.
  const { BigNumber } = math as unknown as {
    BigNumber: { config(limits: { maxE: number; minE: number }): void };
  };
  BigNumber.config({ maxE: maxExponent, minE: minExponent });
  return (expression) => {
    try {
      const tree = math.parse(respelt(expression));
      checkTree(math, tree);
      const clear = tree.transform((node, path, parent) => clearUnit(math, { node, path, parent }));
      return show(math, clear.compile().evaluate(new Map()));
    } catch (error) {
      return `Cannot calculate this: ${messageOf(error).slice(0, 300)}`;
    }
  };
}

function clearUnit(
  math: Mathjs.MathJsInstance,
  at: { node: Mathjs.MathNode; path: string; parent: unknown },
): Mathjs.MathNode {
  const { node, path, parent } = at;
  if (!math.isSymbolNode(node) || roleOf(math, path, parent) !== "value") return node;
  const name = Object.hasOwn(clearNames, node.name) ? clearNames[node.name] : undefined;
  return name === undefined ? node : new math.SymbolNode(name);
}

/** @throws PermanentError if it isn't a finite value. */
function show(math: Mathjs.MathJsInstance, value: unknown): string {
  if (math.isResultSet(value)) {
    const shown = value.entries.map((entry: unknown) => show(math, entry));
    if (shown.length === 0)
      throw new PermanentError('nothing is left to show: the last part must not end in ";".');
    return shown.join("\n");
  }
  const isValue =
    typeof value === "boolean" ||
    typeof value === "number" ||
    math.isBigNumber(value) ||
    math.isComplex(value) ||
    math.isUnit(value) ||
    math.isMatrix(value) ||
    Array.isArray(value);
  if (!isValue) throw new PermanentError("the result is not a value.");
  const text = math.format(value, (number: unknown) => showNumber(math, number));
  if (/Infinity|NaN/.test(text))
    throw new PermanentError(
      `the result is not a finite number: something was divided by zero, is undefined, or is larger than 1e${maxExponent}.`,
    );
  return text;
}

function showNumber(math: Mathjs.MathJsInstance, number: unknown): string {
  if (math.isBigNumber(number)) {
    if (number.isInteger()) return number.toFixed();
    // The rounding error of a zero, as in sin(pi).
    if (number.abs().lessThan(smallest)) return "0";
  }
  return math.format(number, { precision: shownDigits });
}
