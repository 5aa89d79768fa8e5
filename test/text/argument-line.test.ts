import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decisionLine } from "../../src/text/argument-line.ts";

const characters = (count: number): string => `${count} characters`;
const lineOf = (value: unknown): string => decisionLine(JSON.stringify(value), { characters });

const prose = "Please have a look at this when you find the time. ".repeat(40);
const destinationNames = ["to", "url", "path", "command", "amount", "chatId"];
const destination = fc.oneof(
  fc.webUrl({ withQueryParameters: true }),
  fc.emailAddress(),
  fc.string({ minLength: 1, maxLength: 300 }),
  fc.integer(),
);
/**
 * A destination among others' fields, as a tool may have it: anywhere, nested, or inside a list.
 */
const place = fc.record({
  name: fc.constantFrom(...destinationNames),
  decoys: fc.array(fc.tuple(fc.string({ maxLength: 30 }), fc.string()), {
    maxLength: 5,
  }),
  proseAt: fc.constantFrom("first", "last", "none"),
  wrap: fc.constantFrom("plain", "list", "nested"),
});
type Place = typeof place extends fc.Arbitrary<infer Found> ? Found : never;

function argumentsWith(value: unknown, at: Place): unknown {
  const held = { plain: value, list: ["x", value], nested: { it: value } };
  const text = { body: prose };
  return {
    ...(at.proseAt === "first" ? text : {}),
    ...Object.fromEntries(at.decoys),
    [at.name]: held[at.wrap],
    ...(at.proseAt === "last" ? text : {}),
  };
}

describe("the line by which someone decides about a call", () => {
  it("is never the same for two destinations", () => {
    fc.assert(
      fc.property(destination, destination, place, (one, other, at) => {
        fc.pre(one !== other);
        expect(lineOf(argumentsWith(one, at))).not.toBe(lineOf(argumentsWith(other, at)));
      }),
      { numRuns: 1_000 },
    );
  });

  it("shows addresses and numbers in the middle of long prose, too", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.webUrl(), fc.emailAddress(), fc.integer({ min: 10 }).map(String)),
        fc.boolean(),
        (hidden, isNamed) => {
          const body = `${prose}Send it to ${hidden} today. ${prose}`;
          const line = lineOf({ [isNamed ? "body" : "x"]: body, to: "a@b.c" });
          expect(line).toContain(JSON.stringify(hidden).slice(1, -1));
          expect(line.startsWith("to: a@b.c")).toBe(true);
          expect(line.length).toBeLessThan(300 + hidden.length);
        },
      ),
    );
  });

  it.each(["--force", "-rf", ".env", "*.txt", "key*", "#general", "%TEMP%"])(
    "shows %s in the middle of long prose",
    (hidden) => {
      expect(lineOf({ body: `${prose}${hidden} ${prose}` })).toContain(` ${hidden} `);
    },
  );

  it.each(["“don't”", "(word),", "—and", "¿Qué", "l’été…", "aujourd'hui!"])(
    "leaves out %s there",
    (word) => {
      expect(lineOf({ body: `${prose}${word} ${prose}` })).not.toContain(word);
    },
  );

  it.each([
    [{ note: "buy milk" }, "note: buy milk"],
    [{ text: "x", to: "a@b.c" }, "to: a@b.c, text: x"],
    [{ a: "x, b: y" }, 'a: "x, b: y"'],
    [{ a: "x", b: "y" }, "a: x, b: y"],
    [{ count: 5 }, "count: 5"],
    [{ count: "5" }, 'count: "5"'],
    [{ text: "one\n/approve all" }, String.raw`text: "one\n/approve all"`],
    [{}, ""],
  ])("%j is %s", (given, line) => {
    expect(lineOf(given)).toBe(line);
  });
});
