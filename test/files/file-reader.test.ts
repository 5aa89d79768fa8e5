import type { UnreadableReason } from "../../src/core/history.ts";
import { pino } from "pino";
import { afterAll, describe, expect, it } from "vitest";
import { PermanentError } from "../../src/core/errors.ts";
import { createFileReader, type FileReaderDeps } from "../../src/files/create-file-reader.ts";
import { ChildProcesses } from "../../src/tools/processes/child-processes.ts";
import { pdf, pdfBomb, pdfOfObjects, png, zip } from "../support/files/samples.ts";

const log = pino({ level: "silent" });
const processes = new ChildProcesses();
afterAll(() => processes[Symbol.dispose]());
const reader = createFileReader({ processes, log });
const signal = new AbortController().signal;

const read = (bytes: Uint8Array, mediaType = "application/octet-stream") =>
  reader.read({ kind: "document", mediaType, person: "1", load: async () => bytes }, signal);

const text = (said: string) => ({ type: "read", text: said });
const unreadable = (why: UnreadableReason) => ({
  type: "unreadable",
  why,
});

describe("a text file", () => {
  it.each([
    ["UTF-8", Buffer.from("größe 😀")],
    ["UTF-8 with its mark", Buffer.from("\uFEFFgröße 😀")],
    ["UTF-16LE", Buffer.from("\uFEFFgröße 😀", "utf16le")],
    ["UTF-16BE", Buffer.from("\uFEFFgröße 😀", "utf16le").swap16()],
  ])("in %s is read", async (_, bytes) => {
    expect(await read(bytes)).toEqual(text("größe 😀"));
  });

  it("in no such encoding is read as Windows-1252", async () => {
    const bytes = Buffer.from("größe 5\u0080", "latin1");
    expect(await read(bytes)).toEqual(text("größe 5€"));
  });

  it("is read to its millionth character", async () => {
    const whole = await read(Buffer.from("x".repeat(1_500_000)));
    expect(whole).toEqual(text("x".repeat(1_000_000)));
  });

  it("without words says so", async () => {
    expect(await read(Buffer.from(" \n"))).toEqual(unreadable("empty"));
  });
});

describe("a PDF", () => {
  it("is read page by page, also where it lies in a larger buffer", async () => {
    const bytes = pdf("Hello there", "", "Good bye");
    const larger = Buffer.concat([Buffer.alloc(999), bytes]);
    expect(await read(larger.subarray(999))).toEqual(
      text("[page 1]\nHello there\n\n[page 3]\nGood bye"),
    );
  });

  it("of pictures says so", async () => {
    expect(await read(pdf(""))).toEqual(unreadable("pictures"));
  });

  it("that is damaged says so", async () => {
    expect(await read(Buffer.from("%PDF-1.4 nothing"))).toEqual(unreadable("damaged"));
  });

  it("that wants a password says so", async () => {
    const locked = pdf("secret")
      .toString("latin1")
      .replace(
        "/Root 1 0 R",
        `/Root 1 0 R /ID [(a) (a)] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${"00".repeat(32)}> /U <${"00".repeat(32)}> >>`,
      );
    expect(await read(Buffer.from(locked, "latin1"))).toEqual(unreadable("locked"));
  });

  it("that unpacks to more than there is room for is given up", async () => {
    expect(await read(pdfBomb(320_000_000))).toEqual(unreadable("too-complicated"));
  });
});

it.each([16, 31])(
  "a PDF with a list of %d million widths is given up, and the next one is read",
  async (millions) => {
    const objects = [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
      "<< /Length 29 >>\nstream\nBT /F 9 Tf <00410042> Tj ET   \nendstream",
      "<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [6 0 R] >>",
      `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /W [0 ${millions}000000 500] /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor << /Type /FontDescriptor /FontName /A /Flags 4 >> >>`,
    ];
    const bytes = pdfOfObjects(objects.map((each) => Buffer.from(each)));
    expect(await read(bytes)).toEqual(unreadable("too-complicated"));
    expect(await read(pdf("Hello"))).toEqual(text("[page 1]\nHello"));
  },
);

it("what is neither is refused", async () => {
  for (const bytes of [zip, png, Buffer.from("a\u0000b")])
    expect(await read(bytes)).toEqual(unreadable("unknown"));
});

it("what no one wants any more rejects with the signal's reason", async () => {
  const gone = AbortSignal.abort(new Error("gone"));
  const file = {
    kind: "document",
    mediaType: "",
    person: "1",
    load: async () => pdf("a"),
  } as const;
  await expect(reader.read(file, gone)).rejects.toThrow("gone");
});

const hear = (transcribe: FileReaderDeps["transcribe"]) =>
  createFileReader({ processes, transcribe, log }).read(
    {
      kind: "voice",
      mediaType: "audio/ogg",
      person: "1",
      load: async () => Buffer.from("sound"),
    },
    signal,
  );

describe("a voice note", () => {
  it("is what was said", async () => {
    const heard = hear(({ bytes, mediaType }) =>
      Promise.resolve(`${mediaType}: ${Buffer.from(bytes).toString()}`),
    );
    expect(await heard).toEqual(text("audio/ogg: sound"));
  });

  it("in which nothing is said, says so", async () => {
    const heard = hear(() => Promise.resolve(" "));
    expect(await heard).toEqual(unreadable("silent"));
  });

  it("that is not transcribed says sorry, and nothing of why", async () => {
    const heard = hear(() => Promise.reject(new PermanentError("key sk-1")));
    expect(await heard).toEqual(unreadable("not-transcribed"));
  });

  it("is not read without someone who does", async () => {
    expect(await hear(undefined)).toEqual(unreadable("no-transcription"));
  });
});
