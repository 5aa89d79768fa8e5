import type { Logger } from "pino";
import { isBlank } from "../core/blank.ts";
import { messageOf, unreachable } from "../core/errors.ts";
import { fileKindOf } from "../core/file-kind.ts";
import type { UnreadableReason } from "../core/history.ts";
import type { FileReader, FileText } from "../core/ports.ts";
import { Threads } from "../tools/threads/threads.ts";
import { decodeText } from "./decode-text.ts";
import { pdfText } from "./pdf-text.ts";

/** UTF-16 units; far beyond what is shown to a model at once. */
const maxLength = 1_000_000;
/** PDFs that one process reads at the same time. */
const atOnce = 2;

export interface FileReaderDeps {
  /** Absent: voice notes are not read. */
  readonly transcribe?:
    | ((
        audio: { readonly bytes: Uint8Array; readonly mediaType: string },
        signal: AbortSignal,
      ) => Promise<string>)
    | undefined;
  readonly log: Logger;
}

/** Reads text files and PDFs by what they are, and voice notes where somebody transcribes them. */
export function createFileReader(deps: FileReaderDeps): FileReader {
  const threads = new Threads(atOnce);
  return {
    async read(file, signal) {
      signal.throwIfAborted();
      if (file.kind === "voice") return await heard(deps, file, signal);
      const kind = fileKindOf(file.bytes);
      switch (kind?.type) {
        case "text":
          return readable(decodeText(file.bytes), "empty");
        case "pdf":
          return readPdf(await pdfText(threads, file.bytes, signal));
        case "image":
        case undefined:
          return unreadable("unknown");
        default:
          return unreachable(kind);
      }
    },
  };
}

function readPdf(pdf: Awaited<ReturnType<typeof pdfText>>): FileText {
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
  { bytes, mediaType }: { bytes: Uint8Array; mediaType: string },
  signal: AbortSignal,
): Promise<FileText> {
  if (transcribe === undefined) return unreadable("no-transcription");
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
