import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
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
  return cleanLine(withoutUserinfo(messageOf(error)), maxReasonLength);
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

/**
 * Whether the server no longer knows our session: the call was not run. Many servers say 400 where
 * the standard says 404.
 */
export function isSessionExpired(error: unknown): boolean {
  if (!(error instanceof SdkHttpError)) return false;
  const { text } = error.data;
  return (
    error.status === 404 ||
    (error.status === 400 && typeof text === "string" && /session/i.test(text))
  );
}

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
