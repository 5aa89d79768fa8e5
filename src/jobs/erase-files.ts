import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { historyFileName } from "../bots/console/receive/history-file.ts";
import { archiveLineSchema, type ArchiveLine } from "../core/archive.ts";
import { parseChatKey, type ChatKey } from "../core/chat.ts";
import { quotesOf, type LogEntry } from "../core/history.ts";
import { AuthorEraser } from "../loop/inbox/forget-author.ts";
import { isPrivateChatOf } from "../store/people/find-author.ts";
import type { ReportProblem } from "../store/unreadable.ts";

/** The data to erase from the files in a data folder. */
export interface ErasedFiles {
  readonly dataFolder: string;
  /** Their archives are removed, and what the console has saved if one is its chat. */
  readonly chats: ReadonlySet<ChatKey>;
  /**
   * These chats' archives, and all other groups' archives that mention the
   * people, lose the people's messages.
   */
  readonly groups: ReadonlySet<ChatKey>;
  /**
   * Archives of private chats with them are removed, also when nothing but these is left of the
   * chat.
   */
  readonly personIds: readonly string[];
}

/**
 * Erases archives, and people's messages in groups' archives. An incomplete
 * archive, such as one being written, is removed if it begins as a matching
 * one. Copies elsewhere stay. A file that can't be read or removed is reported
 * and doesn't stop the others.
 */
export async function eraseFiles(erased: ErasedFiles, report: ReportProblem): Promise<void> {
  const { dataFolder, chats } = erased;
  const folder = join(dataFolder, "archives");
  const each = async (of: string, erase: (path: string) => Promise<void>): Promise<void> => {
    try {
      for (const name of await filesIn(of)) {
        const path = join(of, name);
        await erase(path).catch((error: unknown) => report(path, error));
      }
    } catch (error) {
      report(of, error);
    }
  };
  await each(folder, (path) => eraseArchive(path, erased));
  const hasConsole = [...chats].some((chat) => parseChatKey(chat).platform === "console");
  if (!hasConsole) return;
  await each(join(dataFolder, "files"), (path) => rm(path, { force: true }));
  const history = join(dataFolder, historyFileName);
  await rm(history, { force: true }).catch((error: unknown) => report(history, error));
}

async function eraseArchive(
  path: string,
  { chats, groups, personIds }: ErasedFiles,
): Promise<void> {
  const text = await readFile(path, "utf8");
  const chat = chatOf(text);
  if (chat === undefined) return;
  if (chats.has(chat)) return await rm(path, { force: true });
  if (personIds.length === 0) return;
  const lines = text.split("\n").flatMap((json) => readLine(json) ?? []);
  const messages = lines.flatMap((line) =>
    line.kind === "entry" && line.entry.kind === "message" ? [line.entry] : [],
  );
  const isTheirOwn =
    personIds.some((id) => isPrivateChatOf(chat, id)) ||
    messages.some(({ group, person }) => group !== true && personIds.includes(person.id));
  if (isTheirOwn) return await rm(path, { force: true });
  const mayHoldTheirs = messages.some(
    (message) =>
      message.group === true ||
      quotesOf(message).some(({ authorId = "" }) => personIds.includes(authorId)),
  );
  const isTheirFact = (line: ArchiveLine): boolean =>
    line.kind === "fact" && personIds.includes(line.fact.by.id);
  if (!mayHoldTheirs && !groups.has(chat) && !lines.some(isTheirFact)) return;
  const { blanked, isChanged } = await blank(
    lines.filter((line) => !isTheirFact(line)),
    personIds,
  );
  // An unreadable line may refer to them, too.
  const names = personIds.some((id) => text.includes(JSON.stringify(id)));
  if (!isChanged && !names && !groups.has(chat)) return;
  // Which of the summaries hold their words can't be said.
  await replace(
    path,
    blanked.filter(({ kind }) => kind !== "summary"),
  );
}

async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    const all = await readdir(folder, { withFileTypes: true });
    return all.filter((each) => each.isFile()).map(({ name }) => name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** The first line names it. */
function chatOf(text: string): ChatKey | undefined {
  const end = text.indexOf("\n");
  const head = readLine(end < 0 ? text : text.slice(0, end));
  return head?.kind === "chat" ? head.chat : undefined;
}

function readLine(json: string): ArchiveLine | undefined {
  try {
    return archiveLineSchema.safeParse(JSON.parse(json)).data;
  } catch {
    // No JSON: a line that was cut short.
    return undefined;
  }
}

async function blank(
  lines: readonly ArchiveLine[],
  personIds: readonly string[],
): Promise<{
  readonly blanked: readonly ArchiveLine[];
  readonly isChanged: boolean;
}> {
  const erasers = personIds.map((id) => new AuthorEraser(id));
  const blanked: ArchiveLine[] = [];
  let isChanged = false;
  for (const line of lines) {
    if (line.kind !== "entry") {
      blanked.push(line);
      continue;
    }
    let entry: LogEntry = line.entry;
    for (const eraser of erasers) entry = eraser.next(line.position, entry) ?? entry;
    isChanged ||= entry !== line.entry;
    blanked.push({ ...line, entry });
    // A long text takes a while: other work runs in between.
    await setImmediate();
  }
  return { blanked, isChanged };
}

/** It appears under its name only when it is whole. */
async function replace(path: string, lines: readonly ArchiveLine[]): Promise<void> {
  const unfinished = `${path}.unfinished`;
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  await writeFile(unfinished, text, { mode: 0o600 });
  await rename(unfinished, path);
}
