import type { SkillVersion } from "../core/skill.ts";
import { linesOf } from "../text/line-diff.ts";
import { allLookalikes } from "../text/lookalikes.ts";
import { hiddenIn } from "../text/visible-text.ts";

/** Where a skill holds what people don't see, or take for something else. */
export interface OddPlace {
  /** `SKILL.md:7`, a file's name, or a field of the front matter. */
  readonly where: string;
  /** Words with look-alike letters. */
  readonly words: readonly string[];
  /** Codes of hidden characters. */
  readonly hidden: readonly string[];
}

/** What is no hidden character in a line of text. */
export const keptInLines = "\t";

/** Most lines of most skills: nothing in them is hidden or looks like something else. */
const plain = /^[\t\x20-\x7e]*$/;

/** All such places, in the order of the files. Pure. */
export function oddPlaces({ description, allowedTools = "", files }: SkillVersion) {
  const front = (files[0]?.text ?? "").replaceAll(/\s+/g, " ");
  // YAML may write with escapes what the model reads of it.
  const fields = [
    ["description", description],
    ["allowed-tools", allowedTools],
  ].filter(([, text = ""]) => !front.includes(text));
  const lines = files.flatMap(({ path, text }) => [
    [path, path],
    ...linesOf(text).map((line, index) => [`${path}:${index + 1}`, line]),
  ]);
  return [...fields, ...lines].flatMap(([where = "", text = ""]): readonly OddPlace[] => {
    if (plain.test(text)) return [];
    const words = [...allLookalikes(text)];
    const hidden = hiddenIn(text, keptInLines);
    return words.length + hidden.length === 0 ? [] : [{ where, words, hidden }];
  });
}
