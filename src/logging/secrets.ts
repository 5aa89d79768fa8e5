import type { McpServerSettings } from "../config/file-tools.ts";
import { secretVariables } from "../config/tracing.ts";
import type { Settings } from "../config/settings.ts";
import { unreachable } from "../core/errors.ts";
import { parseRedisUrl, secretsOfRedis } from "../core/redis-address.ts";

/**
 * All secret values in the settings: tokens, keys, passwords, and everything
 * passed to MCP servers. Some may not be secret (a header such as `accept`),
 * and some may occur twice.
 */
export function secretsOf(settings: Settings): readonly string[] {
  const { redis, telegram, discord, models, webSearch, mcpServers, tracing } = settings;
  return [
    ...(redis.kind === "external" ? secretsOfRedisUrl(redis.url) : []),
    ...(telegram.enabled ? [telegram.token, ...secretsOfUrl(telegram.apiRoot)] : []),
    ...(telegram.enabled && telegram.receiving.mode === "webhook"
      ? [telegram.receiving.secret ?? "", ...secretsOfUrl(telegram.receiving.url)]
      : []),
    ...(discord.enabled ? [discord.token, ...secretsOfUrl(discord.apiRoot)] : []),
    ...Object.values(models.providers).flatMap((provider) => {
      switch (provider.type) {
        case "openai":
          return [provider.apiKey ?? "", ...secretsOfUrl(provider.baseUrl)];
        case "ollama":
          return secretsOfUrl(provider.host);
        case "demo":
          return [];
        default:
          return unreachable(provider);
      }
    }),
    webSearch?.apiKey ?? "",
    ...Object.values(mcpServers).flatMap(secretsOfServer),
    ...Object.entries(tracing?.variables ?? {}).flatMap(secretsOfVariable),
  ].filter((secret) => secret !== "");
}

/**
 * User, password and query values, both encoded as in the address and decoded.
 */
function secretsOfUrl(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const { username, password, searchParams } = new URL(text);
  return [username, password]
    .flatMap((part) => [part, decoded(part)])
    .concat(
      // A bot's API root or a server's address may carry its key there.
      ...searchParams.values(),
    );
}

/** Those of the only address that may name several hosts, which no `URL` can. */
function secretsOfRedisUrl(text: string): string[] {
  const reading = parseRedisUrl(text);
  if ("expected" in reading) return [];
  return secretsOfRedis(reading.address)
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .concat(secretsOfUrl(text));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A lone per cent sign is literal.
    return part;
  }
}

function secretsOfServer(server: McpServerSettings): string[] {
  if (server.transport === "stdio")
    return [...Object.values(server.environment), ...secretsOfArguments(server.arguments)];
  return [...secretsOfUrl(server.url), ...Object.values(server.headers).flatMap(secretsOfHeader)];
}

function secretsOfHeader(value: string): string[] {
  const [, credentials = ""] = /^\w+\s+(\S+)$/.exec(value) ?? [];
  return [value, credentials];
}

/** Headers are a list of `name=value`, encoded as in a URL. */
function secretsOfVariable([name, value]: readonly [string, string]): string[] {
  if (!secretVariables.test(name)) return [];
  if (name.endsWith("ENDPOINT")) return secretsOfUrl(value);
  return value
    .split(",")
    .map((each) => each.slice(each.indexOf("=") + 1).trim())
    .flatMap((each) => [each, ...secretsOfHeader(decoded(each))]);
}

/** The value after a flag such as `--api-key`, with a space or an equals sign between. */
function secretsOfArguments(given: readonly string[]): string[] {
  const flag = /^--?[\w-]*(?:key|secret|token|password|passphrase|auth)$/i;
  return given.flatMap((argument, index) => {
    const [name = "", ...value] = argument.split("=");
    if (flag.test(name) && value.length > 0) return [value.join("=")];
    return flag.test(given[index - 1] ?? "") ? [argument] : [];
  });
}
