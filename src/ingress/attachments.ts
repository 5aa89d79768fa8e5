import type { ChatKey } from "../core/chat.ts";
import { PermanentError } from "../core/errors.ts";
import { fileKindOf } from "../core/file-kind.ts";
import type { Attachment } from "../core/history.ts";
import type { InboundAttachment } from "../core/inbound.ts";
import { chatFiles, maxBlobBytes, type Blobs } from "../store/turns/blobs.ts";
import type { Locale } from "../locales/locale.ts";

/** Per message; each item of a Telegram album is a separate message. */
export const maxAttachments = 10;
/** UTF-16 units of a file's name. */
const maxNameLength = 255;
/** For all of a message's files together. Milliseconds. */
const fetchLimitMs = 60_000;

export type KeptAttachments =
  | {
      readonly type: "kept";
      readonly attachments: readonly Attachment[];
      /** Those that couldn't be taken, next to others that were. */
      readonly unopened: readonly Unopened[];
    }
  /** `text` is a sentence for the person. */
  | { readonly type: "refused"; readonly text: string }
  | { readonly type: "dropped" };

interface Unopened {
  /** As the sender named it, or its kind. */
  readonly name: string;
  /** A sentence for the person. */
  readonly text: string;
}

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
 * Fetches a message's files and stores their bytes, so that any worker can read them. One that can't
 * be fetched or read is left out where there are others; the person and the model are told. Without
 * any other the message is refused: an answer without it would answer another question.
 * @throws transient errors: the platform or the store cannot be reached.
 */
export async function keepAttachments(
  fetching: Fetching,
  chat: ChatKey,
  attachments: readonly InboundAttachment[],
): Promise<KeptAttachments> {
  const { blobs, words, dropped } = fetching;
  if (attachments.length > maxAttachments)
    return refused(words.tooMany(attachments.length, maxAttachments));
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
  fetching: Fetching & { kept: Attachment[] },
  chat: ChatKey,
  attachments: readonly InboundAttachment[],
): Promise<KeptAttachments> {
  const { blobs, words, dropped, kept } = fetching;
  const limit = AbortSignal.timeout(fetchLimitMs);
  const signal = dropped ? AbortSignal.any([limit, dropped]) : limit;
  const unopened: Unopened[] = [];
  // One after another: together they might not fit into memory.
  for (const attachment of attachments) {
    const fetched = await fetchOne(fetching, attachment, signal);
    if (dropped?.aborted === true) return { type: "dropped" };
    if (typeof fetched === "string") {
      const { name = attachment.kind } = attachment;
      unopened.push({ name: shortName(name), text: fetched });
      continue;
    }
    const { bytes, looked } = fetched;
    const blob = await blobs.putSent(chat, bytes);
    if (blob === undefined)
      return refused(
        words.chatIsFull(chatFiles.maxCount, Math.floor(chatFiles.maxBytes / 1_048_576)),
      );
    kept.push({
      ...looked,
      ...(looked.name === undefined ? {} : { name: shortName(looked.name) }),
      mediaType: looked.mediaType.slice(0, maxNameLength),
      size: bytes.byteLength,
      blob,
    });
  }
  const [first] = unopened;
  return first !== undefined && kept.length === 0
    ? refused(first.text)
    : { type: "kept", attachments: kept, unopened };
}

/** A text: why it can't be taken, as a sentence for the person. */
async function fetchOne(
  { words, language, readsVoice, seesPictures }: Fetching,
  { fetch, ...attachment }: InboundAttachment,
  signal: AbortSignal,
): Promise<string | { readonly bytes: Uint8Array; readonly looked: Arriving }> {
  const { kind, size = 0 } = attachment;
  const name = nameOf(attachment, words);
  if (kind === "voice" && !readsVoice) return words.noVoice;
  if (size > maxBlobBytes) return words.tooLarge(name, megabytes(size), megabytes(maxBlobBytes));
  let bytes: Uint8Array;
  try {
    bytes = await fetch({ maxBytes: maxBlobBytes, signal, language, seesPictures });
  } catch (error) {
    if (error instanceof PermanentError) return error.message;
    throw error;
  }
  if (bytes.byteLength === 0) return words.empty(name);
  const looked = asItIs(attachment, bytes);
  if (looked !== "no-image" && looked !== "no-text") return { bytes, looked };
  const { blind } = words;
  const sees = await seesPictures();
  const [noImage, noText] = sees ? [words.noImage, words.noText] : [blind.picture, blind.file];
  return looked === "no-image" ? noImage(name) : noText(name);
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
