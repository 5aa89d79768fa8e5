import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { KeptResults } from "../../core/tool.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { parseStored } from "../stored.ts";

/** A result is kept for a day, up to 1 MB of UTF-8; a chat keeps its newest twenty. */
const ttlMs = 86_400_000;
const maxBytes = 1_048_576;
const maxKept = 20;

/** Ids come from models: anything that cannot be one names no key. 128 random bits, base64url. */
const idShape = /^[A-Za-z0-9_-]{22}$/;

const keptSchema = z.object({
  v: z.literal(1),
  chat: z.string(),
  text: z.string(),
});

export function createKeptResults({ redis }: Store): KeptResults {
  return {
    async keep(chat, text, turn = Infinity) {
      const keys = chatKeys(chat);
      const id = randomBytes(16).toString("base64url");
      const value = { v: 1, chat, text: withinBytes(text.toWellFormed()) };
      const replies = await redis
        .multi()
        .set(keys.blobPrefix + id, JSON.stringify(value), "PX", ttlMs)
        .rpush(keys.kept, id)
        .pexpire(keys.kept, ttlMs)
        .lrange(keys.kept, 0, -maxKept - 1)
        .ltrim(keys.kept, -maxKept, -1)
        .hget(keys.state, "erased")
        .exec();
      const erased = Number(replies?.[5]?.[1] ?? 0);
      if (turn <= erased) {
        // A late write of a turn that was erased since.
        await redis.del(keys.blobPrefix + id);
        await redis.lrem(keys.kept, 0, id);
        return id;
      }
      const old = z.array(z.string()).parse(replies?.[3]?.[1]);
      if (old.length > 0) await redis.del(old.map((each) => keys.blobPrefix + each));
      return id;
    },
    async read(chat, { id, offset, length }) {
      if (!idShape.test(id)) return undefined;
      const key = chatKeys(chat).blobPrefix + id;
      const json = await redis.get(key);
      if (json === null) return undefined;
      const kept = parseStored(keptSchema, key, json);
      // Chats share shards.
      if (kept.chat !== chat) return undefined;
      return {
        text: page(kept.text, offset, length),
        total: kept.text.length,
      };
    },
  };
}

/** As much of a text as fits, whole characters. */
function withinBytes(text: string): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}

/**
 * At most `length` characters; a pair of surrogates that would be cut in two is left for the next
 * page.
 */
function page(text: string, offset: number, length: number): string {
  const whole = text.slice(offset, offset + length);
  const cutsPair =
    whole.length > 1 && offset + length < text.length && /[\uD800-\uDBFF]$/.test(whole);
  return (cutsPair ? whole.slice(0, -1) : whole).toWellFormed();
}
