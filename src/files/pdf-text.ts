import { z } from "zod";
import { unreachable } from "../core/errors.ts";
import type { Work } from "../tools/processes/child-process.ts";
import type { ChildProcesses } from "../tools/processes/child-processes.ts";

const work: Work = {
  script: new URL("pdf-process.ts", import.meta.url),
  limitMs: 20_000,
  maxMemoryMb: 256,
};

const pdfTextSchema = z.discriminatedUnion("type", [
  /** Empty where all pages are pictures. */
  z.object({ type: z.literal("text"), text: z.string() }),
  /** It wants a password. */
  z.object({ type: z.literal("locked") }),
  z.object({ type: z.literal("damaged") }),
]);
export type PdfText = Readonly<z.infer<typeof pdfTextSchema>>;

export interface PdfFile {
  readonly load: () => Promise<Uint8Array>;
  /** Whose file it is. */
  readonly person: string;
}

/**
 * The words of a PDF, page by page, read in a child process.
 * @throws the signal's reason; what `load` throws; an `Error` when no child process can be started,
 * or one replies nonsense.
 */
export async function pdfText(
  processes: ChildProcesses,
  { load, person }: PdfFile,
  signal: AbortSignal,
): Promise<PdfText | { readonly type: "too-complicated" }> {
  const outcome = await processes.run({ work, input: load, person, signal });
  switch (outcome.type) {
    case "done":
      return pdfTextSchema.parse(JSON.parse(outcome.text));
    case "failed":
      // A page that its reader stumbles over.
      return { type: "damaged" };
    case "out-of-time":
    case "died":
      return { type: "too-complicated" };
    default:
      return unreachable(outcome);
  }
}
