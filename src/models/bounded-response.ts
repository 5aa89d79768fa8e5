import { inspectedBody } from "./inspected-body.ts";

/**
 * Bytes of one answer, after decompression: some hundred thousand tokens, each
 * in a separate frame.
 */
export const maxAnswerBytes = 64 * 1_048_576;
/** Bytes of one line: a frame of a stream, or an answer that comes whole. */
export const maxLineBytes = 16 * 1_048_576;

const lineFeed = 0x0a;

/** A server has sent more than any answer holds. */
class AnswerTooLargeError extends Error {
  override readonly name = "AnswerTooLargeError";
}

/**
 * The same `fetch`, whose answers end with an error where they are too large: the vendors' clients
 * keep a line until it is whole, however long it gets.
 */
export const bounded =
  (fetcher: typeof fetch): typeof fetch =>
  async (input, init) =>
    boundedResponse(await fetcher(input, init));

/** The same response, whose body ends with an error where it is too large. */
export const boundedResponse = (response: Response): Response =>
  response.body === null
    ? response
    : new Response(inspectedBody(response.body, sizeGuard()), response);

/** Looks at one answer's pieces. It throws `AnswerTooLargeError`. */
export function sizeGuard(): (piece: Uint8Array) => void {
  let total = 0;
  let line = 0;
  return (piece) => {
    total += piece.length;
    const end = piece.lastIndexOf(lineFeed);
    line = end < 0 ? line + piece.length : piece.length - end - 1;
    if (total > maxAnswerBytes || line > maxLineBytes)
      throw new AnswerTooLargeError(
        `the answer was given up: it is larger than ${(total > maxAnswerBytes ? maxAnswerBytes : maxLineBytes) / 1_048_576} MB`,
      );
  };
}
