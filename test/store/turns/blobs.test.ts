import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChatKey } from "../../../src/core/chat.ts";
import { PermanentError } from "../../../src/core/errors.ts";
import { chatFiles, createBlobs, maxBlobBytes } from "../../../src/store/turns/blobs.ts";
import { createKeptResults } from "../../../src/store/turns/kept-results.ts";
import { chatKeys, shardOf } from "../../../src/store/keys.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { newChat, storeOn } from "../support.ts";

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

  it("that someone has sent is like any other, and is counted", async () => {
    const chat = newChat();
    const bytes = Buffer.from([0, 255, 10, 13, 128]);
    const id = (await blobs.putSent(chat, bytes)) ?? "";
    expect(id).toMatch(/^file-[\w-]{22}$/);
    expect(await blobs.get(chat, id)).toEqual(bytes);
    const endsInMs = await redis.pttl(chatKeys(chat).blobPrefix + id);
    expect(endsInMs).toBeGreaterThan(86_000_000);
    expect(await redis.hget(chatKeys(chat).files, id)).toMatch(/^5 \d{13}$/);
    await blobs.remove(chat, id);
    expect(await redis.exists(chatKeys(chat).files)).toBe(0);
  });

  it("is not kept where its chat has enough of them, by number or by size", async () => {
    const chat = newChat();
    const { files } = chatKeys(chat);
    const [time] = await redis.time();
    const later = Number(time) * 1_000 + 60_000;
    const before = Array.from({ length: chatFiles.maxCount }, (_, at) => [
      `file-${at}`,
      `1 ${later}`,
    ]);
    await redis.hset(files, Object.fromEntries(before));
    const one = Buffer.from("x");
    expect(await blobs.putSent(chat, one)).toBeUndefined();
    // One that is over makes room.
    await redis.hset(files, { "file-0": `1 ${later - 120_000}` });
    expect(await blobs.putSent(chat, one)).toBeDefined();
    expect(await redis.hexists(files, "file-0")).toBe(0);

    const large = newChat();
    const left = { a: `${chatFiles.maxBytes - 2} ${later}` };
    await redis.hset(chatKeys(large).files, left);
    expect(await blobs.putSent(large, Buffer.from("xxx"))).toBeUndefined();
    expect(await blobs.putSent(large, Buffer.from("xx"))).toBeDefined();
    // What the bot itself sends is not counted: it ends with its delivery.
    expect(await blobs.put(large, Buffer.from("xxx"))).toBeDefined();
  });

  it("that a tool returned for the model leaves half of the room to people", async () => {
    const chat = newChat();
    const { files } = chatKeys(chat);
    const [time] = await redis.time();
    const later = Number(time) * 1_000 + 60_000;
    await redis.hset(files, { a: `${chatFiles.maxBytes / 2 - 1} ${later}` });
    const id = (await blobs.putShown(chat, Buffer.from("x"))) ?? "";
    expect(await blobs.get(chat, id)).toEqual(Buffer.from("x"));
    expect(await blobs.putShown(chat, Buffer.from("x"))).toBeUndefined();
    expect(await blobs.putSent(chat, Buffer.from("x"))).toBeDefined();
  });

  it("is not kept from its chat by what someone else has written there", async () => {
    const chat = newChat();
    await redis.hset(chatKeys(chat).files, { a: "nonsense", b: "-1 x" });
    const id = await blobs.putSent(chat, Buffer.from("x"));
    expect(await redis.hkeys(chatKeys(chat).files)).toEqual([id]);
  });

  it("is no one's but its chat's, in the same shard, too", async () => {
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

  it("that was changed by someone else is named, without its content", async () => {
    const chat = newChat();
    const id = await blobs.put(chat, Buffer.from("x"));
    await redis.set(chatKeys(chat).blobPrefix + id, "secret");
    const read = blobs.get(chat, id);
    await expect(read).rejects.toThrow(id);
    await expect(read).rejects.not.toThrow("secret");
  });
});
