import type { Transformer, TransformStreamDefaultController } from "node:stream/web";

type Bytes = Uint8Array<ArrayBuffer>;

/** A line that is not a JSON object. */
class MalformedLineError extends Error {
  override readonly name = "MalformedLineError";
}

/** `{"error":"…"}` in the stream, after status 200. */
export class ErrorLineError extends Error {
  override readonly name = "ErrorLineError";
}

/**
 * Passes complete lines of JSON objects and ends at anything else, which
 * `onBadLine` receives. The client would print such a line to the console and
 * continue without it, and could not distinguish a server's error from a lost
 * connection. A failed stream would lose unread lines; one that ends keeps
 * them.
 */
export function jsonLines(onBadLine: (error: Error) => void): TransformStream<Bytes, Bytes> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = "";
  const pass = (
    lines: readonly string[],
    controller: TransformStreamDefaultController<Bytes>,
  ): void => {
    for (const line of lines.map((each) => each.trim())) {
      if (line === "") continue;
      const bad = problemOf(line);
      if (bad) {
        onBadLine(bad);
        controller.terminate();
        return;
      }
      controller.enqueue(encoder.encode(`${line}\n`));
    }
  };
  const transformer: Transformer<Bytes, Bytes> = {
    transform(bytes, controller) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      pass(lines, controller);
    },
    flush(controller) {
      pass([rest + decoder.decode()], controller);
    },
  };
  // Reads ahead of the client, which stops at the last line: the body is read to its end, and its
  // connection kept.
  const readAhead = new CountQueuingStrategy({ highWaterMark: 16 });
  return new TransformStream(transformer, undefined, readAhead);
}

/** Why a line ends the answer; undefined when it does not. */
function problemOf(line: string): Error | undefined {
  const value = parsed(line);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return new MalformedLineError("the stream holds a line that is not a JSON object");
  if (!("error" in value)) return undefined;
  return new ErrorLineError(
    typeof value.error === "string" ? value.error : JSON.stringify(value.error),
  );
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
