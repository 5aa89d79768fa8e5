import { PermanentError, RetryableError } from "../../../core/errors.ts";
import type { InboundAttachment } from "../../../core/inbound.ts";
import { retried } from "../retry.ts";
import { fileSentence, tooLargeSentence } from "./file-sentences.ts";

/** Where Discord keeps what people attach. */
const cdnHosts: ReadonlySet<string> = new Set(["cdn.discordapp.com", "media.discordapp.net"]);
const ownHost = "discord.com";
const attempts = 3;
/** For one attempt. Milliseconds. */
const attemptLimitMs = 20_000;

type Limit = Parameters<InboundAttachment["fetch"]>[0];

/**
 * The bytes of a file of Discord's; `name` is for sentences. @throws as `InboundAttachment.fetch`
 * does.
 */
export type FetchFile = (
  file: { readonly url: string; readonly name: string },
  limit: Limit,
) => Promise<Uint8Array>;

/**
 * Fetches only from Discord's own hosts, because the address comes with an
 * event, or from the host of the REST API if that isn't Discord's. Failures are
 * retried a few times and then reported: the author waits.
 */
export function createFiles(deps: {
  readonly apiRoot: string;
  /** The bot is closing: another process fetches the rest. */
  readonly signal: AbortSignal;
}): FetchFile {
  const root = new URL(deps.apiRoot);
  const isKnown = (url: URL): boolean =>
    (url.protocol === "https:" && cdnHosts.has(url.hostname)) ||
    (root.hostname !== ownHost && url.origin === root.origin);
  return async ({ url: address, name }, { maxBytes, signal, language }) => {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (!url || !isKnown(url)) throw new PermanentError(fileSentence("fileFailed", name, language));
    const over = AbortSignal.any([signal, deps.signal]);
    try {
      return await retried(() => download(url, { name, maxBytes, language, over }), {
        signal: over,
        firstDelayMs: 300,
        maxDelayMs: 2_000,
        again: (failure, made) => !(failure instanceof PermanentError) && made < attempts,
      });
    } catch (cause) {
      if (cause instanceof PermanentError) throw cause;
      if (deps.signal.aborted)
        throw new RetryableError("the bot is closing", {
          cause,
          retryAfterMs: 1_000,
        });
      throw new PermanentError(fileSentence("fileFailed", name, language), {
        cause,
      });
    }
  };
}

async function download(
  url: URL,
  {
    name,
    maxBytes,
    language,
    over,
  }: {
    readonly name: string;
    readonly maxBytes: number;
    readonly language: string | undefined;
    readonly over: AbortSignal;
  },
): Promise<Uint8Array> {
  const response = await fetch(url, {
    redirect: "error",
    signal: AbortSignal.any([over, AbortSignal.timeout(attemptLimitMs)]),
  });
  if (!response.ok) {
    await response.body?.cancel();
    // An address is good for about a day, and a file for as long as its message.
    if (response.status === 403 || response.status === 404)
      throw new PermanentError(fileSentence("fileIsGone", name, language));
    throw new Error(`Discord answered ${response.status}`);
  }
  const tooLarge = () => new PermanentError(tooLargeSentence(name, maxBytes, language));
  if (Number(response.headers.get("content-length") ?? 0) > maxBytes) {
    await response.body?.cancel();
    throw tooLarge();
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > maxBytes) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts, size);
}
