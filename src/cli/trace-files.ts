import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { messageOf, PermanentError } from "../core/errors.ts";
import type { TraceRecord } from "../core/trace.ts";
import { askedAtMs } from "./trace-summary.ts";

/**
 * Creates the folder if needed; only its owner can read it.
 * @throws PermanentError when it can't be created.
 */
export async function openExportFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
  } catch (cause) {
    throw unwritable(folder, cause);
  }
}

/**
 * Not with Node's `recursive`: it never ends where a file system says of every new folder that its
 * parent is missing.
 */
async function makeFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) await makeFolder(parent);
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it in between.
    if (!(await isFolder(folder))) throw error;
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/**
 * Writes a turn's records: `turn-007-request.json` and
 * `turn-007-response.json`, `turn-007-2-request.json` and so on. Replaces files
 * with these names, whatever their permissions.
 * @throws PermanentError when they can't be written.
 */
export async function writeTraceFiles(
  folder: string,
  records: readonly TraceRecord[],
): Promise<void> {
  for (const [index, record] of records.entries()) {
    const turn = String(record.turn).padStart(3, "0");
    const name = `turn-${turn}${index === 0 ? "" : `-${index + 1}`}`;
    const contents = {
      request: requestOf(record),
      response: responseOf(record),
    };
    for (const [part, content] of Object.entries(contents)) {
      const text = `${JSON.stringify(content, undefined, 2)}\n`;
      try {
        await replaceFile(join(folder, `${name}-${part}.json`), text);
      } catch (cause) {
        throw unwritable(folder, cause);
      }
    }
  }
}

/** A file that is there keeps its mode when it is written; a new one in its place has ours. */
async function replaceFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.${randomUUID()}`;
  try {
    await writeFile(unfinished, text, { mode: 0o600, flag: "wx" });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

const unwritable = (folder: string, cause: unknown): PermanentError =>
  new PermanentError(
    `--export is ${folder}: expected a folder in which files can be written (${messageOf(cause)})`,
    { cause },
  );

const nameOf = ({ chat, turn, call, purpose }: TraceRecord) => ({
  chat,
  turn,
  call,
  purpose,
});

const isoTime = (atMs: number): string => new Date(atMs).toISOString();

function requestOf(record: TraceRecord): object {
  const { tier, model, why, persona, diagnostics, request, leftOut } = record;
  return {
    ...nameOf(record),
    at: isoTime(askedAtMs(record)),
    tier,
    model,
    why,
    persona,
    diagnostics,
    ...(leftOut === undefined ? {} : { leftOut }),
    ...request,
  };
}

function responseOf(record: TraceRecord): object {
  const { model, response, attempts, timing } = record;
  return {
    ...nameOf(record),
    at: isoTime(record.atMs),
    model,
    ...response,
    attempts,
    timing,
  };
}
