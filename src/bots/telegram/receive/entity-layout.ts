import { userName } from "./person.ts";
import { codeLanguage, linkTo, saysAddress } from "./markdown-marks.ts";
import type { TelegramEntity } from "./update.ts";

/** A text with its formatting; offsets and lengths are UTF-16 units. */
export interface WrittenText {
  readonly text: string;
  readonly entities: readonly TelegramEntity[];
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Marks around a part of the text; they never cross each other's ends, other than by closing and reopening. */
export interface Span extends Range {
  readonly open: string;
  readonly close: string;
  /** Its marks must not be written twice. */
  readonly isLink: boolean;
}

/** Code: no marks inside. */
export interface Code extends Range {
  /** Absent: within a line. */
  readonly language?: string;
}

export interface Layout {
  readonly spans: readonly Span[];
  readonly code: readonly Code[];
  readonly quotes: readonly Range[];
  /** By position: facts that the text alone doesn't say, in parentheses. */
  readonly notes: ReadonlyMap<number, string>;
}

/** CommonMark, and what Telegram and Discord write for the rest. */
const styles: Readonly<Record<string, readonly [open: string, close: string]>> = {
  bold: ["**", "**"],
  italic: ["*", "*"],
  underline: ["<u>", "</u>"],
  strikethrough: ["~~", "~~"],
  spoiler: ["||", "||"],
};

/**
 * Where marks belong. Entities that are malformed or cross one another lose their marks rather than the
 * text; a hidden address is always shown, if need be after the text. Linear in the text for each style.
 */
export function layOut({ text, entities }: WrittenText): Layout {
  const notes = new Map<number, string>();
  const note = (at: number, words: string) => notes.set(at, `${notes.get(at) ?? ""} (${words})`);
  const placed = entities.flatMap((entity) => {
    const range = rangeIn(text, entity);
    if (range === undefined) {
      if (entity.type === "text_link" && entity.url) note(text.length, linkTo("link", entity.url));
      return [];
    }
    return [{ ...entity, ...range }];
  });
  const sorted = placed.toSorted((one, other) => one.start - other.start || other.end - one.end);
  const of = (...types: readonly string[]) => sorted.filter(({ type }) => types.includes(type));
  const [links, crossing] = apart(
    of("text_link").flatMap((link) => {
      const { url = "", start, end } = link;
      const isHidden = url !== "" && !saysAddress(text.slice(start, end), url);
      return isHidden ? [{ ...link, url, ...trimmed(text, link) }] : [];
    }),
  );
  const isLink = unitsOf(text, links);
  const [code] = apart(
    of("code", "pre").filter(({ start, end }) => !isLink.subarray(start, end).includes(1)),
  );
  const [quotes] = apart(of("blockquote", "expandable_blockquote"));
  for (const { end, url } of crossing) note(endOfAtom(end, links), linkTo("link", url));
  for (const { end, words } of of("date_time", "text_mention").flatMap((each) => {
    const said = hidden(each, text.slice(each.start, each.end));
    return said === undefined ? [] : [{ end: each.end, words: said }];
  }))
    note(endOfAtom(end, [...links, ...code]), words);
  const isCode = unitsOf(text, code);
  const spans = [
    ...Object.entries(styles).flatMap(([type, [open, close]]) =>
      runsOf(text, { ranges: of(type), isCode, links }).map((run) => ({
        ...run,
        open,
        close,
        isLink: false,
      })),
    ),
    ...links.map(({ start, end, url }) => ({
      start,
      end,
      open: "[",
      close: linkTo("", url).slice(1),
      isLink: true,
    })),
  ];
  return {
    spans: spans.toSorted(
      (one, other) =>
        one.start - other.start || other.end - one.end || Number(one.isLink) - Number(other.isLink),
    ),
    code: code.map(({ start, end, type, language }) => ({
      start,
      end,
      ...(type === "pre" || text.slice(start, end).includes("\n")
        ? { language: codeLanguage(language ?? "") }
        : {}),
    })),
    quotes: quotes.filter(({ start, end }) =>
      [...code, ...links].every((atom) => !isWithin(start, atom) && !isWithin(end, atom)),
    ),
    notes,
  };
}

const isWithin = (at: number, { start, end }: Range): boolean => start < at && at < end;

const endOfAtom = (at: number, atoms: readonly Range[]): number =>
  atoms.find((atom) => isWithin(at, atom))?.end ?? at;

/** Undefined: it isn't in the text. It never splits a surrogate pair. */
function rangeIn(text: string, { offset, length }: TelegramEntity): Range | undefined {
  if (!Number.isInteger(offset) || !Number.isInteger(length)) return undefined;
  if (offset < 0 || length <= 0 || offset >= text.length) return undefined;
  const end = Math.min(offset + length, text.length);
  return {
    start: splitsPair(text, offset) ? offset - 1 : offset,
    end: splitsPair(text, end) ? end + 1 : end,
  };
}

const splitsPair = (text: string, at: number): boolean =>
  at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;

/** Splits entities: each of the first begins after the one before has ended. */
function apart<Each extends Range>(sorted: readonly Each[]): [Each[], Each[]] {
  const kept: Each[] = [];
  const others: Each[] = [];
  for (const each of sorted) (each.start >= (kept.at(-1)?.end ?? 0) ? kept : others).push(each);
  return [kept, others];
}

/** 1 for each unit that lies in one of the ranges. */
function unitsOf(text: string, ranges: readonly Range[]): Uint8Array {
  const units = new Uint8Array(text.length);
  for (const { start, end } of union(ranges)) units.fill(1, start, end);
  return units;
}

/** @param ranges sorted by their starts */
function union(ranges: readonly Range[]): readonly Range[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of ranges) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

/** A style's parts of lines, without white space at their ends, outside of code, and across no end of a link. */
function runsOf(
  text: string,
  {
    ranges,
    isCode,
    links,
  }: {
    readonly ranges: readonly Range[];
    readonly isCode: Uint8Array;
    readonly links: readonly Range[];
  },
): readonly Range[] {
  if (ranges.length === 0) return [];
  const ends = new Set<number>();
  for (const range of union(ranges))
    for (const link of links) {
      const hasLines = text.slice(link.start, link.end).includes("\n");
      if (hasLines || link.end > range.end) ends.add(link.start);
      if (hasLines || link.start < range.start) ends.add(link.end);
    }
  const runs: Range[] = [];
  for (const range of union(ranges)) {
    let start = range.start;
    for (let at = range.start; at <= range.end; at += 1) {
      const isBreak = at === range.end || text[at] === "\n" || isCode[at] === 1;
      if (!isBreak && !ends.has(at)) continue;
      const run = trimmed(text, { start, end: at });
      if (run !== undefined) runs.push(run);
      start = isBreak ? at + 1 : at;
    }
  }
  return runs;
}

function trimmed(text: string, { start, end }: Range): Range | undefined {
  const part = text.slice(start, end);
  const inner = part.trim();
  if (inner === "") return undefined;
  const from = start + part.indexOf(inner);
  return { start: from, end: from + inner.length };
}

/** Shown on a tap: the moment of a date, the name of a person. */
function hidden({ type, unix_time: seconds, user }: TelegramEntity, words: string) {
  if (type === "date_time") {
    const moment = new Date((seconds ?? NaN) * 1_000);
    return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString().replace(".000", "");
  }
  const name = user && userName(user)?.replaceAll(/\s+/g, " ");
  const isSaid = name === undefined || words.includes(name) || name.includes(words.trim());
  return isSaid ? undefined : name;
}
