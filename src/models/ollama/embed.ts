import { PermanentError } from "../../core/errors.ts";
import { pooledFetch } from "../../util/pooled-fetch.ts";
import { endpoint } from "../endpoint.ts";
import { clientFor } from "./client.ts";
import { ollamaFailure } from "./failure.ts";

/** Asks a server that has `POST /api/embed`, as Ollama documents it. @throws PermanentError */
export function ollamaEmbeddings({
  host,
  model,
}: {
  readonly host: string;
  readonly model: string;
}) {
  const { url, authorization, secrets } = endpoint(host);
  return async (texts: readonly string[], signal: AbortSignal): Promise<readonly unknown[]> => {
    try {
      const client = clientFor({ host: url, authorization, signal, fetch: pooledFetch });
      const { embeddings } = await client.embed({ model, input: [...texts] });
      return embeddings;
    } catch (cause) {
      const failure = ollamaFailure(cause, { model, secrets, nowMs: 0 });
      throw new PermanentError(`${failure.kind}: ${failure.message}`, { cause });
    }
  };
}
