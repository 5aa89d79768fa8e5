import { cleanText } from "./clean-text.ts";
import { isObject, listOf, merge, withBranches, type Schema } from "./merge-schemas.ts";

/** JSON Schema that every provider takes; see `normaliseSchema`. */
export type PlainSchema = Readonly<Record<string, unknown>>;

/**
 * Most sub-schemas of one tool, `$ref`s counted as often as they are used. Further ones accept
 * anything.
 */
const maxNodes = 500;
const maxDepth = 12;
/** UTF-16 units of all names, descriptions and values of one tool. */
const maxTextLength = 32_000;
const maxDescriptionLength = 1_024;
const maxProperties = 200;
const maxNameLength = 128;
const maxValues = 200;
const maxBranches = 20;

const types = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);
const limits = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
const counts = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];

/**
 * A stranger's schema, made into one that is small, finite and understood everywhere: an object at
 * the top, without `anyOf`, `oneOf`, `allOf`, `enum` or `not` there; arrays with `items`; no
 * `$ref`; no `pattern` and no `format` (they become part of the description), so that checking a
 * value never runs a stranger's regular expression. What cannot be said this way is left out: the
 * server checks its arguments itself. Pure, and never throws.
 */
export function normaliseSchema(raw: unknown): PlainSchema {
  const reader = new SchemaReader(raw);
  const { anyOf, enum: _enum, type: _type, ...top } = reader.read(raw, 0, []);
  const merged = Array.isArray(anyOf) ? withBranches(top, anyOf as Schema[]) : top;
  const { description: _description, default: _default, ...rest } = merged;
  return { ...rest, type: "object", properties: rest["properties"] ?? {} };
}

class SchemaReader {
  readonly #root: unknown;
  #nodes = maxNodes;
  #text = maxTextLength;

  constructor(root: unknown) {
    this.#root = root;
  }

  /** @param references those being resolved: a schema that contains itself ends there. */
  read(raw: unknown, depth: number, references: readonly string[]): Schema {
    this.#nodes -= 1;
    if (!isObject(raw) || depth > maxDepth || this.#nodes < 0) return {};
    const reference = raw["$ref"];
    if (typeof reference !== "string") return this.#readPlain(raw, depth, references);
    const { $ref: _, ...siblings } = raw;
    const target = references.includes(reference) ? undefined : this.#resolve(reference);
    const own = this.#readPlain(siblings, depth, references);
    return target === undefined
      ? own
      : merge(this.read(target, depth + 1, [...references, reference]), own);
  }

  #readPlain(raw: Schema, depth: number, references: readonly string[]): Schema {
    const read = (child: unknown) => this.read(child, depth + 1, references);
    let schema: Schema = {
      ...readType(raw["type"]),
      ...this.#readDescription(raw),
      ...this.#readValues(raw),
      ...readNumbers(raw),
      ...this.#readObject(raw, read),
    };
    if (readsAs(schema, "array") || raw["items"] !== undefined)
      schema["items"] = readItems(raw, read);
    for (const branch of listOf(raw["allOf"]).slice(0, maxBranches))
      schema = merge(schema, read(branch));
    const branches = [...listOf(raw["anyOf"]), ...listOf(raw["oneOf"])];
    // Leaving one out would refuse what the server takes.
    if (branches.length > 0 && branches.length <= maxBranches) schema["anyOf"] = branches.map(read);
    return schema;
  }

  #readObject(raw: Schema, read: (child: unknown) => Schema): Schema {
    const given = raw["properties"];
    const all = isObject(given) ? Object.entries(given) : [];
    const known = all.filter(
      ([name, child]) =>
        name !== "__proto__" &&
        name.length <= maxNameLength &&
        child !== false &&
        this.#spend(name.length),
    );
    const kept = known.slice(0, maxProperties);
    const names = listOf(raw["required"]).filter(
      (name): name is string => typeof name === "string" && name.length <= maxNameLength,
    );
    const closed =
      raw["additionalProperties"] === false &&
      raw["patternProperties"] === undefined &&
      kept.length === all.length;
    const rest = raw["additionalProperties"];
    return {
      ...(isObject(given) && {
        properties: Object.fromEntries(kept.map(([name, child]) => [name, read(child)])),
      }),
      ...(names.length > 0 && {
        required: [...new Set(names)].slice(0, maxProperties),
      }),
      ...(closed && { additionalProperties: false }),
      ...(isObject(rest) &&
        raw["patternProperties"] === undefined &&
        kept.length === all.length && { additionalProperties: read(rest) }),
    };
  }

  #readDescription(raw: Schema): Schema {
    const parts = [
      raw["description"] ?? raw["title"],
      typeof raw["format"] === "string" && `Format: ${raw["format"]}`,
      typeof raw["pattern"] === "string" &&
        raw["pattern"].length <= 200 &&
        `Pattern: ${raw["pattern"]}`,
    ].filter((part) => typeof part === "string");
    const description = cleanText(parts.join("\n"), maxDescriptionLength);
    return description !== "" && this.#spend(description.length) ? { description } : {};
  }

  #readValues(raw: Schema): Schema {
    const { const: single, enum: many, default: fallback } = raw;
    const values = "const" in raw ? [single] : listOf(many);
    return {
      ...(values.length > 0 &&
        values.length <= maxValues &&
        this.#affords(values) && { enum: values }),
      ...("default" in raw && this.#affords(fallback) && { default: fallback }),
    };
  }

  #affords(value: unknown): boolean {
    try {
      return this.#spend(JSON.stringify(value).length);
    } catch {
      return false; // Nested too deeply.
    }
  }

  #spend(length: number): boolean {
    if (length > this.#text) return false;
    this.#text -= length;
    return true;
  }

  /** Only references into the schema itself: nothing is fetched. */
  #resolve(reference: string): unknown {
    if (reference === "#") return this.#root;
    if (!reference.startsWith("#/")) return undefined;
    let found = this.#root;
    for (const part of reference.slice(2).split("/")) {
      const key = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
      if (typeof found !== "object" || found === null) return undefined;
      if (!Object.hasOwn(found, key)) return undefined;
      found = (found as Schema)[key];
    }
    return found;
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function readType(raw: unknown): Schema {
  if (typeof raw === "string") return types.has(raw) ? { type: raw } : {};
  const several = listOf(raw);
  const known = several.filter((type) => typeof type === "string" && types.has(type));
  if (known.length === 0 || known.length !== several.length) return {};
  return { type: known.length === 1 ? known[0] : [...new Set(known)] };
}

const readsAs = (schema: Schema, type: string): boolean =>
  schema["type"] === type || listOf(schema["type"]).includes(type);

function readNumbers(raw: Schema): Schema {
  const found = [
    ...limits.filter((key) => Number.isFinite(raw[key])),
    ...counts.filter((key) => Number.isSafeInteger(raw[key]) && (raw[key] as number) >= 0),
    ...["multipleOf"].filter((key) => Number.isSafeInteger(raw[key]) && (raw[key] as number) > 0),
    ...["uniqueItems"].filter((key) => raw[key] === true),
  ];
  return Object.fromEntries(found.map((key) => [key, raw[key]]));
}

/** A list with one schema per place, in either spelling, becomes "any of them". */
function readItems(raw: Schema, read: (child: unknown) => Schema): Schema {
  const { items, prefixItems } = raw;
  const places = [...listOf(prefixItems), ...listOf(items)];
  if (places.length === 0) return read(items);
  const open = Array.isArray(items) || items === undefined || items === true;
  if (open || places.length > maxBranches) return {};
  const rest = isObject(items) ? [items] : [];
  return { anyOf: [...places, ...rest].map(read) };
}
