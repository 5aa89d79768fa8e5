import { Readable } from "node:stream";
import { PooledResponse, readBody, ResponseTooLargeError } from "../util/pooled-fetch.ts";

/** Bytes of one streamed answer: some hundred thousand tokens, each in a separate frame. */
export const maxAnswerBytes = 64 * 1_048_576;
/** Bytes of one line: a frame of a stream, or an answer that comes whole. */
export const maxLineBytes = 16 * 1_048_576;

/** How long the end of an answer that is over is waited for, in ms, and how much of it is read. */
const lingerMs = 1_000;
const lingerBytes = 65_536;

const lineFeed = 0x0a;

/**
 * Reads the text of an answer as it comes. Fulfils at its end, or as soon as `take` says that the
 * answer is over: then the rest is read away, so that the connection can be reused. Closing it
 * would cost the next answer a handshake.
 * @param take a piece of the text → whether the answer is over; `isEnd`: nothing follows
 * @throws what `take` throws; what ended the body early; ResponseTooLargeError
 */
export async function readAnswerText(
  response: Response,
  take: (text: string, isEnd: boolean) => boolean,
): Promise<void> {
  const raw = rawOf(response);
  const decoder = new TextDecoder();
  const guard = sizeGuard();
  const over = Promise.withResolvers<void>();
  let lingering = 0;
  let isOver = false;
  const read = readBody(raw, (piece) => {
    if (isOver) {
      lingering += piece.length;
      if (lingering > lingerBytes) raw.destroy();
      return;
    }
    guard(piece);
    isOver = take(decoder.decode(piece, { stream: true }), false);
    if (!isOver) return;
    const timer = setTimeout(() => raw.destroy(), lingerMs).unref();
    raw.once("close", () => clearTimeout(timer));
    over.resolve();
  });
  // Behind the answer nothing matters: a lost connection costs the next one a handshake.
  await Promise.race([read, over.promise]);
  if (!isOver) take(decoder.decode(), true);
}

function rawOf(response: Response): Readable {
  if (response instanceof PooledResponse) return response.raw;
  return response.body === null ? Readable.from([]) : Readable.fromWeb(response.body);
}

/** Looks at one answer's pieces. It throws `ResponseTooLargeError`. */
function sizeGuard(): (piece: Uint8Array) => void {
  let total = 0;
  let line = 0;
  return (piece) => {
    total += piece.length;
    const end = piece.lastIndexOf(lineFeed);
    line = end < 0 ? line + piece.length : piece.length - end - 1;
    if (total > maxAnswerBytes) throw new ResponseTooLargeError(maxAnswerBytes);
    if (line > maxLineBytes) throw new ResponseTooLargeError(maxLineBytes);
  };
}
