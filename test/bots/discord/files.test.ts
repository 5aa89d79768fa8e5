import { describe, expect, test } from "vitest";
import {
  blindFileSentence,
  fileSentence,
} from "../../../src/bots/discord/receive/file-sentences.ts";
import { createFiles } from "../../../src/bots/discord/receive/files.ts";
import { kindOfFile } from "../../../src/bots/files/file-kinds.ts";
import { attachmentsOf } from "../../../src/bots/discord/receive/attachments.ts";
import { messageSchema } from "../../../src/bots/discord/receive/payloads.ts";
import { PermanentError, RetryableError } from "../../../src/core/errors.ts";
import type { InboundAttachment, InboundMessage } from "../../../src/core/inbound.ts";
import { DiscordServer } from "../../emulators/discord/discord-server.ts";
import { scene } from "../../emulators/discord/scene.ts";
import { eventually, started, type Started } from "./harness.ts";

const limit = { maxBytes: 1_000, signal: new AbortController().signal };

describe("a file that no one here reads", () => {
  test.each([
    ["clip.mp4", "video/mp4", /videos \("clip\.mp4"\)/],
    ["all.zip", "application/zip", /archives \("all\.zip"\)/],
    ["all.tar.gz", undefined, /archives/],
    ["photo.heic", "image/heic", /this kind of image .*PNG/],
    ["letter.docx", undefined, /this kind of file .*PDF/],
    ["run.exe", "application/x-msdownload", /this kind of file .*PDF/],
    [`${"x".repeat(200)}.mp4`, "video/mp4", /^.{0,180}$/],
  ])("%s, %s, is refused in words of its own", (name, type, words) => {
    const kind = kindOfFile({ name, mediaType: type });
    const { refusal } = "refusal" in kind ? kind : {};
    expect(refusal && fileSentence(refusal, name, undefined)).toMatch(words);
    // Where no model sees pictures none is asked for.
    expect(refusal && blindFileSentence(refusal, name, undefined)).not.toMatch(
      /screenshot|PNG|image/,
    );
    // In another language it is another sentence, of the same file.
    const german = refusal && fileSentence(refusal, name, "de");
    expect(german).not.toContain("I can't");
    expect(german).toContain(`("${name.slice(0, 9)}`);
  });
});

const place = async () => {
  const discord = await DiscordServer.start();
  const { ann, direct } = scene(discord);
  const closing = new AbortController();
  const { apiRoot } = discord;
  return {
    discord,
    closing,
    fetchFile: createFiles({ apiRoot, signal: closing.signal }),
    /** The address at which the emulated CDN has these bytes. */
    url(bytes: Uint8Array) {
      const attachments = [{ name: "a b.txt", bytes }];
      const { attachments: sent } = ann.send(direct, "", { attachments });
      const [file] = sent;
      return `${new URL(apiRoot).origin}/attachments/${direct.id}/${file?.id}/a%20b.txt?ex=1&is=1&hm=1`;
    },
    [Symbol.asyncDispose]: () => discord[Symbol.asyncDispose](),
  };
};
const notFetched = () => Promise.reject(new Error("not fetched"));
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (failure: unknown) => failure,
  );

