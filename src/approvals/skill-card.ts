import { shortApprovalId } from "../core/approval.ts";
import type { SkillVersion } from "../core/skill.ts";
import { lineDiff, nearChanges, type DiffLine } from "../text/line-diff.ts";
import { lookalikes, spelledOut } from "../text/lookalikes.ts";
import { visible } from "../text/visible-text.ts";
import type { Locale } from "../locales/locale.ts";

/** A version that waits, with the one that was approved before, if its text is known. */
export interface SkillReview {
  readonly now: SkillVersion;
  readonly before: SkillVersion | undefined;
  /** Names of the tools that the deployment has. */
  readonly tools: readonly string[];
}

/** UTF-16 units of all that a card shows of the files, and of one line. */
const maxShown = 2_400;
const maxLine = 300;
/** Lines that stay are shown around those that don't. */
const around = 2;

/** Unseen characters as their codes, so that nothing is approved that wasn't shown. */
const shown = (text: string): string => visible(text, "\t\n\r");
const codesIn = (text: string): number => text.split("\\u").length;

/**
 * What an admin reads before deciding about a skill: all that is new in it, hidden characters as
 * codes, and what should make them careful. Every line of the skill has a sign in front, so that
 * none can pass for the card's own. Pure.
 */
export function skillCard(review: SkillReview, { skills: say, cards }: Locale): string {
  const { now, before, tools } = review;
  const { name, description, allowedTools, leftOut, version } = now;
  const texts = now.files.map(({ text }) => text);
  const words = [...new Set(texts.flatMap((text) => lookalikes(text)))].slice(0, 5);
  const hidden = texts.reduce((sum, text) => sum + codesIn(shown(text)) - codesIn(text), 0);
  const mentioned = tools.filter((tool) => texts.some((text) => mentions(text, tool)));
  const changes = changedFiles(review);
  const lines = changes.flatMap(({ path, what, lines: own }) => [
    `${say.files[what]}: ${path}`,
    ...(what === "removed" ? [] : nearChanges(own, around).map(shown)),
  ]);
  const { text, isCut } = cut(lines);
  const code = shortApprovalId(version);
  return [
    before === undefined ? say.isNew(name) : say.hasChanged(name),
    `"${shown(description)}"`,
    ...(allowedTools === undefined ? [] : [say.wants(shown(allowedTools))]),
    ...(mentioned.length === 0 ? [] : [say.mentions(mentioned.join(", "))]),
    ...(hidden === 0 ? [] : [say.hidden(hidden)]),
    ...(words.length === 0 ? [] : [cards.lookalikes(words.map(spelledOut).join(", "))]),
    ...(leftOut === 0 ? [] : [say.leftOut(leftOut)]),
    "",
    ...text,
    "",
    ...(isCut ? [say.cut(`/skills show ${name}`)] : []),
    say.toDecide(`/skills approve ${name} ${code}`, `/skills deny ${name} ${code}`),
  ].join("\n");
}

/** The whole text of a review, for a file: all lines of all files, also those that stay. Pure. */
export function skillFile(review: SkillReview, { skills: say }: Locale): readonly string[] {
  return changedFiles(review, true).flatMap(({ path, what, lines }) => [
    `===== ${say.files[what]}: ${path}\n`,
    ...lines.map(({ sign, text }) => `${sign} ${shown(text)}\n`),
  ]);
}

const mentions = (text: string, tool: string): boolean =>
  new RegExp(`(?<!\\w)${tool.replaceAll(".", "\\.")}(?!\\w)`).test(text);

interface ChangedFile {
  readonly path: string;
  readonly what: "added" | "changed" | "removed" | "same";
  readonly lines: readonly DiffLine[];
}

function changedFiles({ now, before }: SkillReview, withSame = false): readonly ChangedFile[] {
  const old = new Map(before?.files.map(({ path, text }) => [path, text]));
  const files = now.files.map(({ path, text }): ChangedFile => {
    const earlier = old.get(path);
    const what = earlier === undefined ? "added" : earlier === text ? "same" : "changed";
    return { path, what, lines: lineDiff(earlier ?? "", text) };
  });
  const kept = new Set(now.files.map(({ path }) => path));
  const removed = [...old]
    .filter(([path]) => !kept.has(path))
    .map(([path, text]): ChangedFile => ({ path, what: "removed", lines: lineDiff(text, "") }));
  return [...files, ...removed].filter(({ what }) => withSame || what !== "same");
}

function cut(lines: readonly string[]): {
  readonly text: readonly string[];
  readonly isCut: boolean;
} {
  const text: string[] = [];
  let length = 0;
  let isCut = false;
  for (const line of lines) {
    const short = line.length > maxLine ? `${line.slice(0, maxLine).toWellFormed()}…` : line;
    isCut ||= short !== line;
    length += short.length + 1;
    if (length > maxShown) return { text, isCut: true };
    text.push(short);
  }
  return { text, isCut };
}
