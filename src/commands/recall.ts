import type { MemoryLine, MemoryWindow, Recalled } from "../core/memory.ts";
import { languageOf } from "../locales/locale-for.ts";
import { messageLink } from "../text/message-link.ts";
import { speakerName } from "../text/speaker-name.ts";
import { answer, type Command, type CommandCall } from "./command.ts";
import { described, required } from "./menu.ts";

const maxWindows = 5;
/** Characters of one message that are shown: two or three lines of a phone. */
const maxLength = 120;
/** Of them before the first word that was asked for. */
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
    // Other forms of a word begin alike: "valves" is shown where it says "valve".
    const asked = (words.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).map((word) =>
      word.slice(0, Math.max(3, word.length - 2)),
    );
    return answer([...blocksOf(found, asked, call), ...limitsOf(found, call)].join("\n\n"));
  },
};

/** A message of several parts, or of two windows, is shown once. */
function blocksOf(
  { windows, behind }: Recalled,
  asked: readonly string[],
  call: CommandCall,
): readonly string[] {
  const shown = new Set<number>();
  const blocks = windows.flatMap((window) => {
    const parts = Map.groupBy(window.lines, ({ position }) => position);
    const lines = [...parts].flatMap(([position, all]) => {
      const line = all.find(({ text }) => firstOf(asked, text) >= 0) ?? all[0];
      if (line === undefined || shown.has(position)) return [];
      shown.add(position);
      return [{ ...line, text: excerptOf(line.text.replaceAll(/\s+/g, " "), asked) }];
    });
    return lines.length === 0 ? [] : [blockOf({ ...window, lines }, call)];
  });
  return blocks.length === 0 && behind !== "indexing" ? [call.locale.recall.none] : blocks;
}

function blockOf({ atMs, lines }: MemoryWindow, call: CommandCall): string {
  const { address, person, preference, locale } = call;
  const [link] = lines.flatMap(({ messageId, guild }) =>
    messageId === undefined ? [] : (messageLink(address, messageId, guild) ?? []),
  );
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

/** Where the first of these words is; -1: none is there. */
function firstOf(asked: readonly string[], text: string): number {
  const lower = text.toLowerCase();
  const found = asked.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
}

/** The beginning, or what is around the first word that was asked for. */
function excerptOf(line: string, asked: readonly string[]): string {
  if (line.length <= maxLength) return line;
  const at = firstOf(asked, line);
  const from = at <= maxLength - maxBefore ? 0 : line.lastIndexOf(" ", at - maxBefore) + 1;
  const rest = line.slice(from);
  const end = rest.length <= maxLength ? rest.length : maxLength;
  return `${from > 0 ? "…" : ""}${rest.slice(0, end).toWellFormed()}${end < rest.length ? "…" : ""}`;
}

function limitsOf({ behind }: Recalled, { locale }: CommandCall): readonly string[] {
  if (behind === "indexing") return [locale.recall.indexing];
  return behind === "too-long" ? [locale.recall.tooLong] : [];
}
