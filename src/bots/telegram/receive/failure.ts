import { GrammyError } from "grammy";
import { describe } from "../send/describe.ts";
import type { Failure } from "./backoff.ts";

/** Milliseconds. */
const conflictPauseMs = 15_000;
const tokenPauseMs = 60_000;

/** Whether Telegram does not know the token (401), or takes it for none at all (404). */
export const isTokenRefused = (thrown: unknown): boolean =>
  thrown instanceof GrammyError && (thrown.error_code === 401 || thrown.error_code === 404);

/** A failed request as a log message, with the time until the next attempt. */
export function failureOf(thrown: unknown): Failure {
  const cause = describe(thrown);
  if (!(thrown instanceof GrammyError))
    return {
      kind: "network",
      explanation: "can't reach Telegram; retrying",
      cause,
    };
  const { error_code: code, description, parameters } = thrown;
  if (isTokenRefused(thrown))
    return {
      kind: "token",
      explanation:
        "Telegram no longer accepts TELEGRAM_BOT_TOKEN; nothing is received or sent until it does",
      cause,
      afterMs: tokenPauseMs,
    };
  if (code === 409) return conflict(description, cause);
  const failure = {
    kind: String(code),
    explanation: "Telegram does not serve us; retrying",
    cause,
  };
  return parameters.retry_after === undefined
    ? failure
    : { ...failure, afterMs: parameters.retry_after * 1000 };
}

/** Telegram has one way out for updates: one poller, or one webhook. */
const conflict = (description: string, cause: string): Failure =>
  /webhook/i.test(description)
    ? {
        kind: "webhook",
        explanation:
          "a webhook is set for this token, so I can't poll it; nothing is received until it is deleted",
        cause,
        afterMs: conflictPauseMs,
      }
    : {
        kind: "conflict",
        explanation:
          "another process polls with this token, and Telegram serves only one; stop it, or give it a token of its own",
        cause,
        afterMs: conflictPauseMs,
      };
