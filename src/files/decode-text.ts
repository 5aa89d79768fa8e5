import { isUtf8 } from "node:buffer";
import { hasUtf16Mark } from "../core/file-kind.ts";

/**
 * UTF-16 by its mark, else UTF-8, else Windows-1252, in which every byte is a character. Marks are
 * left out. Pure.
 */
export function decodeText(bytes: Uint8Array): string {
  const label = hasUtf16Mark(bytes)
    ? bytes[0] === 0xff
      ? "utf-16le"
      : "utf-16be"
    : isUtf8(bytes)
      ? "utf-8"
      : "windows-1252";
  return new TextDecoder(label).decode(bytes);
}
