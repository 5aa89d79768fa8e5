import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const source = fileURLToPath(new URL("../../src", import.meta.url));
/** What these modules say is read by people in chats. */
const spoken = "access approvals commands delivery ingress jobs limits".split(" ");
/** For the model that drafts a persona. */
const forModels = "commands/persona/draft-persona.ts";

/** What looks like an English sentence in a line of code: a capital, and at least three more words. */
const sentence = /["'`][A-Z][a-z']*(?: [a-z'’]+){3}/;
const logged = /\blog\.\w+\(|new \w*Error\(/;

function sentencesIn(code: string): readonly string[] {
  return code
    .replaceAll(/\/\*[^]*?\*\//g, "")
    .split("\n")
    .filter((line, index, lines) => {
      const around = lines.slice(Math.max(0, index - 3), index + 1).join("\n");
      return sentence.test(line) && !/^\s*\/\//.test(line) && !logged.test(around);
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

it("a sentence would be found", () => {
  expect(sentencesIn('return answer("That is not allowed.");')).toHaveLength(1);
});
