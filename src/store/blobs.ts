import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { ChatKey } from "../core/chat.ts";
import { PermanentError } from "../core/errors.ts";
import { chatKeys } from "./keys.ts";
import type { Store } from "./redis.ts";
import { parseStored } from "./stored.ts";

/** Bytes of a blob. Below what any platform takes: Discord's limit is 10 MiB, Telegram's 50 MB. */
export const maxBlobBytes = 8 * 1_048_576;
/** As long as a delivery is tried. */
export const blobTtlMs = 86_400_000;

/** Kept results have the same prefix and ids without `file-`. 128 random bits, base64url. */
const idShape = /^file-[A-Za-z0-9_-]{22}$/;

/** The first line of the stored value; the bytes follow behind its end. */
const headSchema = z.object({ v: z.literal(1), chat: z.string() });
const lineEnd = 0x0a;

/** The bytes of files that are on their way to a chat. */
export interface Blobs {
  /**
   * @returns an id that cannot be guessed.
   * @throws PermanentError for more than `maxBlobBytes`.
   */
  put(chat: ChatKey, bytes: Uint8Array): Promise<string>;
  /** Undefined: nothing of this chat is kept under this id, or not any more. */
  get(chat: ChatKey, id: string): Promise<Buffer | undefined>;
  /** The file has been delivered; it would end by itself after a day. */
  remove(chat: ChatKey, id: string): Promise<void>;
}

export function createBlobs({ redis }: Pick<Store, "redis">): Blobs {
  return {
    async put(chat, bytes) {
      if (bytes.byteLength > maxBlobBytes)
        throw new PermanentError(
          `a file of ${bytes.byteLength} bytes cannot be kept: the limit is ${maxBlobBytes}`,
        );
      const id = `file-${randomBytes(16).toString("base64url")}`;
      const head = `${JSON.stringify({ v: 1, chat })}\n`;
      const value = Buffer.concat([Buffer.from(head), bytes]);
      await redis.set(keyOf(chat, id), value, "PX", blobTtlMs);
      return id;
    },
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
      if (idShape.test(id)) await redis.del(keyOf(chat, id));
    },
  };
}

const keyOf = (chat: ChatKey, id: string): string =>
  chatKeys(chat).blobPrefix + id;
