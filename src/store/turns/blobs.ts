import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { ChatKey } from "../../core/chat.ts";
import { PermanentError } from "../../core/errors.ts";
import { chatKeys } from "../keys.ts";
import { number, type Store } from "../redis/redis.ts";
import { parseStored } from "../stored.ts";

/** Bytes of a blob. Below what any platform takes: Discord's limit is 10 MiB, Telegram's 50 MB. */
export const maxBlobBytes = 8 * 1_048_576;
/** As long as a delivery is tried. */
export const blobTtlMs = 86_400_000;

/** A chat's limits for files from people, which are all kept for the same time. */
export const chatFiles = { maxCount: 100, maxBytes: 50 * 1_048_576 } as const;

const shownFiles = {
  maxCount: chatFiles.maxCount / 2,
  maxBytes: chatFiles.maxBytes / 2,
} as const;

/** Kept results have the same prefix and ids without `file-`. 128 random bits, base64url. */
const idShape = /^file-[A-Za-z0-9_-]{22}$/;

/** The first line of the stored value; the bytes follow it. */
const headSchema = z.object({ v: z.literal(1), chat: z.string() });
const lineEnd = 0x0a;

/** The bytes of files that are on their way to a chat. */
export interface Blobs {
  /**
   * @returns an id that cannot be guessed.
   * @throws PermanentError for more than `maxBlobBytes`.
   */
  put(chat: ChatKey, bytes: Uint8Array): Promise<string>;
  /**
   * Like `put`, for a file that a person has sent. Undefined: the chat already
   * has `chatFiles` of them.
   * @throws as `put`
   */
  putSent(chat: ChatKey, bytes: Uint8Array): Promise<string | undefined>;
  /**
   * As `putSent`, of an image that a tool returned for the model. Undefined from half of
   * `chatFiles` on: tools leave room for what people send.
   * @throws as `put`
   */
  putShown(chat: ChatKey, bytes: Uint8Array): Promise<string | undefined>;
  /** Undefined: nothing of this chat is kept under this id, or not any more. */
  get(chat: ChatKey, id: string): Promise<Buffer | undefined>;
  /** The file has been delivered; it would end by itself after a day. */
  remove(chat: ChatKey, id: string): Promise<void>;
}

export function createBlobs(store: Store): Blobs {
  const { redis } = store;
  const putWithin = async (
    chat: ChatKey,
    bytes: Uint8Array,
    { maxCount, maxBytes }: Readonly<Record<keyof typeof chatFiles, number>>,
  ): Promise<string | undefined> => {
    const { id, value } = blobOf(chat, bytes);
    const reply = await store.run(
      "put-file",
      [keyOf(chat, id), chatKeys(chat).files],
      [value, blobTtlMs, id, bytes.byteLength, maxCount, maxBytes],
    );
    return number(reply) === 1 ? id : undefined;
  };
  return {
    async put(chat, bytes) {
      const { id, value } = blobOf(chat, bytes);
      await redis.set(keyOf(chat, id), value, "PX", blobTtlMs);
      return id;
    },
    putSent: (chat, bytes) => putWithin(chat, bytes, chatFiles),
    putShown: (chat, bytes) => putWithin(chat, bytes, shownFiles),
    async get(chat, id) {
      if (!idShape.test(id)) return undefined;
      const key = keyOf(chat, id);
      const value = await redis.getBuffer(key);
      if (value === null) return undefined;
      const headBytes = value.indexOf(lineEnd);
      const head = value.toString("utf8", 0, Math.max(0, headBytes));
      // Chats share shards.
      if (parseStored(headSchema, key, head).chat !== chat) return undefined;
      return value.subarray(headBytes + 1);
    },
    async remove(chat, id) {
      if (!idShape.test(id)) return;
      await Promise.all([redis.del(keyOf(chat, id)), redis.hdel(chatKeys(chat).files, id)]);
    },
  };
}

/** Stores a value under a new id. @throws PermanentError */
function blobOf(chat: ChatKey, bytes: Uint8Array): { readonly id: string; readonly value: Buffer } {
  if (bytes.byteLength > maxBlobBytes)
    throw new PermanentError(
      `a file of ${bytes.byteLength} bytes cannot be kept: the limit is ${maxBlobBytes}`,
    );
  const head = `${JSON.stringify({ v: 1, chat })}\n`;
  return {
    id: `file-${randomBytes(16).toString("base64url")}`,
    value: Buffer.concat([Buffer.from(head), bytes]),
  };
}

const keyOf = (chat: ChatKey, id: string): string => chatKeys(chat).blobPrefix + id;
