import { isUtf8 } from "node:buffer";

/** The image types that every vendor's vision models accept. */
export const imageTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;
type ImageType = (typeof imageTypes)[number];

/** A file's kind by its bytes; its name and its sender may be wrong. */
export type FileKind =
  | { readonly type: "image"; readonly mediaType: ImageType }
  | { readonly type: "pdf" }
  | { readonly type: "text" };

/** Undefined: nothing that a model can be shown. Pure. */
export function fileKindOf(bytes: Uint8Array): FileKind | undefined {
  const mediaType = imageTypeOf(bytes);
  if (mediaType !== undefined) return { type: "image", mediaType };
  if (isPdf(bytes)) return { type: "pdf" };
  return isText(bytes) ? { type: "text" } : undefined;
}

/** Of the PNG, JPEG (JFIF, Exif), GIF and WebP specifications. */
function imageTypeOf(bytes: Uint8Array): ImageType | undefined {
  const head = latin1(bytes.subarray(0, 12));
  if (head.startsWith("\u0089PNG\r\n\u001a\n")) return "image/png";
  if (head.startsWith("\u00ff\u00d8\u00ff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(head)) return "image/gif";
  return /^RIFF.{4}WEBP/s.test(head) ? "image/webp" : undefined;
}

/** PDF readers accept a file with this within its first 1,024 bytes. */
const isPdf = (bytes: Uint8Array): boolean => latin1(bytes.subarray(0, 1_024)).includes("%PDF-");

/**
 * UTF-16 with a byte order mark, UTF-8, or a single-byte encoding, which has no control characters.
 */
function isText(bytes: Uint8Array): boolean {
  if (hasUtf16Mark(bytes)) return bytes.byteLength % 2 === 0;
  if (bytes.includes(0)) return false;
  // oxlint-disable-next-line no-control-regex -- those are what is looked for
  return isUtf8(bytes) || !/[\0-\u0008\u000b\u000e-\u001f]/.test(latin1(bytes));
}

export const hasUtf16Mark = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
