import type { Response } from "undici";
import { PermanentError } from "../../core/errors.ts";

interface Body {
  readonly bytes: Uint8Array;
  /** There was more than `maxBytes`. */
  readonly cut: boolean;
}

const knownEncodings = /^(?:identity|gzip|x-gzip|deflate|br)?$/i;

/**
 * Reads a body, decompressed, and stops at `maxBytes`: neither a long page nor a decompression bomb
 * gets further.
 * @throws PermanentError for an encoding that would not be undone; what the stream throws.
 */
export async function readBody(response: Response, maxBytes: number): Promise<Body> {
  const encoding = response.headers.get("content-encoding") ?? "";
  if (!knownEncodings.test(encoding.trim()))
    throw new PermanentError(`its encoding "${encoding.slice(0, 100)}" cannot be read.`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    const bytes = chunk as Uint8Array;
    chunks.push(bytes);
    size += bytes.length;
    if (size > maxBytes) break;
  }
  const bytes = Buffer.concat(chunks, Math.min(size, maxBytes));
  return { bytes, cut: size > maxBytes };
}
