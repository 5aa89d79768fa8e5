import { describe, expect, it } from "vitest";
import type { LogEntry, MessageEntry } from "../../src/core/history.ts";
import { PermanentError } from "../../src/core/errors.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { png } from "../support/files/samples.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import {
  begun,
  committed,
  finishing,
  reset,
  said,
  storeOn,
  turnStoreOn,
} from "../store/support.ts";
import { groupPlace, newPerson, openIngress, type Place } from "./open-ingress.ts";

const store = storeOn(await testDatabase());
const turns = turnStoreOn(store);
const ingress = openIngress(store, { mode: "open" });
const quote = { author: "Ben", authorId: "discord:2", text: "The disk is full" };

const newPlace = (): Place => groupPlace(newPerson());

/** What is stored of a message that could say how its thread began, and whether it was asked. */
async function ask(at: Place, id: string, attachments: readonly Uint8Array[] = []) {
  let isAsked = false;
  await ingress.say(at, "why?", {
    id,
    opening: async () => {
      isAsked = true;
      const files = attachments.map((bytes) => ({
        kind: "image" as const,
        mediaType: "image/png",
        fetch: async () => {
          if (bytes.length === 0) throw new PermanentError("It is gone.");
          return bytes;
        },
      }));
      return { title: "Disk", tags: ["ops"], quote, attachments: files };
    },
  });
  const stored = await store.redis.lrange(chatKeys(at.chat).inbox, 0, -1);
  const entry = stored
    .map((each) => JSON.parse(each) as MessageEntry)
    .find((each) => each.id === id);
  return { isAsked, entry };
}

const answered = async (at: Place, more: Parameters<typeof finishing>[1] = {}) => {
  const turn = await begun(turns, at.chat);
  await committed(turns, turn, finishing(1, more));
};

describe("how a thread began", () => {
  it("comes with the first message of a conversation only", async () => {
    const at = newPlace();
    const { entry } = await ask(at, "m1", [png]);
    expect(entry?.opening).toEqual({ title: "Disk", tags: ["ops"], quote });
    expect(entry?.attachments).toHaveLength(1);
    // While the first one waits, and after it was answered.
    expect(await ask(at, "m2")).toMatchObject({ isAsked: false });
    const other = newPlace();
    await ask(other, "m1");
    await answered(other, { append: [said(1)] });
    const { isAsked, entry: second } = await ask(other, "m2");
    expect(isAsked).toBe(false);
    expect(second).not.toHaveProperty("opening");
  });

  it("comes again after /new, whether it waits or was carried out", async () => {
    const at = newPlace();
    await ask(at, "m1");
    await ingress.inbox.append(at.chat, reset("r1"));
    expect(await ask(at, "m2")).toMatchObject({ isAsked: true });
    expect(await ask(at, "m3")).toMatchObject({ isAsked: false });
    const other = newPlace();
    await ask(other, "m1");
    await answered(other, { append: [said(1), reset("r1")] });
    expect(await ask(other, "m2")).toMatchObject({ isAsked: true });
  });

  it("is asked for again where the first exchange was undone", async () => {
    const at = newPlace();
    await ask(at, "m1");
    const undo: LogEntry = { kind: "undo", v: 1, id: "u1", fromSeq: 0, ran: [], atMs: 1 };
    await answered(at, { append: [said(1), undo] });
    expect(await ask(at, "m2")).toMatchObject({ isAsked: true });
  });

  it("refuses nothing: without its pictures the message is answered", async () => {
    const at = newPlace();
    const { entry } = await ask(at, "m1", [Buffer.alloc(0)]);
    expect(entry?.opening).toMatchObject({ title: "Disk" });
    expect(entry).not.toHaveProperty("attachments");
    expect(entry).not.toHaveProperty("unopened");
    expect(await ingress.outbox(at.chat)).toEqual([]);
  });
});
