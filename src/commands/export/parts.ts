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
