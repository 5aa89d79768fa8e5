import type { Environment } from "./interpolation.ts";
import type { Settings } from "./settings.ts";

/**
 * Variables that programs need to reach a network through a proxy, by certificates or a registry of
 * its own. None holds a key; npm's in either case, others as they are written.
 */
const names: ReadonlySet<string> = new Set([
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"].flatMap((name) => [
    name,
    name.toLowerCase(),
  ]),
  "NODE_EXTRA_CA_CERTS",
  "NODE_USE_SYSTEM_CA",
  "NODE_USE_ENV_PROXY",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
  "DENO_CERT",
  ...["registry", "proxy", "https_proxy", "noproxy", "cafile", "strict_ssl"].flatMap((name) => [
    `npm_config_${name}`,
    `NPM_CONFIG_${name.toUpperCase()}`,
  ]),
  "PIP_INDEX_URL",
  "PIP_PROXY",
  "PIP_CERT",
  "PIP_TRUSTED_HOST",
  "UV_DEFAULT_INDEX",
  "UV_INDEX_URL",
  "UV_NATIVE_TLS",
  "UV_SYSTEM_CERTS",
  "UV_PYTHON_INSTALL_MIRROR",
]);

/** An address with a login isn't passed on: `env` has to name it. */
const holdsLogin = /:\/\/[^/\s]*@/;

/** Adds them to the environment of each program; what its `env` says counts more. Pure. */
export function withProgramVariables(settings: Settings, environment: Environment): Settings {
  const passed = Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && names.has(entry[0]) && !holdsLogin.test(entry[1]),
    ),
  );
  const mcpServers = Object.entries(settings.mcpServers).map(([name, server]) => [
    name,
    server.transport === "stdio"
      ? { ...server, environment: { ...passed, ...server.environment } }
      : server,
  ]);
  return { ...settings, mcpServers: Object.fromEntries(mcpServers) as Settings["mcpServers"] };
}
