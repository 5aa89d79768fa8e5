import { shortApprovalId } from "../core/approval.ts";
import type { SkillVersion } from "../core/skill.ts";
import { lineDiff, nearChanges, type DiffLine } from "../text/line-diff.ts";
import { shortList, spelledOut } from "../text/lookalikes.ts";
import { visible } from "../text/visible-text.ts";
import type { Locale } from "../locales/locale.ts";
import { keptInLines, oddPlaces, type OddPlace } from "./skill-oddities.ts";
import { commandIn } from "../locales/locale-for.ts";

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
const shown = (text: string): string => visible(text, keptInLines);

/**
 * What an admin reads before deciding about a skill: all that is new in it, hidden characters as
 * codes, and what should make them careful. Every line of the skill has a sign in front, so that
 * none can pass for the card's own. Pure.
 */
export function skillCard(review: SkillReview, locale: Locale) {
  const { name, version } = review.now;
  const { skills: say } = locale;
  const { lines, isCut: isLong } = shownLines(review);
  const oddities = shownOddities(review.now);
  const isCut = isLong || oddities.isCut;
  const code = shortApprovalId(version);
  const [approve = "", deny = ""] = ["approve", "deny"].map((action) =>
    commandIn(locale, `/skills ${action} {skill:${name} ${code}}`),
  );
  const text = [
    ...headLines(review, locale, oddities),
    "",
    ...lines.map((line) =>
      line.what === undefined ? line.text : `${say.files[line.what]}: ${line.text}`,
    ),
    "",
    ...(isCut
      ? [say.cut(commandIn(locale, `/skills show {skill:${name}}`)), say.toDeny(deny)]
      : [say.toDecide(approve, deny)]),
  ].join("\n");
  return { text, isCut };
}

/** What approves a version whose card shows all of it, and one that was read as a file. Pure. */
export const approvalCodes = (version: string) => ({
  ofCard: shortApprovalId(version),
  ofFile: shortApprovalId(`${version} was read`),
});

/**
 * What approves this version: no one gets it before all of it was shown to them. That is with the
 * card, unless it is cut; then with the file. Pure.
 */
export function approvalCode(review: Pick<SkillReview, "now" | "before">): string {
  const { ofCard, ofFile } = approvalCodes(review.now.version);
  // The scan for oddities blocks the process longest: large skills are cut without it.
  return shownLines(review).isCut || shownOddities(review.now).isCut ? ofFile : ofCard;
}

/**
 * All of a review, for a file: what should make admins careful and where it is, and all lines of all
 * files, also those that stay. Pure.
 */
export function skillFile(review: SkillReview, locale: Locale): readonly string[] {
  const places = oddPlaces(review.now);
  const whole = { places, words: wordsOf(places), tools: review.now.allowedTools };
  return [
    ...headLines(review, locale, whole).map((line) => `${line}\n`),
    ...places.map(
      ({ where, words, hidden }) =>
        `• ${where}: ${[...words.map(spelledOut), ...hidden].join(" ")}\n`,
    ),
    "\n",
    ...changedFiles(review, true).flatMap(({ path, what, lines }) => [
      `===== ${locale.skills.files[what]}: ${path}\n`,
      ...lines.map(({ sign, text }) => `${sign} ${shown(text)}\n`),
    ]),
  ];
}

interface Oddities {
  readonly places: readonly OddPlace[];
  /** Words with look-alike letters. */
  readonly words: readonly string[];
  /** As the front matter asks for them. */
  readonly tools: string | undefined;
}

/** What comes before the files' texts. */
function headLines(
  { now, before, tools: deployed }: SkillReview,
  { skills: say, cards }: Locale,
  { places, words, tools }: Oddities,
): readonly string[] {
  const { name, description, leftOut, files } = now;
  const mentioned = deployed.filter((tool) => files.some(({ text }) => mentions(text, tool)));
  const hidden = places.reduce((sum, place) => sum + place.hidden.length, 0);
  return [
    before === undefined ? say.isNew(name) : say.hasChanged(name),
    `"${shown(description)}"`,
    ...(tools === undefined ? [] : [say.wants(shown(tools))]),
    ...(mentioned.length === 0 ? [] : [say.mentions(mentioned.join(", "))]),
    ...(hidden === 0 ? [] : [say.hidden(hidden)]),
    ...(words.length === 0 ? [] : [cards.lookalikes(words.map(spelledOut).join(", "))]),
    ...(leftOut === 0 ? [] : [say.leftOut(leftOut)]),
  ];
}

const wordsOf = (places: readonly OddPlace[]): readonly string[] => [
  ...new Set(places.flatMap(({ words }) => words)),
];

/** What a card says of them, the same in each language, and whether it leaves anything out. */
function shownOddities(now: SkillVersion): Oddities & { readonly isCut: boolean } {
  const places = oddPlaces(now);
  const all = wordsOf(places);
  const words = shortList(all);
  const { allowedTools } = now;
  const tools = allowedTools === undefined ? undefined : cut(allowedTools);
  const isCut = tools !== allowedTools || words.join(" ") !== all.join(" ");
  return { places, words, tools, isCut };
}

const cut = (line: string): string =>
  line.length > maxLine ? `${line.slice(0, maxLine).toWellFormed()}…` : line;

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

function* allLines(review: Pick<SkillReview, "now" | "before">): Generator<CardLine> {
  for (const { path, what, lines } of changedFiles(review)) {
    yield { what, text: path };
    if (what !== "removed")
      for (const text of nearChanges(lines, around)) yield { text: shown(text) };
  }
}

/** What a card shows of the files, the same in each language. */
function shownLines(review: Pick<SkillReview, "now" | "before">): {
  readonly lines: readonly CardLine[];
  readonly isCut: boolean;
} {
  const lines: CardLine[] = [];
  let length = 0;
  let isCut = false;
  for (const line of allLines(review)) {
    const text = cut(line.text);
    isCut ||= text !== line.text;
    length += text.length + 1;
    if (length > maxShown) return { lines, isCut: true };
    lines.push({ ...line, text });
  }
  return { lines, isCut };
}
