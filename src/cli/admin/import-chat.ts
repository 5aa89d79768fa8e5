import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { archiveLineSchema, type ArchiveHead, type ArchiveLine } from "../../core/archive.ts";
import { messageOf, PermanentError } from "../../core/errors.ts";
import { importChat } from "../../store/turns/chat-archive.ts";
import { retentionMsOf } from "../../config/retention.ts";
import {
  chatArgument,
  parseAdminArguments,
  refuseArguments,
  type AdminCommand,
} from "./admin-command.ts";

/** Makes a chat of what `export-chat` wrote. */
export const importChatCommand: AdminCommand = {
  name: "import-chat",
  summary: "Import a chat exported with export-chat",
  usage: ["import-chat <file> [--as <chat>]"],
  async run({ services, printer, workingFolder }, given) {
    const { values, positionals } = parseAdminArguments(importChatCommand, given, {
      as: { type: "string" },
    });
    const [file, ...rest] = positionals;
    if (file === undefined || rest.length > 0)
      return refuseArguments(importChatCommand, "expected one file");
    const path = resolve(workingFolder, file);
    const { head, entries } = await check(path);
    const chat = values.as === undefined ? head.chat : chatArgument(importChatCommand, values.as);
    await importChat(services.store, {
      chat,
      head,
      lines: linesOf(path),
      retentionMs: retentionMsOf(services.settings),
      memoryMs: services.settings.retention.memoryMs,
    });
    await printer.print(
      `${chat} was imported: ${entries} ${entries === 1 ? "entry" : "entries"} of its history.`,
    );
    return true;
  },
};

/** Reads the file once before anything is written. @throws PermanentError that names the line. */
async function check(
  path: string,
): Promise<{ readonly head: ArchiveHead; readonly entries: number }> {
  let head: ArchiveHead | undefined;
  let entries = 0;
  let end: number | undefined;
  let count = 0;
  for await (const line of linesOf(path)) {
    count += 1;
    if (end !== undefined)
      throw new PermanentError(`${path}, line ${count}: expected nothing behind the end`);
    if ((line.kind === "chat") !== (count === 1))
      throw new PermanentError(
        `${path}, line ${count}: expected one line of kind "chat", the first`,
      );
    if (line.kind === "chat") head = line;
    if (line.kind === "entry") entries += 1;
    if (line.kind === "end") end = line.entries;
  }
  if (head === undefined) throw new PermanentError(`${path}: expected an archive, found no line`);
  if (end !== entries)
    throw new PermanentError(
      `${path}: expected its end to count ${entries} entries, ${end === undefined ? "found none: the file is cut short" : `found ${end}`}`,
    );
  return { head, entries };
}

/** @throws PermanentError when it can't be read, or a line is none of an archive. */
async function* linesOf(path: string): AsyncGenerator<ArchiveLine, void, undefined> {
  const input = createReadStream(path, "utf8");
  let count = 0;
  try {
    for await (const text of createInterface({ input, crlfDelay: Infinity })) {
      count += 1;
      yield parseLine(path, count, text);
    }
  } catch (cause) {
    if (cause instanceof PermanentError) throw cause;
    throw new PermanentError(`${path}: expected a file that can be read (${messageOf(cause)})`, {
      cause,
    });
  } finally {
    input.destroy();
  }
}

function parseLine(path: string, count: number, text: string): ArchiveLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new PermanentError(`${path}, line ${count}: expected JSON`);
  }
  const parsed = archiveLineSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new PermanentError(
    `${path}, line ${count}: ${issue?.path.join(".") || "the line"}: ${issue?.message ?? "unexpected"}`,
  );
}
