import { APIConnectionTimeoutError, APIError } from "openai";
import { z } from "zod";
import { messageOf } from "../../core/errors.ts";
import type { ModelFailure } from "../../core/model.ts";
import { vendorFailure } from "../failure.ts";
import { redact } from "../redact.ts";
import { retryAfterMs } from "../retry-after.ts";
import { transportFailure } from "../transport.ts";

/** Whatever the client throws, as a failure. `secrets` are taken out of the message. */
export function openAiFailure(
  error: unknown,
  options: { readonly secrets: readonly string[]; readonly nowMs: number },
): ModelFailure {
  const failure = kindOf(error, options.nowMs);
  return { ...failure, message: redact(failure.message, options.secrets) };
}

function kindOf(error: unknown, nowMs: number): ModelFailure {
  if (error instanceof APIError && isVendorError(error)) {
    const headers = error.headers as Headers | undefined;
    return vendorFailure({
      status: error.status as number | undefined,
      code: textOf(error.code),
      type: textOf(error.type),
      message: wordsOf(error),
      details: detailsOf(error.error),
      retryAfterMs:
        headers && error.status !== undefined ? retryAfterMs(headers, nowMs) : undefined,
    });
  }
  if (error instanceof APIConnectionTimeoutError)
    return { kind: "timeout", message: error.message };
  const transport = transportFailure(error);
  if (transport) return transport;
  // The client says SyntaxError for a frame that is not JSON: a proxy's or a dying server's words.
  const kind =
    error instanceof SyntaxError || error instanceof APIError ? "network" : "invalid-request";
  return { kind, message: messageOf(error) };
}

/** An HTTP status, or an error object in the stream after status 200; not a lost connection. */
function isVendorError(error: APIError): boolean {
  return error.status !== undefined || error.error !== undefined;
}

/** UTF-16 units. */
const maxUpstreamLength = 500;
const maxDetailsLength = 4_000;

/** As JSON: Google's RetryInfo is in it. */
const detailsOf = (error: unknown): string | undefined =>
  typeof error === "object" && error !== null
    ? JSON.stringify(error).slice(0, maxDetailsLength)
    : undefined;

/** OpenRouter says "Provider returned error", and puts what the provider has said next to it. */
export function wordsOf({ error, message }: APIError): string {
  if (typeof error === "string") return error;
  const { data } = upstreamSchema.safeParse(error);
  return data === undefined
    ? message
    : `${message} (${data.metadata.raw.slice(0, maxUpstreamLength)})`;
}

const upstreamSchema = z.object({ metadata: z.object({ raw: z.string() }) });

/** Some servers write numbers. */
function textOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
