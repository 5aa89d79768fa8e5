import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const source = fileURLToPath(new URL("../../src", import.meta.url));
/** What these modules say is read by people in chats. */
const spoken = "access approvals commands delivery ingress jobs limits".split(" ");
/** For the model that drafts a persona. */
const forModels = "commands/persona/draft-persona.ts";

/** What looks like the beginning of an English sentence: a capital, and at least three more words. */
const beginning = /["'`][A-Z][a-z']*(?: [a-z'’]+){3}/;
/** A string or a template that ends like a sentence. */
const ended = /(["'`])((?:(?!\1)[^\\]|\\.)*[.?!])\1/g;
const logged = /\blog\.\w+\(|new \w*Error\(/;

/** Whether a line of code has the beginning of a sentence, or one of at least two words. */
const hasSentence = (line: string): boolean =>
  beginning.test(line) ||
  [...line.matchAll(ended)].some(([, , text = ""]) => {
    const said = text.replaceAll(/\$\{[^}]*\}/g, "");
    return said.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length >= 2;
  });

function sentencesIn(code: string): readonly string[] {
  return code
    .replaceAll(/\/\*[^]*?\*\//g, "")
    .split("\n")
    .filter((line, index, lines) => {
      const around = lines.slice(Math.max(0, index - 3), index + 1).join("\n");
      return hasSentence(line) && !/^\s*\/\//.test(line) && !logged.test(around);
    });
}

it.each(spoken)("src/%s takes its sentences from src/locales", (module) => {
  const files = readdirSync(join(source, module), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${module}/${name}`)
    .filter((name) => name !== forModels);
  expect(files.length).toBeGreaterThan(3);
  const found = files.flatMap((name) =>
    sentencesIn(readFileSync(join(source, name), "utf8")).map((line) => `${name}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

it.each([
  'return answer("That is not allowed.");',
  "return answer(`${name} can't do that.`);",
  'return answer("No such schedule.");',
  'return answer("Done. Nothing changed.");',
  "return answer(`Too many files: send fewer.`);",
  'text: "Really delete it?",',
])("a sentence would be found: %s", (line) => {
  expect(sentencesIn(line)).toEqual([line]);
});

it.each([
  "return `${usage}: ${description}.`;",
  'import { x } from "../core/chat.ts";',
  'kind: "a",',
])("what is none isn't: %s", (line) => {
  expect(sentencesIn(line)).toEqual([]);
});
