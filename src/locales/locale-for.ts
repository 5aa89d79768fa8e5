import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ru } from "./ru.ts";
import type { Locale } from "./locale.ts";
import { zh } from "./zh.ts";

/** The languages that Parley itself speaks, by their ISO 639-1 codes. */
export const languages = ["en", "de", "es", "fr", "ru", "zh"] as const;
export type Language = (typeof languages)[number];

const all: Readonly<Record<Language, Locale>> = { en, de, es, fr, ru, zh };

/** Which of them a BCP 47 tag means, such as `pt-BR`; undefined: none. Pure. */
export function languageOf(tag: string | undefined): Language | undefined {
  const primary = tag?.split(/[-_]/, 1)[0]?.toLowerCase();
  return languages.find((language) => language === primary);
}

/**
 * Parley's own sentences as somebody reads them whose language is this; English where it is unknown
 * or not spoken.
 */
export const localeFor = (tag?: string): Locale => all[languageOf(tag) ?? "en"];

/** The language of a locale, for dates. */
export const languageIn = (locale: Locale): Language =>
  languages.find((language) => all[language] === locale) ?? "en";

/**
 * One sentence in every language but English, for menus that platforms show in the language of each
 * person.
 */
export const inOtherLanguages = (
  pick: (locale: Locale) => string,
): Readonly<Record<Exclude<Language, "en">, string>> => ({
  de: pick(de),
  es: pick(es),
  fr: pick(fr),
  ru: pick(ru),
  zh: pick(zh),
});
