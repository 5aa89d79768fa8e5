import type { ChatKey } from "../core/chat.ts";
import type { LogEntry } from "../core/history.ts";
import { safeFileName, spokenIn, type OutboxEntry } from "../core/outbox.ts";
import { isAtLeast } from "../core/roles.ts";
import { maxBlobBytes, type Blobs } from "../store/turns/blobs.ts";
import type { HistoryEntry } from "../store/turns/history.ts";
import type { Ingested } from "../store/turns/inbox.ts";
import type { Locale } from "../locales/locale.ts";
import { answer, typed, type Command, type CommandAnswer, type CommandCall } from "./command.ts";
import { code, entryMarkdown, timeOf } from "./export/markdown.ts";
import { partsOf } from "./export/parts.ts";
import { described } from "./menu.ts";

/** The parts of the call that `/export` needs. */
type ExportCall = Pick<
  CommandCall,
  "chat" | "person" | "direct" | "chatRole" | "argument" | "eventId" | "messageId" | "locale"
>;

/** The parts of the commands' dependencies that `/export` needs. */
export interface ExportDeps {
  /** The chat's whole raw history, oldest first. */
  readonly history: (chat: ChatKey) => AsyncIterable<HistoryEntry>;
  readonly blobs: Pick<Blobs, "put">;
  /** Puts an entry into the chat's outbox, once per entry id, and wakes its delivery. */
  readonly post: (chat: ChatKey, entry: OutboxEntry) => Promise<Ingested>;
  readonly now: () => number;
}

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
      {
        ...described("format", (menu) => menu.export.format),
        required: false,
        choices: ["markdown", "json"],
      },
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
    const { entries, files, isFull } = await postFiles(deps, call, format);
    if (isFull) return answer(words.full);
    if (entries === 0) return answer(words.nothing);
    const done = files === 1 ? words.done(entries) : words.doneIn(entries, files);
    return answer([done, ...(direct ? [] : [words.shown])].join(" "));
  },
} satisfies Omit<Command, "run"> & { run: unknown };

/** Posts a file as soon as it is full: a long history is never in memory as a whole. */
async function postFiles(
  { history, blobs, post, now }: ExportDeps,
  { chat, person, eventId, direct, messageId, locale: words }: ExportCall,
  format: Format,
): Promise<{
  readonly entries: number;
  readonly files: number;
  readonly isFull: boolean;
}> {
  const { ending, mediaType, head, write } = format;
  const atMs = now();
  const day = new Date(atMs).toISOString().slice(0, 10);
  let entries = 0;
  let files = 0;
  async function* texts(): AsyncGenerator<string> {
    for await (const { position, entry } of history(chat)) {
      entries += 1;
      yield write(position, entry, words);
    }
  }
  const parts = partsOf(texts(), {
    head: head(chat, atMs, words),
    maxBytes: maxBlobBytes,
  });
  for await (const { bytes, isLast } of parts) {
    files += 1;
    const number = files === 1 && isLast ? "" : `-${files}`;
    const posted = await post(chat, {
      kind: "file",
      v: 1,
      id: `export-${eventId}-${files}`,
      ...spokenIn(person.language),
      blob: await blobs.put(chat, bytes),
      name: safeFileName(`parley-${chat}-${day}${number}.${ending}`),
      mediaType,
      ...(direct || messageId === undefined ? {} : { replyTo: messageId }),
    });
    if (posted === "full") return { entries, files, isFull: true };
  }
  return { entries, files, isFull: false };
}
