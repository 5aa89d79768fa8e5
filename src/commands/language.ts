import { languageOf, languages, localeFor, type Language } from "../locales/locale-for.ts";
import { answer, typed, type Command } from "./command.ts";
import { described, optional } from "./menu.ts";

const automatic = "auto";

/** `/language [en|de|es|fr|ru|zh|auto]`: a person's own, in all of their chats. */
export const languageCommand: Command = {
  spec: {
    ...described("language", ({ language }) => language.description),
    arguments: [
      optional("language", ({ language }) => language.language, {
        choices: [...languages, automatic],
      }),
    ],
  },
  role: "guest",
  isPrivate: false,
  async run({ argument, options, person, reported, locale, address }, { access }) {
    const wanted = (options?.["language"] ?? argument).trim().toLowerCase();
    const codes = languages.join("|");
    if (wanted === "") {
      const { language } = await access.profileOf(person);
      const { is, isAuto, how } = locale.language;
      return answer(language === undefined ? isAuto : is, how(codes));
    }
    if (person.anonymous) return answer(locale.language.notAnonymously);
    if (wanted === automatic) {
      await access.setLanguage(person, undefined);
      return answer(localeFor(reported, address.platform).language.isAuto);
    }
    const language = languageOf(wanted) ?? named(wanted);
    if (language === undefined)
      return answer(locale.language.unknown(typed(wanted), languages.join(", ")));
    await access.setLanguage(person, language);
    return answer(localeFor(language, address.platform).language.isNow);
  },
};

/** By the name that a language gives itself, or its English one. */
function named(wanted: string): Language | undefined {
  const english = new Intl.DisplayNames("en", { type: "language" });
  return languages.find((language) =>
    [localeFor(language).language.name, english.of(language)].some(
      (name) => name?.toLowerCase() === wanted,
    ),
  );
}
