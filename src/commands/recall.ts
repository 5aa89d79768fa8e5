import type { MemoryLine, MemoryWindow, Recalled } from "../core/memory.ts";
import { languageOf } from "../locales/locale-for.ts";
import { linkOf } from "../text/message-link.ts";
import { speakerName } from "../text/speaker-name.ts";
import { placedTerms, termsOf } from "../text/terms.ts";
import { answer, type Command, type CommandCall } from "./command.ts";
import { described, required } from "./menu.ts";

const maxWindows = 5;
/** Characters of one message that are shown: two or three lines of a phone. */
const maxLength = 120;
/** Of them before the first word that was asked for, and as many after the last one begins. */
const maxBefore = 40;

/** `/recall <words>`: what was said here, with links; no model is asked. */
export const recallCommand: Command = {
  spec: {
    ...described("recall", ({ recall }) => recall.description),
    arguments: [required("words", ({ recall }) => recall.words)],
  },
  role: "guest",
  isPrivate: false,
  async run(call, { recall }) {
    const { chat, person, locale, argument, options } = call;
    const say = locale.recall;
    const words = options?.["words"] ?? argument;
    if (recall === undefined) return answer(say.off);
    const found = await recall.find(
      chat,
      { words, limit: maxWindows, by: person },
      AbortSignal.timeout(10_000),
    );
    const asked = new Set(termsOf(words));
    return answer([...blocksOf(found, asked, call), ...limitsOf(found, call)].join("\n\n"));
  },
};

/** A message of several parts, or of two windows, is shown once. */
function blocksOf(
  { windows, behind }: Recalled,
  asked: ReadonlySet<string>,
  call: CommandCall,
): readonly string[] {
  const shown = new Set<number>();
  const blocks = windows.flatMap((window) => {
    const parts = Map.groupBy(window.lines, ({ position }) => position);
    const lines = [...parts].flatMap(([position, all]) => {
      const [first] = all;
      if (first === undefined || shown.has(position)) return [];
      shown.add(position);
      const excerpts = all.map(({ text }) => excerptOf(text.replaceAll(/\s+/g, " "), asked));
      const [best] = excerpts.toSorted((one, other) => other.found - one.found);
      return [{ ...first, text: best?.text ?? "" }];
    });
    return lines.length === 0 ? [] : [blockOf({ ...window, lines }, call)];
  });
  return blocks.length === 0 && behind !== "indexing" ? [call.locale.recall.none] : blocks;
}

function blockOf({ atMs, lines }: MemoryWindow, call: CommandCall): string {
  const { address, person, preference, locale } = call;
  const link = linkOf(lines, address);
  const date = new Intl.DateTimeFormat(languageOf(person.language) ?? "en", {
    timeZone: preference.zone ?? "UTC",
    dateStyle: "medium",
    timeStyle: "short",
  }).format(atMs);
  const { bot } = locale.recall;
  const said = ({ who, text }: MemoryLine): string =>
    `${who === undefined ? bot : speakerName(who, bot)}: ${text}`;
  return [link === undefined ? date : `${date} · ${link}`, ...lines.map(said)].join("\n");
}

/** What of a line has the most terms that were asked for: its beginning, if that has as many. */
function excerptOf(line: string, asked: ReadonlySet<string>) {
  const places = placedTerms(line).filter(({ term }) => asked.has(term));
  const most = line.length <= maxLength ? maxLength : maxLength - maxBefore;
  const foundFrom = (start: number): number => {
    const shown = places.filter(({ at }) => at >= start && at < start + most);
    return new Set(shown.map(({ term }) => term)).size;
  };
  const starts = [0, ...places.map(({ at }) => startBefore(at, line))];
  const [best = { start: 0, found: 0 }] = starts
    .map((start) => ({ start, found: foundFrom(start) }))
    .toSorted((one, other) => other.found - one.found);
  const { start, found } = best;
  const end = start + maxLength;
  const text = line.slice(start, end).toWellFormed();
  return { found, text: `${start > 0 ? "…" : ""}${text}${end < line.length ? "…" : ""}` };
}

/** Where an excerpt begins that shows what is at `at`: at a word, if one begins soon before it. */
function startBefore(at: number, line: string): number {
  const earliest = at - maxBefore;
  if (earliest <= 0) return 0;
  const space = line.indexOf(" ", earliest);
  return space >= 0 && space < at ? space + 1 : earliest;
}

function limitsOf({ behind }: Recalled, { locale }: CommandCall): readonly string[] {
  if (behind === "indexing") return [locale.recall.indexing];
  return behind === "too-long" ? [locale.recall.tooLong] : [];
}
