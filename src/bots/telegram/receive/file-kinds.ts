import { imageTypes } from "../../../core/file-kind.ts";
import type { InboundAttachment } from "../../../core/inbound.ts";

/** What a file is taken for; the door looks at its bytes. */
export type FileKind = Pick<InboundAttachment, "kind" | "mediaType">;

const pictures: ReadonlySet<string> = new Set(imageTypes);

/** Types beside `text/*` whose bytes are text, and PDF. */
const documents: ReadonlySet<string> = new Set([
  "application/pdf",
  "application/json",
  "application/ld+json",
  "application/x-ndjson",
  "application/jsonl",
  "application/xml",
  "application/yaml",
  "application/x-yaml",
  "application/toml",
  "application/csv",
  "application/sql",
  "application/javascript",
  "application/x-javascript",
  "application/typescript",
  "application/x-sh",
  "application/x-shellscript",
  "application/x-python-code",
  "application/x-httpd-php",
  "application/x-tex",
  "application/x-subrip",
  "image/svg+xml",
]);

/** Endings of files that are text whatever type the sender's system made of them: `.ts` passes for a video. */
const textEndings: ReadonlySet<string> = new Set(
  (
    "txt text md markdown rst adoc log csv tsv json jsonl ndjson json5 xml yaml yml toml ini cfg conf env properties " +
    "html htm css scss less svg tex bib srt vtt ics eml diff patch " +
    "js mjs cjs jsx ts mts cts tsx vue svelte py pyi ipynb rb php pl lua r jl go rs java kt kts scala groovy gradle " +
    "c h cc cpp cxx hpp hh cs fs swift m mm dart ex exs erl hs ml clj lisp el vb pas asm s zig nim sol " +
    "sh bash zsh fish ps1 bat cmd sql graphql gql proto tf hcl nix cmake mk dockerfile gitignore editorconfig lock"
  ).split(" "),
);

/** For files to which their sender's system gave no type. */
const typesByEnding: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  ogg: "audio/ogg",
  oga: "audio/ogg",
  opus: "audio/ogg",
  wav: "audio/wav",
  flac: "audio/flac",
};

/** Programs, archives, books and what offices write: nothing of it is text as it is. */
const closedTypes =
  /zip|compressed|x-rar|vnd\.rar|x-tar|x-bzip|x-xz|zstd|java-archive|package-archive|diskimage|iso9660|msword|ms-excel|ms-powerpoint|officedocument|opendocument|epub|mobipocket|x-msdownload|x-executable|x-sqlite|^(?:video|image|font|model)\//;
const closedEndings: ReadonlySet<string> = new Set(
  (
    "zip 7z rar tar gz tgz bz2 xz zst jar apk iso dmg exe msi dll so bin dat db sqlite " +
    "doc docx xls xlsx ppt pptx odt ods odp pages numbers epub mobi mp4 mov mkv avi webm heic heif avif tif tiff bmp ico psd"
  ).split(" "),
);

/**
 * A file by the type that its sender's system gave it and, where that says nothing, by its name; undefined: nothing that
 * we can read. Pure.
 */
export function kindOfFile(
  mimeType: string | undefined,
  name: string | undefined,
): FileKind | undefined {
  const given = (mimeType ?? "").toLowerCase().split(";", 1)[0]?.trim() ?? "";
  const ending = (name ?? "").toLowerCase().split(/[./]/).at(-1) ?? "";
  if (ending === "pdf")
    return { kind: "document", mediaType: "application/pdf" };
  if (isText(given)) return { kind: "document", mediaType: given };
  if (textEndings.has(ending))
    return { kind: "document", mediaType: "text/plain" };
  const isUntyped = given === "" || given === untyped;
  const mediaType = isUntyped ? (typesByEnding[ending] ?? untyped) : given;
  if (pictures.has(mediaType)) return { kind: "image", mediaType };
  if (mediaType.startsWith("audio/")) return { kind: "voice", mediaType };
  return closedTypes.test(mediaType) || closedEndings.has(ending)
    ? undefined
    : // Neither its type nor its name tells.
      { kind: "document", mediaType };
}

const untyped = "application/octet-stream";

const isText = (mediaType: string): boolean =>
  mediaType.startsWith("text/") || documents.has(mediaType);
