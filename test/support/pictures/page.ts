import { readFileSync } from "node:fs";

export type Platform = "discord" | "telegram" | "terminal";

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? "");

/** A page that looks like the platform's own client. */
export function page(platform: Platform, body: string): string {
  const css = readFileSync(new URL(`${platform}.css`, import.meta.url), "utf8");
  return `<!doctype html><meta charset="utf-8"><style>${css}</style><body>${withSameIds(body)}`;
}

/**
 * The IDs of cards are random. They are replaced, so that a picture changes only when Parley does.
 */
const withSameIds = (html: string): string =>
  html.replaceAll(/(ID: (?:<code>)?)[A-Z]{5}\b/g, "$1KXTRB");
