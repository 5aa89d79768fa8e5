import { Locale } from "discord.js";
import type { LocalizationMap } from "discord.js";

/** Discord's languages by ISO 639-1 codes; English is the default text. */
const locales: Readonly<Record<string, readonly Locale[]>> = {
  de: [Locale.German],
  es: [Locale.SpanishES, Locale.SpanishLATAM],
  fr: [Locale.French],
  ru: [Locale.Russian],
  zh: [Locale.ChineseCN, Locale.ChineseTW],
};

/** A text in other languages as Discord takes it. Undefined: there is none. Pure. */
export function localized(
  texts: Readonly<Record<string, string>> | undefined,
): LocalizationMap | undefined {
  const known = Object.entries(texts ?? {}).flatMap(([language, text]) =>
    (locales[language] ?? []).map((locale) => [locale, text] as const),
  );
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
