import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formJson,
  formText,
  looksLikeEdit,
  readEdit,
  readForm,
  type Editable,
} from "../../src/approvals/edit-input.ts";
import { readSchema } from "../../src/approvals/schema-problems.ts";

const charactersOf = (count: number): string => `${count} characters`;
const secret = "sk-a1b2c3d4e5f6g7h8i9j0";

const editable = (given: Record<string, unknown>, schema: unknown = {}): Editable => ({
  arguments: given,
  schema: readSchema(schema),
  charactersOf,
  keepsHidden: true,
});

const deep = (open: string, close: string, inner: string) =>
  open.repeat(8_000) + inner + close.repeat(8_000);
const header = (name: string, value: string) => ({ name, value });

const trip = {
  city: "Bern",
  nights: 2,
  breakfast: false,
  to: { street: "Main 1", zip: 3_000 },
  tags: ["a", "b"],
};

const edited = (text: string, of = editable(trip)) => {
  const read = readEdit(text, of);
  return read.type === "edited" ? read.arguments : read.problem;
};

describe("name=value", () => {
  it.each([
    ["city=Basel", { ...trip, city: "Basel" }],
    ["city = Basel am Rhein ", { ...trip, city: "Basel am Rhein" }],
    ["city=Basel nights=3", { ...trip, city: "Basel", nights: 3 }],
    ["nights=many city=Basel nights=3", { ...trip, city: "Basel", nights: 3 }],
    ["city=Basel\nnights=3", { ...trip, city: "Basel", nights: 3 }],
    ["city=first line\nsecond line", { ...trip, city: "first line\nsecond line" }],
    ["city=a=b x=y", { ...trip, city: "a=b x=y" }],
    ['city=" with blanks "', { ...trip, city: " with blanks " }],
    ["city=5", { ...trip, city: "5" }],
    ["city=", { ...trip, city: "" }],
    ["breakfast=yes", { ...trip, breakfast: true }],
    ["breakfast=off nights=1", { ...trip, nights: 1 }],
    ["to.street=Side 2", { ...trip, to: { street: "Side 2", zip: 3_000 } }],
    ["tags.1=c", { ...trip, tags: ["a", "c"] }],
    ['tags=["x"]', { ...trip, tags: ["x"] }],
    ["nights=", { ...trip, nights: undefined }],
  ])("%j is read as its argument's type", (text, expected) => {
    expect(edited(text)).toEqual(expected);
  });

  it.each([
    ["nights=many", { type: "type", path: "nights", expected: ["number"] }],
    ["breakfast=maybe", { type: "type", path: "breakfast", expected: ["boolean"] }],
    ["town=Basel", { type: "unknown", path: "town", known: Object.keys(trip) }],
    ["to.floor.left=1", { type: "unknown", path: "to.floor.left" }],
    ["tags.7=c", { type: "unknown", path: "tags.7" }],
    ["to.__proto__=1", { type: "unknown" }],
    ["city=Bern", { type: "same" }],
    ["nights=1e999", { type: "type", path: "nights" }],
    ['{"nights":1e999}', { type: "not-json" }],
    ["please do it", { type: "not-json" }],
    ["", { type: "not-json" }],
  ])("%j is explained", (text, problem) => {
    expect(edited(text)).toMatchObject(problem);
  });

  it("takes an argument that only the tool's schema knows, as that says", () => {
    const of = editable(
      { city: "Bern" },
      { properties: { nights: { type: "integer" }, note: { type: "string" } } },
    );
    expect(edited("nights=3 note=7", of)).toEqual({
      city: "Bern",
      nights: 3,
      note: "7",
    });
    expect(edited("nights=2.5", of)).toMatchObject({
      type: "type",
      expected: ["integer"],
    });
  });

  it("takes null for nothing where the schema allows it, and for a word elsewhere", () => {
    const type = {
      city: { type: ["string", "null"] },
      note: { type: "string" },
    };
    const of = editable({ city: "Bern", note: "" }, { properties: type });
    expect(edited("city=null note=null", of)).toEqual({
      city: null,
      note: "null",
    });
    expect(edited("city=Basel", of)).toMatchObject({ city: "Basel" });
  });

  it("never changes what it was given", () => {
    const before = structuredClone(trip);
    edited("to.street=Side 2 nights=9");
    expect(trip).toEqual(before);
  });
});

