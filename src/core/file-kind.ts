import { isUtf8 } from "node:buffer";

/** What every vendor's vision models take. */
export const imageTypes = [
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
] as const;
export type ImageType = (typeof imageTypes)[number];

/** What a file is by its bytes, whatever its name and its sender say. */
export type FileKind =
  | { readonly type: "image"; readonly mediaType: ImageType }
  | { readonly type: "pdf" }
  | { readonly type: "text" };

/** Undefined: nothing that can be shown to a model. Pure. */
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

/** Readers take a file in whose first 1,024 bytes this stands. */
const isPdf = (bytes: Uint8Array): boolean =>
  latin1(bytes.subarray(0, 1_024)).includes("%PDF-");

/** In UTF-16 with its mark, in UTF-8, or in an encoding of one byte a character, which has no control characters. */
function isText(bytes: Uint8Array): boolean {
  if (hasUtf16Mark(bytes)) return bytes.byteLength % 2 === 0;
  if (bytes.includes(0)) return false;
  // oxlint-disable-next-line no-control-regex -- those are what is looked for
  return isUtf8(bytes) || !/[\0-\u0008\u000b\u000e-\u001f]/.test(latin1(bytes));
}

export const hasUtf16Mark = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
    "latin1",
  );
