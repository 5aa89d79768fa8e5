import { imageTypes } from "../../core/file-kind.ts";
import type { InboundAttachment } from "../../core/inbound.ts";

/** Why a file is nothing that we can read. */
export type FileRefusal = "archive" | "picture" | "video" | "otherFile";

/** A file's presumed kind, or why it is refused; the ingress checks its bytes. */
type FileKind =
  | (Pick<InboundAttachment, "kind" | "mediaType"> & {
      /** Neither name nor type say anything: its bytes will. */
      readonly isGuess?: true;
    })
  | { readonly refusal: FileRefusal };

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Those that vision models take. */
const pictures: ReadonlySet<string> = new Set(imageTypes);

/** Text types besides `text/*`. */
const textTypes = words(
  "application/json application/ld+json application/x-ndjson application/jsonl application/xml application/yaml " +
    "application/x-yaml application/toml application/csv application/sql application/javascript " +
    "application/x-javascript application/typescript application/x-sh application/x-shellscript " +
    "application/x-python-code application/x-httpd-php application/x-tex application/x-subrip application/rtf " +
    "image/svg+xml",
);

/**
 * Endings and whole names of text, whatever type the sender's system made of them: `.ts` passes for
 * a video.
 */
const textEndings = words(
  "txt text md markdown rst adoc log csv tsv json jsonl ndjson json5 xml yaml yml toml ini cfg conf env properties " +
    "html htm css scss less svg tex bib srt vtt ics eml diff patch " +
    "js mjs cjs jsx ts mts cts tsx vue svelte py pyi ipynb rb php pl pm lua r jl go rs java kt kts scala groovy gradle " +
    "c h cc cpp cxx hpp hh cs fs swift m mm dart ex exs erl hs ml mli clj lisp el vb pas asm s v zig nim sol " +
    "sh bash zsh fish ps1 bat cmd sql graphql gql proto tf hcl nix cmake mk gitignore editorconfig lock " +
    "dockerfile makefile license readme changelog procfile gemfile rakefile",
);

/** For files to which their sender's system gave no type. */
const typesByEnding: ReadonlyMap<string, string> = new Map(
  Object.entries({
    png: "image/png",
    jpg: "image/jpeg",
    jpeg: "image/jpeg",
    gif: "image/gif",
    webp: "image/webp",
    mp3: "audio/mpeg",
    m4a: "audio/mp4",
    aac: "audio/aac",
    ogg: "audio/ogg",
    oga: "audio/ogg",
    opus: "audio/ogg",
    wav: "audio/wav",
    flac: "audio/flac",
  }),
);

/**
 * Unreadable files by extension: programs, fonts, books and office documents
 * are `otherFile`.
 */
const closedEndings: readonly (readonly [FileRefusal, ReadonlySet<string>])[] = [
  ["archive", words("zip 7z rar tar gz tgz bz2 xz zst jar iso dmg apk")],
  ["video", words("mp4 mov mkv avi webm")],
  ["picture", words("heic heif avif tif tiff bmp ico psd")],
  [
    "otherFile",
    words(
      "doc docx xls xlsx ppt pptx odt ods odp pages numbers epub mobi exe msi dll so bin dat db sqlite " +
        "ttf otf woff woff2 ai sketch fig blend",
    ),
  ],
];

/** The same by their types, tried in this order: an `epub+zip` is a book. */
const closedTypes: readonly (readonly [FileRefusal, RegExp])[] = [
  ["video", /^video\//],
  ["picture", /^image\//],
  [
    "otherFile",
    /^(?:font|model)\/|msword|ms-excel|ms-powerpoint|officedocument|opendocument|epub|mobipocket|x-msdownload|x-executable|x-sqlite/,
  ],
  [
    "archive",
    /zip|compressed|x-rar|vnd\.rar|x-tar|x-bzip|x-xz|zstd|java-archive|package-archive|diskimage|iso9660/,
  ],
];

const untyped = "application/octet-stream";

/**
 * A file by the type that its sender's system gave it and, where that says nothing, by its name.
 * Pure.
 * @param mediaType May have parameters.
 */
export function kindOfFile({
  name = "",
  mediaType: said = "",
}: {
  readonly name?: string | undefined;
  readonly mediaType?: string | undefined;
}): FileKind {
  const given = said.toLowerCase().split(";", 1)[0]?.trim() ?? "";
  const ending = name.toLowerCase().split(/[./]/).at(-1) ?? "";
  if (ending === "pdf" || given === "application/pdf")
    return { kind: "document", mediaType: "application/pdf" };
  if (given.startsWith("text/") || textTypes.has(given))
    return { kind: "document", mediaType: given };
  if (textEndings.has(ending)) return { kind: "document", mediaType: "text/plain" };
  const isUntyped = given === "" || given === untyped;
  const mediaType = isUntyped ? (typesByEnding.get(ending) ?? untyped) : given;
  if (pictures.has(mediaType)) return { kind: "image", mediaType };
  if (mediaType.startsWith("audio/")) return { kind: "voice", mediaType };
  const refusal = refusalOf(ending, mediaType);
  return refusal === undefined ? { kind: "document", mediaType, isGuess: true } : { refusal };
}

const refusalOf = (ending: string, mediaType: string): FileRefusal | undefined =>
  closedEndings.find(([, endings]) => endings.has(ending))?.[0] ??
  closedTypes.find(([, types]) => types.test(mediaType))?.[0];
