import { type Api, GrammyError } from "grammy";
import { PermanentError, RetryableError } from "../../../core/errors.ts";
import type { InboundAttachment } from "../../../core/inbound.ts";
import { localeFor } from "../../../locales/locale-for.ts";
import { describe } from "../send/describe.ts";
import { requestSignal } from "../send/request-signal.ts";

export interface FilesDependencies {
  readonly api: Pick<Api, "getFile">;
  /** Of the Bot API server, without a slash at its end. */
  readonly apiRoot: string;
  readonly token: string;
  /** Aborts what is being fetched. */
  readonly signal: AbortSignal;
}

/** A file of Telegram's that cannot be had now, but perhaps in a moment. */
export class FileFetchError extends RetryableError {
  override readonly name = "FileFetchError";
}

type Limit = Parameters<InboundAttachment["fetch"]>[0];

/** Milliseconds, where Telegram does not say. */
const retryAfterMs = 1_500;
/** Most attempts to fetch a file, while its chat waits. */
const maxAttempts = 4;
const maxRemembered = 1_000;

const gone = ({ language }: Limit): string => localeFor(language, "telegram").telegram.fileIsGone;
const tooLarge = ({ maxBytes, language }: Limit): string =>
  localeFor(language, "telegram").telegram.fileTooLarge(Math.floor(maxBytes / 1_048_576));

/**
 * Fetches files from Telegram. Their addresses contain the bot's token, so they
 * must not appear in errors or anywhere else.
 */
export class Files {
  readonly #deps: FilesDependencies;
  /**
   * Number of failed fetches by file id, oldest first: a webhook's update is
   * delivered again and read again.
   */
  readonly #failures = new Map<string, number>();

  constructor(deps: FilesDependencies) {
    this.#deps = deps;
  }

  /** After some failed attempts the file is refused with a sentence. */
  fetcher(fileId: string): InboundAttachment["fetch"] {
    return async (limit) => {
      try {
        const bytes = await this.#fetch(fileId, limit);
        this.#failures.delete(fileId);
        return bytes;
      } catch (error) {
        // Our own end says nothing about the file.
        if (error instanceof PermanentError || this.#deps.signal.aborted) throw error;
        if (this.#fail(fileId) < maxAttempts) throw error;
        this.#failures.delete(fileId);
        const { fileOutOfReach } = localeFor(limit.language, "telegram").telegram;
        throw new PermanentError(fileOutOfReach, { cause: error });
      }
    };
  }

  /** How often it has failed by now. */
  #fail(fileId: string): number {
    const count = (this.#failures.get(fileId) ?? 0) + 1;
    this.#failures.delete(fileId);
    this.#failures.set(fileId, count);
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > maxRemembered && oldest !== undefined) this.#failures.delete(oldest);
    return count;
  }

  async #fetch(fileId: string, limit: Limit): Promise<Uint8Array> {
    const signal = AbortSignal.any([this.#deps.signal, limit.signal]);
    const path = await this.#pathOf(fileId, limit, signal);
    const { apiRoot, token } = this.#deps;
    const escaped = path.split("/").map(encodeURIComponent).join("/");
    try {
      const response = await fetch(
        `${apiRoot}/file/bot${token}/${escaped}`,
        // A redirect target would see the address with the token.
        { signal, redirect: "error" },
      );
      if (!response.ok) {
        await response.body?.cancel();
        throw refusal(response.status, limit);
      }
      return await bytesOf(response, limit);
    } catch (error) {
      if (error instanceof PermanentError || error instanceof RetryableError) throw error;
      throw failure(`the download broke off (${codeOf(error)})`);
    }
  }

  async #pathOf(fileId: string, limit: Limit, signal: AbortSignal): Promise<string> {
    try {
      const { file_path: path } = await this.#deps.api.getFile(fileId, requestSignal(signal));
      // A server of one's own that runs with `--local` leaves the file on its disk.
      if (path === undefined || path.startsWith("/")) throw new PermanentError(gone(limit));
      return path;
    } catch (error) {
      if (error instanceof PermanentError) throw error;
      if (!(error instanceof GrammyError)) throw failure(describe(error));
      const { error_code: code, description, parameters } = error;
      if (code === 400)
        throw new PermanentError(/too big/i.test(description) ? tooLarge(limit) : gone(limit));
      throw failure(describe(error), parameters.retry_after);
    }
  }
}

const failure = (cause: string, afterSeconds?: number): FileFetchError =>
  new FileFetchError(`can't fetch a file: ${cause}`, {
    retryAfterMs: afterSeconds === undefined ? retryAfterMs : afterSeconds * 1_000,
  });

const refusal = (status: number, limit: Limit): Error =>
  status === 429 || status >= 500 || status === 401
    ? failure(`status ${status}`)
    : new PermanentError(gone(limit));

/** The whole body; aborts as soon as it is too large. */
async function bytesOf(response: Response, limit: Limit): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.byteLength;
    // Leaving the loop cancels the rest.
    if (size > limit.maxBytes) throw new PermanentError(tooLarge(limit));
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** A system's code or a kind of error: its message could hold the address. */
function codeOf(error: unknown): string {
  const inner = error instanceof Error ? (error.cause ?? error) : error;
  const { code, name } = Object(inner) as Record<string, unknown>;
  const word = [code, name].find((each) => typeof each === "string");
  return typeof word === "string" ? word : "unknown";
}