describe("JSON", () => {
  it("stands for all arguments, also in a fence", () => {
    expect(edited('{"city":"Basel"}')).toEqual({ city: "Basel" });
    expect(edited('```json\n{"city":"Basel"}\n```')).toEqual({ city: "Basel" });
  });

  it("may have the quotes that phones make of straight ones", () => {
    expect(edited("{“city”: “Basel”, „nights“: 3}")).toEqual({
      city: "Basel",
      nights: 3,
    });
    expect(edited('{"city":"“Basel”"}')).toEqual({ city: "“Basel”" });
  });

  it("that is none, or no object, is explained", () => {
    for (const text of ['{"city":', "{city: 1}"])
      expect(edited(text)).toEqual({ type: "not-json" });
  });

  it("in another order changes nothing", () => {
    const { city, ...others } = trip;
    expect(edited(JSON.stringify({ ...others, city }))).toEqual({
      type: "same",
    });
  });

  it("is held against the tool's schema", () => {
    const of = editable(trip, {
      required: ["city"],
      additionalProperties: false,
      properties: {
        city: { enum: ["Bern", "Basel"] },
        to: { type: "object", properties: { zip: { type: "integer" } } },
        tags: { items: { type: "string" } },
      },
    });
    expect(edited('{"city":"Genf"}', of)).toMatchObject({ type: "choice" });
    expect(edited("{}", of)).toEqual({ type: "missing", path: "city" });
    expect(edited('{"city":"Basel","x":1}', of)).toMatchObject({
      type: "unknown",
      path: "x",
    });
    expect(edited('{"city":"Basel","to":{"zip":"1"}}', of)).toMatchObject({
      type: "type",
      path: "to.zip",
    });
    expect(edited('{"city":"Basel","tags":["a",1]}', of)).toMatchObject({
      type: "type",
      path: "tags.1",
    });
    expect(edited('{"city":"Basel"}', of)).toEqual({ city: "Basel" });
  });

  it("nested without end is none, and neither is a schema like that", () => {
    expect(edited(deep('{"a":', "}", "1"))).toEqual({ type: "not-json" });
    expect(edited(`tags=${deep("[", "]", "")}`)).toMatchObject({
      type: "type",
      path: "tags",
    });
    let schema: unknown = {};
    for (let depth = 0; depth < 5_000; depth += 1) schema = { items: schema };
    expect(edited("city=Basel", editable(trip, schema))).toEqual({
      ...trip,
      city: "Basel",
    });
  });

  it("longer than what a person can be asked about is refused unread", () => {
    for (const text of ["city=Basel ".repeat(5_000), `{"a":"${"b".repeat(50_000)}"`])
      expect(edited(text)).toEqual({ type: "too-long", most: 50_000 });
  });

  it("that no person could be asked about is too long", () => {
    const text = JSON.stringify({ city: "x".repeat(60_000) });
    expect(edited(text)).toMatchObject({ type: "too-long" });
  });
});

describe("what the card hides", () => {
  const hiding = editable({ token: "abc123", note: `use ${secret}`, n: 1 });

  it("is hidden in the form, too, and stays where it comes back as it was shown", () => {
    expect(formJson(hiding)).not.toMatch(/abc123|a1b2c3/);
    expect(formText("token", "abc123", hiding)).toContain("••••");
    const shown = formJson(hiding).replace('"n": 1', '"n": 2');
    expect(edited(shown, hiding)).toEqual({ ...hiding.arguments, n: 2 });
  });

  it("stays where a form's field was left alone, and goes where it was written again", () => {
    const shown = (name: "token" | "note" | "n") => formText(name, hiding.arguments[name], hiding);
    const filled = { token: shown("token"), note: shown("note"), n: "2" };
    expect(readForm(filled, hiding)).toEqual({
      type: "edited",
      arguments: { ...hiding.arguments, n: 2 },
    });
    expect(readForm({ ...filled, token: "new" }, hiding)).toMatchObject({
      arguments: { token: "new" },
    });
  });

  it("is known by its length in whatever language it was said", () => {
    const shown = formJson({
      ...hiding,
      charactersOf: (count) => `${count.toLocaleString("de")} Zeichen`,
    });
    expect(edited(shown.replace('"n": 1', '"n": 2'), hiding)).toEqual({
      ...hiding.arguments,
      n: 2,
    });
  });

  // Their masks are the same.
  const [one, other] = ["sk-aaaaaaaaaaaaaaaaaaaz", "sk-bbbbbbbbbbbbbbbbbbbz"];
  const mask = "sk••••z (23 characters)";
  const listed = editable({
    headers: [header("A", one), header("B", other)],
    keys: [one, other],
  });
  const withList = (list: object) => {
    const shown = JSON.parse(formJson(listed)) as object;
    return edited(JSON.stringify({ ...shown, ...list }), listed);
  };

  it.each([
    ["first taken out", [header("B", mask)], [header("B", other)]],
    [
      "order turned round",
      [header("B", mask), header("A", mask)],
      [header("B", other), header("A", one)],
    ],
    [
      "new item before them",
      [header("C", "x"), header("A", mask), header("B", mask)],
      [header("C", "x"), header("A", one), header("B", other)],
    ],
    [
      "one of them renamed",
      [header("A2", mask), header("B", mask)],
      [header("A2", one), header("B", other)],
    ],
  ])("goes with its own item of a list: the %s", (_what, headers, expected) => {
    expect(withList({ headers })).toEqual({
      ...listed.arguments,
      headers: expected,
    });
  });

  it.each([
    [{ keys: [mask] }, "keys.0"],
    [{ keys: [mask, mask, mask] }, "keys.0"],
    [{ headers: [header("B2", mask), header("A2", mask)] }, "headers.0.value"],
    [{ headers: [header("C", mask)] }, "headers.0.value"],
    [{ headers: [header("B", mask), header("B", mask)] }, "headers.0.value"],
  ])("has to be written again where it is not sure: %j", (list, path) => {
    expect(withList(list)).toEqual({ type: "hidden", path });
  });

  it("stays with those that are left of many that are the same", () => {
    const keys = Array.from({ length: 1_500 }, () => one);
    const many = JSON.stringify({ keys: keys.slice(1).map(() => mask) });
    expect(edited(many, editable({ keys }))).toEqual({ keys: keys.slice(1) });
  });

  it("stays with those who may send it where they like", () => {
    const of = {
      ...editable({ url: "https://a.example", apiKey: one, keys: [other] }),
      keepsHidden: false,
    };
    expect(edited("url=https://evil.example", of)).toEqual({
      type: "kept-hidden",
      path: "apiKey",
    });
    const moved = { url: "https://b.example", keys: [mask] };
    expect(edited(JSON.stringify(moved), of)).toEqual({
      type: "kept-hidden",
      path: "keys.0",
    });
    const anew = { url: "https://b.example", apiKey: "mine", keys: [] };
    expect(edited(JSON.stringify(anew), of)).toEqual(anew);
  });

  it("is no text that had such dots of its own", () => {
    const of = editable({ body: "Your password: ••••••" });
    expect(edited("body=Password: ••••••", of)).toEqual({
      body: "Password: ••••••",
    });
    expect(edited(`body=${mask}`, of)).toMatchObject({ type: "hidden" });
  });

  it("cannot be changed in part", () => {
    expect(edited("note=use sk••••0 (23 characters), please", hiding)).toEqual({
      type: "hidden",
      path: "note",
    });
  });
});

