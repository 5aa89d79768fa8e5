import { shortApprovalId } from "../core/approval.ts";
import type { SkillVersion } from "../core/skill.ts";
import { lineDiff, nearChanges, type DiffLine } from "../text/line-diff.ts";
import { lookalikes, spelledOut } from "../text/lookalikes.ts";
import { visible } from "../text/visible-text.ts";
import type { Locale } from "../locales/locale.ts";

/** A version that waits, with the one that an admin has approved before, if its text is known. */
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
  // YAML may write what the model reads of the front matter with escapes.
  const read = [description, allowedTools ?? "", ...texts];
  const words = [...new Set(read.flatMap((text) => lookalikes(text)))].slice(0, 5);
  const hidden = texts.reduce((sum, text) => sum + codesIn(shown(text)) - codesIn(text), 0);
  const mentioned = tools.filter((tool) => texts.some((text) => mentions(text, tool)));
  const { lines, isCut } = shownLines(review);
  const code = shortApprovalId(version);
  const [approve, deny] = [`/skills approve ${name} ${code}`, `/skills deny ${name} ${code}`];
  return [
    before === undefined ? say.isNew(name) : say.hasChanged(name),
    `"${shown(description)}"`,
    ...(allowedTools === undefined ? [] : [say.wants(shown(allowedTools))]),
    ...(mentioned.length === 0 ? [] : [say.mentions(mentioned.join(", "))]),
    ...(hidden === 0 ? [] : [say.hidden(hidden)]),
    ...(words.length === 0 ? [] : [cards.lookalikes(words.map(spelledOut).join(", "))]),
    ...(leftOut === 0 ? [] : [say.leftOut(leftOut)]),
    "",
    ...lines.map(({ what, text }) => (what === undefined ? text : `${say.files[what]}: ${text}`)),
    "",
    ...(isCut
      ? [say.cut(`/skills show ${name}`), say.toDeny(deny)]
      : [say.toDecide(approve, deny)]),
  ].join("\n");
}

/**
 * What approves this version: no one gets it before all of the text was shown to them. That is with
 * the card, unless it is cut; then with the file. Pure.
 */
export const approvalCode = (review: Pick<SkillReview, "now" | "before">): string =>
  shortApprovalId(shownLines(review).isCut ? `${review.now.version} was read` : review.now.version);

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

function changedFiles(
  { now, before }: Pick<SkillReview, "now" | "before">,
  withSame = false,
): readonly ChangedFile[] {
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

interface CardLine {
  /** Set at the head of a file. */
  readonly what?: ChangedFile["what"];
  readonly text: string;
}

/** What a card shows of the files, the same in each language. */
function shownLines(review: Pick<SkillReview, "now" | "before">): {
  readonly lines: readonly CardLine[];
  readonly isCut: boolean;
} {
  const all = changedFiles(review).flatMap(({ path, what, lines }): readonly CardLine[] => [
    { what, text: path },
    ...(what === "removed"
      ? []
      : nearChanges(lines, around).map((text) => ({ text: shown(text) }))),
  ]);
  const lines: CardLine[] = [];
  let length = 0;
  let isCut = false;
  for (const line of all) {
    const isLong = line.text.length > maxLine;
    const text = isLong ? `${line.text.slice(0, maxLine).toWellFormed()}…` : line.text;
    isCut ||= isLong;
    length += text.length + 1;
    if (length > maxShown) return { lines, isCut: true };
    lines.push({ ...line, text });
  }
  return { lines, isCut };
}
