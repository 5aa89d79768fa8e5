import type { Logger } from "pino";
import { isBlank } from "../text/blank.ts";
import { messageOf, unreachable } from "../core/errors.ts";
import { fileKindOf } from "../core/file-kind.ts";
import type { UnreadableReason } from "../core/history.ts";
import type { FileReader, FileText } from "../core/ports.ts";
import type { ChildProcesses } from "../tools/processes/child-processes.ts";
import { decodeText } from "./decode-text.ts";
import { pdfText } from "./pdf-text.ts";

/** UTF-16 units; far more than a model sees at once. */
const maxLength = 1_000_000;
export interface FileReaderDeps {
  readonly processes: ChildProcesses;
  /** Absent: voice notes are not read. */
  readonly transcribe?:
    | ((
        audio: { readonly bytes: Uint8Array; readonly mediaType: string },
        signal: AbortSignal,
      ) => Promise<string>)
    | undefined;
  readonly log: Logger;
}

type File = Parameters<FileReader["read"]>[0];

/**
 * Reads text files and PDFs by their content, and voice notes if a transcriber
 * is configured.
 */
export function createFileReader(deps: FileReaderDeps): FileReader {
  return {
    async read(file, signal) {
      signal.throwIfAborted();
      return file.kind === "voice"
        ? await heard(deps, file, signal)
        : ((await readAtOnce(file)) ?? (await readPdf(deps, file, signal)));
    },
  };
}

/** Undefined: it is a PDF, whose bytes are not held while it waits to be read. */
async function readAtOnce({ load }: File): Promise<FileText | undefined> {
  const bytes = await load();
  if (bytes === undefined) return unreadable("gone");
  const kind = fileKindOf(bytes);
  switch (kind?.type) {
    case "text":
      return readable(decodeText(bytes), "empty");
    case "pdf":
      return undefined;
    case "image":
    case undefined:
      return unreadable("unknown");
    default:
      return unreachable(kind);
  }
}

async function readPdf(
  { processes, log }: FileReaderDeps,
  { load, person }: File,
  signal: AbortSignal,
): Promise<FileText> {
  // One that is gone by now is empty, and so damaged.
  const loaded = async () => (await load()) ?? new Uint8Array();
  let pdf: Awaited<ReturnType<typeof pdfText>>;
  try {
    pdf = await pdfText(processes, { load: loaded, person }, signal);
  } catch (error) {
    signal.throwIfAborted();
    log.error({ error }, "a PDF could not be read");
    return unreadable("failed");
  }
  switch (pdf.type) {
    case "text":
      return readable(pdf.text, "pictures");
    case "locked":
      return unreadable("locked");
    case "damaged":
      return unreadable("damaged");
    case "too-complicated":
      return unreadable("too-complicated");
    default:
      return unreachable(pdf);
  }
}

async function heard(
  { transcribe, log }: FileReaderDeps,
  { load, mediaType }: File,
  signal: AbortSignal,
): Promise<FileText> {
  if (transcribe === undefined) return unreadable("no-transcription");
  const bytes = await load();
  if (bytes === undefined) return unreadable("gone");
  try {
    return readable(await transcribe({ bytes, mediaType }, signal), "silent");
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ cause: messageOf(error) }, "a voice note was not transcribed");
    return unreadable("not-transcribed");
  }
}

const readable = (text: string, orElse: UnreadableReason): FileText =>
  isBlank(text)
    ? unreadable(orElse)
    : { type: "read", text: text.slice(0, maxLength).toWellFormed() };

const unreadable = (why: UnreadableReason): FileText => ({
  type: "unreadable",
  why,
});
