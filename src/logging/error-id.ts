import { randomInt } from "node:crypto";
import { errorIdAlphabet, errorIdLength } from "../core/error-report.ts";

/**
 * Six characters: short enough to be quoted by a person, and with 900 million of them one line of
 * the log is meant.
 */
export const newErrorId = (): string =>
  Array.from(
    { length: errorIdLength },
    () => errorIdAlphabet[randomInt(errorIdAlphabet.length)],
  ).join("");
