import { boundedResponse, sizeGuard } from "../../bounded-response.ts";
import { inspectedBody } from "../../inspected-body.ts";

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
    const { body } = response;
    const [guard, look] = [sizeGuard(), doneLook(watch)];
    super(
      body &&
        inspectedBody(
          body,
          (piece) => {
            guard(piece);
            look(piece);
          },
          () => watch.saidDone,
        ),
      response,
    );
    this.#watch = watch;
  }

  get saidDone(): boolean {
    return this.#watch.saidDone;
  }
}

/** The same `fetch`, whose answers are bounded and whose streams are watched. */
export function watched(fetcher: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await fetcher(input, init);
    const isWhole = /json/.test(response.headers.get("content-type") ?? "");
    return isWhole || !response.ok || response.body === null
      ? boundedResponse(response)
      : new WatchedResponse(response);
  };
}

function doneLook(watch: { saidDone: boolean }): (piece: Uint8Array) => void {
  let tail = "\n";
  return ({ buffer, byteOffset, byteLength }) => {
    const piece = Buffer.from(buffer, byteOffset, byteLength);
    const text = tail + piece.toString("latin1");
    watch.saidDone ||= done.test(text);
    tail = text.slice(-maxPartialUnits);
  };
}
