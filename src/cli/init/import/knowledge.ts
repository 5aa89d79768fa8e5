import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { maxFactLength, maxFacts } from "../../../core/facts.ts";
import { importedFileName, type ImportedKnowledge } from "../../../core/imported.ts";
import { maxSchedules } from "../../../core/schedule.ts";
import type { FileToWrite } from "../write-files.ts";

/** Where a block of a text ends: empty and ruled lines, Hermes' `§`, and before each list item. */
const blockEnd =
  /\n[ \t]*(?:§|[-*_]{3,})?[ \t]*(?=\n|$)|\n(?=[ \t]*(?:[-*+]|\d+[.)])[ \t])|\n(?=#)/;

/**
 * What a bot's notes say, a sentence or list item each, with the heading that they are under.
 * Leaves out the title and empty fields. Pure.
 */
export function factsIn(text: string): readonly string[] {
  const facts: string[] = [];
  let heading = "";
  for (const block of text.replaceAll(/<!--[^]*?-->/g, "").split(blockEnd)) {
    const [, level = "", title = "", rest = block] =
      /^(#{1,6})[ \t]+([^\n]*)\n?([^]*)$/.exec(block.trim()) ?? [];
    if (level !== "") heading = level === "#" ? "" : plain(title);
    const fact = plain(rest);
    if (fact === "" || fact.endsWith(":") || /^[_*]*\(.*\)[_*]*$/.test(fact) || /^§$/.test(fact))
      continue;
    facts.push(heading === "" ? fact : `${heading}: ${fact}`);
  }
  return [...new Set(facts)];
}

const plain = (markdown: string): string =>
  markdown
    .trim()
    .replace(/^(?:[-*+]|\d+[.)])[ \t]+/, "")
    .replaceAll("**", "")
    .replaceAll(/\s+/g, " ")
    .trim();

interface Found {
  readonly facts: readonly string[];
  readonly schedules: readonly ImportedKnowledge["schedules"][number][];
}

/** What was found, and how much of it has room. Pure. */
export function withRoom(
  { facts, schedules }: Found,
  leave: (what: string, why: string) => void,
): ImportedKnowledge {
  const short = facts.filter((fact) => fact.length <= maxFactLength);
  for (const fact of facts.filter((each) => !short.includes(each)))
    leave(`the fact “${fact.slice(0, 40)}…”`, `a fact has at most ${maxFactLength} characters`);
  const [moreFacts, moreSchedules] = [short.length - maxFacts, schedules.length - maxSchedules];
  if (moreFacts > 0) leave(`${moreFacts} facts`, `a person has at most ${maxFacts}`);
  if (moreSchedules > 0)
    leave(`${moreSchedules} scheduled jobs`, `a person has at most ${maxSchedules} in a chat`);
  return {
    v: 1,
    facts: short.slice(0, maxFacts),
    schedules: schedules.slice(0, maxSchedules),
  };
}

/** The file that `/import` reads. Undefined: there is nothing for it. */
export function placeKnowledge(
  knowledge: ImportedKnowledge,
  { dataFolder, settingsFile }: { readonly dataFolder: string; readonly settingsFile: string },
): { readonly file: FileToWrite; readonly said: string } | undefined {
  const { facts, schedules } = knowledge;
  if (facts.length + schedules.length === 0) return undefined;
  const path = join(dataFolder, importedFileName);
  const after = `${JSON.stringify(knowledge, undefined, 2)}\n`;
  const before = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  const shown = relative(dirname(settingsFile), path);
  return {
    file: { path, before, after },
    said: `facts (${facts.length}) and scheduled jobs (${schedules.length}) → ${shown}. Send the bot /import: it shows them and asks before it keeps any.`,
  };
}
