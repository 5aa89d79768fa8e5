import { boundedResponse, sizeGuard } from "../../bounded-response.ts";
import { inspectedBody } from "../../inspected-body.ts";

/**
 * `data: [DONE]` on a separate line; within an answer's JSON it never begins a
 * line.
 */
const done = /[\r\n]data: ?\[DONE\]/;
/** The possible beginning of a mark that continues with the next bytes. */
const maxPartialUnits = "\r\ndata: [DONE]".length;

/**
 * A response that knows whether its stream has said `[DONE]`, and keeps a body that is JSON instead
 * of events. The client tells neither: it ends exactly as it does when the connection is closed in
 * the middle of an answer.
 */
export class WatchedResponse extends Response {
  readonly #watch: { saidDone: boolean };
  readonly #json: readonly Uint8Array[];

  constructor(response: Response) {
    const watch = { saidDone: false };
    const json: Uint8Array[] = [];
    const { body } = response;
    const [guard, look] = [sizeGuard(), doneLook(watch)];
    let isJson: boolean | undefined;
    super(
      body &&
        inspectedBody(
          body,
          (piece) => {
            guard(piece);
            isJson ??= beginsJson(piece);
            if (isJson === true) json.push(piece);
            else look(piece);
          },
          () => watch.saidDone,
        ),
      response,
    );
    this.#watch = watch;
    this.#json = json;
  }

  get saidDone(): boolean {
    return this.#watch.saidDone;
  }

  /** The body as far as it was read, where it is JSON; empty: it is a stream of events. */
  get plainJson(): string {
    return Buffer.concat(this.#json).toString();
  }
}

/** Undefined: nothing but white space. */
function beginsJson(piece: Uint8Array): boolean | undefined {
  const first = piece.find((byte) => byte > 0x20);
  return first === undefined ? undefined : first === 0x7b;
}

/** The same `fetch`, whose answers are bounded and whose streams are watched. */
export function watched(fetcher: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await fetcher(input, init);
    const isJson = /json/.test(response.headers.get("content-type") ?? "");
    const isWhole = isJson && !asksForStream(init?.body);
    return isWhole || !response.ok || response.body === null
      ? boundedResponse(response)
      : new WatchedResponse(response);
  };
}

/** Quotes within a person's words are escaped. */
const asksForStream = (body: unknown): boolean =>
  typeof body === "string" && body.includes('"stream":true');

function doneLook(watch: { saidDone: boolean }): (piece: Uint8Array) => void {
  let tail = "\n";
  return ({ buffer, byteOffset, byteLength }) => {
    const piece = Buffer.from(buffer, byteOffset, byteLength);
    const text = tail + piece.toString("latin1");
    watch.saidDone ||= done.test(text);
    tail = text.slice(-maxPartialUnits);
  };
}
