import { z } from "zod";
import type { InboundAttachment } from "../../../core/inbound.ts";
import { localeFor } from "../../../locales/locale-for.ts";
import type { Locale } from "../../../locales/locale.ts";
import { kindOfFile } from "../../files/file-kinds.ts";
import type { TelegramContent } from "./update.ts";

/** By the reader's language, BCP 47, and whether a model sees the pictures that it may ask for. */
type SentenceIn = (language: string | undefined, seesPictures: boolean) => string;
type Cannot = Locale["telegram"]["cannot"];

/** A message's attachment, or why it can't be read, as a sentence for its sender. */
export type Media =
  | { readonly type: "readable"; readonly file: RemoteFile }
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

/**
 * Unsupported kinds, in the order in which they are checked: several may be set
 * at once. Each with the word that names it to the model in a reply.
 */
const unreadable: Readonly<Record<keyof Cannot, string>> = {
  animation: "GIF",
  video: "video",
  sticker: "sticker",
  paid_media: "paid media",
  story: "story",
  contact: "contact",
  venue: "venue",
  location: "location",
  poll: "poll",
  checklist: "checklist",
  dice: "dice",
  game: "game",
  rich_message: "rich message",
};
const unreadableKinds = Object.keys(unreadable) as (keyof Cannot)[];

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

/** A message's attachment; undefined: none. Pure. */
export function mediaOf(message: TelegramContent): Media | undefined {
  // A live photo also has `photo`, a GIF also has `document`.
  const photo = photoSchema.safeParse(message["photo"]).data;
  if (photo !== undefined) return photoOf(photo);
  const kind = unreadableKinds.find((each) => message[each] !== undefined);
  if (kind === "animation") return unreadableOf(kind);
  const voice = fileSchema.safeParse(message["voice"]).data;
  if (voice) return sound(voice, "audio/ogg");
  const audio = fileSchema.safeParse(message["audio"]).data;
  if (audio) return sound(audio, "audio/mpeg");
  // Round videos are what people say into their camera: its sound is read.
  const note = fileSchema.safeParse(message["video_note"]).data;
  if (note) return sound(note, "video/mp4");
  const document = fileSchema.safeParse(message["document"]).data;
  if (document) return documentOf(document);
  return kind === undefined ? undefined : unreadableOf(kind);
}

/**
 * One word for an attachment that the reader doesn't see; undefined: none.
 * Pure.
 */
export function wordFor(message: TelegramContent): string | undefined {
  if (message["photo"] !== undefined) return "photo";
  const kind = unreadableKinds.find((each) => message[each] !== undefined);
  if (kind !== undefined) return unreadable[kind];
  if (message["voice"] !== undefined) return "voice message";
  if (message["audio"] !== undefined) return "audio";
  if (message["video_note"] !== undefined) return "video message";
  const document = fileSchema.safeParse(message["document"]).data;
  if (document) return `file ${document.file_name ?? ""}`.trim();
  return undefined;
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
