import { platforms, type Platform } from "../core/chat.ts";
import { renderCommands, type CommandStyle } from "../text/command-names.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ru } from "./ru.ts";
import type { Locale } from "./locale.ts";
import { onPlatform } from "./on-platform.ts";
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

interface Spoken extends CommandStyle {
  readonly language: Language;
}

/** Every locale that was made, and how; each is made when it is first needed. */
const made = new Map<string, Locale>();
const madeFor = new Map<Locale, Spoken>();

function spoken(spoken: Spoken): Locale {
  const name = `${spoken.language} ${spoken.platform} ${spoken.isMarked}`;
  const found = made.get(name);
  if (found) return found;
  const locale = onPlatform(all[spoken.language], spoken);
  made.set(name, locale);
  madeFor.set(locale, spoken);
  return locale;
}

/**
 * Parley's own sentences as somebody reads them whose language is this; English where it is unknown
 * or not spoken. Commands have the names of the platform where they are read.
 * @param reader a platform, or what begins with one: a person's id, a chat's key. Absent: commands
 * are as they are typed.
 */
export const localeFor = (tag?: string, reader?: string): Locale =>
  spoken({ language: languageOf(tag) ?? "en", platform: platformOf(reader), isMarked: true });

/** The same where nothing can be made clickable. */
export const plainLocaleFor = (tag: string | undefined, reader: string): Locale =>
  spoken({ language: languageOf(tag) ?? "en", platform: platformOf(reader), isMarked: false });

const platformOf = (reader: string | undefined): Platform | undefined =>
  platforms.find((platform) => reader?.split(":", 1)[0] === platform);

/** The language of a locale, for dates. */
export const languageIn = (locale: Locale): Language => madeFor.get(locale)?.language ?? "en";

/** The platform that a locale's commands are named for. */
export const platformIn = (locale: Locale): Platform | undefined => madeFor.get(locale)?.platform;

/** A command as the readers of a locale know it. @param typed such as `/limits set` */
export const commandIn = (locale: Locale, typed: string): string =>
  renderCommands(typed, madeFor.get(locale) ?? {});

/** The same elsewhere than where it is read. @param place begins with its platform. */
export const commandOn = (place: string, typed: string): string =>
  renderCommands(typed, { platform: platformOf(place) });

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