describe("bytes", () => {
  test.each(["https://discord.com/api", "http://127.0.0.1:1/api"])(
    "come from Discord's hosts only, or from where its API is: %s",
    async (apiRoot) => {
      await using here = await place();
      const fetchFile = createFiles({ apiRoot, signal: limit.signal });
      const found = here.url(Buffer.from("text"));
      for (const url of [
        found,
        "http://cdn.discordapp.com/a",
        "https://cdn.discordapp.com.evil.test/a",
        "https://discord.com/api/v10/users/@me",
        "file:///etc/passwd",
        "nothing",
      ]) {
        const failure = await failureOf(fetchFile({ url, name: "a" }, limit));
        expect(failure).toBeInstanceOf(PermanentError);
        expect((failure as Error).cause).toBeUndefined();
      }
      expect(here.discord.calls).toEqual([]);
      await here.fetchFile({ url: found, name: "a" }, limit);
      expect(here.discord.calls).toHaveLength(1);
    },
  );

  test("are whole, and no more than the limit", async () => {
    await using here = await place();
    const bytes = Buffer.alloc(1_000, 7);
    const fetched = await here.fetchFile({ url: here.url(bytes), name: "a" }, limit);
    expect(Buffer.from(fetched)).toEqual(bytes);
    const url = here.url(Buffer.alloc(1_001));
    const failure = await failureOf(here.fetchFile({ url, name: "a" }, limit));
    expect(failure).toBeInstanceOf(PermanentError);
    expect(String(failure)).toContain(`"a" is too large`);
  });

  test("that are gone are said to be, and those that fail are tried again", async () => {
    await using here = await place();
    const path = /^\/attachments\//;
    const url = here.url(Buffer.from("text"));
    here.discord.inject({
      path,
      times: 2,
      kind: { type: "status", code: 503 },
    });
    const fetched = await here.fetchFile({ url, name: "a" }, limit);
    expect(Buffer.from(fetched).toString()).toBe("text");
    here.discord.inject({
      path,
      times: 1,
      kind: { type: "status", code: 404 },
    });
    expect(String(await failureOf(here.fetchFile({ url, name: "a" }, limit)))).toContain(
      "no longer has",
    );
    here.discord.inject({ path, times: 9, kind: { type: "hang-up-before" } });
    expect(String(await failureOf(here.fetchFile({ url, name: "a" }, limit)))).toContain(
      "Please send it again",
    );
  });

  test("are given up by a turn that waits, and left to another process by a bot that closes", async () => {
    await using here = await place();
    const url = here.url(Buffer.from("text"));
    here.discord.inject({
      path: /^\/attachments\//,
      times: 9,
      kind: { type: "hang" },
    });
    const over = new AbortController();
    const signal = over.signal;
    const waiting = failureOf(here.fetchFile({ url, name: "a" }, { ...limit, signal }));
    over.abort();
    expect(await waiting).toBeInstanceOf(PermanentError);
    const left = failureOf(here.fetchFile({ url, name: "a" }, limit));
    here.closing.abort();
    expect(await left).toBeInstanceOf(RetryableError);
  });
});

const messageAt = ({ ingress }: Started, at: number): InboundMessage => {
  const inbound = ingress.arrived[at];
  if (inbound?.type !== "message") throw new Error("no message arrived");
  return inbound;
};
const bytesOf = async ({ fetch }: InboundAttachment) => Buffer.from(await fetch(limit)).toString();

