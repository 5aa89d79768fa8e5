import { Ollama } from "ollama";
import { bounded } from "../bounded-response.ts";
import { jsonLines } from "./lines.ts";

/**
 * An answer other than 2xx, with what the client would have lost: headers and the body's own words.
 */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  readonly headers: Headers;

  constructor(message: string, response: Response) {
    super(message);
    this.status = response.status;
    this.headers = response.headers;
  }
}

/**
 * A client for one request. The client cannot abort a single request before its headers have come
 * (while the model is loaded), and prints what it cannot read; so it gets a `fetch` that carries
 * our signal and leaves it nothing to print.
 */
export function clientFor(options: {
  readonly host: string;
  readonly authorization: string | undefined;
  readonly signal: AbortSignal;
  readonly fetch: typeof fetch;
  /** Whether the answer is lines of JSON; then it hears of the one that ended them too early. */
  readonly onBadLine?: (error: Error) => void;
}): Ollama {
  const { host, authorization, signal } = options;
  const fetcher = bounded(options.fetch);
  return new Ollama({
    host,
    ...(authorization === undefined ? {} : { headers: { authorization } }),
    fetch: async (input, init) => {
      const response = await fetcher(input, { ...init, signal });
      if (!response.ok) throw await httpError(response);
      return options.onBadLine && response.body
        ? new Response(response.body.pipeThrough(jsonLines(options.onBadLine)), response)
        : response;
    },
  });
}

async function httpError(response: Response): Promise<HttpError> {
  const text = await response.text().catch(() => "");
  return new HttpError(errorField(text) ?? (text.trim() || `status ${response.status}`), response);
}

function errorField(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" &&
      body !== null &&
      "error" in body &&
      typeof body.error === "string"
      ? body.error
      : undefined;
  } catch {
    return undefined;
  }
}
