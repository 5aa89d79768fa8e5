import type { Chunk } from "../../../core/ports.ts";
import { shorten } from "../../markdown/graphemes.ts";

/** UTF-16 units (the Bot API's "sendDocument"). */
const maxCaptionUnits = 1_024;

/**
 * A file's caption. Shortened text loses its formatting; a label is never
 * shortened. Pure.
 */
export function captionOf(caption: Chunk, label: string | undefined): Chunk {
  const ending = label === undefined ? "" : `\n\n${label}`;
  if (caption.text === "") return { text: label ?? "" };
  const room = maxCaptionUnits - ending.length;
  return caption.text.length <= room
    ? { ...caption, text: caption.text + ending }
    : { text: shorten(caption.text, room) + ending };
}
