import { parseEnv } from "node:util";
import { readPersona } from "./persona.ts";
import { addressProblem, Report, serverOf, type Imported } from "./report.ts";
import { mappingOf, textOf, type Mapping, type SourceFolder } from "./source-folder.ts";

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
export function importHermes(folder: SourceFolder): Imported {
  const report = new Report();
  const config = mappingOf(folder.data("config.yaml"));
  report.persona = readPersona(report, "hermes", [["SOUL.md", folder.text("SOUL.md")]]);
  const env = parseEnv(folder.text(".env") ?? "");
  takeEnvironment(report, env);
  const own = ownProviders(config);
  for (const model of [config["model"], config["fallback_model"], config["fallback_providers"]])
    for (const each of [model].flat()) takeModel(report, each, { own, env });
  report.servers(mappingOf(config["mcp_servers"]), "mcp_servers");

  for (const name of folder.names("memories"))
    if (name.endsWith(".md")) report.knows(folder.text(`memories/${name}`));
  report.skillFolders.push(folder.at("skills"));
  const zone = textOf(env["HERMES_TIMEZONE"]) ?? textOf(config["timezone"]);
  report.jobs(folder.data("cron/jobs.json"), zone);
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
    } else if (textOf(value) !== undefined) report.leave(`.env: ${name}`, "Parley doesn't use it");
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

/** A name, or `{ default, provider, base_url, api_key }`. */
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
  const address = textOf(entry["base_url"]) ?? textOf(server["base_url"]);
  const isOwn = textOf(server["base_url"]) !== undefined;
  const [provider, model] =
    address === undefined ? splitName(called, name) : [isOwn ? called : "openai", name];
  const key = keyOf(entry["api_key"] ?? server["api_key"], env) ?? env[String(server["key_env"])];
  const { keyName } =
    (addressProblem(address) === undefined ? serverOf(provider, address) : undefined) ?? {};
  if (keyName !== undefined) report.secret(keyName, textOf(key));
  report.model(provider, model, address);
}

/** `auto` and `custom` say nothing of the server; a name may begin with it. */
function splitName(called: string, name: string): readonly [provider: string, model: string] {
  const provider = called === "gemini" ? "google" : called;
  const [, prefix = "", rest = name] = /^([^/]+)\/(.+)$/.exec(name) ?? [];
  return /^(?:auto|custom|)$/.test(provider) || provider === prefix
    ? [prefix, rest]
    : [provider, name];
}

/** A text, or `${NAME}`. */
function keyOf(value: unknown, env: Mapping): unknown {
  const [, name] = /^\$\{(\w+)\}$/.exec(textOf(value) ?? "") ?? [];
  return name === undefined ? value : env[name];
}
