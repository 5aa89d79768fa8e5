const field = "x-mcp-header";
/** RFC 9110, 5.6.2: letters, digits and these. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const mirrored: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);
const maxDepth = 64;

/**
 * Why a tool can't be offered over HTTP: 2026-07-28 lets a schema name headers (`x-mcp-header`)
 * that repeat arguments, and wants tools left out whose names for them are not proper ones.
 * Undefined: it names none, or proper ones. Pure.
 */
export function headerProblem(inputSchema: Readonly<Record<string, unknown>>): string | undefined {
  const names = new Set<string>();
  const visit = (node: unknown, isProperty: boolean, depth: number): string | undefined => {
    if (typeof node !== "object" || node === null || depth > maxDepth) return undefined;
    if (!Array.isArray(node) && field in node) {
      const problem = isProperty ? nameProblem(node) : "is not at a property";
      if (problem !== undefined) return `${field} ${problem}`;
      const name = String(node[field]).toLowerCase();
      if (names.has(name)) return `${field} is there twice`;
      names.add(name);
    }
    for (const [key, child] of Object.entries(node)) {
      const hasProperties = key === "properties" && typeof child === "object" && child !== null;
      const children = hasProperties ? Object.values(child) : [child];
      // Only a property of an object that is one itself, up to the arguments, has one value.
      const isOne = hasProperties && (isProperty || depth === 0);
      for (const each of children) {
        const problem = visit(each, isOne, depth + 1);
        if (problem !== undefined) return problem;
      }
    }
    return undefined;
  };
  return visit(inputSchema, false, 0);
}

function nameProblem(property: object & { readonly [field]?: unknown }): string | undefined {
  const name = property[field];
  if (typeof name !== "string" || !token.test(name)) return "is not a header's name";
  const type: unknown = "type" in property ? property.type : undefined;
  return mirrored.has(type) ? undefined : "is at something that no header can hold";
}
