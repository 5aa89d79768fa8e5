import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChatKey } from "../../src/core/chat.ts";
import { PermanentError } from "../../src/core/errors.ts";
import { createBlobs, maxBlobBytes } from "../../src/store/blobs.ts";
import { createKeptResults } from "../../src/store/kept-results.ts";
import { chatKeys, shardOf } from "../../src/store/keys.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { newChat, storeOn } from "./support.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const blobs = createBlobs(store);

/** Another chat whose keys lie in the same shard. */
function neighbourOf(chat: ChatKey): ChatKey {
  for (;;) {
    const other = newChat();
    if (other !== chat && shardOf(other) === shardOf(chat)) return other;
  }
}

describe("a blob", () => {
  it("gives back any bytes as they were", async () => {
    const chat = newChat();
    const shapes = fc.uint8Array({ maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(shapes, async (bytes) => {
        const kept = await blobs.get(chat, await blobs.put(chat, bytes));
        expect(kept).toEqual(Buffer.from(bytes));
      }),
      { numRuns: 50 },
    );
    for (const text of ["\n", "\n\n{}", '{"v":2}\n', "\0\xff"]) {
      const id = await blobs.put(chat, Buffer.from(text));
      expect((await blobs.get(chat, id))?.toString()).toBe(text);
    }
  });

  it("has an id of its own each time, and a key in the chat's shard that ends after a day", async () => {
    const chat = newChat();
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => blobs.put(chat, Buffer.from("x"))),
    );
    expect(new Set(ids).size).toBe(20);
    for (const id of ids) {
      expect(id).toMatch(/^file-[\w-]{22}$/);
      const endsInMs = await redis.pttl(chatKeys(chat).blobPrefix + id);
      expect(endsInMs).toBeGreaterThan(86_000_000);
      expect(endsInMs).toBeLessThanOrEqual(86_400_000);
    }
  });

  it("may be as large as the limit, and not larger", async () => {
    const chat = newChat();
    const full = Buffer.alloc(maxBlobBytes, 1);
    const id = await blobs.put(chat, full);
    expect((await blobs.get(chat, id))?.equals(full)).toBe(true);
    const more = Buffer.alloc(maxBlobBytes + 1);
    await expect(blobs.put(chat, more)).rejects.toThrow(PermanentError);
    await expect(blobs.put(chat, more)).rejects.toThrow("the limit is 8388608");
    await blobs.remove(chat, id);
    expect(await blobs.get(chat, id)).toBeUndefined();
  });

  it("is nobody's but its chat's, in the same shard, too", async () => {
    const chat = newChat();
    const id = await blobs.put(chat, Buffer.from("secret"));
    for (const other of [newChat(), neighbourOf(chat)])
      expect(await blobs.get(other, id)).toBeUndefined();
    expect((await blobs.get(chat, id))?.toString()).toBe("secret");
  });

  it.each(["", "*", "file-", "../x", `file-${"A".repeat(22)}`])(
    "is not there under %j",
    async (id) => {
      expect(await blobs.get(newChat(), id)).toBeUndefined();
      await blobs.remove(newChat(), id);
    },
  );

  it("is no kept result, and no kept result is one", async () => {
    const chat = newChat();
    const kept = createKeptResults(store);
    const fileId = await blobs.put(chat, Buffer.from("x"));
    const keptId = await kept.keep(chat, "long");
    const where = { id: fileId, offset: 0, length: 10 };
    expect(await kept.read(chat, where)).toBeUndefined();
    expect(await blobs.get(chat, keptId)).toBeUndefined();
    await blobs.remove(chat, keptId);
    expect(await kept.read(chat, { ...where, id: keptId })).toBeDefined();
  });

  it("that was changed by somebody else is named, without its content", async () => {
    const chat = newChat();
    const id = await blobs.put(chat, Buffer.from("x"));
    await redis.set(chatKeys(chat).blobPrefix + id, "secret");
    const read = blobs.get(chat, id);
    await expect(read).rejects.toThrow(id);
    await expect(read).rejects.not.toThrow("secret");
  });
});
