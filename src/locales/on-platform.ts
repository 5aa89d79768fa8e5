import { renderCommands, type CommandStyle } from "../text/command-names.ts";
import type { Locale } from "./locale.ts";

/*
 * Sentences take texts of people and models, in which no command is changed: while a sentence is
 * made, these have other characters in place of the ones that commands are recognised by. Unicode
 * keeps them from use in texts.
 */
const hidden: Readonly<Record<string, string>> = { "/": "\uFDD0", "{": "\uFDD1" };
const shown = new Map(
  Object.entries(hidden).map(([character, substitute]) => [substitute, character]),
);

const hide = (text: string): string => text.replaceAll(/[/{]/g, (each) => hidden[each] ?? each);
const show = (text: string): string =>
  text.replaceAll(/[\uFDD0\uFDD1]/g, (each) => shown.get(each) ?? each);

/** What a locale says, with the names that commands have there. Pure. */
export const onPlatform = (locale: Locale, style: CommandStyle): Locale =>
  translated(locale, style) as Locale;

function translated(value: unknown, style: CommandStyle): unknown {
  if (typeof value === "function")
    return (...given: readonly unknown[]): unknown =>
      translated((value as (...all: unknown[]) => unknown)(...given.map(protectedFrom)), style);
  return mapped(value, (text) => show(renderCommands(text, style)), style);
}

const protectedFrom = (given: unknown): unknown => mapped(given, hide);

/** Every text of a value; functions only of a locale. */
function mapped(value: unknown, change: (text: string) => string, style?: CommandStyle): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value === "function" && style) return translated(value, style);
  if (Array.isArray(value)) return value.map((each) => mapped(each, change, style));
  if (typeof value !== "object" || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, mapped(each, change, style)]),
  );
}
