import { globalAgent } from "node:http";
import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { Agent, type Dispatcher, EnvHttpProxyAgent, interceptors, request } from "undici";

/** Bytes of an answer that is read whole, after decompression. */
export const maxResponseBytes = 64 * 1_048_576;

/** A server has sent more than any answer holds. */
export class ResponseTooLargeError extends Error {
  override readonly name = "ResponseTooLargeError";

  constructor(maxBytes: number) {
    super(`the answer was given up: it is larger than ${maxBytes / 1_048_576} MB`);
  }
}

/** Drops a byte order mark, as `fetch` does. */
const utf8 = new TextDecoder();

/**
 * What clients use of a `Response`, with a Node stream as its body: `fetch` puts every body behind two
 * web streams, which cost more than the request. A body must be read or destroyed, or it holds its
 * connection.
 */
export class PooledResponse {
  /** Taken once, and not with `text`, `json` or `body`. */
  readonly raw: Readable;
  readonly status: number;
  readonly statusText = "";
  readonly url: string;
  readonly #pairs: () => [string, string][];
  #headers: Headers | undefined;

  constructor(
    raw: Readable,
    head: {
      readonly url: string;
      readonly status: number;
      readonly headers: () => [string, string][];
    },
  ) {
    this.raw = raw;
    this.status = head.status;
    this.url = head.url;
    this.#pairs = head.headers;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  /** Made when they are asked for: of most answers they aren't. */
  get headers(): Headers {
    return (this.#headers ??= new Headers(this.#pairs()));
  }

  get body(): Response["body"] {
    return Readable.toWeb(this.raw) as Response["body"];
  }

  /** @throws ResponseTooLargeError */
  async text(): Promise<string> {
    return utf8.decode(await this.#whole());
  }

  /** @throws SyntaxError, ResponseTooLargeError */
  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  /** @throws ResponseTooLargeError */
  async arrayBuffer(): Promise<ArrayBuffer> {
    return new Uint8Array(await this.#whole()).buffer;
  }

  async #whole(): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let bytes = 0;
    await readBody(this.raw, (piece) => {
      bytes += piece.length;
      if (bytes > maxResponseBytes) throw new ResponseTooLargeError(maxResponseBytes);
      pieces.push(piece);
    });
    return Buffer.concat(pieces);
  }
}

/**
 * Passes a body on as it arrives, whatever has arrived as one piece. Fulfils at its end; if `take` throws,
 * the request ends. @throws what `take` throws, or what ended the body early.
 */
export async function readBody(raw: Readable, take: (piece: Buffer) => void): Promise<void> {
  raw.on("readable", () => {
    try {
      for (let piece = next(raw); piece !== null; piece = next(raw)) take(piece);
    } catch (error) {
      raw.destroy(error as Error);
    }
  });
  await finished(raw);
}

/** Undici's pieces are the server's chunks; without a size, all that wait are read as one. */
const next = (raw: Readable): Buffer | null => raw.read() as Buffer | null;

/**
 * `fetch` over the connections that all requests of this process share, for clients that take one.
 * Rejects with undici's errors as they are, or with the signal's reason. Follows redirects.
 */
export const pooledFetch = async (
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<Response> => await fetchOver((shared ??= openAgent({})), input, init);

/** The same, each request over a connection of its own. */
export const unkeptFetch: typeof pooledFetch = async (input, init) =>
  await fetchOver((unkept ??= openAgent({ pipelining: 0 })), input, init ?? {});

async function fetchOver(
  dispatcher: Dispatcher,
  input: string | URL | Request,
  init: RequestInit,
): Promise<Response> {
  const url = input instanceof Request ? input.url : String(input);
  if (init.body instanceof FormData)
    return await fetchOver(dispatcher, input, await withForm(init));
  const { statusCode, headers, body } = await request(url, {
    dispatcher,
    method: init.method ?? "GET",
    headers: Array.isArray(init.headers)
      ? Object.fromEntries(init.headers)
      : (init.headers ?? null),
    body: (init.body ?? null) as Body | null,
    signal: init.signal ?? null,
  });
  if (statusCode > maxStatus) {
    await body.dump();
    throw new Error(`the server answered with the status ${statusCode}`);
  }
  const response = new PooledResponse(decoded(body, headers["content-encoding"]), {
    url,
    status: statusCode,
    headers: () => pairsOf(headers),
  });
  return response as Pick<Response, keyof Response & keyof PooledResponse> as Response;
}

/** The last one that a response can have. */
const maxStatus = 599;

async function withForm(init: RequestInit): Promise<RequestInit> {
  const { type, bytes } = await formBytes(init.body as FormData);
  const headers = new Headers(init.headers);
  headers.set("content-type", type);
  return { ...init, headers, body: bytes };
}

/** As bytes: undici takes the forms of its own version only. */
export async function formBytes(
  form: FormData,
): Promise<{ readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> }> {
  const encoded = new Response(form);
  return {
    type: encoded.headers.get("content-type") ?? "",
    bytes: new Uint8Array(await encoded.arrayBuffer()),
  };
}

type Body = NonNullable<Dispatcher.RequestOptions["body"]>;

let shared: Dispatcher | undefined;
let unkept: Dispatcher | undefined;

/**
 * Through a proxy of the environment where Node's own requests go there (`NODE_USE_ENV_PROXY`). Not
 * undici's global dispatcher: that may be the one of the version which discord.js brings.
 */
function openAgent(settings: Agent.Options): Dispatcher {
  const { options } = globalAgent as typeof globalAgent & { options: { proxyEnv?: object } };
  const agent =
    options.proxyEnv === undefined ? new Agent(settings) : new EnvHttpProxyAgent(settings);
  return agent.compose(interceptors.redirect({ maxRedirections: 5 }));
}

const pairsOf = (headers: Readonly<Record<string, string | string[] | undefined>>) =>
  Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  );

/** None is asked for; some servers compress all the same. */
function decoded(body: Readable, encoding: string | string[] | undefined): Readable {
  const decoder = decoders[String(encoding).toLowerCase()]?.();
  if (decoder === undefined) return body;
  body.on("error", (error) => decoder.destroy(error));
  decoder.on("close", () => body.destroy());
  return body.pipe(decoder);
}

const decoders: Readonly<Record<string, (() => Readable & NodeJS.WritableStream) | undefined>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};
