import type { ModelFailure } from "../core/model.ts";
import { pooledFetch } from "../util/pooled-fetch.ts";
import { endpoint } from "./endpoint.ts";
import { clientFor } from "./ollama/client.ts";
import { ollamaFailure } from "./ollama/failure.ts";
import { connect, type OpenAiSettings } from "./openai/client.ts";
import { openAiFailure } from "./openai/failure.ts";
import { listing } from "./openai/listing.ts";

export type ListedServer =
  | ({ readonly type: "openai" } & OpenAiSettings)
  | { readonly type: "ollama"; readonly host: string };

/** When to ask again is of no use here, so nothing is measured by a clock. */
const nowMs = 0;

/** The names of a server's models, in its own order; never rejects. */
export async function listModels(
  server: ListedServer,
  signal: AbortSignal,
): Promise<{ readonly models: readonly string[] } | { readonly failure: ModelFailure }> {
  if (server.type === "ollama") {
    const { url, authorization, secrets } = endpoint(server.host);
    try {
      const client = clientFor({ host: url, authorization, signal, fetch: pooledFetch });
      const { models } = await client.list();
      return { models: models.map(({ name }) => name.replace(/:latest$/, "")) };
    } catch (error) {
      return { failure: ollamaFailure(error, { model: "", secrets, nowMs }) };
    }
  }
  const { client, secrets } = connect(server, undefined);
  try {
    const models = listing({ data: (await client.models.list({ signal })).data });
    return { models: models.map(({ id }) => id) };
  } catch (error) {
    return { failure: openAiFailure(error, { secrets, nowMs }) };
  }
}
