import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { allCommands } from "../../src/commands/all-commands.ts";
import { platforms, type Platform } from "../../src/core/chat.ts";
import {
  commandIn,
  commandOn,
  languages,
  localeFor,
  plainLocaleFor,
} from "../../src/locales/locale-for.ts";
import { discordForms, markedCommand } from "../../src/text/command-names.ts";
import { plain } from "../../src/bots/discord/format/plain.ts";
import { render } from "../../src/bots/discord/format/render.ts";
import { withMentions } from "../../src/bots/discord/format/commands.ts";
import { at, read } from "../support/shown-by.ts";
import { givenOf, leavesOf, say } from "./leaves.ts";

/** Of @BotFather; and what a person has typed. */
const others = new Set(["token", "setprivacy", "newbot"]);
/** Sentences that Discord never shows. */
const notThere = /^console |^people whom$/;
const typedNames = new Set(
  allCommands.flatMap(({ spec }) => [spec.name, ...(spec.aliases ?? []), "quit"]),
);
const optionsByPath = new Map(
  [...discordForms.values()].map(({ path, options }) => [path, options.map(({ name }) => name)]),
);
const namedIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\w/<:.…@-])\/([a-z]+)(?![\w/-])/g)].map(([, name = ""]) => name);

/** What is wrong with the names in a text, if anything. */
function wrongNames(text: string, platform: Platform, given: readonly unknown[]): string[] {
  const rest = text.replaceAll(markedCommand, "");
  const commands = [...text.matchAll(markedCommand)];
  const isKnown = (name: string): boolean =>
    others.has(name) || given.includes(name) || (platform !== "discord" && typedNames.has(name));
  const wrongOptions = commands.flatMap(({ 0: marked, 1: path = "", index }) => {
    const [said = ""] =
      /^(?: [a-z]\w*:\S+(?: \d\S*)*)*/.exec(text.slice(index + marked.length)) ?? [];
    const options = optionsByPath.get(path);
    if (options === undefined || platform !== "discord") return [path];
    return [...said.matchAll(/ ([a-z]\w*):/g)]
      .map(([, name = ""]) => name)
      .filter((name) => !options.includes(name));
  });
  return [
    ...namedIn(rest).filter((name) => !isKnown(name)),
    ...wrongOptions,
    ...(/[\u2063\uFDD0\uFDD1]|<\/|\{\w+:/.exec(rest) ?? []),
  ];
}

describe.each(languages)("what is said in %s", (language) => {
  it.each(platforms)("names commands as %s has them", (platform) => {
    const said = [...leavesOf(localeFor(language, platform))]
      // Said on other platforms alone.
      .filter(([path]) => platform !== "discord" || !notThere.test(path))
      .flatMap(([path, leaf]) =>
        givenOf(path).map((given) => ({ path, given, text: say(leaf, given) })),
      );
    const wrong = said.flatMap(({ path, given, text }) =>
      wrongNames(text, platform, given).map((name) => `${path}: ${name} in ${text}`),
    );
    expect(wrong).toEqual([]);
    const marked = said.filter(({ text }) => text.search(markedCommand) >= 0);
    if (platform === "discord") expect(marked.length).toBeGreaterThan(80);
    else expect(marked).toEqual([]);
  });

  it("fits Discord's messages and is escaped there", () => {
    const wrong: string[] = [];
    for (const [path, leaf] of leavesOf(localeFor(language, "discord")))
      for (const given of givenOf(path)) {
        const text = say(leaf, given);
        for (const chunks of [plain(text), render(text), render("x", text)])
          for (const chunk of chunks) {
            const sent = withMentions(chunk.text, () => "1234567890123456789");
            if (chunk.text.length > 2_000 || /\u2063|0{20}|\\<\//.test(sent))
              wrong.push(`${path}: ${sent}`);
          }
      }
    expect(wrong).toEqual([]);
  });
});

describe("a sentence that quotes someone", () => {
  const typed = "/allow here, /persona {name:x} and \u2063/stats\u2063";

  it.each(platforms)("doesn't change their words on %s", (platform) => {
    expect(localeFor("en", platform).limits.badAction(typed)).toContain(`understand ${typed}. `);
  });
});

it("a locale is made once for each platform", () => {
  expect(localeFor("de-AT", "discord:1")).toBe(localeFor("de", "discord"));
  expect(localeFor("de", "discord")).not.toBe(localeFor("de", "telegram"));
  expect(plainLocaleFor("en", "discord:1").ingress.notAllowedInGroup).toContain(
    "/admin allow place:here",
  );
  expect(localeFor("en", "telegram:1").ingress.notAllowedInGroup).toContain("with /allow here.");
});

it("a command is named for the place where it is given", () => {
  expect(commandOn("discord:1:2", "/allow here")).toBe("/admin allow place:here");
  expect(commandOn("telegram:1:2", "/allow here")).toBe("/allow here");
  expect(commandIn(localeFor("fr", "discord"), "/stats")).toBe("\u2063/admin stats\u2063");
});

it("the code that writes to chats chooses each locale with its reader", () => {
  const modules = /^src\/(?:access|approvals|bots|delivery|ingress|jobs|loop)\//;
  const calls = readdirSync(at("src"), { recursive: true, encoding: "utf8" })
    .map((path) => `src/${path}`)
    .filter((path) => modules.test(path) && path.endsWith(".ts"))
    .flatMap(
      (path) => read(path).match(/(?<!plainL)\blocaleFor\([^()]*(?:\([^()]*\)[^()]*)*\)/g) ?? [],
    );
  expect(calls.length).toBeGreaterThan(30);
  // Without a language it is English for the log or the model.
  expect(calls.filter((call) => call !== "localeFor()" && !call.includes(","))).toEqual([]);
});
