import { z } from "zod";
import { parsePlace } from "../core/places.ts";
import { parseCount, parseUsd } from "../text/amounts.ts";
import { parseDuration } from "../text/durations.ts";
import type { ExpectedValue } from "../core/expected-value.ts";
import { nearest } from "./nearest.ts";

type Reading<T> = { readonly value: T } | undefined;

/**
 * A value parsed by `read`; an invalid one is refused with "expected …", and
 * with `kind` for messages in other languages.
 */
export function leaf<T>(
  expected: string,
  read: (value: unknown) => Reading<T>,
  kind?: ExpectedValue,
) {
  return z.unknown().transform((value, context): T => {
    const reading = read(value);
    if (reading !== undefined) return reading.value;
    context.addIssue({
      code: "custom",
      message: `expected ${expected}`,
      ...(kind === undefined ? {} : { params: { expected: kind } }),
    });
    return z.NEVER;
  });
}

/**
 * A mapping with fixed keys; an unknown one is refused, one line of the issue's message for each.
 */
export function section<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys")
        return `expected a mapping with any of the keys ${known.join(", ")}`;
      return issue["keys"]
        .map((key) => {
          const guess = nearest(key, known);
          return guess === undefined
            ? `unknown key; the known ones are ${known.join(", ")}`
            : `unknown key; did you mean ${guess}?`;
        })
        .join("\n");
    },
  });
}

/** A mapping whose keys are names that the operator chooses. */
export function named<Schema extends z.ZodType>(
  schema: Schema,
  names: { readonly pattern: RegExp; readonly expected: string },
) {
  return z.record(z.string().regex(names.pattern, `expected ${names.expected}`), schema, {
    error: (issue) =>
      issue.code === "invalid_type" ? "expected a mapping of names" : `expected ${names.expected}`,
  });
}

/** A list; one value alone counts as a list of one. */
export function listOf<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(schema),
  );
}

export const text = leaf("a text", (value) =>
  typeof value === "string" && value !== "" ? { value } : undefined,
);

/**
 * Text in keys whose values people also write as numbers and booleans (a process's environment,
 * HTTP headers).
 */
export const looseText = leaf("a text", (value) =>
  ["string", "number", "boolean"].includes(typeof value) ? { value: String(value) } : undefined,
);

export const flag = leaf("true or false", (value) => {
  if (typeof value === "boolean") return { value };
  if (value === "true") return { value: true };
  return value === "false" ? { value: false } : undefined;
});

export function oneOf<const Word extends string>(...words: Word[]) {
  return leaf(words.join(", ").replace(/, ([^,]*)$/, " or $1"), (value) => {
    const word = words.find((candidate) => candidate === value);
    return word === undefined ? undefined : { value: word };
  });
}

/** Kept until defaults are in: zod replaces undefined by the default. */
type Off = "off";

export function offAsUndefined<T>(value: T | Off): T | undefined {
  return value === "off" ? undefined : value;
}

/** `off`, or a mapping, whose problems are reported with their own paths. */
export function orOff<Schema extends z.ZodType>(schema: Schema, expected: string) {
  return z.unknown().transform((value, context): z.output<Schema> | Off => {
    if (value === "off") return value;
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    for (const issue of result.error.issues)
      context.addIssue(
        issue.path.length > 0 || issue.code === "unrecognized_keys"
          ? { ...issue }
          : { code: "custom", message: `expected ${expected}` },
      );
    return z.NEVER;
  });
}

type Range = { readonly min: number; readonly max: number };

function within(value: number | undefined, { min, max }: Range): Reading<number> {
  return value !== undefined && value >= min && value <= max ? { value } : undefined;
}

function asCount(value: unknown): number | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  return typeof value === "string" ? parseCount(value) : undefined;
}

/** A whole number; `32k` and `1.5m` are fine. */
export function count(range: Range) {
  return leaf(
    `a whole number from ${range.min} to ${range.max}`,
    (value) => within(asCount(value), range),
    { type: "count", ...range, orOff: false },
  );
}

export function countOrOff(range: Range) {
  return leaf<number | Off>(
    `a whole number from ${range.min} to ${range.max}, or off`,
    (value) => (value === "off" ? { value } : within(asCount(value), range)),
    { type: "count", ...range, orOff: true },
  );
}

export function decimal(range: Range) {
  return leaf(
    `a number from ${range.min} to ${range.max}`,
    (value) => {
      const isNumeric = typeof value === "string" && /^-?[\d.]+$/.test(value);
      const number = isNumeric ? Number(value) : value;
      return typeof number === "number" ? within(number, range) : undefined;
    },
    { type: "decimal", ...range, orOff: false },
  );
}

function asUsd(value: unknown): number | undefined {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  return typeof value === "string" ? parseUsd(value) : undefined;
}

const anyUsd = { min: 0, max: 1_000_000 };

export const usdOrOff = leaf<number | Off>(
  "US dollars such as 5usd, or off",
  (value) => (value === "off" ? { value } : within(asUsd(value), anyUsd)),
  { type: "usd", orOff: true },
);

/** Ten years: beyond it a date overflows somewhere. */
const anyDuration = { min: 1, max: 3_650 * 86_400_000 };

function asDurationMs(value: unknown): Reading<number> {
  return typeof value === "string" ? within(parseDuration(value), anyDuration) : undefined;
}

export const durationMs = leaf("a duration such as 15m or 24h", asDurationMs);

export const durationMsOrOff = leaf<number | Off>(
  "a duration such as 15m or 24h, or off",
  (value) => (value === "off" ? { value } : asDurationMs(value)),
  { type: "duration", orOff: true },
);

export const httpUrl = leaf("an http or https URL", (value) => {
  if (typeof value !== "string" || !URL.canParse(value)) return undefined;
  return /^https?:$/.test(new URL(value).protocol)
    ? { value: value.replace(/\/+$/, "") }
    : undefined;
});

/** @param hostname as in a URL, so an IPv6 address is in brackets. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);

/** Cookies and codes in clear text stay on the machine. */
export const pageOrigin = leaf(
  "an https URL without a path (or http on loopback), such as https://parley.example",
  (value) => {
    if (typeof value !== "string" || !URL.canParse(value)) return undefined;
    const { protocol, hostname, origin, href } = new URL(value);
    const isPrivate = protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
    return isPrivate && href === `${origin}/` ? { value: origin } : undefined;
  },
);

/** A number that begins with 0 is no one's id, though it looks like one. */
const personShape = /^(?:(?:telegram|discord):[1-9]\d{0,19}|console:[\w.-]{1,64})$/;

export const person = leaf("a person such as telegram:1 or discord:2", (value) =>
  typeof value === "string" && personShape.test(value) ? { value } : undefined,
);

export const personOrPlace = leaf(
  "a person or a place such as telegram:1, telegram:chat:-1001, discord:2, discord:guild:3 or discord:channel:4",
  (value) =>
    typeof value === "string" && (personShape.test(value) || parsePlace(value) !== undefined)
      ? { value }
      : undefined,
);

export const port = leaf<number | Off>("a port from 0 (any free one) to 65535, or off", (value) =>
  value === "off"
    ? { value }
    : within(typeof value === "string" && !/^\d+$/.test(value) ? undefined : asCount(value), {
        min: 0,
        max: 65_535,
      }),
);
