import type OpenAI from "openai";
import { APIConnectionError, APIError } from "openai";
import { messageOf } from "../../core/errors.ts";
import type { Connection } from "./client.ts";
import { errorOfRefusal } from "./error-body.ts";
import { requestJson } from "./request-json.ts";

/**
 * Posts a request whose address, authorisation and headers the vendor's client has built. The client doesn't send it, because after its `post` V8 frees the body only when it collects
 * the whole heap: a long chat's bodies would bring such a pause every few hundred turns.
 * @returns the answer's head; its body is not read
 * @throws APIError with the server's own words; APIConnectionError
 */
export async function post(
  { client, fetch }: Connection,
  path: string,
  body: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Response> {
  const { url, headers } = await headOf(client, path);
  let response: Response;
  try {
    response = await fetch(url, { method: "POST", headers, body: requestJson(body), signal });
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(messageOf(cause));
    throw new APIConnectionError({ cause: error });
  }
  if (response.ok) return response;
  throw await statusError(response);
}

interface Head {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** By path: the same in all requests of a client, and slow to build. */
const heads = new WeakMap<OpenAI, Map<string, Promise<Head>>>();

function headOf(client: OpenAI, path: string): Promise<Head> {
  const known = heads.get(client) ?? new Map<string, Promise<Head>>();
  heads.set(client, known);
  const head = known.get(path) ?? buildHead(client, path);
  known.set(path, head);
  // The next request tries again.
  head.catch(() => known.delete(path));
  return head;
}

async function buildHead(client: OpenAI, path: string): Promise<Head> {
  const headers = { "content-type": "application/json" };
  const { req, url } = await client.buildRequest({ method: "post", path, headers });
  return { url, headers: Object.fromEntries(new Headers(req.headers)) };
}

/** As the client makes it; a body that is no JSON is the message. */
async function statusError(response: Response): Promise<APIError> {
  const { status, headers } = response;
  const text = await response.text().catch(messageOf);
  const error = errorOfRefusal(parsed(text));
  return APIError.generate(status, error && { error }, error ? undefined : text, headers);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
