import { describe, expect, it } from "vitest";
import { PermanentError } from "../../../src/core/errors.ts";
import type { Inbound } from "../../../src/core/inbound.ts";
import type { FaultRule } from "../../emulators/telegram/faults.ts";
import type { Person } from "../../emulators/telegram/person.ts";
import { mediaOf } from "../../../src/bots/telegram/receive/media.ts";
import { localeFor } from "../../../src/locales/locale-for.ts";
import { Scene } from "./support.ts";

const megabyte = 1_048_576;
const png = Buffer.from("89504e470d0a1a0a0000", "hex");

/** A bot whose ingress fetches what is attached, as the real one does. */
async function openFiles() {
  const scene = await Scene.open({ privacyMode: false });
  const fetched: string[] = [];
  const sentences: string[] = [];
  const attempts = { count: 0 };
  scene.script.behave = async (inbound: Inbound) => {
    if (inbound.type !== "message" || inbound.isAddressed === false) return { type: "ignored" };
    attempts.count += 1;
    for (const { fetch } of inbound.attachments ?? [])
      try {
        const bytes = await fetch({
          maxBytes: 8 * megabyte,
          signal: AbortSignal.timeout(60_000),
        });
        fetched.push(Buffer.from(bytes).toString("latin1"));
      } catch (error) {
        if (!(error instanceof PermanentError)) throw error;
        sentences.push(error.message);
      }
    return { type: "queued" };
  };
  await scene.start();
  const anna = scene.telegram.person({ firstName: "Anna" });
  return {
    scene,
    anna,
    chat: scene.telegram.privateChat(anna),
    fetched,
    sentences,
    attempts,
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

type Files = Awaited<ReturnType<typeof openFiles>>;

describe("what people send", () => {
  it.each<[string, (anna: Person, chat: { id: number }) => unknown]>([
    ["a photo", (anna, chat) => anna.sendPhoto(chat, Buffer.from("bytes"))],
    ["a text", (anna, chat) => anna.sendDocument(chat, Buffer.from("bytes"))],
    ["a voice message", (anna, chat) => anna.sendMedia(chat, "voice", Buffer.from("bytes"))],
    ["a round video", (anna, chat) => anna.sendMedia(chat, "video_note", Buffer.from("bytes"))],
    [
      "a file whose ending no address holds as it is",
      (anna, chat) =>
        anna.sendDocument(chat, Buffer.from("bytes"), {
          fileName: "plan.ä#1?",
          mimeType: "text/plain",
        }),
    ],
  ])("arrives as it is: %s", async (_, send) => {
    await using files = await openFiles();
    send(files.anna, files.chat);
    await files.scene.allConfirmed();
    expect(files).toMatchObject({ fetched: ["bytes"], sentences: [] });
  });

  it("is not fetched where no one speaks to the bot", async () => {
    await using files = await openFiles();
    const { telegram } = files.scene;
    const group = telegram.group({
      title: "Team",
      members: [files.anna],
      kind: "supergroup",
    });
    files.anna.sendPhoto(group, png);
    const seen = files.anna.sendDocument(group, png, { caption: "look" });
    await files.scene.allConfirmed();
    expect(telegram.callsOf("getFile")).toEqual([]);
    files.anna.send(group, `@${telegram.bot.username} what is it?`, {
      replyTo: seen,
    });
    await files.scene.allConfirmed();
    expect(telegram.callsOf("downloadFile")).toHaveLength(1);
  });

  it("is refused with a sentence where it is too large, whatever Telegram said of it", async () => {
    await using files = await openFiles();
    const { telegram } = files.scene;
    const large = telegram.addFile({
      kind: "document",
      bytes: new Uint8Array(8 * megabyte + 1),
    });
    const huge = telegram.addFile({
      kind: "document",
      bytes: new Uint8Array(20 * megabyte + 1),
    });
    for (const { fileId } of [large, huge])
      files.anna.sendContent(files.chat, {
        document: {
          file_id: fileId,
          file_unique_id: fileId,
          file_name: "a.txt",
        },
      });
    await files.scene.allConfirmed();
    expect(files.sentences).toEqual(Array(2).fill("That file is too large. The limit is 8 MB."));
    // More than Telegram lets bots have is not even asked for.
    expect(telegram.callsOf("downloadFile")).toHaveLength(1);
  });
});

describe("a file that cannot be had", () => {
  const again: readonly [string, FaultRule][] = [
    [
      "a server in trouble",
      {
        method: "getFile",
        times: 3,
        kind: { type: "status", code: 502, description: "Bad Gateway" },
      },
    ],
    [
      "a rate limit",
      {
        method: "getFile",
        times: 1,
        kind: {
          type: "status",
          code: 429,
          description: "Too Many Requests: retry after 7",
          retryAfterSeconds: 7,
        },
      },
    ],
    [
      "a connection that is lost",
      { method: "getFile", times: 2, kind: { type: "hang-up-before" } },
    ],
    [
      "a file server in trouble",
      {
        method: "downloadFile",
        times: 2,
        kind: { type: "status", code: 500, description: "Internal" },
      },
    ],
    [
      "a download that breaks off",
      { method: "downloadFile", times: 2, kind: { type: "hang-up-after" } },
    ],
  ];

  it.each(again)("is tried again behind %s", async (_, fault) => {
    await using files = await openFiles();
    const { telegram } = files.scene;
    telegram.inject(fault);
    files.anna.sendPhoto(files.chat, Buffer.from("bytes"));
    files.anna.send(files.chat, "next");
    await files.scene.allConfirmed();
    expect(files).toMatchObject({ fetched: ["bytes"], sentences: [] });
    expect(files.attempts.count).toBe((fault.times ?? 0) + 2);
    const pauses = fault.method === "getFile" && fault.times === 1 ? [7_000] : [1_500];
    expect(files.scene.pausesMs).toEqual(expect.arrayContaining(pauses));
    expect(files.scene.warnings()).toEqual(["can't fetch a file from Telegram; retrying"]);
    expectNoToken(files);
  });

  it.each<[string, FaultRule]>([
    [
      "it is gone",
      {
        method: "getFile",
        kind: {
          type: "status",
          code: 400,
          description: "Bad Request: wrong file_id or the file is temporarily unavailable",
        },
      },
    ],
    [
      "its address is gone",
      {
        method: "downloadFile",
        kind: { type: "status", code: 404, description: "Not Found" },
      },
    ],
  ])("is given up at once where %s", async (_, fault) => {
    await using files = await openFiles();
    files.scene.telegram.inject(fault);
    files.anna.sendPhoto(files.chat, png);
    await files.scene.allConfirmed();
    expect(files.sentences).toEqual([
      "Sorry, Telegram no longer has that file. Please send it again.",
    ]);
    expect(files.attempts.count).toBe(1);
  });

  it("is given up after four tries, so that its chat goes on", async () => {
    await using files = await openFiles();
    files.scene.telegram.inject({
      method: "downloadFile",
      times: Infinity,
      kind: { type: "hang-up-after" },
    });
    files.anna.sendPhoto(files.chat, png);
    files.anna.send(files.chat, "next");
    await files.scene.allConfirmed();
    expect(files.sentences).toEqual([
      "Sorry, I couldn't download that file from Telegram. Please send it again later.",
    ]);
    expect(files.scene.script.texts).toEqual(["", "next"]);
    expect(files.scene.telegram.callsOf("downloadFile")).toHaveLength(4);
    expectNoToken(files);
  });

  it("comes again to the next process where this one ends", async () => {
    await using files = await openFiles();
    const { scene } = files;
    scene.telegram.inject({ method: "downloadFile", kind: { type: "hang" } });
    files.anna.sendPhoto(files.chat, Buffer.from("bytes"));
    await scene.telegram.waitFor((server) => server.callsOf("downloadFile").length);
    scene.stop();
    await scene.telegram.waitFor((server) => !server.isPolled);
    expect(scene.telegram.pendingUpdates).toHaveLength(1);
    expect(files).toMatchObject({ fetched: [], sentences: [] });
  });
});

function expectNoToken({ scene, sentences }: Files): void {
  const secret = scene.telegram.token.split(":")[1] ?? "";
  expect(scene.rawLog + sentences.join("")).not.toContain(secret);
}

it("what cannot be read is refused in the language that its sender chose", () => {
  const sticker = mediaOf({ sticker: {} });
  const archive = mediaOf({
    document: {
      file_id: "1",
      file_name: "a.zip",
      mime_type: "application/zip",
    },
  });
  if (sticker?.type !== "unreadable" || archive?.type !== "unreadable")
    throw new TypeError("both are unreadable");
  const { telegram } = localeFor("zh");
  expect(sticker.sentenceIn("zh-hans", true)).toBe(telegram.cannot.sticker);
  expect(archive.sentenceIn("zh-hans", true)).toBe(telegram.cannotReadFile('"a.zip"'));
  expect(sticker.sentenceIn(undefined, true)).toContain("stickers");
});

it("no picture is asked for where no model sees any", () => {
  const file = { file_id: "1", file_name: "a.tiff", mime_type: "image/tiff" };
  for (const content of [{ animation: {} }, { video: {} }, { document: file }]) {
    const media = mediaOf(content);
    if (media?.type !== "unreadable") throw new TypeError("each is unreadable");
    expect(media.sentenceIn("en", true)).toMatch(/screenshot|PNG/);
    expect(media.sentenceIn("en", false)).toMatch(/^I can't (?:watch|see) [^]*in words\.$/);
  }
});
