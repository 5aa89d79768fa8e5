import { ApiError, FormErrors } from "../api-error.ts";
import { isSnowflake } from "../snowflake.ts";

export interface UploadedFile {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** A request whose body has been read; multipart bodies are split into `payload_json` and files. */
export interface RawRequest {
  readonly method: string;
  /** Decoded, without `/api/v10` and the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** By field name: `files[0]`. */
  readonly files: ReadonlyMap<string, UploadedFile>;
}

export interface RestRequest extends RawRequest {
  /** A path parameter; one whose name ends in `Id` must be a snowflake, else 50035. */
  parameter(name: string): string;
}

export interface RestReply {
  readonly status: number;
  /** Left out: no body, as with 204. */
  readonly body?: unknown;
}

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `/channels/:channelId/messages` */
  readonly pattern: string;
  /** `token`: the credential is in the path, as for interactions and their webhooks. */
  readonly credential: "bot" | "token";
  handle(request: RestRequest): RestReply;
}

export const noContent: RestReply = { status: 204 };

export function ok(body: unknown): RestReply {
  return { status: 200, body };
}

/**
 * The route for a request with its path parameters; 404 (or 405 for a known path) when there is
 * none.
 */
export function matchRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): { route: Route; parameters: Record<string, string> } {
  let pathKnown = false;
  for (const route of routes) {
    const parameters = matchPattern(route.pattern, path);
    if (!parameters) continue;
    pathKnown = true;
    if (route.method === method) return { route, parameters };
  }
  throw ApiError.of(pathKnown ? "methodNotAllowed" : "notFound");
}

export function restRequest(raw: RawRequest, parameters: Record<string, string>): RestRequest {
  return {
    ...raw,
    parameter(name) {
      const value = parameters[name];
      if (value === undefined) throw new Error(`The route has no parameter ${name}.`);
      if (!name.endsWith("Id") || isSnowflake(value)) return value;
      const errors = new FormErrors();
      errors.add(
        name.replace("Id", "_id"),
        "NUMBER_TYPE_COERCE",
        `Value ${JSON.stringify(value)} is not snowflake.`,
      );
      errors.throwIfAny();
      return value;
    },
  };
}

function matchPattern(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    if (part.startsWith(":")) parameters[part.slice(1)] = value;
    else if (part !== value) return undefined;
  }
  return parameters;
}
