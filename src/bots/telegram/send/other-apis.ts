import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { Api, type ApiClientOptions } from "grammy";

/** The same server, by a new connection for every request. */
export const withoutKeptConnection = (api: Api): Api =>
  likeApi(api, {
    baseFetchConfig: {
      ...api.options?.baseFetchConfig,
      agent: ({ protocol }: URL) => (protocol === "http:" ? new HttpAgent() : new HttpsAgent()),
    },
  });

/** The same server and transformers, with other options. */
export function likeApi(api: Api, changes: ApiClientOptions): Api {
  const other = new Api(api.token, { ...api.options, ...changes });
  other.config.use(...api.config.installedTransformers());
  return other;
}
