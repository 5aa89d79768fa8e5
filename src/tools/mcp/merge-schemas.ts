/** A schema as it is being read: any JSON object. */
export type Schema = Record<string, unknown>;

export const isObject = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Both must hold. Where the two say different things about one keyword, the second is believed. */
export function merge(first: Schema, second: Schema): Schema {
  if (isOnlyWords(first) || isOnlyWords(second)) return { ...first, ...second };
  // Each `additionalProperties` knows one half of the properties only.
  const { additionalProperties: _1, anyOf: firstAnyOf, ...one } = first;
  const { additionalProperties: _2, anyOf: secondAnyOf, ...two } = second;
  const properties = [one["properties"], two["properties"]].filter(isObject);
  const required = [...listOf(one["required"]), ...listOf(two["required"])];
  const anyOfs = [firstAnyOf, secondAnyOf].filter(Array.isArray);
  return {
    ...one,
    ...two,
    ...(properties.length > 0 && {
      properties: Object.fromEntries(properties.flatMap(Object.entries)),
    }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
    ...(anyOfs.length === 1 && { anyOf: anyOfs[0] }),
  };
}

const isOnlyWords = (schema: Schema): boolean =>
  Object.keys(schema).every((key) => key === "description" || key === "default");

/**
 * The top may not offer alternatives: every property of any branch is known, and required only
 * where all require it.
 */
export function withBranches(top: Schema, branches: readonly Schema[]): Schema {
  const lists = branches.map((branch) => listOf(branch["required"]));
  const everywhere = (lists[0] ?? []).filter((name) =>
    lists.every((names) => names.includes(name)),
  );
  const required = [...new Set([...listOf(top["required"]), ...everywhere])];
  const { additionalProperties: _, ...open } = top;
  const named = [...branches, top]
    .map((branch) => branch["properties"])
    .filter(isObject)
    .flatMap(Object.entries) as [string, Schema][];
  const properties = Map.groupBy(named, ([name]) => name);
  return {
    ...open,
    properties: Object.fromEntries(
      [...properties].map(([name, found]) => [name, eitherOf(found.map(([, schema]) => schema))]),
    ),
    ...(required.length > 0 && { required }),
  };
}

function eitherOf(schemas: readonly Schema[]): Schema {
  const texts = new Set(schemas.map((schema) => JSON.stringify(schema)));
  const different = [...texts].map((text) => JSON.parse(text) as Schema);
  const [first = {}] = different;
  return different.length === 1 ? first : { anyOf: different };
}
