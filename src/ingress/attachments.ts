import type { ChatKey } from "../core/chat.ts";
import { PermanentError } from "../core/errors.ts";
import { fileKindOf } from "../core/file-kind.ts";
import type { Attachment } from "../core/history.ts";
import type { InboundAttachment } from "../core/inbound.ts";
import { chatFiles, maxBlobBytes, type Blobs } from "../store/turns/blobs.ts";
import type { Locale } from "../locales/locale.ts";

/** Per message; each item of a Telegram album is a separate message. */
const maxAttachments = 10;
/** UTF-16 units of a file's name. */
const maxNameLength = 255;
/** For all of a message's files together. Milliseconds. */
const fetchLimitMs = 60_000;

export type KeptAttachments =
  | { readonly type: "kept"; readonly attachments: readonly Attachment[] }
  /** `text` is a sentence for the person. */
  | { readonly type: "refused"; readonly text: string }
  | { readonly type: "dropped" };

export interface Fetching {
  readonly blobs: Pick<Blobs, "putSent" | "remove">;
  readonly words: Locale["files"];
  /** BCP 47: of the person who sent them. */
  readonly language: string | undefined;
  /** Whether voice notes are transcribed. */
  readonly readsVoice: boolean;
  /** Whether a model sees pictures. */
  readonly seesPictures: () => Promise<boolean>;
  /** Aborts when the message is withdrawn: `dropped`. */
  readonly dropped: AbortSignal | undefined;
}

/**
 * Fetches a message's files and stores their bytes, so that any worker can read them. If one can't
 * be fetched or read, the message is refused: an answer without it would answer another question.
 * @throws transient errors: the platform or the store cannot be reached.
 */
export async function keepAttachments(
  fetching: Fetching,
  chat: ChatKey,
  attachments: readonly InboundAttachment[],
): Promise<KeptAttachments> {
  const { blobs, words, readsVoice, dropped } = fetching;
  if (attachments.length > maxAttachments)
    return refused(words.tooMany(attachments.length, maxAttachments));
  if (!readsVoice && attachments.some(({ kind }) => kind === "voice"))
    return refused(words.noVoice);
  const tooLarge = attachments.find(({ size = 0 }) => size > maxBlobBytes);
  if (tooLarge !== undefined)
    return refused(
      words.tooLarge(
        nameOf(tooLarge, words),
        megabytes(tooLarge.size ?? 0),
        megabytes(maxBlobBytes),
      ),
    );
  const kept: Attachment[] = [];
  // Once one is refused, the others are never read.
  const drop = async (): Promise<void> => {
    for (const { blob } of kept) await blobs.remove(chat, blob);
  };
  try {
    const outcome = await keepEach({ ...fetching, kept }, chat, attachments);
    if (outcome.type !== "kept") await drop();
    return outcome;
  } catch (error) {
    await drop();
    if (dropped?.aborted === true) return { type: "dropped" };
    throw error;
  }
}

/** @param kept gets each file that is kept */
async function keepEach(
  { blobs, words, language, seesPictures, dropped, kept }: Fetching & { kept: Attachment[] },
  chat: ChatKey,
  attachments: readonly InboundAttachment[],
): Promise<KeptAttachments> {
  const limit = AbortSignal.timeout(fetchLimitMs);
  const signal = dropped ? AbortSignal.any([limit, dropped]) : limit;
  // One after another: together they might not fit into memory.
  for (const { fetch, ...attachment } of attachments) {
    let bytes: Uint8Array;
    try {
      bytes = await fetch({ maxBytes: maxBlobBytes, signal, language, seesPictures });
    } catch (error) {
      if (dropped?.aborted === true) return { type: "dropped" };
      if (error instanceof PermanentError) return refused(error.message);
      throw error;
    }
    const size = bytes.byteLength;
    const name = nameOf(attachment, words);
    if (size === 0) return refused(words.empty(name));
    const looked = asItIs(attachment, bytes);
    if (looked === "no-image" || looked === "no-text") {
      const { blind } = words;
      const sees = await seesPictures();
      const [noImage, noText] = sees ? [words.noImage, words.noText] : [blind.picture, blind.file];
      return refused(looked === "no-image" ? noImage(name) : noText(name));
    }
    const blob = await blobs.putSent(chat, bytes);
    if (blob === undefined)
      return refused(
        words.chatIsFull(chatFiles.maxCount, Math.floor(chatFiles.maxBytes / 1_048_576)),
      );
    kept.push({
      ...looked,
      ...(looked.name === undefined ? {} : { name: shortName(looked.name) }),
      mediaType: looked.mediaType.slice(0, maxNameLength),
      size,
      blob,
    });
  }
  return { type: "kept", attachments: kept };
}

type Arriving = Omit<InboundAttachment, "fetch" | "size">;

/**
 * Its kind by its bytes, since names and platforms may be wrong; or the kind that it should have
 * and doesn't.
 */
function asItIs(
  { kind, mediaType, ...rest }: Arriving,
  bytes: Uint8Array,
): Arriving | "no-image" | "no-text" {
  if (kind === "voice") return { kind, mediaType, ...rest };
  const is = fileKindOf(bytes);
  if (is?.type === "image") return { kind: "image", mediaType: is.mediaType, ...rest };
  if (kind === "image") return "no-image";
  return is === undefined ? "no-text" : { kind, mediaType, ...rest };
}

/** Half of a surrogate pair would make the entry unreadable to cjson in Redis. */
export const shortName = (name: string): string => name.slice(0, maxNameLength).toWellFormed();

const refused = (text: string) => ({ type: "refused", text }) as const;

const nameOf = (
  { kind, name }: Pick<InboundAttachment, "kind" | "name">,
  { nameless }: Locale["files"],
): string => (name === undefined ? nameless[kind] : `"${name.slice(0, 100)}"`.toWellFormed());

const megabytes = (bytes: number): string =>
  String(Math.max(0.1, Math.round((bytes / 1_048_576) * 10) / 10));
