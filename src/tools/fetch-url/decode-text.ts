import type { MIMEType } from "node:util";

/**
 * How far into a page its own word on its encoding is looked for, bytes; the HTML standard's
 * number.
 */
const prescanLength = 1_024;

/**
 * Decodes text: a byte order mark counts first, then the `charset` of the content type, then what
 * the page says about itself, then UTF-8. Wrong bytes become U+FFFD.
 */
export function decodeText(bytes: Uint8Array, type: MIMEType): string {
  const label =
    markedEncoding(bytes) ?? type.params.get("charset") ?? statedEncoding(bytes) ?? "utf-8";
  return decoded(bytes, label);
}

function markedEncoding(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return undefined;
}

function statedEncoding(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, prescanLength));
  const found =
    /<meta\s[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(start) ??
    /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})/i.exec(start);
  // A page whose statement could be read this way is not in UTF-16.
  return found?.[1]?.replace(/^utf-16.*$/i, "utf-8");
}

function decoded(bytes: Uint8Array, label: string): string {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    // No encoding has this name.
    return new TextDecoder("utf-8").decode(bytes);
  }
}
