import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { argumentsSchema } from "../../../src/tools/mcp/arguments-schema.ts";
import { normaliseSchema } from "../../../src/tools/mcp/normalise-schema.ts";

const accepts = (schema: unknown, given: unknown): boolean =>
  argumentsSchema(normaliseSchema(schema)).safeParse(given).success;

const object = (properties: Record<string, unknown>, more = {}) => ({
  type: "object",
  properties,
  ...more,
});

test("a plain schema stays what it is", () => {
  const schema = object(
    {
      city: { type: "string", description: "Where", minLength: 1 },
      days: { type: "integer", minimum: 1, maximum: 10, default: 3 },
      unit: { enum: ["C", "F"] },
      tags: { type: "array", items: { type: "string" }, uniqueItems: true },
      either: { type: ["string", "null"] },
      nested: object({ a: { type: "boolean" } }, { required: ["a"] }),
    },
    { required: ["city"], additionalProperties: false },
  );
  expect(normaliseSchema(schema)).toEqual(schema);
});

describe("what a provider would refuse", () => {
  test("the top is an object, whatever it was", () => {
    for (const raw of [{}, true, null, 7, "x", [], { type: "string" }])
      expect(normaliseSchema(raw)).toEqual({ type: "object", properties: {} });
  });

  test("alternatives at the top become properties; required is what all require", () => {
    const schema = normaliseSchema({
      type: "object",
      properties: { id: { type: "string" } },
      required: ["id"],
      oneOf: [
        object({ kind: { const: "a" }, x: { type: "number" } }, { required: ["kind", "x"] }),
        object({ kind: { const: "b" }, y: { type: "number" } }, { required: ["kind"] }),
      ],
      not: { required: ["z"] },
      enum: [{}],
    });
    expect(schema).toEqual({
      type: "object",
      properties: {
        kind: { anyOf: [{ enum: ["a"] }, { enum: ["b"] }] },
        x: { type: "number" },
        y: { type: "number" },
        id: { type: "string" },
      },
      required: ["id", "kind"],
    });
  });

  test("allOf is joined, at the top and below", () => {
    const parts = [
      object({ a: { type: "string" } }, { required: ["a"] }),
      object({ b: { type: "string" } }, { required: ["b"] }),
    ];
    const joined = {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      required: ["a", "b"],
    };
    expect(normaliseSchema({ allOf: parts })).toEqual(joined);
    expect(normaliseSchema(object({ below: { allOf: parts } }))).toEqual(object({ below: joined }));
  });

  test("arrays have items, and places become alternatives", () => {
    expect(
      normaliseSchema(
        object({
          any: { type: "array" },
          open: { type: "array", prefixItems: [{ type: "string" }] },
          closed: {
            type: "array",
            prefixItems: [{ type: "string" }, { type: "number" }],
            items: false,
          },
        }),
      )["properties"],
    ).toEqual({
      any: { type: "array", items: {} },
      open: { type: "array", items: {} },
      closed: {
        type: "array",
        items: { anyOf: [{ type: "string" }, { type: "number" }] },
      },
    });
  });

  test("references are resolved, and one that holds itself ends", () => {
    const schema = normaliseSchema({
      type: "object",
      properties: {
        from: { $ref: "#/$defs/a~1place", description: "The start" },
        node: { $ref: "#/definitions/node" },
        away: { $ref: "https://example.com/schema.json" },
      },
      $defs: { "a/place": { type: "string", description: "A place" } },
      definitions: { node: object({ next: { $ref: "#/definitions/node" } }) },
    });
    expect(schema["properties"]).toEqual({
      from: { type: "string", description: "The start" },
      node: object({ next: {} }),
      away: {},
    });
    expect(schema).not.toHaveProperty("$defs");
  });

  test("expressions and formats become words", () => {
    const schema = normaliseSchema(
      object({
        when: {
          type: "string",
          description: "When",
          format: "date-time",
          pattern: "^\\d+$",
        },
      }),
    );
    expect(schema["properties"]).toEqual({
      when: {
        type: "string",
        description: "When\nFormat: date-time\nPattern: ^\\d+$",
      },
    });
  });
});

