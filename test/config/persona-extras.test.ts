import { array, assert, constantFrom, double, integer, option, property, record } from "fast-check";
import { string } from "fast-check";
import { describe, expect, it } from "vitest";
import { personaExtrasFormat } from "../../src/config/persona-extras.ts";
import { readPersonaFile } from "../../src/config/persona-file.ts";
import {
  maxPersonaModelCalls,
  personaExtraNames,
  personaExtrasSchema,
  personaSchema,
} from "../../src/core/persona.ts";

const { read, write } = personaExtrasFormat;
const usual = personaExtrasSchema.parse({});

const line = string({ unit: "grapheme", minLength: 1, maxLength: 30 }).filter(
  (text) => personaExtrasSchema.safeParse({ starters: [text] }).success,
);
const anyExtras = record(
  {
    temperature: double({ min: 0, max: 2, noNaN: true }).map((value) => Number(value.toFixed(3))),
    maxModelCalls: integer({ min: 1, max: maxPersonaModelCalls }),
    starters: array(line, { maxLength: 6 }),
    skills: array(line, { maxLength: 5 }),
    memory: constantFrom("on", "off"),
  },
  { requiredKeys: [] },
).map((given) => personaExtrasSchema.parse(given));

/** Texts that are often half right. */
const anyText = array(
  record({
    field: constantFrom(...personaExtraNames, "tools", "__proto__", "prompt", "name", "toString"),
    value: option(
      constantFrom(
        "1",
        "2.5",
        "on",
        "off",
        "[]",
        "[a, b]",
        "'*'",
        "{ a: 1 }",
        "default",
        "&a [*a]",
      ),
      { nil: "" },
    ),
  }),
  { maxLength: 4 },
).map((lines) => lines.map(({ field, value }) => `${field}: ${value}`).join("\n"));

describe("settings of a persona that are written in a chat", () => {
  it("are read as they were written, whatever was there before", () => {
    assert(
      property(anyExtras, anyExtras, (extras, before) => {
        expect(read(write(extras), before)).toEqual({ extras });
      }),
    );
  });

  it("are what a file with the same lines would say, and nothing else is", () => {
    assert(
      property(anyText, (text) => {
        const inChat = read(text, usual);
        if ("problem" in inChat) return;
        expect(Object.keys(inChat.extras).every((key) => key in personaSchema.shape)).toBe(true);
        const lines = text.split("\n").filter((each) => !/: (?:default)?$/.test(each));
        const source = `---\n${lines.join("\n")}\n---\n\nYou cook.\n`;
        const inFile = readPersonaFile(source, "chef.md", undefined);
        expect(inFile).toEqual({
          persona: { name: "chef", prompt: "You cook.", ...inChat.extras },
        });
      }),
    );
  });

  it("change what is mentioned, and go back to the default without a value", () => {
    const before = personaExtrasSchema.parse({ temperature: 1, skills: ["pdf"], memory: "off" });
    expect(read("temperature: 0.5", before)).toEqual({ extras: { ...before, temperature: 0.5 } });
    expect(read("temperature:\nskills: default\nmemory:", before)).toEqual({ extras: usual });
    expect(read("skills: []", before)).toEqual({ extras: { ...before, skills: [] } });
  });

  it.each([
    ["", { type: "no-fields" }],
    ["warm", { type: "no-fields" }],
    ["- warm", { type: "no-fields" }],
    ["temperature: [", { type: "no-fields" }],
    ["[".repeat(2_000), { type: "no-fields" }],
    ["---\nmemory: off\n---\nYou cook.", { type: "no-fields" }],
    ["tools: '*'", { type: "unknown-field", field: "tools" }],
    ["temperature: hot", { type: "bad-value", field: "temperature", value: '"hot"' }],
    ["maxModelCalls: 1001", { type: "bad-value", field: "maxModelCalls", value: "1001" }],
    ["starters: ['a\\u202eb', \"a\\u202eb\"]", { type: "bad-value", field: "starters" }],
    ["skills: { a: 1 }", { type: "bad-value", field: "skills" }],
  ])("%s is refused", (text, problem) => {
    expect(read(text, usual)).toMatchObject({ problem });
  });
});
