import { z } from "zod";
import { isTooDeep } from "../text/json-object.ts";

/**
 * The parts of a tool's JSON Schema that are checked here and explained to people; the worker
 * checks the rest.
 */
const plainTypes = ["string", "number", "integer", "boolean", "object", "array", "null"] as const;
export type PlainType = (typeof plainTypes)[number];

export interface PlainSchema {
  readonly type?: PlainType | readonly PlainType[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly required?: readonly string[] | undefined;
  readonly properties?: Readonly<Record<string, PlainSchema>> | undefined;
  readonly items?: PlainSchema | undefined;
  readonly additionalProperties?: boolean | undefined;
  /**
   * With these present, `additionalProperties` and `items` apply only to the
   * remaining ones.
   */
  readonly patternProperties?: unknown;
  readonly prefixItems?: unknown;
}

/** Keywords of an unexpected shape are ignored. */
const plainSchema: z.ZodType<PlainSchema> = z
  .object({
    type: z
      .union([z.enum(plainTypes), z.array(z.enum(plainTypes))])
      .optional()
      .catch(undefined),
    enum: z.array(z.unknown()).optional().catch(undefined),
    required: z.array(z.string()).optional().catch(undefined),
    get properties() {
      return z.record(z.string(), plainSchema).optional().catch(undefined);
    },
    get items() {
      return plainSchema.optional().catch(undefined);
    },
    additionalProperties: z.boolean().optional().catch(undefined),
    patternProperties: z.unknown().optional(),
    prefixItems: z.unknown().optional(),
  })
  .catch({});

/** A tool's schema, as far as it can be read: the worker checks the rest. Pure. */
export function readSchema(schema: unknown): PlainSchema {
  return isTooDeep(schema) ? {} : plainSchema.parse(schema);
}

export type SchemaProblem =
  | { readonly type: "missing"; readonly path: string }
  | {
      readonly type: "unknown";
      readonly path: string;
      /** The known names. */
      readonly known: readonly string[];
    }
  | {
      readonly type: "type";
      readonly path: string;
      readonly expected: readonly PlainType[];
    }
  | {
      readonly type: "choice";
      readonly path: string;
      readonly choices: readonly unknown[];
    };

/** The types that a schema names; empty: any. Pure. */
export const typesOf = ({ type }: PlainSchema): readonly PlainType[] =>
  type === undefined ? [] : typeof type === "string" ? [type] : type;

/**
 * The first certain violation; undefined: none that these keywords show. Only a first check: the
 * tool's own schema is validated by the worker. Pure.
 */
export function schemaProblem(
  schema: PlainSchema,
  value: unknown,
  path = "",
): SchemaProblem | undefined {
  const expected = typesOf(schema);
  if (expected.length > 0 && !expected.some((type) => isOf(type, value)))
    return { type: "type", path, expected };
  const { enum: choices } = schema;
  const isScalar = typeof value !== "object" || value === null;
  if (choices !== undefined && isScalar && !choices.includes(value))
    return { type: "choice", path, choices };
  if (Array.isArray(value)) {
    const { items, prefixItems } = schema;
    return items === undefined || prefixItems !== undefined
      ? undefined
      : firstOf(value.entries(), (at, each) =>
          schemaProblem(items, each, joined(path, String(at))),
        );
  }
  if (typeof value !== "object" || value === null) return undefined;
  return fieldProblem(schema, value, path);
}

function fieldProblem(schema: PlainSchema, value: object, path: string): SchemaProblem | undefined {
  const { required = [], properties = {} } = schema;
  const { additionalProperties, patternProperties } = schema;
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return { type: "missing", path: joined(path, missing) };
  return firstOf(Object.entries(value), (name, each) => {
    const at = joined(path, name);
    if (Object.hasOwn(properties, name)) return schemaProblem(properties[name] ?? {}, each, at);
    return additionalProperties === false && patternProperties === undefined
      ? { type: "unknown", path: at, known: Object.keys(properties) }
      : undefined;
  });
}

function firstOf<Key>(
  entries: Iterable<[Key, unknown]>,
  problemOf: (key: Key, value: unknown) => SchemaProblem | undefined,
): SchemaProblem | undefined {
  for (const [key, value] of entries) {
    const problem = problemOf(key, value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const joined = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

function isOf(type: PlainType, value: unknown): boolean {
  switch (type) {
    case "array":
      return Array.isArray(value);
    case "null":
      return value === null;
    case "integer":
      return Number.isInteger(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "string":
    case "number":
    case "boolean":
      return typeof value === type;
    default:
      return type satisfies never;
  }
}
