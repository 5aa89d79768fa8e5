import type { ChatKey } from "../core/chat.ts";
import type { LogEntry } from "../core/history.ts";
import { isAtLeast } from "../core/roles.ts";
import type { Locale } from "../locales/locale.ts";
import {
  answer,
  typed,
  type Command,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "./command.ts";
import { code, entryMarkdown, timeOf } from "./export/markdown.ts";
import { postFiles } from "./export/parts.ts";
import { described, optional } from "./menu.ts";

/** The parts of the call that `/export` needs. */
type ExportCall = Pick<
  CommandCall,
  "chat" | "person" | "direct" | "chatRole" | "argument" | "eventId" | "messageId" | "locale"
>;

/** The parts of the commands' dependencies that `/export` needs. */
export type ExportDeps = Pick<CommandDeps, "history" | "blobs" | "post" | "now">;

interface Format {
  readonly ending: string;
  readonly mediaType: string;
  readonly head: (chat: ChatKey, atMs: number, locale: Locale) => string;
  readonly write: (position: number, entry: LogEntry, locale: Locale) => string;
}

const markdown: Format = {
  ending: "md",
  mediaType: "text/markdown",
  head: (chat, atMs, { exported }) =>
    `# ${exported.title}\n\n${exported.asOf(code(chat), timeOf(atMs))}\n\n`,
  write: entryMarkdown,
};

const jsonLines: Format = {
  ending: "jsonl",
  mediaType: "application/x-ndjson",
  head: () => "",
  write: (position, entry) => `${JSON.stringify({ position, entry })}\n`,
};

const formats: ReadonlyMap<string, Format> = new Map([
  ["", markdown],
  ["markdown", markdown],
  ["json", jsonLines],
]);

/**
 * The whole raw history, including compacted, undone and reset parts, as files in the chat of the
 * command.
 */
export const exportCommand = {
  spec: {
    ...described("export", (menu) => menu.export.description),
    arguments: [
      optional("format", (menu) => menu.export.format, { choices: ["markdown", "json"] }),
    ],
    sendsFiles: true,
  },
  role: "member",
  isPrivate: false,
  async run(call: ExportCall, deps: ExportDeps): Promise<CommandAnswer> {
    const { direct, chatRole, argument } = call;
    const words = call.locale.export;
    if (!direct && !isAtLeast(chatRole, "admin")) return answer(words.adminsOnly);
    const format = formats.get(argument.toLowerCase());
    if (format === undefined) return answer(words.badFormat(typed(argument)));
    const { ending, mediaType, head, write } = format;
    const atMs = deps.now();
    let entries = 0;
    async function* texts(): AsyncGenerator<string> {
      for await (const { position, entry } of deps.history(call.chat)) {
        entries += 1;
        yield write(position, entry, call.locale);
      }
    }
    const day = timeOf(atMs).slice(0, 10);
    const files = await postFiles(deps, call, texts(), {
      id: `export-${call.eventId}`,
      head: head(call.chat, atMs, call.locale),
      nameOf: (number) => `parley-${call.chat}-${day}${number}.${ending}`,
      mediaType,
      ...(direct || call.messageId === undefined ? {} : { replyTo: call.messageId }),
    });
    if (files === undefined) return answer(words.full);
    if (entries === 0) return answer(words.nothing);
    const done = files === 1 ? words.done(entries) : words.doneIn(entries, files);
    return answer([done, ...(direct ? [] : [words.shown])].join(" "));
  },
} satisfies Omit<Command, "run"> & { run: unknown };
