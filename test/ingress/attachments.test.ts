import { describe, expect, it, vi } from "vitest";
import { createAccept } from "../../src/ingress/create-accept.ts";
import { PermanentError, RetryableError } from "../../src/core/errors.ts";
import type { LogEntry, MessageEntry } from "../../src/core/history.ts";
import type { Acceptance, InboundAttachment, InboundMessage } from "../../src/core/inbound.ts";
import { chatFiles, createBlobs } from "../../src/store/turns/blobs.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { gif, jpeg, pdf, png, webp, zip } from "../support/files/samples.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { message, reset, storeOn } from "../store/support.ts";
import { write } from "../memory/support.ts";
import { directPlace, newPerson, openIngress, type Place } from "./open-ingress.ts";

const store = storeOn(await testDatabase());
const blobs = createBlobs(store);
const ingress = openIngress(store, {
  mode: "allowlist",
  admins: ["telegram:1"],
});
const { deps } = ingress;
const silent = createAccept(deps);
const listening = createAccept({ ...deps, readsVoice: true });
const blind = createAccept({ ...deps, seesPictures: () => Promise.resolve(false) });
const somewhere = (): Place => directPlace(newPerson({ id: "telegram:1" }), `${++bots}`);
let bots = 1_000;

const sent = (bytes: Uint8Array, more: Partial<InboundAttachment> = {}): InboundAttachment => ({
  kind: "document",
  mediaType: "application/octet-stream",
  fetch: () => Promise.resolve(bytes),
  ...more,
});

