import { isTooDeep } from "../text/json-object.ts";
import type { Fields } from "./hidden-values.ts";
import { typesOf, type PlainSchema, type PlainType } from "./schema-problems.ts";

/** Names with a special meaning in a JavaScript object. */
const reserved = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Changes the value at a path. Returns a problem if there is no such path, or if it expects another
 * type.
 */
export function setArgument(
  target: Fields,
  path: string,
  text: string,
  { arguments: before, schema }: { readonly arguments: Fields; readonly schema: PlainSchema },
): "unknown" | readonly PlainType[] | undefined {
  // An argument's own name may have a dot in it.
  const steps = Object.hasOwn(before, path) ? [path] : path.split(".");
  const last = steps.pop() ?? "";
  let holder = target as Record<string, unknown>;
  let inside: PlainSchema = schema;
  for (const step of steps) {
    const next = Object.hasOwn(holder, step) ? holder[step] : undefined;
    if (typeof next !== "object" || next === null) return "unknown";
    holder = next as Record<string, unknown>;
    inside = stepInto(inside, step);
  }
  const isThere = Object.hasOwn(holder, last);
  if (reserved.has(last) || (Array.isArray(holder) && !isThere)) return "unknown";
  const own = isThere ? holder[last] : undefined;
  const read = valueOf(text, own, stepInto(inside, last));
  if ("expected" in read) return read.expected;
  if (read.value === undefined) delete holder[last];
  else holder[last] = read.value;
  return undefined;
}

const stepInto = (
  { properties = {}, items, prefixItems }: PlainSchema,
  step: string,
): PlainSchema => {
  if (Object.hasOwn(properties, step)) return properties[step] ?? {};
  return prefixItems === undefined ? (items ?? {}) : {};
};

/**
 * Reads a text as the expected type: the schema's, else that of the current
 * value. Empty: left out.
 */
function valueOf(
  text: string,
  before: unknown,
  schema: PlainSchema,
): { readonly value: unknown } | { readonly expected: readonly PlainType[] } {
  const named = typesOf(schema);
  const expected = named.length > 0 ? named : typeNow(before);
  const json = parsed(text);
  if (expected.includes("string")) {
    if (text === "null" && expected.includes("null")) return { value: null };
    // A JSON string literal can have blanks at the ends and line breaks.
    return { value: typeof json === "string" ? json : text };
  }
  if (text === "") return { value: undefined };
  if (expected.length === 0) return { value: json === undefined ? text : json };
  if (expected.includes("boolean")) {
    const said = text.toLowerCase();
    if (["true", "yes", "on"].includes(said)) return { value: true };
    if (["false", "no", "off"].includes(said)) return { value: false };
  }
  return json === undefined ? { expected } : { value: json };
}

function typeNow(value: unknown): readonly PlainType[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return ["array"];
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" || type === "object"
    ? [type]
    : [];
}

/** First characters of JSON; `true`, `false` and `null` match in full. */
const mayBeJson = /^\s*(?:[-\d{["]|(?:true|false|null)\s*$)/;

/** Undefined for invalid JSON, too large numbers and too deep nesting. Pure. */
export function parsed(text: string): unknown {
  // Usually a plain word: thousands of exceptions would be slow.
  if (!mayBeJson.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text, (_name, each: unknown) => {
      if (typeof each === "number" && !Number.isFinite(each))
        throw new RangeError("no such number can be written down again");
      // Neither can a zero with a sign.
      return each === 0 ? 0 : each;
    });
    return isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}
