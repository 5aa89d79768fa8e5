import { PermanentError } from "../core/errors.ts";

export interface Endpoint {
  /** Without userinfo: `fetch` refuses it, and errors would quote it. */
  readonly url: string;
  /** Userinfo as a header, when there was any. */
  readonly authorization?: string;
  /** Texts that must not appear in a message. */
  readonly secrets: readonly string[];
}

const userinfo = /^((?:[a-z][a-z0-9+.-]*:)?\/\/)?([^@/?#]*)@/i;

/**
 * Takes the userinfo out of an address (`https://user:password@host/v1`, or an Ollama host without
 * a scheme).
 */
export function endpoint(address: string): Endpoint {
  const found = userinfo.exec(address);
  if (!found) return { url: address, secrets: [] };
  const [whole, scheme = "", text = ""] = found;
  const plain = decoded(text);
  const [, password = ""] = /:(.+)/s.exec(plain) ?? [];
  const basic = Buffer.from(plain.includes(":") ? plain : `${plain}:`, "utf8").toString("base64");
  return {
    url: scheme + address.slice(whole.length),
    authorization: `Basic ${basic}`,
    secrets: [text, basic, password],
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @throws PermanentError when it is not an http(s) address; the sentence holds no userinfo. */
export function assertHttpAddress(url: string, provider: string): void {
  const protocol = URL.canParse(url) ? new URL(url).protocol : "";
  if (protocol !== "http:" && protocol !== "https:")
    throw new PermanentError(
      `The address of provider "${provider}" is "${url}"; expected http://… or https://…`,
    );
}

/**
 * Whether a server runs on hardware of our own: it may have to load its model first, and gets more
 * time.
 */
export function isLocal(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const host = new URL(url).hostname.replaceAll(/^\[|\]$/g, "");
  return (
    /^(?:127|10)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^169\.254\./.test(host) ||
    /^(?:::1?|f[cd][0-9a-f]{2}:.*|fe80:.*)$/.test(host) ||
    host === "0.0.0.0" ||
    /\.(?:local|lan|internal|localhost|home\.arpa)$/.test(host) ||
    !/[.:]/.test(host)
  );
}
