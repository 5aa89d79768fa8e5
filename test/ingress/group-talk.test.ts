import { describe, expect, it } from "vitest";
import { createAccept } from "../../src/ingress/create-accept.ts";
import type { Acceptance, InboundMessage } from "../../src/core/inbound.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { zip } from "../support/files/samples.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { storeOn } from "../store/support.ts";
import { groupPlace, newPerson, openIngress, type Place } from "./open-ingress.ts";

const store = storeOn(await testDatabase());
const { deps } = openIngress(store, {
  mode: "allowlist",
  admins: ["telegram:1"],
});
const accept = createAccept(deps);
const somewhere = (id = "telegram:1"): Place => groupPlace(newPerson({ id }));

const say = (
  { person, address, direct }: Place,
  more: Partial<InboundMessage> = {},
): Promise<Acceptance> =>
  accept({
    type: "message",
    id: "m1",
    messageId: "1",
    person,
    address,
    direct,
    atMs: 1,
    text: "who is right?",
    ...more,
  });

const listenIn = ({ chat }: Place) => deps.settings.set(chat, "activation", "always");

/** How many entries wait for the loop and for delivery. */
async function kept({ chat }: Place): Promise<readonly number[]> {
  const { inbox, outbox } = chatKeys(chat);
  return [await store.redis.llen(inbox), await store.redis.llen(outbox)];
}

describe("a message that was not meant for the bot", () => {
  it("is neither kept nor answered", async () => {
    const at = somewhere();
    expect(await say(at, { isAddressed: false })).toEqual({ type: "ignored" });
    expect(await kept(at)).toEqual([0, 0]);
  });

  it("is taken where everything is to be answered", async () => {
    const at = somewhere();
    await listenIn(at);
    expect(await say(at, { isAddressed: false })).toEqual({ type: "queued" });
    expect(await kept(at)).toEqual([1, 0]);
  });

  it("is not taken there from someone who may not talk to the bot, who is not told so either", async () => {
    const at = somewhere("telegram:99");
    await listenIn(at);
    expect(await say(at, { isAddressed: false })).toEqual({ type: "ignored" });
    expect(await kept(at)).toEqual([0, 0]);
  });

  it.each([
    ["nothing to read", { text: " " }],
    ["too much to read", { text: "x".repeat(60_000) }],
    [
      "a file of a kind that nobody reads",
      {
        attachments: [
          {
            kind: "document" as const,
            mediaType: "application/zip",
            fetch: () => Promise.resolve(zip),
          },
        ],
      },
    ],
  ])("brings no refusal for %s", async (_, more) => {
    const at = somewhere();
    await listenIn(at);
    const said = await say(at, { isAddressed: false, ...more });
    expect(said).toEqual({ type: "ignored" });
    expect(await kept(at)).toEqual([0, 0]);
  });
});

describe("a message without words", () => {
  it("is a question about what it answers", async () => {
    const at = somewhere();
    const quote = { author: "Ann", text: "the milk is out" };
    expect(await say(at, { text: "", quote })).toEqual({ type: "queued" });
    const [entry = ""] = await store.redis.lrange(chatKeys(at.chat).inbox, 0, -1);
    expect(JSON.parse(entry)).toMatchObject({
      text: "What can you tell me about this?",
      quote,
    });
  });

  it("and without anything else is answered below it", async () => {
    const at = somewhere();
    expect(await say(at, { text: "" })).toMatchObject({ type: "answered" });
    const [entry = ""] = await store.redis.lrange(chatKeys(at.chat).outbox, 0, -1);
    expect(entry).toContain('"replyTo":"1"');
  });
});
