import { z } from "zod";
import { unreachable } from "../core/errors.ts";
import type { Threads } from "../tools/threads/threads.ts";

const script = new URL("pdf-thread.ts", import.meta.url);
const limitMs = 20_000;
const maxMemoryMb = 256;

const pdfTextSchema = z.discriminatedUnion("type", [
  /** Empty where all pages are pictures. */
  z.object({ type: z.literal("text"), text: z.string() }),
  /** It wants a password. */
  z.object({ type: z.literal("locked") }),
  z.object({ type: z.literal("damaged") }),
]);
export type PdfText = Readonly<z.infer<typeof pdfTextSchema>>;

/** The words of a PDF, page by page, read in a thread. @throws the signal's reason */
export async function pdfText(
  threads: Threads,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<PdfText | { readonly type: "too-complicated" }> {
  try {
    const outcome = await threads.run({
      script,
      // A view is handed over with all of the memory that it is a part of.
      input: new Uint8Array(bytes),
      limitMs,
      maxMemoryMb,
      signal,
    });
    switch (outcome.type) {
      case "done":
        return pdfTextSchema.parse(JSON.parse(outcome.text));
      case "out-of-time":
      case "out-of-memory":
        return { type: "too-complicated" };
      default:
        return unreachable(outcome);
    }
  } catch (error) {
    if (signal.aborted) throw error;
    // A page that its reader stumbles over.
    return { type: "damaged" };
  }
}
