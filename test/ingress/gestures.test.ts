import { describe, expect, it } from "vitest";
import { createAccept } from "../../src/ingress/create-accept.ts";
import type { InboundMessage } from "../../src/core/inbound.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { storeOn } from "../store/support.ts";
import { directPlace, groupPlace, newPerson, openIngress, type Place } from "./open-ingress.ts";

const store = storeOn(await testDatabase());
const { deps } = openIngress(store, {});

/** One process that receives. */
const receiving = () => {
  const accept = createAccept(deps);
  return (at: Place, id: string, more: Partial<InboundMessage> = {}) =>
    accept({
      type: "message",
      id,
      messageId: id.slice(1),
      person: at.person,
      address: at.address,
      direct: at.direct,
      atMs: Date.now(),
      sentAtMs: 60_000,
      text: id,
      ...more,
    });
};

const kept = async ({ chat }: Pick<Place, "chat">) =>
  (await store.redis.lrange(chatKeys(chat).inbox, 0, -1)).map(
    (json) => JSON.parse(json) as { id: string; forwarded?: boolean; burst?: string },
  );
const ids = async (at: Pick<Place, "chat">) => (await kept(at)).map(({ id }) => id);

const forward = { isForwarded: true, isAddressed: false } as const;

describe("a forward next to a mention", () => {
  it("is read though it names no bot, behind it and in front of it", async () => {
    const say = receiving();
    const at = groupPlace();
    const { settled, ...acceptance } = (await say(at, "m1", forward)) as {
      readonly type: string;
      readonly settled?: Promise<void>;
    };
    expect(acceptance).toEqual({ type: "ignored" });
    expect(await kept(at)).toEqual([]);
    expect(await say(at, "m2")).toEqual({ type: "queued" });
    expect(await say(at, "m3", forward)).toEqual({ type: "queued" });
    expect(await kept(at)).toMatchObject([
      { id: "m1", forwarded: true, burst: "gesture" },
      { id: "m2" },
      { id: "m3", forwarded: true },
    ]);
    await settled;
  });

  it("of another person, another chat or long before is not", async () => {
    const say = receiving();
    const at = groupPlace();
    await say(groupPlace(newPerson(), at), "m1", forward);
    await say({ ...groupPlace(), person: at.person }, "m2", forward);
    await say(at, "m3", { ...forward, sentAtMs: 1_000 });
    await say(at, "m4", { isAddressed: false });
    await say(at, "m5");
    await say(at, "m6", { isAddressed: false });
    expect(await ids(at)).toEqual(["m5"]);
  });

  it("is forgotten if no mention follows, and comes again until then", async () => {
    const say = receiving();
    const at = groupPlace();
    const { settled } = (await say(at, "m1", forward)) as { readonly settled?: Promise<void> };
    await settled;
    await say(at, "m2");
    expect(await ids(at)).toEqual(["m2"]);
  });

  it("is found by another process that is told of it again", async () => {
    const at = groupPlace();
    await receiving()(at, "m1", forward);
    // It dies, and nothing was confirmed.
    const say = receiving();
    await say(at, "m1", forward);
    await say(at, "m2");
    const third = receiving();
    for (const id of ["m1", "m3"]) await third(at, id, forward);
    expect(await third(at, "m2")).toEqual({ type: "duplicate" });
    expect(await ids(at)).toEqual(["m1", "m2", "m3"]);
  });

  it("is found in the history, too", async () => {
    const at = groupPlace();
    await receiving()(at, "m1");
    const { inbox, log } = chatKeys(at.chat);
    await store.redis.rename(inbox, log);
    expect(await receiving()(at, "m2", forward)).toEqual({ type: "queued" });
  });

  it("goes to the thread that was opened for the mention", async () => {
    const at = groupPlace(newPerson({ id: "discord:5" }));
    const thread = { ...at.address, thread: "2" };
    const say = receiving();
    await say(at, "m1", forward);
    await say(at, "m2", { address: thread });
    await say(at, "m3", forward);
    expect(await ids(at)).toEqual([]);
    expect(await ids({ chat: `${at.chat}:2` as Place["chat"] })).toEqual(["m1", "m2", "m3"]);
  });

  it("doesn't take another bot's command, also where all is answered", async () => {
    const say = receiving();
    const at = groupPlace();
    await deps.settings.set(at.chat, "activation", "always");
    const command = { text: "/dance", isAddressed: false, looksLikeCommand: true } as const;
    expect(await say(at, "m1", command)).toEqual({ type: "ignored" });
    await say(at, "m2", { burst: "paste" });
    expect(await say(at, "m3", command)).toEqual({ type: "queued" });
  });
});

describe("a piece", () => {
  it("is a forward or a file, and no plain text", async () => {
    const say = receiving();
    const at = directPlace();
    await say(at, "m1");
    await say(at, "m2", { isForwarded: true, origin: { name: "News", authorId: "telegram:3" } });
    expect(await kept(at)).toEqual([
      expect.not.objectContaining({ burst: expect.anything() }),
      expect.objectContaining({
        burst: "gesture",
        forwarded: true,
        origin: { name: "News", authorId: "telegram:3" },
        sentAtMs: 60_000,
      }),
    ]);
  });
});
