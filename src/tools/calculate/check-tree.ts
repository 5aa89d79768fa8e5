import type * as Mathjs from "mathjs";
import { PermanentError, unreachable } from "../../core/errors.ts";
import { allowedConstants, allowedFunctions, clearNames } from "./vocabulary.ts";

/**
 * Lets through arithmetic in known words, and nothing else that mathjs' language has. @throws
 * PermanentError
 */
export function checkTree(math: Mathjs.MathJsInstance, tree: Mathjs.MathNode): void {
  const assigned = new Set<string>();
  tree.traverse((node, path, parent) => {
    if (math.isSymbolNode(node)) {
      const role = roleOf(math, path, parent);
      if (role === "assigned") assigned.add(node.name);
      checkName(math, { name: node.name, role, assigned });
    } else if (math.isConstantNode(node)) {
      const { value }: { value: unknown } = node;
      // A percent sign is parsed as a plain 100.
      const isValue =
        math.isBigNumber(value) || typeof value === "number" || typeof value === "boolean";
      if (!isValue)
        throw new PermanentError(
          `only numbers can be calculated with, not ${String(value).slice(0, 50)}.`,
        );
    } else if (!isAllowedNode(math, node))
      throw new PermanentError(
        `there is no ${node.type.replace("Node", "").toLowerCase()} here: only numbers, units, matrices, names and operators.`,
      );
  });
}

/** The role of a name at its position. */
type Role = "function" | "assigned" | "value";

export function roleOf(math: Mathjs.MathJsInstance, path: string, parent: unknown): Role {
  if (math.isFunctionNode(parent) && path === "fn") return "function";
  if (math.isAssignmentNode(parent) && path === "object") return "assigned";
  return "value";
}

function checkName(
  math: Mathjs.MathJsInstance,
  given: { name: string; role: Role; assigned: ReadonlySet<string> },
): void {
  const { name, role, assigned } = given;
  switch (role) {
    case "function":
      if (!allowedFunctions.has(name))
        throw new PermanentError(`there is no function "${name}" here.`);
      return;
    case "assigned":
      if (allowedFunctions.has(name) || Object.hasOwn(clearNames, name))
        throw new PermanentError(`"${name}" means something else already.`);
      return;
    case "value":
      if (!allowedConstants.has(name) && !assigned.has(name) && !isUnit(math, name))
        throw new PermanentError(`"${name}" is neither a number nor a unit.`);
      return;
    default:
      unreachable(role);
  }
}

const isUnit = (math: Mathjs.MathJsInstance, name: string): boolean =>
  (math as unknown as { Unit: { isValuelessUnit(name: string): boolean } }).Unit.isValuelessUnit(
    name,
  );

const isAllowedNode = (math: Mathjs.MathJsInstance, node: Mathjs.MathNode): boolean =>
  math.isOperatorNode(node) ||
  math.isParenthesisNode(node) ||
  math.isFunctionNode(node) ||
  math.isArrayNode(node) ||
  math.isAssignmentNode(node) ||
  math.isBlockNode(node) ||
  math.isConditionalNode(node) ||
  math.isRelationalNode(node);
