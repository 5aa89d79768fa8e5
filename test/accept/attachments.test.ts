import { describe, expect, it } from "vitest";
import { createAccept } from "../../src/accept/create-accept.ts";
import { PermanentError, RetryableError } from "../../src/core/errors.ts";
import type { MessageEntry } from "../../src/core/history.ts";
import type {
  Acceptance,
  InboundAttachment,
  InboundMessage,
} from "../../src/core/inbound.ts";
import { createBlobs } from "../../src/store/blobs.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { gif, jpeg, pdf, png, webp, zip } from "../support/files/samples.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { storeOn } from "../store/support.ts";
import { directPlace, newPerson, openDoor, type Place } from "./door.ts";

const store = storeOn(await testDatabase());
const blobs = createBlobs(store);
const { deps } = openDoor(store, {
  mode: "allowlist",
  admins: ["telegram:1"],
});
const silent = createAccept(deps);
const listening = createAccept({ ...deps, readsVoice: true });
const somewhere = (): Place =>
  directPlace(newPerson({ id: "telegram:1" }), `${++bots}`);
let bots = 1_000;

const sent = (
  bytes: Uint8Array,
  more: Partial<InboundAttachment> = {},
): InboundAttachment => ({
  kind: "document",
  mediaType: "application/octet-stream",
  fetch: () => Promise.resolve(bytes),
  ...more,
});

const send = (
  at: Place,
  attachments: readonly InboundAttachment[],
  {
    accept = silent,
    ...more
  }: Partial<InboundMessage> & { accept?: typeof silent } = {},
): Promise<Acceptance> =>
  accept({
    type: "message",
    id: "m1",
    messageId: "1",
    person: at.person,
    address: at.address,
    direct: at.direct,
    atMs: 1,
    text: "look",
    attachments,
    ...more,
  });

async function waiting({ chat }: Place): Promise<MessageEntry[]> {
  const stored = await store.redis.lrange(chatKeys(chat).inbox, 0, -1);
  return stored.map((each) => JSON.parse(each) as MessageEntry);
}

const refusal = async (...given: Parameters<typeof send>): Promise<string> => {
  const acceptance = await send(...given);
  expect(acceptance.type).toBe("answered");
  expect(await waiting(given[0])).toEqual([]);
  return acceptance.type === "answered" ? acceptance.text : "";
};

