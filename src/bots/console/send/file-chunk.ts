import { PermanentError } from "../../../core/errors.ts";
import type { Chunk, OutgoingFile } from "../../../core/ports.ts";
import type { Locale } from "../../../locales/locale.ts";
import { sanitize } from "../format/sanitize.ts";

/**
 * Puts a file where the person finds it.
 * @returns the path to show them.
 * @throws what the file system throws.
 */
export type SaveFile = (name: string, bytes: Uint8Array) => Promise<string>;

const isText = (mediaType: string): boolean =>
  /^(?:text\/|application\/(?:json|x-ndjson)\b)/.test(mediaType);

/**
 * The text shown for a file: its caption and its path. If nothing can be saved,
 * a text file's content.
 * @throws PermanentError when it can be neither saved nor printed; what `save`
 * throws.
 */
export async function fileChunk(
  { name, mediaType, bytes, caption }: OutgoingFile,
  save: SaveFile | undefined,
  say: Locale["console"],
): Promise<Chunk> {
  const above = caption ? `${caption.text}\n` : "";
  if (save) {
    const path = await save(name, bytes);
    return { text: above + say.file(sanitize(path)) };
  }
  if (!isText(mediaType))
    throw new PermanentError(`${name} is ${mediaType}, and there is no folder for files`);
  return { text: above + sanitize(Buffer.from(bytes).toString("utf8")) };
}
