import { describe, expect, it } from "vitest";
import { kindOfFile, type FileRefusal } from "../../../src/bots/files/file-kinds.ts";

type Said = string | undefined;

describe("a file is, by its sender's word and by its name,", () => {
  it.each<[Said, Said, string, string]>([
    ["cat.png", "image/png", "image", "image/png"],
    ["cat.JPG", "image/jpeg", "image", "image/jpeg"],
    ["cat.webp", "image/webp; q=1", "image", "image/webp"],
    ["cat.webp", undefined, "image", "image/webp"],
    ["drawing.svg", "image/svg+xml", "document", "image/svg+xml"],
    ["notes.txt", "text/plain; charset=utf-8", "document", "text/plain"],
    ["data.csv", "text/csv", "document", "text/csv"],
    ["table.csv", undefined, "document", "text/plain"],
    ["main.ts", "video/vnd.dlna.mpeg-tts", "document", "text/plain"],
    ["main.ts", "video/mp2t", "document", "text/plain"],
    ["data.json", "application/json; x=1", "document", "application/json"],
    ["readme.md", "application/octet-stream", "document", "text/plain"],
    ["Dockerfile", undefined, "document", "text/plain"],
    ["src/Makefile", undefined, "document", "text/plain"],
    ["paper.PDF", "application/octet-stream", "document", "application/pdf"],
    [undefined, "application/pdf", "document", "application/pdf"],
    ["voice-message.ogg", "audio/ogg", "voice", "audio/ogg"],
    ["memo.m4a", "application/octet-stream", "voice", "audio/mp4"],
    ["song.mp3", undefined, "voice", "audio/mpeg"],
  ])("%s, %s: %s, %s", (name, said, kind, mediaType) => {
    expect(kindOfFile({ name, mediaType: said })).toEqual({ kind, mediaType });
  });

  it.each<[Said, Said, string]>([
    ["notes", undefined, "application/octet-stream"],
    [undefined, undefined, "application/octet-stream"],
    ["mystery.xyz", "application/x-xyz", "application/x-xyz"],
    // What is in it is text or not, whatever its ending promises.
    ["server.key", undefined, "application/octet-stream"],
    // Names that every object of JavaScript's knows.
    ["constructor", undefined, "application/octet-stream"],
    ["a.constructor", "application/octet-stream", "application/octet-stream"],
    ["__proto__", undefined, "application/octet-stream"],
  ])("%s, %s: a guess, %s", (name, said, mediaType) => {
    expect(kindOfFile({ name, mediaType: said })).toEqual({
      kind: "document",
      mediaType,
      isGuess: true,
    });
  });

  it.each<[Said, Said, FileRefusal]>([
    ["clip.mp4", "video/mp4", "video"],
    [undefined, "video/mp4", "video"],
    ["film.mov", undefined, "video"],
    ["all.zip", "application/zip", "archive"],
    ["all.tar.gz", undefined, "archive"],
    [undefined, "application/x-7z-compressed", "archive"],
    ["photo.heic", "image/heic", "picture"],
    ["a.tiff", undefined, "picture"],
    ["letter.docx", undefined, "otherFile"],
    ["a.docx", "application/octet-stream", "otherFile"],
    [undefined, "application/epub+zip", "otherFile"],
    ["run.exe", "application/x-msdownload", "otherFile"],
    [undefined, "font/woff2", "otherFile"],
  ])("%s, %s: nothing for us, as %s", (name, said, refusal) => {
    expect(kindOfFile({ name, mediaType: said })).toEqual({ refusal });
  });
});
