import type { Attachment } from "../../../core/history.ts";
import type { AttachmentPayload } from "./payloads.ts";

/** What a file is to us, or why it is nothing. */
export type FileKind =
  | (Pick<Attachment, "kind" | "mediaType"> & {
      /** Neither name nor type say anything: its bytes will. */
      readonly isGuess?: true;
    })
  | { readonly refusal: "archive" | "picture" | "video" | "otherFile" };

/** Those that vision models take. */
const pictures: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
]);

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Discord names a type for many of these that has nothing to do with them: `.ts` is a video. */
const textEndings = words(
  "txt text md markdown rst adoc tex bib log csv tsv json jsonl ndjson json5 yaml yml toml ini cfg conf env properties xml svg html htm css scss less js mjs cjs jsx ts mts cts tsx vue svelte py pyi ipynb rb php java kt kts scala groovy gradle c h cc cpp cxx hpp cs fs go rs swift m mm dart lua pl pm r jl sql sh bash zsh fish ps1 bat cmd asm s hs ml mli ex exs erl clj el lisp vb pas zig nim v sol proto graphql gql tf hcl diff patch srt vtt ics eml",
);
const textNames = words(
  "dockerfile makefile license readme changelog procfile gemfile rakefile",
);
const textTypes = words(
  "application/json application/ld+json application/xml application/yaml application/x-yaml application/toml application/javascript application/x-javascript application/typescript application/x-sh application/sql application/x-ndjson application/csv application/rtf",
);
const archiveEndings = words(
  "zip 7z rar tar gz tgz bz2 xz zst jar iso dmg apk",
);
const archiveTypes =
  /^application\/(?:zip|x-zip|x-7z|x-rar|vnd\.rar|x-tar|gzip|x-gzip|x-bzip|java-archive)/;
/** Documents of offices, books, fonts, programs and pictures that no model reads as they are. */
const otherEndings = words(
  "doc docx xls xlsx ppt pptx odt ods odp pages numbers key epub mobi exe msi dll so bin dat db sqlite ttf otf woff woff2 psd ai eps sketch fig blend stl obj heic heif avif tif tiff bmp ico raw",
);
const soundEndings = words("mp3 ogg oga opus wav m4a flac aac");

/** Pure. By the ending first, then by what Discord says of it. */
export function fileKind({
  filename,
  content_type: given,
}: Pick<AttachmentPayload, "filename" | "content_type">): FileKind {
  const name = filename.toLowerCase();
  const ending = /\.([a-z0-9]+)$/.exec(name)?.[1] ?? "";
  const type = (given ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (ending === "pdf" || type === "application/pdf")
    return { kind: "document", mediaType: "application/pdf" };
  if (textEndings.has(ending) || textNames.has(name))
    return { kind: "document", mediaType: textTypeOf(type) };
  if (archiveEndings.has(ending) || archiveTypes.test(type))
    return { refusal: "archive" };
  if (pictures.has(type)) return { kind: "image", mediaType: type };
  if (type.startsWith("image/")) return { refusal: "picture" };
  if (type.startsWith("audio/") || soundEndings.has(ending))
    return {
      kind: "voice",
      mediaType: type.startsWith("audio/") ? type : "audio/mpeg",
    };
  if (type.startsWith("video/")) return { refusal: "video" };
  if (type.startsWith("text/") || textTypes.has(type))
    return { kind: "document", mediaType: type };
  if (otherEndings.has(ending) || type.startsWith("font/"))
    return { refusal: "otherFile" };
  return {
    kind: "document",
    mediaType: "application/octet-stream",
    isGuess: true,
  };
}

const textTypeOf = (type: string): string =>
  type.startsWith("text/") || textTypes.has(type) ? type : "text/plain";
