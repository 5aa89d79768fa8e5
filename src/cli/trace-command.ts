import { resolve } from "node:path";
import type { Writable } from "node:stream";
import type { Settings } from "../config/settings.ts";
import type { ChatKey } from "../core/chat.ts";
import { PermanentError } from "../core/errors.ts";
import type { TraceRecord } from "../core/trace.ts";
import type { Store } from "../store/redis/redis.ts";
import { listTracedChats, listTraces, readTrace } from "../store/traces/traces.ts";
import { openOperatorStore, type OperatorStoreOptions } from "./operator-store.ts";
import { openPrinter, type Printer } from "./printer.ts";
import { parseTraceArguments, type TraceArguments } from "./trace-arguments.ts";
import { openExportFolder, writeTraceFiles } from "./trace-files.ts";
import { readEnds, summarise, type TurnSummary } from "./trace-summary.ts";
import { count, turnAccount, turnTable } from "./trace-text.ts";

export interface TraceCommandOptions extends OperatorStoreOptions {
  /** The arguments after `trace`. */
  readonly arguments: readonly string[];
  /** Base of relative paths. */
  readonly workingFolder: string;
  /** Writes the output. */
  readonly output: Writable;
}

/** Shared by the command's steps. */
interface Command {
  readonly settings: Settings;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  readonly store: Store;
  readonly printer: Printer;
  readonly json: boolean;
}

/**
 * Shows what models were asked and answered. False when there is nothing to show, or it can't be
 * read; it was said why.
 * @throws PermanentError for arguments and settings that can't be used.
 * @throws RetryableError when Redis does not answer.
 */
export async function runTrace(options: TraceCommandOptions): Promise<boolean> {
  const { settings, say, signal } = options;
  const given = parseTraceArguments(options.arguments);
  const printer = openPrinter(options.output);
  const folder = await exportFolder(options, given);
  await using parts = new AsyncDisposableStack();
  const store = await openOperatorStore(options, parts);
  if (store === undefined)
    return nothing(options, `No chat has traces: nothing is stored in ${settings.dataFolder} yet.`);
  const { chat, turn, json } = given;
  const command = { settings, say, signal, store, printer, json };
  try {
    if (chat === undefined) return await showChats(command);
    if (folder !== undefined) return await exportTurns(command, { chat, turn, folder });
    return turn === undefined
      ? await showTurns(command, chat)
      : await showTurn(command, chat, turn);
  } catch (error) {
    // An unexpected stored value or a full disk isn't an error in the settings.
    if (!(error instanceof PermanentError)) throw error;
    say(error.message);
    return false;
  }
}

/** The folder that files go to, if any, ready for them. */
async function exportFolder(
  { workingFolder }: TraceCommandOptions,
  given: TraceArguments,
): Promise<string | undefined> {
  if (given.exportFolder === undefined) return undefined;
  const folder = resolve(workingFolder, given.exportFolder);
  await openExportFolder(folder);
  return folder;
}

async function showChats(command: Command): Promise<boolean> {
  const { store, printer, json, say } = command;
  const { chats, more } = await listTracedChats(store);
  if (chats.length === 0) return nothing(command, "No chat has traces.");
  if (json) await printer.printJson(chats);
  else await printer.print(chats.join("\n"));
  if (more) say(`These are the first ${chats.length} that were found.`);
  return true;
}

async function showTurns(command: Command, chat: ChatKey): Promise<boolean> {
  const { store, printer, json } = command;
  const ends = await readEnds(store, chat);
  const summaries: TurnSummary[] = [];
  for await (const { turn, records } of tracesOf(command, chat))
    summaries.push(summarise(turn, records, ends.get(turn)));
  if (summaries.length === 0) return noTraces(command, chat);
  if (json) await printer.printJson(summaries);
  else await printer.print(turnTable(summaries));
  return true;
}

async function showTurn(command: Command, chat: ChatKey, turn: number): Promise<boolean> {
  const { store, printer, json } = command;
  const records = await readTrace(store, chat, turn);
  if (records.length === 0) return noTrace(command, chat, turn);
  if (json) {
    await printer.printJson(records);
    return true;
  }
  const ends = await readEnds(store, chat);
  const summary = summarise(turn, records, ends.get(turn));
  await printer.print(turnAccount(summary, records));
  return true;
}

async function exportTurns(
  command: Command,
  {
    chat,
    turn,
    folder,
  }: {
    readonly chat: ChatKey;
    readonly turn: number | undefined;
    readonly folder: string;
  },
): Promise<boolean> {
  const { store, printer } = command;
  let calls = 0;
  const write = async (records: readonly TraceRecord[]): Promise<void> => {
    await writeTraceFiles(folder, records);
    calls += records.length;
  };
  if (turn !== undefined) await write(await readTrace(store, chat, turn));
  else for await (const { records } of tracesOf(command, chat)) await write(records);
  if (calls === 0)
    return turn === undefined ? noTraces(command, chat) : noTrace(command, chat, turn);
  await printer.print(`${2 * calls} files of ${count(calls, "model call")} written to ${folder}`);
  return true;
}

/** One turn after the other, the newest last: all of them at once may be much. */
async function* tracesOf({ store, signal }: Command, chat: ChatKey) {
  for (const { turn } of await listTraces(store, chat)) {
    signal.throwIfAborted();
    const records = await readTrace(store, chat, turn);
    // The turn may have ended since.
    if (records.length > 0) yield { turn, records };
  }
}

const noTraces = (command: Command, chat: ChatKey): false =>
  nothing(command, `There are no traces of ${chat}.`);

const noTrace = (command: Command, chat: ChatKey, turn: number): false =>
  nothing(
    command,
    `There is no trace of turn ${turn} of ${chat}; without a number, the turns that have one are listed.`,
  );

function nothing({ settings, say }: Pick<Command, "settings" | "say">, sentence: string): false {
  const { tracesMs } = settings.retention;
  const reason =
    tracesMs === undefined
      ? "They are switched off: retention.traces is off."
      : "They are stored for as long as retention.traces says.";
  say(`${sentence} ${reason}`);
  return false;
}
