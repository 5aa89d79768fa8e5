import { type ChatRequest, Ollama } from "ollama";

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

interface Connection {
  readonly host: string;
  readonly authorization: string | undefined;
  readonly signal: AbortSignal;
  readonly fetch: typeof fetch;
}

/**
 * A client for one request. The client cannot abort a single request before its headers have come
 * (while the model is loaded), and loses a refusal's words; so it gets a `fetch` that carries our
 * signal and throws `HttpError`.
 */
export function clientFor({ host, authorization, signal, fetch: fetcher }: Connection): Ollama {
  return new Ollama({
    host,
    ...(authorization === undefined ? {} : { headers: { authorization } }),
    fetch: async (input, init) => {
      const response = await fetcher(input, { ...init, signal });
      if (!response.ok) throw await httpError(response);
      return response;
    },
  });
}

/**
 * The answer of `/api/chat`, its body unread: the client would read it through two web streams, and
 * print a line that is not JSON to the console.
 * @throws HttpError; what `fetch` throws
 */
export async function askChat(connection: Connection, body: ChatRequest): Promise<Response> {
  let answer: Response | undefined;
  const client = clientFor({
    ...connection,
    fetch: async (input, init) => {
      const response = await connection.fetch(input, init);
      if (!response.ok) return response;
      answer = response;
      return new Response("{}");
    },
  });
  await (body.stream === true
    ? client.chat({ ...body, stream: true })
    : client.chat({ ...body, stream: false }));
  if (answer === undefined) throw new TypeError("the client has not asked");
  return answer;
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