describe("a form", () => {
  it("leaves alone what came back with other line breaks only", () => {
    const of = editable({ body: "one\r\ntwo ", nights: 2 });
    expect(readForm({ body: "one\ntwo", nights: "3" }, of)).toEqual({
      type: "edited",
      arguments: { body: "one\r\ntwo ", nights: 3 },
    });
  });

  it.each(["constructor", "toString", "__proto__", "nights.0"])(
    "that brings back the field %j, which was never shown, is refused",
    (name) => {
      const filled = JSON.parse(`{${JSON.stringify(name)}:"x"}`) as Record<string, string>;
      expect(readForm(filled, editable({ nights: 2 }))).toEqual({
        type: "problem",
        problem: { type: "unknown", path: name, known: ["nights"] },
      });
    },
  );
});

describe("a schema that says more than a first gate reads", () => {
  it.each([
    [{ additionalProperties: false, patternProperties: { "^x-": {} } }, '{"x-a":1}'],
    [
      {
        properties: {
          list: {
            prefixItems: [{ type: "string" }],
            items: { type: "number" },
          },
        },
      },
      '{"list":["a",1]}',
    ],
  ])("%j does not refuse %s", (schema, text) => {
    expect(edited(text, editable({}, schema))).toEqual(JSON.parse(text));
  });
});

it.each([
  ["city=Basel", true],
  ["город=Bern", true],
  ['{"city":"Basel"}', true],
  ["```\n{}\n```", true],
  ["a = b", false],
  ["yes, but cheaper", false],
  ["if x=1 then", false],
  ["", false],
])("%j looks like a change: %s", (text, expected) => {
  expect(looksLikeEdit(text)).toBe(expected);
});

const asJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

it("reads anything without failing, and never makes what JSON cannot hold", () => {
  // JSON writes -0 as 0.
  const json = fc
    .dictionary(fc.string({ maxLength: 8 }), fc.jsonValue(), { maxKeys: 5 })
    .map(asJson);
  const pairs = fc
    .array(fc.tuple(fc.constantFrom(...Object.keys(trip)), fc.string()))
    .map((each) => each.map(([name, text]) => `${name}=${text}`).join("\n"));
  const texts = fc.oneof(
    fc.string(),
    pairs,
    json.map((each) => JSON.stringify(each)),
  );
  fc.assert(
    fc.property(texts, json, (text, given) => {
      const read = readEdit(text, editable({ ...trip, ...given }));
      if (read.type === "edited") expect(asJson(read.arguments)).toEqual(read.arguments);
      expect(({} as Record<string, unknown>)["street"]).toBeUndefined();
    }),
    { numRuns: 300 },
  );
});
