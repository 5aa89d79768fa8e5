import { randomInt } from "node:crypto";

/**
 * Without letters and digits that are taken for one another when they are read aloud or copied by
 * hand.
 */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";

/**
 * Six characters: short enough to be quoted by a person, and with 900 million of them one line of
 * the log is meant.
 */
export const newErrorId = (): string =>
  Array.from({ length: 6 }, () => alphabet[randomInt(alphabet.length)]).join("");
