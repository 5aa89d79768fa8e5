import { connect, type OpenAiSettings } from "./client.ts";
import { openAiFailure } from "./failure.ts";
import { PermanentError } from "../../core/errors.ts";

/** Asks a server that has `POST {baseUrl}/embeddings`, as OpenAI documents it. @throws PermanentError */
export function openAiEmbeddings(
  settings: OpenAiSettings & { readonly model: string },
  fetcher?: typeof fetch,
) {
  const { client, secrets } = connect(settings, fetcher);
  return async (texts: readonly string[], signal: AbortSignal): Promise<readonly unknown[]> => {
    try {
      const { data } = await client.embeddings.create(
        { model: settings.model, input: [...texts], encoding_format: "float" },
        { signal },
      );
      return data
        .toSorted((one, other) => one.index - other.index)
        .map(({ embedding }) => embedding);
    } catch (cause) {
      const failure = openAiFailure(cause, { secrets, nowMs: 0 });
      throw new PermanentError(`${failure.kind}: ${failure.message}`, { cause });
    }
  };
}
