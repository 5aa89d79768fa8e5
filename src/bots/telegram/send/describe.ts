import { GrammyError, HttpError } from "grammy";
import { messageOf } from "../../../core/errors.ts";

/**
 * A failure on the way to Telegram's server: a system error's code, or undici's own kind.
 */
export interface NetworkFailure {
  readonly code: string;
  /** It failed before anything was written: while looking up, connecting or shaking hands. */
  readonly beforeRequest: boolean;
}

const connectionCodes = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "UND_ERR_CONNECT_TIMEOUT",
]);

export function networkFailure({ error }: HttpError): NetworkFailure {
  const { code, type, name } = Object(error) as Record<string, unknown>;
  const word = [code, type, name].find((each) => typeof each === "string");
  const text = typeof word === "string" ? word : "unknown";
  // Of several addresses that were tried, each failed.
  const tries: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  const beforeRequest =
    connectionCodes.has(text) ||
    /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(text) ||
    tries.every((each) => /^(?:connect|getaddrinfo) /.test(messageOf(each)));
  return { code: text, beforeRequest };
}

/**
 * An error for a log line. Messages of network errors contain the URL and so
 * the token: only their code is logged.
 */
export function describe(thrown: unknown): string {
  if (thrown instanceof GrammyError)
    return `${thrown.method}: ${thrown.error_code} ${thrown.description}`;
  if (thrown instanceof HttpError) return `${thrown.message} (${networkFailure(thrown).code})`;
  return messageOf(thrown);
}
