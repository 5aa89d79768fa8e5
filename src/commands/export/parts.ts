import { safeFileName, spokenIn, type OutboxEntry } from "../../core/outbox.ts";
import { maxBlobBytes } from "../../store/turns/blobs.ts";
import type { CommandCall, CommandDeps } from "../command.ts";

/**
 * Posts texts as files in a chat, each as soon as it is full: a long text is never in memory as a
 * whole. @param file.nameOf the name with a number in it, which is empty where there is one file.
 * @returns how many files; undefined: the chat takes no more.
 */
export async function postFiles(
  { blobs, post }: Pick<CommandDeps, "blobs" | "post">,
  { chat, person }: Pick<CommandCall, "chat" | "person">,
  texts: AsyncIterable<string>,
  file: Pick<OutboxEntry & { kind: "file" }, "id" | "mediaType" | "replyTo"> & {
    readonly head?: string;
    readonly nameOf: (number: string) => string;
  },
): Promise<number | undefined> {
  const { head = "", nameOf, id, ...entry } = file;
  let files = 0;
  for await (const { bytes, isLast } of partsOf(texts, { head, maxBytes: maxBlobBytes })) {
    files += 1;
    const posted = await post(chat, {
      kind: "file",
      v: 1,
      id: `${id}-${files}`,
      ...spokenIn(person.language),
      ...entry,
      blob: await blobs.put(chat, bytes),
      name: safeFileName(nameOf(files === 1 && isLast ? "" : `-${files}`)),
    });
    if (posted === "full") return undefined;
  }
  return files;
}

/** One file of an export. */
export interface Part {
  readonly bytes: Uint8Array;
  readonly isLast: boolean;
}

/**
 * Joins texts into files of at most `maxBytes` of UTF-8, each of which begins with `head`. A file
 * ends between two texts; only a text that fits into none is cut, between two characters. No texts:
 * no files. One file is in memory at a time.
 */
export async function* partsOf(
  texts: AsyncIterable<string>,
  { head, maxBytes }: { readonly head: string; readonly maxBytes: number },
): AsyncGenerator<Part, void, undefined> {
  const headBytes = Buffer.byteLength(head);
  let held: string[] = [];
  let heldBytes = headBytes;
  const part = (isLast: boolean): Part => ({
    bytes: Buffer.from(head + held.join("")),
    isLast,
  });
  for await (const text of texts)
    for (const piece of piecesOf(text, maxBytes - headBytes)) {
      const bytes = Buffer.byteLength(piece);
      if (heldBytes + bytes > maxBytes) {
        yield part(false);
        held = [];
        heldBytes = headBytes;
      }
      held.push(piece);
      heldBytes += bytes;
    }
  if (held.length > 0) yield part(true);
}

/** @param maxBytes room for a character at least. */
function* piecesOf(text: string, maxBytes: number): Generator<string> {
  let left = text;
  while (Buffer.byteLength(left) > maxBytes) {
    const room = new Uint8Array(maxBytes);
    const { read } = new TextEncoder().encodeInto(left, room);
    yield left.slice(0, read);
    left = left.slice(read);
  }
  yield left;
}
