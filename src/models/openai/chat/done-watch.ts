type Bytes = Uint8Array<ArrayBuffer>;

/** `data: [DONE]` on a line of its own; within an answer's JSON it never begins a line. */
const done = /[\r\n]data: ?\[DONE\]/;
/** What may still belong to a mark whose other part comes with the next bytes. */
const maxPartialUnits = "\r\ndata: [DONE]".length;

/**
 * A response that knows whether its stream has said `[DONE]`. The client takes that word for itself and ends, exactly
 * as it does when the connection is closed in the middle of an answer.
 */
export class WatchedResponse extends Response {
  readonly #watch: { saidDone: boolean };

  constructor(response: Response) {
    const watch = { saidDone: false };
    super(response.body?.pipeThrough(watchingStream(watch)) ?? null, response);
    this.#watch = watch;
  }

  get saidDone(): boolean {
    return this.#watch.saidDone;
  }
}

/** The same `fetch`, whose streams are watched. */
export const watched =
  (fetcher: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await fetcher(input, init);
    const isWhole = /json/.test(response.headers.get("content-type") ?? "");
    return isWhole || !response.ok || response.body === null
      ? response
      : new WatchedResponse(response);
  };

function watchingStream(watch: {
  saidDone: boolean;
}): TransformStream<Bytes, Bytes> {
  const decoder = new TextDecoder("latin1");
  let tail = "\n";
  return new TransformStream<Bytes, Bytes>({
    transform(bytes, controller) {
      const text = tail + decoder.decode(bytes);
      watch.saidDone ||= done.test(text);
      tail = text.slice(-maxPartialUnits);
      controller.enqueue(bytes);
    },
  });
}
