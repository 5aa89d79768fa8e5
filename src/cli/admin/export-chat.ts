import { createWriteStream } from "node:fs";
import { chmod, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ArchiveLine } from "../../core/archive.ts";
import type { ChatKey } from "../../core/chat.ts";
import { messageOf, PermanentError } from "../../core/errors.ts";
import { readChat } from "../../store/turns/chat-archive.ts";
import { knownChats } from "../../store/turns/known-chats.ts";
import { openExportFolder } from "../trace-files.ts";
import {
  chatArgument,
  parseAdminArguments,
  refuseArguments,
  type AdminCommand,
  type AdminContext,
} from "./admin-command.ts";

/** Writes chats to files that `import-chat` reads again. */
export const exportChatCommand: AdminCommand = {
  name: "export-chat",
  summary:
    "Export a chat, or all of them, as JSONL files; by default to archives in the data folder",
  usage: ["export-chat <chat> [--to <folder>]", "export-chat --all [--to <folder>]"],
  async run(context, given) {
    const { values, positionals } = parseAdminArguments(exportChatCommand, given, {
      to: { type: "string" },
      all: { type: "boolean", default: false },
    });
    const [chat, ...rest] = positionals;
    if (rest.length > 0 || values.all === (chat !== undefined))
      refuseArguments(exportChatCommand, "expected one chat, or --all");
    if (values.to === "") refuseArguments(exportChatCommand, "--to: expected a folder");
    const { services, workingFolder } = context;
    const folder =
      values.to === undefined
        ? archiveFolder(services.settings.dataFolder)
        : resolve(workingFolder, values.to);
    await openExportFolder(folder);
    return chat === undefined
      ? await exportAll(context, folder)
      : await exportOne(context, chatArgument(exportChatCommand, chat), folder);
  },
};

/** The folder of archives; erasing a chat removes its archives. */
const archiveFolder = (dataFolder: string): string => join(dataFolder, "archives");

/** Prefix of the names of a chat's archives; the time of the export follows. */
export const archivePrefix = (chat: ChatKey): string => `${chat.replaceAll(":", "_")}.`;

async function exportOne(context: AdminContext, chat: ChatKey, folder: string): Promise<boolean> {
  const { services, printer, say } = context;
  const lines = await readChat(services.store, chat);
  if (lines === undefined) {
    say(`Nothing is stored of ${chat}.`);
    return false;
  }
  await printer.print(await writeArchive(folder, chat, lines));
  return true;
}

async function exportAll(
  { services, printer, say, signal }: AdminContext,
  folder: string,
): Promise<boolean> {
  let count = 0;
  let failures = 0;
  for await (const chat of knownChats(services.store)) {
    signal.throwIfAborted();
    const lines = await readChat(services.store, chat);
    // The chat may have been erased since.
    if (lines === undefined) continue;
    try {
      await printer.print(await writeArchive(folder, chat, lines));
      count += 1;
    } catch (error) {
      // One chat that cannot be read must not keep the others from being backed up.
      failures += 1;
      say(`${chat} was not exported: ${messageOf(error)}`);
    }
  }
  say(count === 1 ? "1 chat was exported." : `${count} chats were exported.`);
  return failures === 0;
}

/**
 * The file gets its final name only when complete; only its owner can read it.
 * Fulfils with its path.
 */
async function writeArchive(
  folder: string,
  chat: ChatKey,
  lines: AsyncIterable<ArchiveLine>,
): Promise<string> {
  const time = new Date().toISOString().replaceAll(":", "-");
  const path = join(folder, `${archivePrefix(chat)}${time}.jsonl`);
  const unfinished = `${path}.unfinished`;
  try {
    await pipeline(
      Readable.from(textOf(lines)),
      createWriteStream(unfinished, { mode: 0o600, flags: "wx" }),
    );
    await chmod(unfinished, 0o600);
    await rename(unfinished, path);
    return path;
  } catch (cause) {
    await rm(unfinished, { force: true });
    if (!isFileError(cause)) throw cause;
    throw new PermanentError(
      `${folder}: expected a folder in which files can be written (${messageOf(cause)})`,
      { cause },
    );
  }
}

async function* textOf(lines: AsyncIterable<ArchiveLine>) {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}

const isFileError = (error: unknown): boolean =>
  error instanceof Error && "syscall" in error && "path" in error;
