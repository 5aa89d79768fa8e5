type Bytes = Uint8Array<ArrayBuffer>;

/** How long the end of an answer that is whole is waited for, in ms, and how much of it is read. */
const lingerMs = 1_000;
const lingerBytes = 65_536;

/**
 * The same body; `look` sees its pieces before the reader does, and a throw
 * ends the body with that error. Adds one stream and no pipe: two transforms
 * cost more than reading the answer.
 * @param isWhole whether the answer is complete. If the reader then stops, the
 * rest is drained, so that the connection can be reused: closing it would cost
 * the next answer a handshake.
 */
export function inspectedBody(
  body: ReadableStream<Bytes>,
  look: (piece: Bytes) => void,
  isWhole: () => boolean = () => false,
): ReadableStream<Bytes> {
  const reader = body.getReader();
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return;
        }
        try {
          look(value);
        } catch (error) {
          // The connection is being dropped; its errors no longer matter.
          reader.cancel(error).catch(() => undefined);
          throw error;
        }
        controller.enqueue(value);
      },
      async cancel(reason) {
        if (isWhole()) void readAway(reader);
        else await reader.cancel(reason);
      },
    },
    // Read only on demand.
    { highWaterMark: 0 },
  );
}

/** Never rejects: the caller already has the answer. */
async function readAway(reader: ReadableStreamDefaultReader<Bytes>): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), lingerMs);
  timer.unref();
  try {
    for (let read = 0; read < lingerBytes;) {
      const { done, value } = await reader.read();
      if (done) return;
      read += value.length;
    }
    await reader.cancel();
  } catch {
    // It was closed in the middle: the next answer opens another one.
  } finally {
    clearTimeout(timer);
  }
}