describe("what is accepted", () => {
  test("unknown names, unless the schema is closed", () => {
    expect(accepts(object({}), { a: 1 })).toBe(true);
    expect(accepts(object({}, { additionalProperties: false }), { a: 1 })).toBe(false);
    expect(
      accepts(object({}, { additionalProperties: false, patternProperties: { "^a": {} } }), {
        a: 1,
      }),
    ).toBe(true);
  });

  test("what zod's own reader gets wrong", () => {
    const time = object({ at: { type: "string", format: "date-time" } });
    expect(accepts(time, { at: "2026-01-01T00:00:00+02:00" })).toBe(true);
    const either = object({
      a: { type: ["object", "string"], properties: { b: { type: "string" } } },
    });
    expect(accepts(either, { a: { b: "x" } })).toBe(true);
    expect(accepts(either, { a: { b: 1 } })).toBe(false);
    expect(accepts({ type: "object", required: ["q"] }, {})).toBe(false);
    expect(accepts(object({ a: { enum: [{ x: 1 }] } }), { a: { x: 1 } })).toBe(true);
  });

  test("arguments are never changed, and defaults are left to the server", () => {
    const schema = normaliseSchema(object({ days: { type: "integer", default: 3 } }));
    const given = { other: "5" };
    expect(argumentsSchema(schema).parse(given)).toBe(given);
  });

  test("every complaint names its place", () => {
    const schema = normaliseSchema(
      object({ a: object({ b: { type: "string" } }), c: { type: "integer" } }, { required: ["d"] }),
    );
    const { error } = argumentsSchema(schema).safeParse({
      a: { b: 1 },
      c: "x",
    });
    expect(error?.issues[0]?.message).toBe(
      "the arguments must have required property 'd', a/b must be string, c must be integer",
    );
  });
});

/** Anything that looks like a schema, with all the words that we know and some that we do not. */
const anySchema = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<unknown>({}, true, false, null, 3, "text", []),
    fc.record(
      {
        type: fc.constantFrom("object", "array", "string", "odd", ["string", "null"], 3),
        description: fc.oneof(fc.string({ unit: "binary" }), fc.integer()),
        properties: fc.oneof(
          fc.dictionary(fc.string(), tie("schema"), { maxKeys: 4 }),
          fc.integer(),
        ),
        required: fc.oneof(fc.array(fc.string()), fc.boolean()),
        items: fc.oneof(tie("schema"), fc.array(tie("schema"), { maxLength: 3 })),
        prefixItems: fc.array(tie("schema"), { maxLength: 3 }),
        additionalProperties: fc.oneof(tie("schema"), fc.boolean()),
        anyOf: fc.array(tie("schema"), { maxLength: 3 }),
        oneOf: fc.array(tie("schema"), { maxLength: 3 }),
        allOf: fc.array(tie("schema"), { maxLength: 3 }),
        enum: fc.array(fc.jsonValue(), { maxLength: 3 }),
        const: fc.jsonValue(),
        default: fc.jsonValue(),
        $ref: fc.constantFrom("#", "#/properties/a", "#/x", "%", "#/%E0%A4%A"),
        minimum: fc.oneof(fc.double(), fc.boolean()),
        exclusiveMinimum: fc.oneof(fc.boolean(), fc.integer()),
        minLength: fc.oneof(fc.integer(), fc.string()),
        multipleOf: fc.oneof(fc.integer(), fc.double()),
        pattern: fc.oneof(fc.string(), fc.constant("(")),
        not: tie("schema"),
        if: tie("schema"),
      },
      { requiredKeys: [] },
    ),
  ),
})).schema;

test("whatever a server declares becomes a schema that providers take and that can be checked", () => {
  fc.assert(
    fc.property(anySchema, fc.jsonValue(), (raw, given) => {
      const schema = normaliseSchema(raw);
      expect(schema["type"]).toBe("object");
      expect(schema["properties"]).toBeTypeOf("object");
      for (const word of ["anyOf", "oneOf", "allOf", "enum", "not"])
        expect(schema).not.toHaveProperty(word);
      expect(normaliseSchema(structuredClone(raw))).toEqual(schema);
      expectArraysHaveItems(schema);
      // Never throws, whatever the schema and the arguments.
      argumentsSchema(schema).safeParse(given);
    }),
  );
});

test.each(["valueOf", "toString"])("refuses a field called %s where a schema compares", (name) => {
  const schema = argumentsSchema(
    normaliseSchema({ type: "object", properties: { only: { const: {} } } }),
  );
  const { success, error } = schema.safeParse({ only: { [name]: "" } });
  expect(success).toBe(false);
  expect(error?.issues[0]?.message).toBe("they cannot be compared with the tool's schema");
});

function expectArraysHaveItems(schema: unknown): void {
  if (typeof schema !== "object" || schema === null) return;
  const { type, properties, items, anyOf, additionalProperties } = schema as Record<
    string,
    unknown
  >;
  if (type === "array" || (Array.isArray(type) && type.includes("array")))
    expect(items).toBeTypeOf("object");
  const children = [
    ...Object.values((properties as object | undefined) ?? {}),
    items,
    additionalProperties,
    ...((anyOf as unknown[] | undefined) ?? []),
  ];
  for (const child of children) expectArraysHaveItems(child);
}