const send = (
  at: Place,
  attachments: readonly InboundAttachment[],
  { accept = silent, ...more }: Partial<InboundMessage> & { accept?: typeof silent } = {},
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
  ])("that is a picture of type %s is one, whatever it is sent as", async (mediaType, bytes) => {
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
  });

  it("that is a PDF or a text is kept as a document, without words too", async () => {
    const at = somewhere();
    const files = [sent(pdf("a")), sent(Buffer.from("a,b\n1,2"))];
    await send(at, files, { text: "" });
    const [entry] = await waiting(at);
    expect(entry?.text).toBe("");
    expect(entry?.attachments?.map(({ kind }) => kind)).toEqual(["document", "document"]);
  });

  it("of a kind that no one here reads is refused by name", async () => {
    expect(await refusal(somewhere(), [sent(zip, { name: "x.zip" })])).toBe(
      `I can't read "x.zip". I can read images (PNG, JPEG, GIF, WebP), PDFs and text files.`,
    );
    const fake = sent(pdf("a"), { kind: "image", mediaType: "image/png" });
    expect(await refusal(somewhere(), [fake])).toMatch(/^I can't open /);
  });

  it("is not promised to be read as a picture where no model sees any", async () => {
    const given = { name: "x.zip" };
    expect(await refusal(somewhere(), [sent(zip, given)], { accept: blind })).toBe(
      `I can't read "x.zip". I can read PDFs and text files.`,
    );
    const fake = sent(pdf("a"), { kind: "image", mediaType: "image/png" });
    expect(await refusal(somewhere(), [fake], { accept: blind })).toBe(
      "I can't see pictures, so I can't read this image. Please describe it in words.",
    );
    const film = sent(png, {
      async fetch({ seesPictures }) {
        throw new PermanentError(`asked: ${String(await seesPictures?.())}`);
      },
    });
    expect(await refusal(somewhere(), [film], { accept: blind })).toBe("asked: false");
  });

  it("that can't be opened doesn't hide those that can: the model and the person are told", async () => {
    const at = somewhere();
    const archive = sent(zip, { name: "x.zip" });
    const large = sent(png, { name: "large.png", size: 9 * 1_048_576 });
    const gone = sent(png, { fetch: () => Promise.reject(new PermanentError("It is gone.")) });
    const all = [archive, sent(png, { name: "a.png" }), large, gone, archive];
    expect(await send(at, all)).toEqual({ type: "queued" });
    const [entry] = await waiting(at);
    expect(entry).toMatchObject({
      text: "look",
      attachments: [{ name: "a.png" }],
      unopened: ["x.zip", "large.png", "document", "x.zip"],
    });
    const notices = async () =>
      (await ingress.outbox(at.chat)).map((each) => "text" in each && each.text);
    const told = [
      `I can't read "x.zip". I can read images (PNG, JPEG, GIF, WebP), PDFs and text files.\nSorry, "large.png" is too large (9 MB). The limit is 8 MB.\nIt is gone.`,
    ];
    expect(await notices()).toEqual(told);
    // Delivered again, it is told once.
    await send(at, all);
    expect(await notices()).toEqual(told);
  });

  it("that is too large is refused before it is fetched", async () => {
    const size = 9 * 1_048_576;
    const large = sent(png, {
      name: "large.png",
      size,
      fetch: () => Promise.reject(new Error("fetched")),
    });
    expect(await refusal(somewhere(), [large])).toBe(
      'Sorry, "large.png" is too large (9 MB). The limit is 8 MB.',
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
    await refusal(at, [sent(zip)]);
    const { blobPrefix, inbox } = chatKeys(at.chat);
    const theirs = async (): Promise<number> => {
      const keys = await store.redis.keys(`${blobPrefix}*`);
      const heads = await Promise.all(keys.map((key) => store.redis.getrange(key, 0, 200)));
      return heads.filter((head) => head.includes(`"${at.chat}"`)).length;
    };
    expect(await theirs()).toBe(0);
    for (let index = 0; index < 20; index += 1) await send(at, [], { id: `t${index}` });
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

describe("what a /stop has overtaken", () => {
  it("is not kept, and fetched no further", async () => {
    const at = somewhere();
    const dropped = new AbortController();
    let signal: AbortSignal | undefined;
    const slow = sent(png, {
      fetch: (limit) =>
        new Promise((_resolve, reject) => {
          signal = limit.signal;
          limit.signal.addEventListener("abort", () =>
            reject(new PermanentError("the download broke off")),
          );
        }),
    });
    const sending = send(at, [sent(png), slow], { dropped: dropped.signal });
    await vi.waitFor(() => expect(signal).toBeDefined());
    dropped.abort();
    expect(await sending).toEqual({ type: "ignored" });
    expect(await waiting(at)).toEqual([]);
    expect(await store.redis.exists(chatKeys(at.chat).files)).toBe(0);
  });

  it("says so where its sender still waits for a word", async () => {
    const at = somewhere();
    const given = { dropped: AbortSignal.abort(), answersItself: true };
    expect(await send(at, [], given)).toEqual({
      type: "answered",
      text: "(stopped)",
      isPrivate: false,
    });
    expect(await send(at, [sent(png)], { dropped: given.dropped })).toEqual({
      type: "ignored",
    });
    expect(await waiting(at)).toEqual([]);
  });

  it("may still wait for its turn to be fetched", async () => {
    const at = somewhere();
    const hanging = Promise.withResolvers<Uint8Array>();
    const busy = [1, 2].map((number) =>
      send(at, [sent(png, { fetch: () => hanging.promise })], {
        id: `busy${number}`,
      }),
    );
    const dropped = new AbortController();
    const third = send(at, [sent(png)], {
      id: "third",
      dropped: dropped.signal,
    });
    dropped.abort();
    expect(await third).toEqual({ type: "ignored" });
    hanging.resolve(png);
    expect(await Promise.all(busy)).toEqual([{ type: "queued" }, { type: "queued" }]);
  });
});

it("a file too many for its chat is refused, and what came with it is not kept", async () => {
  const at = somewhere();
  const { files } = chatKeys(at.chat);
  const [time] = await store.redis.time();
  const ends = Number(time) * 1_000 + 60_000;
  const known = Array.from({ length: chatFiles.maxCount - 1 }, (_, number) => [
    `file-${number}`,
    `1 ${ends}`,
  ]);
  await store.redis.hset(files, Object.fromEntries(known));
  expect(await refusal(at, [sent(png), sent(png)])).toBe(
    "This chat has reached today's file limit (100 files or 50 MB). Please try again tomorrow.",
  );
  expect(await store.redis.hlen(files)).toBe(chatFiles.maxCount - 1);
  expect(await send(at, [sent(png)], { id: "m2" })).toEqual({
    type: "queued",
  });
});

it("who points at something without a word asks what it is, in their language", async () => {
  const at = directPlace();
  const accept = createAccept(openIngress(store).deps);
  const quote = { author: "Bob", text: "The meeting is at nine" };
  await send(at, [], { accept, id: "m1", text: " ", quote });
  await send(at, [], {
    accept,
    id: "m2",
    text: "",
    quote,
    person: { ...at.person, language: "de" },
  });
  await send(at, [], { accept, id: "m3", text: "and?", quote });
  expect((await waiting(at)).map(({ text }) => text)).toEqual([
    "What can you tell me about this?",
    "Was kannst du mir dazu sagen?",
    "and?",
  ]);
});

describe("a voice note", () => {
  const voice = sent(Buffer.from("sound"), {
    kind: "voice",
    mediaType: "audio/ogg",
  });

  it("is refused with a sentence where no one transcribes", async () => {
    expect(await refusal(somewhere(), [voice])).toMatch(/can't listen to voice messages/);
  });

  it("is kept where someone does", async () => {
    const at = somewhere();
    await send(at, [voice], { accept: listening, text: "" });
    const [entry] = await waiting(at);
    expect(entry?.attachments).toMatchObject([{ kind: "voice", mediaType: "audio/ogg", size: 5 }]);
  });
});

it("a quote is kept, cut to what is shown of one", async () => {
  const at = somewhere();
  await send(at, [], { quote: { author: "Bob", text: "x".repeat(5_000) } });
  const [entry] = await waiting(at);
  expect(entry?.quote).toEqual({ author: "Bob", text: "x".repeat(4_000) });
});

const pointedPhoto = (more: Partial<InboundAttachment> = {}) =>
  sent(jpeg, { kind: "image", pointedAt: { messageId: "1" }, ...more });
const quote = { author: "Ann", text: "[photo]" };
const askedAbout = { id: "m5", messageId: "5", text: "what is it?", quote };
const writeLog = (at: Place, ...entries: readonly LogEntry[]) => write(store, at.chat, entries);
const shownPhoto = async (at: Place, blob?: string): Promise<LogEntry> =>
  message("m1", {
    messageId: "1",
    attachments: [
      { kind: "image", mediaType: "image/jpeg", size: 1, blob: blob ?? (await keptPhoto(at)) },
    ],
  });
const keptPhoto = async ({ chat }: Place) => (await blobs.putSent(chat, jpeg)) ?? "";
const undoFrom = (fromSeq: number): LogEntry => ({
  kind: "undo",
  v: 1,
  id: "u",
  fromSeq,
  ran: [],
  atMs: 1,
});
const summaryTo = (toSeq: number): LogEntry => ({
  kind: "compaction",
  v: 1,
  turn: 1,
  fromSeq: 0,
  toSeq,
  summary: "a photo",
  kept: [],
  results: [],
  strategy: "summarise",
  tokensBefore: 2,
  tokensAfter: 1,
});
const plain = message("m2", { messageId: "2" });

describe("a file that a message points at", () => {
  it.each<[string, number, (at: Place) => Promise<readonly LogEntry[]>]>([
    ["is fetched where the history doesn't hold it", 1, async () => [plain]],
    ["isn't where the conversation shows it", 0, async (at) => [await shownPhoto(at), plain]],
    ["is after /new", 1, async (at) => [await shownPhoto(at), reset("r"), plain]],
    [
      "is after its exchange was undone",
      1,
      async (at) => [await shownPhoto(at), undoFrom(0), plain],
    ],
    ["isn't after another one was", 0, async (at) => [await shownPhoto(at), plain, undoFrom(1)]],
    [
      "is once a summary stands for it",
      1,
      async (at) => [await shownPhoto(at), plain, summaryTo(0)],
    ],
    [
      "isn't where results were shortened",
      0,
      async (at) => [await shownPhoto(at), plain, summaryTo(-1)],
    ],
    [
      "is once its bytes are gone",
      1,
      async (at) => [await shownPhoto(at, `file-${"a".repeat(22)}`)],
    ],
    [
      "is once newer pictures have taken its place",
      1,
      async (at) => [
        await shownPhoto(at),
        ...Array.from({ length: 8 }, (_, index) =>
          message(`p${index}`, {
            messageId: `${index + 10}`,
            attachments: [{ kind: "image", mediaType: "image/jpeg", size: 1, blob: "x" }],
          }),
        ),
      ],
    ],
  ])("%s", async (_, count, history) => {
    const at = somewhere();
    await writeLog(at, ...(await history(at)));
    await send(at, [pointedPhoto()], askedAbout);
    expect((await waiting(at)).at(-1)?.attachments ?? []).toHaveLength(count);
  });

  it("isn't fetched while its message still waits, but is if /new waits behind it", async () => {
    const at = somewhere();
    await send(at, [sent(jpeg, { kind: "image" })]);
    await send(at, [pointedPhoto()], askedAbout);
    expect((await waiting(at)).map(({ attachments = [] }) => attachments.length)).toEqual([1, 0]);
    const next = somewhere();
    await send(next, [sent(jpeg, { kind: "image" })]);
    await store.redis.rpush(chatKeys(next.chat).inbox, JSON.stringify(reset("r")));
    await send(next, [pointedPhoto()], askedAbout);
    expect((await waiting(next)).at(-1)?.attachments).toHaveLength(1);
  });

  it("that holds the bot's answer is fetched once the conversation no longer shows it", async () => {
    const answer = sent(Buffer.from("long"), { pointedAt: { messageId: "3", isAnswer: true } });
    const at = somewhere();
    await writeLog(at, plain);
    await send(at, [answer], askedAbout);
    expect((await waiting(at))[0]).not.toHaveProperty("attachments");
    await writeLog(at, reset("r"), message("m4", { messageId: "4" }));
    await send(at, [answer], { ...askedAbout, id: "m6", messageId: "6" });
    expect((await waiting(at)).at(-1)?.attachments).toHaveLength(1);
  });

  it("never loses the words where it can't be had, and says why", async () => {
    const at = somewhere();
    const gone = pointedPhoto({ fetch: () => Promise.reject(new PermanentError("It is gone.")) });
    await send(at, [gone], askedAbout);
    const [entry] = await waiting(at);
    expect(entry).toMatchObject({ text: "what is it?", quote: { text: "[photo]\n(It is gone.)" } });
    expect(await refusal(somewhere(), [gone], { ...askedAbout, text: "" })).toBe("It is gone.");
  });
});

it("a model reads a message's Markdown, and limits count it", async () => {
  const at = somewhere();
  await send(at, [], { text: "this", markdown: "[this](https://a.example)" });
  await send(at, [], { id: "m2", text: "", markdown: "[poll] Tea?", isForwarded: true });
  expect((await waiting(at)).map(({ text }) => text)).toEqual([
    "[this](https://a.example)",
    "[poll] Tea?",
  ]);
  const long = await refusal(somewhere(), [], { text: "a", markdown: "x".repeat(50_001) });
  expect(long).toMatch(/50,?001/);
});
