import type { ModelFailure } from "../../core/model.ts";
import { pooledFetch } from "../../util/pooled-fetch.ts";
import { endpoint } from "../endpoint.ts";
import { modelName } from "../model-key.ts";
import { clientFor } from "./client.ts";
import { ollamaFailure } from "./failure.ts";

/** Whether the server answers and has the model; undefined: it has. Loads no model. */
export async function checkOllamaModel(
  { host, id }: { readonly host: string; readonly id: string },
  signal: AbortSignal,
): Promise<ModelFailure | undefined> {
  const { url, authorization, secrets } = endpoint(host);
  const model = modelName(id);
  try {
    await clientFor({ host: url, authorization, signal, fetch: pooledFetch }).show({ model });
    return undefined;
  } catch (error) {
    return ollamaFailure(error, { model, secrets, nowMs: 0 });
  }
}