describe("attachments", () => {
  test("arrive with their message and are fetched when they are wanted", async () => {
    await using here = await started();
    const { ann, channel, direct, discord } = here;
    ann.send(direct, "", {
      attachments: [
        {
          name: "cat.png",
          bytes: Buffer.from("a cat"),
          contentType: "image/png",
        },
        { name: "notes.md", bytes: Buffer.from("# Notes") },
      ],
    });
    ann.send(channel, "hear this", {
      mentionsBot: true,
      isVoice: true,
      attachments: [
        {
          name: "voice-message.ogg",
          bytes: Buffer.from("la la"),
          contentType: "audio/ogg",
        },
      ],
    });
    await eventually(() => here.ingress.arrived).toHaveLength(2);
    const fetched = () => discord.calls.filter(({ path }) => path.startsWith("/attachments/"));
    expect(fetched()).toEqual([]);
    const inbound = messageAt(here, 0);
    expect(inbound).toMatchObject({
      text: "",
      attachments: [
        { kind: "image", name: "cat.png", mediaType: "image/png", size: 5 },
        {
          kind: "document",
          name: "notes.md",
          mediaType: "text/plain",
          size: 7,
        },
      ],
    });
    const [first] = inbound.attachments ?? [];
    expect(first && (await bytesOf(first))).toBe("a cat");
    expect(messageAt(here, 1).attachments).toMatchObject([
      { kind: "voice", mediaType: "audio/ogg" },
    ]);
    expect(discord.violations).toEqual([]);
  });

  test("come with /ask, and its echo names them", async () => {
    await using here = await started();
    const slash = here.ann.slash(here.channel, "ask", {
      question: "What is it?",
      file: { name: "a_b.pdf", bytes: Buffer.from("%PDF-1.7") },
    });
    const shown = await slash.response("> What");
    expect(shown.content).toBe("> What is it?\n-# a\\_b.pdf");
    const [file] = messageAt(here, 0).attachments ?? [];
    expect(messageAt(here, 0).text).toBe("What is it?");
    expect(file).toMatchObject({ kind: "document", name: "a_b.pdf" });
    expect(file && (await bytesOf(file))).toBe("%PDF-1.7");
    expect(here.discord.violations).toEqual([]);
  });

  test("what cannot be taken says so in words of its own", async () => {
    await using here = await started();
    const { ann, direct } = here;
    const clip = {
      name: "clip.mp4",
      bytes: Buffer.from("x"),
      contentType: "video/mp4",
    };
    ann.send(direct, "look", { attachments: [clip] });
    ann.send(direct, "", { stickers: ["wave"] });
    ann.send(direct, "", {
      attachments: [{ name: "mystery", bytes: Buffer.from([0, 1, 2, 3]) }],
    });
    await eventually(() => here.ingress.arrived).toHaveLength(3);
    const said = await Promise.all(
      here.ingress.arrived.map(async (inbound) => {
        const { attachments = [] } = inbound as InboundMessage;
        const failures = attachments.map(({ fetch }) =>
          fetch(limit).then(
            () => "taken",
            (failure: unknown) =>
              failure instanceof PermanentError ? failure.message : "not ours",
          ),
        );
        return await Promise.all(failures);
      }),
    );
    expect(said).toEqual([
      [expect.stringMatching(/videos/)],
      [expect.stringMatching(/stickers/)],
      [expect.stringMatching(/this kind of file \("mystery"\)/)],
    ]);
  });

  test("a sticker beside words is only an ornament", () => {
    const message = messageSchema.parse({
      id: "5",
      channel_id: "7",
      type: 0,
      author: { id: "2", username: "ann" },
      content: "hello",
      mentions: [],
      sticker_items: [{ name: "wave" }],
    });
    expect(attachmentsOf(message, notFetched)).toEqual([]);
  });
});

describe("while a file is fetched", () => {
  test("/stop and taps do not wait for it, messages do, and what is dropped says so", async () => {
    await using here = await started();
    const { ann, channel, discord, ingress } = here;
    const fetching = Promise.withResolvers<void>();
    ingress.answer = async (inbound) => {
      if (inbound.type === "command")
        return {
          type: "answered",
          text: `${inbound.name} dropped ${inbound.dropEarlier?.().length}`,
          isPrivate: false,
        };
      if (inbound.type === "message" && inbound.attachments) await fetching.promise;
      return inbound.dropped?.aborted === true && "answersItself" in inbound
        ? { type: "answered", text: "(stopped)", isPrivate: false }
        : { type: "queued" };
    };
    const file = { name: "a.txt", bytes: Buffer.from("a") };
    const slow = ann.slash(channel, "ask", { question: "slow?", file });
    await eventually(() => ingress.texts()).toEqual(["slow?"]);
    ann.send(channel, "next", { mentionsBot: true });
    const status = ann.slash(channel, "status");
    await status.response("status dropped 2");
    expect(ingress.texts()).toEqual(["slow?", "command"]);
    fetching.resolve();
    await slow.response("(stopped)");
    await eventually(() => ingress.texts()).toEqual(["slow?", "command", "next"]);
    expect(discord.violations).toEqual([]);
  });
});
