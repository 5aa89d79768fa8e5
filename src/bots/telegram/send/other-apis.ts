import { Api, type ApiClientOptions } from "grammy";
import { unkeptFetch } from "../../../util/pooled-fetch.ts";

/** The same server, by a new connection for every request. */
export const withoutKeptConnection = (api: Api): Api => likeApi(api, { fetch: unkeptFetch });

/** The same server and transformers, with other options. */
export function likeApi(api: Api, changes: ApiClientOptions): Api {
  const other = new Api(api.token, { ...api.options, ...changes });
  other.config.use(...api.config.installedTransformers());
  return other;
}
