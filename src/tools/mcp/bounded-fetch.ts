import { reasonOf } from "./errors.ts";

/** The maximum size of a server's message. */
export const maxMessageBytes = 10_000_000;

export interface Watch {
  /**
   * The server cannot be reached, has sent too much, or no longer knows our session: the connection
   * is of no more use.
   */
  lost(reason: string): void;
  /** An answer ended in the middle. */
  interrupted(): void;
}

/**
 * `fetch` with limits: one message (a JSON body, or one event of a stream) has
 * at most `maxMessageBytes` after decompression, and errors that the transport
 * swallows are reported.
 */
export function boundedFetch(watch: Watch): typeof fetch {
  let streamWorked = false;
  return async (input, init) => {
    let response: Response;
    try {
      response = await fetch(input, init);
    } catch (error) {
      // Not at once: the call that met it fails by itself, and knows that nothing was sent.
      if (!init?.signal?.aborted) setImmediate(() => watch.lost(reasonOf(error)));
      throw error;
    }
    // The one GET is the stream of notifications. It worked before: now the session must be gone.
    if (init?.method === "GET") {
      if (streamWorked && !response.ok) watch.lost(`its stream ended (HTTP ${response.status})`);
      streamWorked ||= response.ok;
    }
    return response.body === null
      ? response
      : new Response(bounded(response, response.body, watch), response);
  };
}

function bounded(
  { headers }: Response,
  body: ReadableStream<Uint8Array>,
  watch: Watch,
): ReadableStream<Uint8Array> {
  const isStream = /^text\/event-stream\b/i.test(headers.get("content-type") ?? "");
  const size = new MessageSize(isStream);
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        if (size.add(value) <= maxMessageBytes) return controller.enqueue(value);
        const reason = `it sent a message of more than ${maxMessageBytes} bytes`;
        watch.lost(reason);
        controller.error(new Error(reason));
        await reader.cancel(reason);
      } catch (error) {
        watch.interrupted();
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Bytes of the message that is being read; in a stream, an empty line ends one. */
class MessageSize {
  readonly #isStream: boolean;
  #bytes = 0;
  #lineBytes = 0;

  constructor(isStream: boolean) {
    this.#isStream = isStream;
  }

  add(chunk: Uint8Array): number {
    if (!this.#isStream) return (this.#bytes += chunk.length);
    for (const byte of chunk) {
      this.#bytes += 1;
      if (byte === carriageReturn) continue;
      if (byte !== lineFeed) this.#lineBytes += 1;
      else {
        if (this.#lineBytes === 0) this.#bytes = 0;
        this.#lineBytes = 0;
      }
    }
    return this.#bytes;
  }
}
