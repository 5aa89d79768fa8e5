import type { LogEntry } from "../../core/history.ts";
import { asEdited } from "../../core/open-messages.ts";
import { activateTool, skillOf } from "../../core/skill.ts";
import type { CountTokens } from "../../models/tokens.ts";
import { keptTools } from "../view/found-tools.ts";
import { isKeptTools } from "../../tools/find-tools.ts";
import { keptSkillOf } from "../view/kept-skill.ts";
import { cutText } from "../view/cut-text.ts";
import { keptText } from "../view/platform-words.ts";
import type { ReducibleTool } from "../view/reduce-results.ts";
import { spokenWords } from "../view/spoken-words.ts";
import { isShown, type Part } from "./layout.ts";
import { oneLine } from "./lines.ts";
import { firstTokens } from "./shorten.ts";

/** What of the compacted part is shown word for word. */

/** Of what the open turn is about, all its messages together. */
const openMessageTokens = 2_000;
/** Characters of a kept result that found no room any more. */
const cutLength = 200;
/** Characters of a call's arguments. */
const argumentsLength = 200;

/** Holds in later turns too, until the next compaction. */
const messageHead = "The message that the following is about, written by ";

/**
 * The names of found tools; active skills, whole as long as they have room; results of the class `keep`, newest last, those
 * of earlier compactions included; then the open turn's own messages, when the cut comes after
 * them. Other results than skills that do not fit into the room are cut, the longest first. Pure.
 */
export function keptOf(given: {
  readonly part: Part;
  readonly cut: number;
  readonly turn: number;
  readonly openFrom: number;
  readonly tool: ReducibleTool;
  readonly roomTokens: number;
  readonly skillTokens: number;
  readonly count: CountTokens;
}): string[] {
  const { part, cut, turn, openFrom, count } = given;
  const before = part.last?.kept ?? [];
  const sameTurn = part.last?.turn === turn;
  const messages = [
    ...(sameTurn ? before.filter(isMessage) : []),
    ...openMessages(part, { from: Math.max(openFrom, part.start), cut, count }),
  ];
  const results = [
    ...before.filter((text) => !isMessage(text) && !isKeptTools(text)),
    ...keptResults(part, cut, given.tool),
  ];
  const skills = results.filter((text) => keptSkillOf(text) !== undefined);
  const others = results.filter((text) => keptSkillOf(text) === undefined);
  const summarised = part.entries.filter(
    (_, index) => index >= part.start && index < cut && isShown(part, index),
  );
  return [
    ...keptTools(before, summarised),
    ...fittingSkills(skills, given.skillTokens, count),
    ...fitting([...new Set(others)], given.roomTokens, count),
    ...messages,
  ];
}

const isMessage = (text: string): boolean => text.startsWith(messageHead);

function openMessages(
  part: Part,
  where: {
    readonly from: number;
    readonly cut: number;
    readonly count: CountTokens;
  },
): string[] {
  const messages: (LogEntry & { kind: "message" })[] = [];
  const readings = new Map(
    part.entries.flatMap((entry) =>
      entry.kind === "reading" ? [[entry.blob, entry] as const] : [],
    ),
  );
  for (let index = where.from; index < where.cut; index += 1) {
    const entry = part.entries[index];
    if (entry?.kind === "message" && isShown(part, index)) messages.push(entry);
  }
  const wordsOf = (message: (typeof messages)[number]): string => {
    const lost = new Set(message.attachments?.map(({ blob }) => blob));
    return spokenWords(asEdited(part.entries, message), { readings, lost });
  };
  const each = Math.floor(openMessageTokens / Math.max(1, messages.length));
  return messages.map(
    (message) =>
      `${messageHead}${oneLine(message.person.name)}:\n${firstTokens(wordsOf(message), each, where.count)}`,
  );
}

function keptResults(part: Part, cut: number, tool: ReducibleTool): string[] {
  const results: string[] = [];
  for (let index = part.start; index < cut; index += 1) {
    const entry = part.entries[index];
    if (entry?.kind !== "tool" || !isShown(part, index)) continue;
    if (entry.failure !== undefined || tool(entry.name)?.history !== "keep") continue;
    // That one is active already isn't worth keeping.
    if (entry.name === activateTool && skillOf(entry.text) === undefined) continue;
    const given = oneLine(cutText(argumentsFor(part, index), argumentsLength));
    results.push(`Result of ${oneLine(entry.name)} ${given}:\n${entry.text}`);
  }
  return results;
}

/** What the result at this index was called with. */
function argumentsFor({ entries }: Part, at: number): string {
  const result = entries[at];
  if (result?.kind !== "tool") return "";
  for (let index = at - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry?.kind === "assistant" && entry.turn === result.turn && entry.round === result.round)
      return entry.calls.find((call) => call.index === result.index)?.arguments ?? "";
  }
  return "";
}

/**
 * Each skill once, as it was activated last; without room the oldest go, and may be activated again.
 * Half of a skill would mislead.
 */
function fittingSkills(
  skills: readonly string[],
  roomTokens: number,
  count: CountTokens,
): readonly string[] {
  const seen = new Set<string | undefined>();
  let left = roomTokens;
  return skills
    .toReversed()
    .filter((text) => {
      const name = keptSkillOf(text);
      if (seen.has(name)) return false;
      seen.add(name);
      const tokens = count(keptText(text));
      if (tokens > left) return false;
      left -= tokens;
      return true;
    })
    .toReversed();
}

/**
 * What does not fit is cut, the longest first, of equals the oldest: what must not be lost, a key,
 * a name, is short. Of what was cut the newest stay, as many as have room in a quarter of it.
 */
function fitting(results: readonly string[], roomTokens: number, count: CountTokens): string[] {
  const sized = results.map((text) => ({
    text,
    tokens: count(keptText(text)),
  }));
  const tooLong = new Set<string>();
  let left = roomTokens;
  for (const { text, tokens } of sized
    .toReversed()
    .toSorted((one, other) => one.tokens - other.tokens)) {
    left -= tokens;
    if (left < 0) tooLong.add(text);
  }
  let leftForCut = roomTokens / 4;
  const fitted = results.toReversed().flatMap((text) => {
    if (!tooLong.has(text)) return [text];
    const start = cutText(text, cutLength);
    leftForCut -= count(keptText(start));
    return leftForCut >= 0 ? [start] : [];
  });
  return fitted.toReversed();
}
