import type { MemoryLine, MemoryWindow, Recalled } from "../core/memory.ts";
import { languageOf } from "../locales/locale-for.ts";
import { messageLink } from "../text/message-link.ts";
import { speakerName } from "../text/speaker-name.ts";
import { answer, type Command, type CommandCall } from "./command.ts";
import { described, required } from "./menu.ts";

const maxWindows = 5;
/** Characters of one message that are shown. */
const maxLength = 300;

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
    return answer([...blocksOf(found, call), ...limitsOf(found, call)].join("\n\n"));
  },
};

/** A message of two windows is shown once. */
function blocksOf({ windows, behind }: Recalled, call: CommandCall): readonly string[] {
  const shown = new Set<string>();
  const blocks = windows.flatMap((window) => {
    const lines = window.lines.filter(({ position, text }) => !shown.has(`${position} ${text}`));
    for (const { position, text } of lines) shown.add(`${position} ${text}`);
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
    `${who === undefined ? bot : speakerName(who, bot)}: ${shortened(text)}`;
  return [link === undefined ? date : `${date} · ${link}`, ...lines.map(said)].join("\n");
}

const shortened = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > maxLength ? `${line.slice(0, maxLength).toWellFormed()}…` : line;
};

function limitsOf({ behind }: Recalled, { locale }: CommandCall): readonly string[] {
  if (behind === "indexing") return [locale.recall.indexing];
  return behind === "too-long" ? [locale.recall.tooLong] : [];
}
