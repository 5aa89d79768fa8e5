import { parseEnv } from "node:util";
import { takeServers } from "./mcp-servers.ts";
import { readPersona } from "./persona.ts";
import {
  isSameAddress,
  nameOfHost,
  nameOfOwn,
  Report,
  type Imported,
  type ValueHere,
} from "./report.ts";
import {
  mappingOf,
  secretValue,
  textOf,
  type Mapping,
  type SourceFolder,
} from "./source-folder.ts";

/** Hermes' variables, and what Parley calls them. */
const secrets: Readonly<Record<string, string>> = {
  TELEGRAM_BOT_TOKEN: "TELEGRAM_BOT_TOKEN",
  DISCORD_BOT_TOKEN: "DISCORD_TOKEN",
  OPENAI_API_KEY: "OPENAI_API_KEY",
  OPENROUTER_API_KEY: "OPENROUTER_API_KEY",
  ANTHROPIC_API_KEY: "ANTHROPIC_API_KEY",
  GEMINI_API_KEY: "GOOGLE_API_KEY",
  GOOGLE_API_KEY: "GOOGLE_API_KEY",
  MISTRAL_API_KEY: "MISTRAL_API_KEY",
};
const allowlists = {
  TELEGRAM_ALLOWED_USERS: "telegram",
  DISCORD_ALLOWED_USERS: "discord",
} as const;

/**
 * `~/.hermes` as Hermes Agent's documentation describes it: `config.yaml`, `.env`, `SOUL.md`,
 * `memories/`, `skills/<category>/<skill>/SKILL.md`, `cron/jobs.json`.
 */
export function importHermes(folder: SourceFolder, valueHere: ValueHere): Imported {
  const report = new Report(valueHere);
  const config = mappingOf(folder.data("config.yaml"));
  report.persona = readPersona(report, "hermes", [["SOUL.md", folder.text("SOUL.md")]]);
  const env = parseEnv(folder.text(".env") ?? "");
  takeEnvironment(report, env);
  const own = ownProviders(config);
  for (const model of [config["model"], config["fallback_model"], config["fallback_providers"]])
    for (const each of [model].flat()) takeModel(report, each, { own, env });
  const servers = mappingOf(config["mcp_servers"]);
  leaveRest(report, env, takeServers(report, servers, { where: "mcp_servers", env }));

  for (const name of folder.names("memories"))
    if (name.endsWith(".md")) report.knows(folder.text(`memories/${name}`));
  report.skillFolders.push(folder.at("skills"));
  const zone = textOf(env["HERMES_TIMEZONE"]) ?? textOf(config["timezone"]);
  report.jobs(report.optional(folder, "cron/jobs.json"), zone);
  const known = new Set([
    "model",
    "fallback_model",
    "fallback_providers",
    "providers",
    "custom_providers",
    "mcp_servers",
    "timezone",
    "_config_version",
  ]);
  for (const key of Object.keys(config).filter((each) => !known.has(each)))
    report.leave(`config.yaml: ${key}`, "Parley has no such setting");
  return report;
}

function takeEnvironment(report: Report, env: Mapping): void {
  for (const [name, value] of Object.entries(env)) {
    const platform = Object.entries(allowlists).find(([each]) => each === name)?.[1];
    const ours = secrets[name];
    if (ours !== undefined) report.secret(ours, textOf(value));
    else if (platform !== undefined) {
      const ids = String(value)
        .split(/[,\s]+/)
        .filter((id) => id !== "");
      report.allow(
        ids.map((id) => `${platform}:${id}`),
        name,
      );
    }
  }
}

/**
 * The variables of `.env` that nothing has used. Called last.
 * @param used names that MCP servers refer to
 */
function leaveRest(report: Report, env: Mapping, used: ReadonlySet<string>): void {
  const values = new Set(Object.values(report.secrets));
  const known = new Set([...Object.keys(secrets), ...Object.keys(allowlists), "HERMES_TIMEZONE"]);
  for (const [name, value] of Object.entries(env)) {
    const text = textOf(value);
    if (text !== undefined && !values.has(text) && !used.has(name) && !known.has(name))
      report.leave(`.env: ${name}`, "Parley doesn't use it");
  }
}

/** Servers with a name of the person's own: a list before, a mapping since. */
function ownProviders(config: Mapping): Mapping {
  const { custom_providers: list, providers } = config;
  const named = (Array.isArray(list) ? list.map(mappingOf) : []).map((each) => [
    String(each["name"]).replace(/^custom:/, ""),
    each,
  ]);
  return { ...Object.fromEntries(named), ...mappingOf(providers) };
}

/** A name, or `{ default, provider, base_url, api_key, key_env }`. */
function takeModel(
  report: Report,
  given: unknown,
  { own, env }: { readonly own: Mapping; readonly env: Mapping },
): void {
  const { default: usual, model: named = usual ?? given, ...entry } = mappingOf(given);
  const name = textOf(named);
  if (name === undefined) return;
  const called = (textOf(entry["provider"]) ?? "").replace(/^custom:/, "");
  const server = mappingOf(Object.hasOwn(own, called) ? own[called] : undefined);
  const ownAddress = textOf(server["base_url"]);
  const address = textOf(entry["base_url"]) ?? ownAddress;
  const isOwn = isSameAddress(address, ownAddress);
  const [provider, model] =
    address === undefined
      ? splitName(called, name)
      : [isOwn ? nameOfOwn(called, address) : nameOfHost(address), name];
  // A server's key is for its own address only.
  const keys = [entry, isOwn ? server : {}].flatMap(keysOf);
  const read = keys.map((each) => secretValue(each, env));
  const key = read.flatMap((each) => ("value" in each ? each.value : []))[0];
  report.model(provider, model, { address, key });
  if (key === undefined)
    for (const missing of read)
      if ("problem" in missing) report.leave(`the key of ${model}`, missing.problem);
  if (key === undefined && !isOwn && keysOf(server).length > 0)
    report.leave(`the key of ${model}`, `that of ${called} is for another address`);
}

/** `auto` and `custom` say nothing of the server; a name may begin with it. */
function splitName(called: string, name: string): readonly [provider: string, model: string] {
  const provider = called === "gemini" ? "google" : called;
  const [, prefix = "", rest = name] = /^([^/]+)\/(.+)$/.exec(name) ?? [];
  return /^(?:auto|custom|)$/.test(provider) || provider === prefix
    ? [prefix, rest]
    : [provider, name];
}

/** What names a server's key: itself, or `${NAME}`. */
function keysOf({ api_key: key, key_env: variable }: Mapping): readonly string[] {
  const name = textOf(variable);
  return [textOf(key), name && `\${${name}}`].flatMap((each) => each ?? []);
}