describe("a file", () => {
  it.each([
    ["image/png", png],
    ["image/jpeg", jpeg],
    ["image/gif", gif],
    ["image/webp", webp],
  ])(
    "that is a picture of type %s is one, whatever it is sent as",
    async (mediaType, bytes) => {
      const at = somewhere();
      expect(await send(at, [sent(bytes, { name: "a.txt" })])).toEqual({
        type: "queued",
      });
      const [entry] = await waiting(at);
      expect(entry?.attachments).toEqual([
        {
          kind: "image",
          mediaType,
          name: "a.txt",
          size: bytes.length,
          blob: expect.any(String) as string,
        },
      ]);
      const [{ blob } = { blob: "" }] = entry?.attachments ?? [];
      expect(await blobs.get(at.chat, blob)).toEqual(Buffer.from(bytes));
    },
  );

  it("that is a PDF or a text is kept as a document, without words too", async () => {
    const at = somewhere();
    const files = [sent(pdf("a")), sent(Buffer.from("a,b\n1,2"))];
    await send(at, files, { text: "" });
    const [entry] = await waiting(at);
    expect(entry?.text).toBe("");
    expect(entry?.attachments?.map(({ kind }) => kind)).toEqual([
      "document",
      "document",
    ]);
  });

  it("check 28: of a kind that nobody here reads is refused by name", async () => {
    expect(await refusal(somewhere(), [sent(zip, { name: "x.zip" })])).toBe(
      '"x.zip" is of a kind that I cannot read. I take pictures (PNG, JPEG, GIF, WebP), PDFs and text files.',
    );
    const fake = sent(pdf("a"), { kind: "image", mediaType: "image/png" });
    expect(await refusal(somewhere(), [fake])).toMatch(
      /is no picture that I can read/,
    );
  });

  it("check 28: that is too large is refused before it is fetched", async () => {
    const size = 9 * 1_048_576;
    const large = sent(png, {
      name: "large.png",
      size,
      fetch: () => Promise.reject(new Error("fetched")),
    });
    expect(await refusal(somewhere(), [large])).toBe(
      '"large.png" is too large: 9 MB. I take files of up to 8 MB.',
    );
  });

  it("that its platform does not give is refused with the platform's words", async () => {
    const lost = sent(png, {
      fetch: () => Promise.reject(new PermanentError("It is gone.")),
    });
    expect(await refusal(somewhere(), [lost])).toBe("It is gone.");
  });

  it("that cannot be had just now is delivered again", async () => {
    const later = new RetryableError("later", { retryAfterMs: 1 });
    const late = sent(png, { fetch: () => Promise.reject(later) });
    await expect(send(somewhere(), [late])).rejects.toThrow("later");
  });

  it("whose message is not taken is not kept", async () => {
    const later = new RetryableError("later", { retryAfterMs: 1 });
    const late = sent(png, { fetch: () => Promise.reject(later) });
    const at = somewhere();
    await expect(send(at, [sent(png), late])).rejects.toThrow("later");
    await refusal(at, [sent(png), sent(zip)]);
    const { blobPrefix, inbox } = chatKeys(at.chat);
    const theirs = async (): Promise<number> => {
      const keys = await store.redis.keys(`${blobPrefix}*`);
      const heads = await Promise.all(
        keys.map((key) => store.redis.getrange(key, 0, 200)),
      );
      return heads.filter((head) => head.includes(`"${at.chat}"`)).length;
    };
    expect(await theirs()).toBe(0);
    for (let index = 0; index < 20; index += 1)
      await send(at, [], { id: `t${index}` });
    await send(at, [sent(png)]);
    expect(await theirs()).toBe(0);
    expect(await store.redis.llen(inbox)).toBe(20);
  });

  it("is called something that every script can read, at no great length", async () => {
    const at = somewhere();
    const name = `half \ud800 ${"x".repeat(300)}`;
    await send(at, [sent(png, { name })], {
      quote: { author: "\udc00 Bob", text: "hi" },
    });
    const [entry] = await waiting(at);
    const [kept] = entry?.attachments ?? [];
    expect(kept?.name).toBe(`half \ufffd ${"x".repeat(248)}`);
    expect(entry?.quote?.author).toBe("\ufffd Bob");
    // Versions that know of no files must not answer it as if it had none.
    expect(entry?.v).toBe(2);
  });

  it("is not fetched for a stranger, nor for what has come before", async () => {
    let fetches = 0;
    const counted = sent(png, {
      fetch: () => {
        fetches += 1;
        return Promise.resolve(png);
      },
    });
    expect((await send(directPlace(), [counted])).type).toBe("refused");
    expect(fetches).toBe(0);
    const at = somewhere();
    await send(at, [counted]);
    expect(await send(at, [counted])).toEqual({ type: "duplicate" });
    expect(fetches).toBe(1);
  });
});

describe("a voice note", () => {
  const voice = sent(Buffer.from("sound"), {
    kind: "voice",
    mediaType: "audio/ogg",
  });

  it("check 28: is refused with a sentence where nobody transcribes", async () => {
    expect(await refusal(somewhere(), [voice])).toMatch(
      /cannot listen to voice notes/,
    );
  });

  it("is kept where somebody does", async () => {
    const at = somewhere();
    await send(at, [voice], { accept: listening, text: "" });
    const [entry] = await waiting(at);
    expect(entry?.attachments).toMatchObject([
      { kind: "voice", mediaType: "audio/ogg", size: 5 },
    ]);
  });
});

it("a quote is kept, cut to what is shown of one", async () => {
  const at = somewhere();
  await send(at, [], { quote: { author: "Bob", text: "x".repeat(2_000) } });
  const [entry] = await waiting(at);
  expect(entry?.quote).toEqual({ author: "Bob", text: "x".repeat(1_000) });
});
