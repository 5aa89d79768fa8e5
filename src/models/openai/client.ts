import OpenAI from "openai";
import { pooledFetch } from "../../util/pooled-fetch.ts";
import { endpoint } from "../endpoint.ts";

export interface OpenAiSettings {
  /** Default: OpenAI's own. May hold userinfo, which becomes a Basic authorisation. */
  readonly baseUrl?: string;
  /** Local servers need none. */
  readonly apiKey?: string | undefined;
}

export const officialBaseUrl = "https://api.openai.com/v1";

export interface Connection {
  readonly client: OpenAI;
  /** The client's own. */
  readonly fetch: typeof fetch;
  /** Without userinfo and trailing slash. */
  readonly baseUrl: string;
  /** Empty when there is none. */
  readonly apiKey: string;
  /** Texts that must not appear in a message. */
  readonly secrets: readonly string[];
}

/** The vendor's client, which asks once, reads nothing from the environment and prints nothing. */
export function connect(settings: OpenAiSettings, fetcher: typeof fetch | undefined): Connection {
  const { url, authorization, secrets } = endpoint(settings.baseUrl ?? officialBaseUrl);
  const ownFetch = fetcher ?? pooledFetch;
  const apiKey = settings.apiKey?.trim() ?? "";
  const client = new OpenAI({
    ...withoutEnvironment,
    baseURL: url,
    apiKey: apiKey === "" ? "none" : apiKey,
    defaultHeaders:
      authorization === undefined && apiKey !== "" ? {} : { authorization: authorization ?? null },
    fetch: ownFetch,
  });
  return {
    client,
    fetch: ownFetch,
    baseUrl: url.replace(/\/+$/, ""),
    apiKey,
    secrets: [...secrets, apiKey],
  };
}

/** By default the client reads OPENAI_* variables and logs to the console. */
const withoutEnvironment = {
  organization: null,
  project: null,
  adminAPIKey: null,
  webhookSecret: null,
  logLevel: "off",
  maxRetries: 0,
} as const;
