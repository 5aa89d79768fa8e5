import type { Problem } from "./problems.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A file's content after `${NAME}` was replaced. `shown` has the same shape,
 * with the original text.
 */
export type Interpolated = {
  readonly value: unknown;
  readonly shown: unknown;
  /** Path (joined by dots) → the unset name that made its key absent. */
  readonly absent: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
};

const maxDepth = 32;
const reference = /\$\$\{|\$\{([^}]*)\}?/g;
const validName = /^[A-Za-z_][A-Za-z0-9_]*$/;

type Node = { readonly value: unknown; readonly shown: unknown };
type Notes = { absent: Map<string, string>; problems: Problem[] };

/**
 * Replaces `${NAME}` with the environment's value. A key (or list element) that
 * refers to an unset or empty variable is absent; `$${` is an escaped `${`.
 */
export function interpolate(content: unknown, environment: Environment): Interpolated {
  const notes: Notes = { absent: new Map(), problems: [] };
  const node = walk(content, [], { environment, notes });
  return { value: node?.value, shown: node?.shown, ...notes };
}

function walk(
  content: unknown,
  path: readonly string[],
  scope: { readonly environment: Environment; readonly notes: Notes },
): Node | undefined {
  if (content === null || content === undefined) return undefined;
  if (typeof content === "string") return readText(content, path, scope);
  if (typeof content !== "object") return { value: content, shown: content };
  if (path.length >= maxDepth) {
    scope.notes.problems.push({
      where: path.slice(0, 4).join("."),
      value: undefined,
      expected: `expected at most ${maxDepth} levels`,
    });
    return undefined;
  }
  if (Array.isArray(content)) {
    const nodes = content
      .map((item: unknown, index) => walk(item, [...path, `${index}`], scope))
      .filter((node) => node !== undefined);
    return {
      value: nodes.map((node) => node.value),
      shown: nodes.map((node) => node.shown),
    };
  }
  const entries = Object.entries(content).flatMap(([key, item]) => {
    const node = walk(item, [...path, key], scope);
    return node === undefined ? [] : [{ key, node }];
  });
  return {
    value: Object.fromEntries(entries.map((e) => [e.key, e.node.value])),
    shown: Object.fromEntries(entries.map((e) => [e.key, e.node.shown])),
  };
}

function readText(
  text: string,
  path: readonly string[],
  scope: { readonly environment: Environment; readonly notes: Notes },
): Node | undefined {
  let unset: string | undefined;
  const value = text.replace(reference, (whole: string, name?: string) => {
    if (name === undefined) return "${";
    if (!validName.test(name) || !whole.endsWith("}")) {
      scope.notes.problems.push({
        where: path.join("."),
        value: undefined,
        expected: "expected a name between ${ and }, as in ${NAME} (write $${ for ${ itself)",
      });
      return whole;
    }
    const found = Object.hasOwn(scope.environment, name) ? scope.environment[name] : undefined;
    if (found === undefined || found === "") unset ??= name;
    return found ?? "";
  });
  if (unset === undefined) return { value, shown: text };
  scope.notes.absent.set(path.join("."), unset);
  return undefined;
}
