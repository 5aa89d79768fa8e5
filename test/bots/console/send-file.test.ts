import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { saveFilesIn } from "../../../src/bots/console/send/save-files-in.ts";
import type { OutgoingFile } from "../../../src/core/ports.ts";
import { chat, FakeParley, type FakeOptions } from "./fake-parley.ts";
import { FakeScreen } from "./fake-screen.ts";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-console-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const notes: OutgoingFile = {
  name: "notes.md",
  mediaType: "text/markdown",
  bytes: Buffer.from("# Notes\u001b[2J\nwords\n"),
};
const picture = { ...notes, name: "a.png", mediaType: "image/png" };
const options = { nonce: "1", final: true };

async function open(more: FakeOptions = {}): Promise<FakeParley> {
  const parley = new FakeParley(more);
  onTestFinished(() => parley.bot[Symbol.asyncDispose]());
  await parley.bot.start();
  return parley;
}

describe("a file in the console", () => {
  it("is saved, once for each nonce and never over another, and one line says where", async () => {
    const folder = temporaryFolder();
    const parley = await open({ saveFile: saveFilesIn(folder) });
    const { sender } = parley.bot;
    const first = await sender.sendFile(chat, notes, options);
    expect(await sender.sendFile(chat, notes, options)).toEqual(first);
    await sender.sendFile(chat, picture, { ...options, nonce: "2" });
    const caption = { text: "All of it:" };
    const other = { ...notes, bytes: Buffer.from("other"), caption };
    await sender.sendFile(chat, other, { ...options, nonce: "3" });
    expect(parley.written.split("\n")).toEqual([
      `File: ${join(folder, "notes.md")}`,
      `File: ${join(folder, "a.png")}`,
      "All of it:",
      `File: ${join(folder, "notes-2.md")}`,
      "",
    ]);
    expect(readFileSync(join(folder, "notes.md"))).toEqual(notes.bytes);
    expect(readFileSync(join(folder, "notes-2.md"), "utf8")).toBe("other");
  });

  it("shows its path on a terminal, too", async () => {
    const parley = await open({
      isTerminal: true,
      width: () => 60,
      saveFile: (name) => Promise.resolve(`/files/${name}`),
    });
    await parley.bot.sender.sendFile(chat, notes, options);
    const screen = new FakeScreen(60, 12);
    screen.write(parley.written);
    expect(screen.text).toContain("File: /files/notes.md");
  });

  it("that no one saves is printed where it is text, without what a terminal obeys", async () => {
    const parley = await open();
    const { sender } = parley.bot;
    expect((await sender.sendFile(chat, notes, options)).type).toBe("sent");
    expect(parley.written).toBe("# Notes\nwords\n\n");
    expect(await sender.sendFile(chat, picture, { ...options, nonce: "2" })).toMatchObject({
      type: "refused",
      cause: expect.stringContaining("a.png is image/png") as string,
    });
  });

  it("that cannot be saved is refused, and the next one is not", async () => {
    const folder = temporaryFolder();
    const inTheWay = join(folder, "files");
    writeFileSync(inTheWay, "");
    const parley = await open({ saveFile: saveFilesIn(inTheWay) });
    const { sender } = parley.bot;
    expect(await sender.sendFile(chat, notes, options)).toMatchObject({
      type: "refused",
      cause: expect.stringMatching(/EEXIST|ENOTDIR/) as string,
    });
    rmSync(inTheWay);
    expect((await sender.sendFile(chat, notes, options)).type).toBe("sent");
  });

  it("waits in the outbox when the console is closed", async () => {
    const parley = await open({ saveFile: saveFilesIn(temporaryFolder()) });
    await parley.bot[Symbol.asyncDispose]();
    expect((await parley.bot.sender.sendFile(chat, notes, options)).type).toBe("retry");
  });
});

describe("a folder of files", () => {
  it("is its owner's alone, and nothing leaves it", async () => {
    const folder = join(temporaryFolder(), "files");
    const path = await saveFilesIn(folder)("../../x/.y", Buffer.from("1"));
    expect(path).toBe(join(folder, "x-.y"));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});
