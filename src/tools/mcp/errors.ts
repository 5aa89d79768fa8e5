import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
import { z } from "zod";
import { messageOf, OutcomeUnknownError } from "../../core/errors.ts";
import { cleanLine, cleanText } from "./clean-text.ts";
import { totalTimeoutMs } from "./declare-tool.ts";

const maxLength = 2_000;
const maxReasonLength = 300;

/** The connection ended while a call ran. The message is the reason. */
export class SessionLost extends Error {
  override readonly name = "SessionLost";
}

/** One line for people. `fetch failed` alone says nothing: the reason is its cause. Pure. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code !== undefined)
    return unsent.has(code)
      ? `it cannot be reached (${code})`
      : `the connection to it broke (${code})`;
  return cleanLine(withoutUserinfo(answerOf(error) ?? messageOf(error)), maxReasonLength);
}

/** How a server answered that is reached but doesn't do as MCP says. */
function answerOf(error: unknown): string | undefined {
  if (error instanceof SdkHttpError) {
    const { status, statusText, data } = error;
    if (status >= 300 && status < 400) return undefined;
    const words = wordsOf(typeof data["text"] === "string" ? data["text"] : "");
    return `it answered HTTP ${status}${statusText ? ` (${statusText})` : ""}${words === "" ? "" : `: ${words}`}`;
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.ClientHttpUnexpectedContent)
    return `what answers there isn't an MCP server (${error.message})`;
  if (error instanceof SyntaxError || (error instanceof Error && /^\$?Zod/.test(error.name)))
    return "what answers there isn't an MCP server: the answer can't be read";
  return undefined;
}

const errorBody = z.looseObject({
  error: z.union([z.string(), z.looseObject({ message: z.string() })]).optional(),
  error_description: z.string().optional(),
  message: z.string().optional(),
  detail: z.string().optional(),
});

/** The words of an answer with an HTTP error: OAuth's, JSON-RPC's, a page's title, or the text. */
function wordsOf(body: string): string {
  if (/^\s*</.test(body)) return /<title[^>]{0,200}>([^<]{0,200})/i.exec(body)?.[1]?.trim() ?? "";
  try {
    const { error, ...said } = errorBody.parse(JSON.parse(body));
    const name = typeof error === "object" ? error.message : error;
    return [name, said.error_description ?? said.message ?? said.detail].filter(Boolean).join(": ");
  } catch {
    return body;
  }
}

/** The HTTP status of the answer that was the reason, if it was one. */
export function httpStatusOf(error: unknown): number | undefined {
  if (error instanceof SdkHttpError) return error.status;
  return error instanceof Error ? httpStatusOf(error.cause) : undefined;
}

/** `fetch` repeats an address that holds a name and a password when it refuses it. */
const withoutUserinfo = (text: string): string =>
  text.replaceAll(/:\/\/[^\s/@]{1,1000}@/g, "://***@");

/** The code of a system error, e.g. `ECONNREFUSED`. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof TypeError)) return undefined;
  const { cause } = error;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** Nothing was sent, because there was no connection. */
const unsent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** About a session that is gone, or a handshake that the server doesn't remember. */
const sessionWords = /session|initiali[sz]/i;

/**
 * What an error says about our session. `lost`: the server doesn't know it, so that the call was
 * not run. The standard says HTTP 404; other servers say 400, 401, 410, 500, or a JSON-RPC error
 * with status 200. `doubtful`: it may be so, and another request can tell.
 */
export function sessionState(error: unknown): "lost" | "doubtful" | "known" {
  if (error instanceof ProtocolError)
    return sessionWords.test(error.message) ? "doubtful" : "known";
  if (!(error instanceof SdkHttpError)) return "known";
  const { status, data } = error;
  // Too many requests, or too late: no new session would help.
  if (status === 408 || status === 429) return "known";
  const isSaid = typeof data["text"] === "string" && sessionWords.test(data["text"]);
  if (status === 404 || status === 410 || (isSaid && status >= 400 && status < 500)) return "lost";
  return isSaid || (status >= 400 && status < 500) ? "doubtful" : "known";
}

/** Whether the server may have run the call all the same. */
export const mayHaveRun = (error: unknown): boolean =>
  error instanceof SdkHttpError && error.status >= 500;

/** Why a call was aborted, by its signal's reason. */
const abortReasons: Readonly<Record<string, string>> = {
  stopped: "a person stopped it",
  replaced: "a person wrote something new",
  deadline: "the turn reached its time limit",
  timeout: "it reached its time limit",
  shutdown: "Parley is shutting down",
  fenced: "another worker took the turn over",
};

/**
 * What a failed call means, for the model and for the loop: `OutcomeUnknownError` where the call
 * may have run, a plain error where it did not, or where the server said how it ended. Pure.
 *
 * @param signal of the call. The library reports an abort as a timeout of the server.
 */
export function callFailure(
  error: unknown,
  {
    server,
    timeoutMs,
    signal,
  }: {
    readonly server: string;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  },
): Error {
  const cause = { cause: error };
  const failed = (what: string) => new Error(what, cause);
  const unknown = (what: string) =>
    new OutcomeUnknownError(`${what}: whether the call took effect is not known`, cause);
  const reason = reasonOf(error);
  if (unsent.has(codeOf(error) ?? ""))
    return failed(`server "${server}" is down just now: ${reason}`);
  if (error instanceof ProtocolError)
    return failed(`server "${server}" refused: ${cleanText(error.message, maxLength)}`);
  if (error instanceof SdkHttpError && error.status < 500)
    return failed(`server "${server}" answered HTTP ${error.status}`);
  if (error instanceof SdkHttpError)
    return unknown(`server "${server}" answered HTTP ${error.status}`);
  if (signal.aborted)
    return unknown(
      `the call to server "${server}" was cancelled: ${abortReasons[String(signal.reason)] ?? "it is no longer needed"}`,
    );
  if (error instanceof SdkError) {
    if (error.code === SdkErrorCode.NotConnected)
      return failed(`server "${server}" is down just now: ${reason}`);
    if (
      error.code === SdkErrorCode.UnsupportedResultType ||
      error.code === SdkErrorCode.CapabilityNotSupported
    )
      return failed(
        `server "${server}" asked for input in the middle of the call, which is not offered`,
      );
    if (error.code === SdkErrorCode.InputRequiredRoundsExceeded)
      return failed(
        `server "${server}" asked for input again and again, and the call was given up`,
      );
    if (error.code === SdkErrorCode.RequestTimeout && isTotal(error))
      return unknown(
        `server "${server}" did not finish within ${totalTimeoutMs(timeoutMs) / 1_000} s`,
      );
    if (error.code === SdkErrorCode.RequestTimeout)
      return unknown(`server "${server}" gave no sign of life for ${timeoutMs / 1_000} s`);
    if (error.code === SdkErrorCode.InvalidResult)
      return unknown(`server "${server}" answered with something that is not a tool's result`);
  }
  return unknown(
    `the connection to server "${server}" was lost in the middle of the call (${reason})`,
  );
}

/** The library distinguishes the two time limits of a call only in its message. */
const isTotal = ({ message }: SdkError): boolean => message.startsWith("Maximum total timeout");
