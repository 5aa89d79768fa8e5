import type { IncomingHttpHeaders } from "node:http";
import { isLoopback } from "../config/leaves.ts";

/** Where browsers reach the page. */
export interface PageAddress {
  readonly origin: string;
  /** `https:` or `http:`; the latter on loopback only. */
  readonly protocol: string;
  /** What `Host` may be, so that no other name leads here (DNS rebinding). */
  readonly hosts: ReadonlySet<string>;
}

/** @param url an origin. Pure. */
export function addressOf(url: string): PageAddress {
  const { origin, protocol, host, hostname, port } = new URL(url);
  const others = isLoopback(hostname) ? ["localhost", "127.0.0.1", "[::1]"] : [];
  const suffix = port === "" ? "" : `:${port}`;
  return { origin, protocol, hosts: new Set([host, ...others.map((name) => name + suffix)]) };
}

/** Whether a request was meant for the page. Pure. */
export const isForPage = ({ host }: IncomingHttpHeaders, { hosts }: PageAddress): boolean =>
  hosts.has(host?.toLowerCase() ?? "");

/**
 * Whether a request comes from the page itself: one that changes anything must. Browsers always
 * send an `Origin` with a POST; another page can't forge it. Pure.
 */
export function isFromPage(headers: IncomingHttpHeaders, { protocol }: PageAddress): boolean {
  const { origin = originOf(headers.referer), host, "sec-fetch-site": site } = headers;
  const isSameSite = site === undefined || site === "same-origin";
  return isSameSite && origin === `${protocol}//${host?.toLowerCase()}`;
}

const originOf = (referer: string | undefined): string | undefined =>
  referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : undefined;

/**
 * Of every answer. The referrer is for the page alone; with `no-referrer` browsers would send no
 * `Origin` with its own forms.
 */
export const securityHeaders = {
  "content-security-policy": [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
} as const;
