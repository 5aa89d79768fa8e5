import { describe, expect, it } from "vitest";
import { allCommands } from "../../src/commands/all-commands.ts";
import { endReasons } from "../../src/core/history.ts";
import { endSentence } from "../../src/loop/sentences.ts";
import {
  inOtherLanguages,
  languageOf,
  languages,
  localeFor,
  type Language,
} from "../../src/locales/locale-for.ts";
import { defaultPolicy } from "../loop/scene.ts";
import { givenOf, leavesOf, say } from "./leaves.ts";

const english = leavesOf(localeFor("en"));
/** The commands that a text names. */
const commandsIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\w/])\/([a-z]+)/g)]
    .map(([, name = ""]) => name)
    .toSorted((one, other) => one.localeCompare(other));

describe("every language", () => {
  it.each(languages)("%s has the keys of English, and no others", (language) => {
    const leaves = leavesOf(localeFor(language));
    expect([...leaves.keys()].toSorted()).toEqual([...english.keys()].toSorted());
    for (const [path, leaf] of leaves)
      expect([path, typeof leaf]).toEqual([path, typeof english.get(path)]);
  });

  it.each(languages)("%s sends nobody to /new where that would not help", (language) => {
    const { modelFailed } = localeFor(language);
    expect(modelFailed["context-overflow"]("k7m2qx")).toContain("/new");
    for (const part of ["setup-too-long", "turn-too-long"] as const)
      expect(modelFailed[part]("k7m2qx")).not.toContain("/new");
  });

  it.each(languages)("%s says all that it is given, in whole sentences of its own", (language) => {
    for (const [path, leaf] of leavesOf(localeFor(language)))
      for (const given of givenOf(path)) {
        const said = say(leaf, given);
        expect(said.trim(), path).not.toBe("");
        expect(said, path).not.toMatch(/undefined|NaN|\[object|\s{2}/);
        expect(said, path).toBe(said.trim());
        for (const each of given)
          expect(said, path).toContain(
            typeof each === "number" ? localeFor(language).number(each) : String(each),
          );
      }
  });

  it.each(languages.filter((language) => language !== "en"))(
    "%s repeats hardly anything of the English words",
    (language) => {
      const same = [...leavesOf(localeFor(language))]
        .filter(([path, leaf]) => {
          const [given = []] = givenOf(path);
          const words = say(leaf, given);
          // Labels of tables are often one word, such as the French for "version".
          const isLabel = path.startsWith("page ") && !words.includes(" ");
          return !isLabel && words === say(english.get(path) ?? "", given);
        })
        .map(([path]) => path);
      // Words that are the same by chance, such as the German for "chat".
      expect(same.length, same.join(", ")).toBeLessThan(30);
    },
  );

  it.each(languages)("%s keeps commands and what is typed behind them as they are", (language) => {
    const names = allCommands.flatMap(({ spec }) => [spec.name, ...(spec.aliases ?? [])]);
    // The terminal's own way out, and what @BotFather knows.
    names.push("quit", "token", "setprivacy", "newbot");
    for (const [path, leaf] of leavesOf(localeFor(language))) {
      const [given = []] = givenOf(path);
      const mine = commandsIn(say(leaf, given));
      expect(mine, path).toEqual(commandsIn(say(english.get(path) ?? "", given)));
      for (const name of mine) expect([...names, ...given], path).toContain(name);
    }
  });

  it.each(languages)(
    "%s keeps settings, files and what is typed in a shell as they are",
    (language) => {
      const literal =
        /\b[A-Z]+(?:_[A-Z]+)+\b|(?<![\w/])[a-z]\w*(?:[./-]\w+)*\.[a-zA-Z]\w*|npm (?:start|ci|run [a-z]+(?: -- -{0,2}[a-z-]+)?)|(?:redis-cli|timedatectl|curl|ollama) [a-zI-]+/g;
      const literalsIn = (text: string) => (text.match(literal) ?? []).toSorted();
      let count = 0;
      for (const [path, leaf] of leavesOf(localeFor(language))) {
        if (!path.startsWith("findings ")) continue;
        const [given = []] = givenOf(path);
        const expected = literalsIn(say(english.get(path) ?? "", given));
        count += expected.length;
        expect(literalsIn(say(leaf, given)), path).toEqual(expected);
      }
      expect(count).toBeGreaterThan(60);
    },
  );

  it.each(languages)("%s fits where platforms show it", (language) => {
    const locale = localeFor(language);
    for (const { spec } of allCommands)
      for (const { description, descriptions } of [spec, ...(spec.arguments ?? [])]) {
        const shown = language === "en" ? description : (descriptions?.[language] ?? "");
        expect(shown.length, `${spec.name}: ${shown}`).toBeGreaterThan(0);
        expect(shown.length, `${spec.name}: ${shown}`).toBeLessThanOrEqual(100);
      }
    const { start, pairing, forget, cards, discord, platform } = locale;
    for (const label of [
      start.question,
      start.showTools,
      start.showSettings,
      pairing.allow,
      pairing.deny,
      forget.yes.chat,
      forget.yes.me,
      cards.approve,
      cards.deny,
      cards.approveAll,
      cards.denyAll,
    ])
      // Discord's buttons have at most 80 characters.
      expect(label.length).toBeLessThanOrEqual(80);
    // Discord's menus, forms and fields.
    expect(discord.askAboutThis.length).toBeLessThanOrEqual(32);
    expect(discord.yourQuestion.length).toBeLessThanOrEqual(45);
    for (const text of [discord.ask, discord.askQuestion, discord.askFile, platform.whatAboutThis])
      expect(text.length).toBeLessThanOrEqual(100);
  });
});

describe("the language of a tag", () => {
  it.each<[string | undefined, Language | undefined]>([
    ["en", "en"],
    ["en-US", "en"],
    ["de-AT", "de"],
    ["es-419", "es"],
    ["FR", "fr"],
    ["ru", "ru"],
    ["zh-hans", "zh"],
    ["zh_TW", "zh"],
    ["pt-BR", undefined],
    ["den", undefined],
    ["", undefined],
    ["__proto__", undefined],
    [undefined, undefined],
  ])("%s is %s", (tag, language) => {
    expect(languageOf(tag)).toBe(language);
    expect(localeFor(tag)).toBe(localeFor(language ?? "en"));
  });

  it("menus get a text for each language but English", () => {
    const names = inOtherLanguages(({ language }) => language.name);
    expect(Object.keys(names).toSorted()).toEqual(["de", "es", "fr", "ru", "zh"]);
    expect(names.ru).toBe("Русский");
  });
});

describe("words that people rely on", () => {
  const en = localeFor();

  it("a refusal says who may, or that it is not allowed", () => {
    for (const refusal of [
      en.ingress.notAllowed,
      en.ingress.notAllowedInGroup,
      en.ingress.membersOnly("settings"),
      en.decisions.notAllowed("Ann"),
      en.people.adminsOnly,
      en.people.ownersOnly,
      en.limits.adminsOnly,
      en.ingress.adminsOnly("allow"),
      en.ingress.ownersOnly("broadcast"),
      en.pairing.yourCode("ABCDEFGH"),
      en.pairing.adminsDecide,
      en.choices.tier.notForChat,
      en.choices.model.notAnonymously,
      en.choices.notHere,
      en.settings.adminsOnly("deadline"),
      en.settings.adminsInGroups("tools"),
      en.export.adminsOnly,
      en.forget.notAnonymously,
      en.forget.inPrivateOnly,
      en.forget.adminsOnly,
      en.language.notAnonymously,
    ])
      expect(refusal).toMatch(/\bonly\b|not allowed|private/i);
  });

  it("a limit says so", () => {
    for (const limit of [
      en.end.modelCalls(20),
      en.end.toolExecutions(80),
      en.end.tokens(1),
      en.end.cost(1),
      en.end.deadline(900),
      en.control.full,
      en.auto.goalTooLong(3_000, 2_000),
      en.auto.atLimit(10),
    ])
      expect(limit).toMatch(/\blimit\b/);
  });

  it("what is too late says expired, and what is decided says already", () => {
    expect(en.pairing.unknownCode).toMatch(/expired.*already decided/);
    expect(en.forget.expired("me")).toMatch(/expired/);
    expect(en.pairing.isAdmin("Ann")).toMatch(/already/);
  });

  it("a failure is sorry, and says the id", () => {
    for (const failed of [
      ...Object.values(en.modelFailed),
      en.end.poisoned,
      en.ingress.notKept,
      en.ingress.notDone,
    ])
      expect(failed("k7m2qx")).toMatch(/^Sorry, .* \(error k7m2qx\)$/);
  });
});

it("German begins a sentence with what has no name, which is written as such a beginning", () => {
  const { nameless, noImage, noText, blind, reading, tooLarge, empty } = localeFor("de").files;
  const about = [noImage, noText, blind.picture, blind.file, reading, tooLarge, empty];
  for (const name of Object.values(nameless))
    for (const say of about) expect(say(name, "30", "20")).toMatch(new RegExp(`^${name} `));
});

it("every end of a turn has a sentence, but those that others say", () => {
  const silent = endReasons.filter(
    (reason) => endSentence(reason, defaultPolicy, localeFor("de")) === "",
  );
  expect(silent.toSorted()).toEqual([
    "answered",
    "cancelled",
    "compacted",
    "model-failed",
    "poisoned",
    "superseded",
  ]);
});
