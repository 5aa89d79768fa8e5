import { messageOf } from "../core/errors.ts";
import type { ModelFailure } from "../core/model.ts";

const timeoutCodes = new Set([
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

/**
 * What `fetch` throws, as a failure; undefined when it is something else. undici says "fetch
 * failed" before the headers and "terminated" after them; the reason is in `cause`.
 */
export function transportFailure(error: unknown): ModelFailure | undefined {
  const chain = causes(error);
  const code = chain.map(codeOf).find((each) => each !== undefined);
  const words = chain.map(messageOf).filter((each) => each !== "");
  const timedOut =
    (code !== undefined && timeoutCodes.has(code)) ||
    chain.some((each) => each instanceof Error && each.name === "TimeoutError");
  const isTransport =
    code !== undefined ||
    timedOut ||
    words.some((each) => each === "fetch failed" || each === "terminated");
  if (!isTransport) return undefined;
  const reason = words.at(-1) ?? "the connection failed";
  return {
    kind: timedOut ? "timeout" : "network",
    message: code === undefined || reason.includes(code) ? reason : `${reason} (${code})`,
  };
}

/** Outermost first; of several attempts at one name (IPv6, IPv4) the first. */
function causes(error: unknown): unknown[] {
  const chain: unknown[] = [];
  let each = error;
  while (each instanceof Error && chain.length < 8) {
    chain.push(each);
    each = each instanceof AggregateError ? each.errors[0] : each.cause;
  }
  return chain;
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^(?:E[A-Z]|UND_ERR_|ERR_SSL|CERT_)/.test(code)
    ? code
    : undefined;
}
