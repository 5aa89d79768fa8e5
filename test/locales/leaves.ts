import { samples } from "./samples.ts";

export type Leaf = string | ((...given: readonly unknown[]) => string);

const isLeaf = (value: unknown): value is Leaf =>
  typeof value === "string" || typeof value === "function";

/** Every sentence of a tree, by its path. */
export function leavesOf(tree: unknown, path = ""): Map<string, Leaf> {
  if (isLeaf(tree)) return new Map([[path, tree]]);
  if (typeof tree !== "object" || tree === null) throw new Error(`${path} is no sentence`);
  return new Map(
    Object.entries(tree).flatMap(([key, value]) => [
      ...leavesOf(value, path === "" ? key : `${path} ${key}`),
    ]),
  );
}

/**
 * What a sentence is called with: once or more where it takes something, else once with nothing.
 */
export function givenOf(path: string): readonly (readonly unknown[])[] {
  let found: unknown = samples;
  for (const key of path.split(" ")) found = (found as Record<string, unknown> | undefined)?.[key];
  return (found as readonly (readonly unknown[])[] | undefined) ?? [[]];
}

export const say = (leaf: Leaf, given: readonly unknown[]): string =>
  typeof leaf === "string" ? leaf : leaf(...given);
