import { knownNames, type NameOf } from "../access/known-names.ts";
import { auditActions } from "../core/audit.ts";
import type { Locale } from "../locales/locale.ts";
import type { AuditRecord } from "../store/operations/audit.ts";
import type { PeopleStore } from "../store/people/people.ts";
import { visible } from "../text/visible-text.ts";
import { minute } from "./moment.ts";

/** The names of the people, groups and private chats in these lines. */
export async function namesIn(
  records: readonly AuditRecord[],
  people: Pick<PeopleStore, "knownPeople" | "directChats">,
): Promise<NameOf> {
  const ids = records.flatMap(({ target = "", details = {}, chat }) => [
    target,
    ...Object.values(details),
    ...(chat === undefined ? [] : [chat]),
  ]);
  const actors = records.flatMap(({ by }) => (by?.name ? [[by.id, by.name] as const] : []));
  return await knownNames(people, { ids, people: new Map(actors) });
}

/** What a line says, each part in one line: no name can add lines, or move or hide what is next to it. */
export interface AuditParts {
  readonly at: string;
  readonly who: string;
  readonly what: string;
  /** Facts; empty: none. */
  readonly details: string;
  /** The chat's name; undefined: it was in none. */
  readonly chat: string | undefined;
}

/** Facts that say nothing to people: ids, digests, and what the rest of the line says. */
const internals = new Set("approval approvers policy effect grant what by".split(" "));
/** Facts whose values are words of the log; others hold what people or tools wrote. */
const wordFacts = new Set(["before", "role", "scope", "from", "now"]);

const wordOr = (words: Readonly<Record<string, string>>, word: string): string =>
  (Object.hasOwn(words, word) ? words[word] : undefined) ?? word;

/** A word of the log as the reader says it; one of a newer version stays as it is. */
const wordIn = ({ audit, whoami }: Locale, word: string): string =>
  wordOr({ ...audit.outcomes, ...whoami.roles }, word);

/** What a tool's line says that has no word here is how it failed. */
function outcomeIn(locale: Locale, action: string, outcome: string): string {
  const { outcomes } = locale.audit;
  const isUnknown = action === "tool-executed" && !Object.hasOwn(outcomes, outcome);
  return isUnknown ? `${outcomes.failed} (${outcome})` : wordIn(locale, outcome);
}

function valueIn(locale: Locale, name: string, value: string): string {
  if (wordFacts.has(name)) return wordIn(locale, value);
  const atMs = name === "until" ? Date.parse(value) : NaN;
  return Number.isNaN(atMs) ? value : minute(atMs);
}

/** Pure. */
export function auditParts(record: AuditRecord, nameOf: NameOf, locale: Locale): AuditParts {
  const { audit } = locale;
  const { atMs, action, by, target, outcome, details } = record;
  const named = (id: string, name = nameOf(id)): string =>
    name === undefined ? id : `${name} (${id})`;
  const facts = Object.entries(details ?? {}).flatMap(([name, value]) =>
    internals.has(name)
      ? []
      : [`${wordOr(audit.facts, name)}: ${named(valueIn(locale, name, value))}`],
  );
  const what = [
    actionIn(audit, action),
    ...(target === undefined ? [] : [named(target, record.targetName)]),
    ...(outcome === undefined ? [] : [`→ ${outcomeIn(locale, action, outcome)}`]),
  ];
  return {
    at: minute(atMs),
    who: oneLine(by === undefined ? audit.itself : named(by.id, by.name)),
    what: oneLine(what.join(" ")),
    details: oneLine(facts.join(", ")),
    chat: record.chat && oneLine(nameOf(record.chat) ?? record.chat),
  };
}

export const auditLine = ({ at, who, what, details, chat }: AuditParts): string =>
  [
    `${at} ${who}:`,
    what,
    ...(details === "" ? [] : [`(${details})`]),
    ...(chat === undefined ? [] : [`[${chat}]`]),
  ].join(" ");

const oneLine = (text: string): string => visible(text.replace(/\s+/g, " "));

/** An action of a newer version has no sentence here, but a name. */
export function actionIn({ actions }: Locale["audit"], action: string): string {
  const known = auditActions.find((each) => each === action);
  return known === undefined ? action.replaceAll("-", " ") : actions[known];
}
