import { z } from "zod";
import type { InboundAttachment } from "../../../core/inbound.ts";
import { localeFor } from "../../../locales/locale-for.ts";
import type { Locale } from "../../../locales/locale.ts";
import { kindOfFile } from "../../files/file-kinds.ts";
import { isService, kindsRead } from "./content-kinds.ts";
import { saidInContent } from "./content-words.ts";
import type { TelegramContent } from "./update.ts";

/** By the reader's language, BCP 47, and whether a model sees the pictures that it may ask for. */
type SentenceIn = (language: string | undefined, seesPictures: boolean) => string;
type Cannot = Locale["telegram"]["cannot"];

/** What a message holds apart from its text. */
export type Media =
  | { readonly type: "readable"; readonly file: RemoteFile }
  /** Data that are no file, as a model reads them. */
  | { readonly type: "words"; readonly text: string }
  /** Why it can't be read, as a sentence for its sender. */
  | { readonly type: "unreadable"; readonly sentenceIn: SentenceIn };

/** A file on Telegram's servers. */
interface RemoteFile extends Omit<InboundAttachment, "fetch"> {
  readonly fileId: string;
}

/** Maximum bytes kept of one file. A photo comes in several sizes. */
const maxPhotoBytes = 8 * 1_048_576;

const fileSchema = z.object({
  file_id: z.string(),
  file_name: z.string().optional(),
  mime_type: z.string().optional(),
  /** Bytes. */
  file_size: z.number().optional(),
});
const photoSchema = z.array(fileSchema.extend({ width: z.number(), height: z.number() }));

const unreadableKinds = kindsRead("sentence") as readonly Exclude<keyof Cannot, "other">[];

const unreadableFile =
  (name: string | undefined, mimeType: string | undefined): SentenceIn =>
  (language, seesPictures) => {
    const { telegram: say, files } = localeFor(language, "telegram");
    const isPicture = mimeType?.toLowerCase().startsWith("image/") === true;
    const what = name ?? mimeType;
    const subject = what === undefined ? say.thisFile : `"${what.slice(0, 100)}"`.toWellFormed();
    if (!isPicture) return say.cannotReadFile(subject);
    return seesPictures ? say.cannotReadPicture(subject) : files.blind.picture(subject);
  };

/**
 * What a message holds apart from its text; undefined: nothing, or Telegram itself says it. Kinds
 * that we don't know, and those without the parts that we read, can't be read. Pure.
 */
export function mediaOf(message: TelegramContent): Media | undefined {
  const media = fileOf(message);
  if (media !== undefined || isService(message)) return media;
  const text = saidInContent(message);
  if (text !== undefined) return { type: "words", text };
  const hasText = message.text !== undefined || message.caption !== undefined;
  return hasText ? undefined : unreadableOf("other");
}

function fileOf(message: TelegramContent): Media | undefined {
  // A live photo also has `photo`, a GIF also has `document`.
  const film = Object(message["live_photo"]) as { readonly photo?: unknown };
  const photo = photoSchema.safeParse(message["photo"] ?? film.photo).data;
  if (photo !== undefined && photo.length > 0) return photoOf(photo);
  const kind = unreadableKinds.find((each) => message[each] !== undefined);
  if (kind !== undefined) return unreadableOf(kind);
  if (film.photo !== undefined) return unreadableOf("video");
  const voice = fileSchema.safeParse(message["voice"]).data;
  if (voice) return sound(voice, "audio/ogg");
  const audio = fileSchema.safeParse(message["audio"]).data;
  if (audio) return sound(audio, "audio/mpeg");
  // Round videos are what people say into their camera: its sound is read.
  const note = fileSchema.safeParse(message["video_note"]).data;
  if (note) return sound(note, "video/mp4");
  const document = fileSchema.safeParse(message["document"]).data;
  return document && documentOf(document);
}

const unreadableOf = (kind: keyof Cannot): Media => ({
  type: "unreadable",
  sentenceIn(language, seesPictures) {
    const { telegram, files } = localeFor(language, "telegram");
    const isFilm = kind === "animation" || kind === "video";
    return isFilm && !seesPictures ? files.blind.video : telegram.cannot[kind];
  },
});

/** The largest size that is kept; they come smallest first. */
function photoOf(sizes: z.infer<typeof photoSchema>): Media | undefined {
  const fitting = sizes.filter(({ file_size: size = 0 }) => size <= maxPhotoBytes);
  const best = (fitting.length > 0 ? fitting : sizes.slice(0, 1)).toSorted(
    (one, other) => other.width * other.height - one.width * one.height,
  )[0];
  return best && readable(best, { kind: "image", mediaType: "image/jpeg" });
}

const sound = (file: z.infer<typeof fileSchema>, usualType: string): Media | undefined =>
  readable(file, { kind: "voice", mediaType: file.mime_type ?? usualType });

function documentOf(file: z.infer<typeof fileSchema>): Media {
  const { file_name: name, mime_type: mimeType } = file;
  const kind = kindOfFile({ name, mediaType: mimeType });
  return "refusal" in kind
    ? { type: "unreadable", sentenceIn: unreadableFile(name, mimeType) }
    : readable(file, kind);
}

const readable = (
  { file_id: fileId, file_name: name, file_size: size }: z.infer<typeof fileSchema>,
  { kind, mediaType }: Pick<RemoteFile, "kind" | "mediaType">,
): Media => ({
  type: "readable",
  file: {
    kind,
    mediaType,
    fileId,
    ...(name === undefined ? {} : { name }),
    ...(size === undefined ? {} : { size }),
  },
});
