import { parseEnv } from "node:util";
import { readPersona } from "./persona.ts";
import { Report, type Imported } from "./report.ts";
import { mappingOf, textOf, type Mapping, type SourceFolder } from "./source-folder.ts";

/** Hermes' variables, and what Parley calls them. */
const secrets: Readonly<Record<string, string>> = {
  TELEGRAM_BOT_TOKEN: "TELEGRAM_BOT_TOKEN",
  DISCORD_BOT_TOKEN: "DISCORD_TOKEN",
  OPENAI_API_KEY: "OPENAI_API_KEY",
  OPENROUTER_API_KEY: "OPENROUTER_API_KEY",
  ANTHROPIC_API_KEY: "ANTHROPIC_API_KEY",
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
  takeEnvironment(report, parseEnv(folder.text(".env") ?? ""));
  takeModel(report, config["model"]);
  for (const fallback of [config["fallback_model"], config["fallback_providers"]].flat())
    takeModel(report, fallback);
  report.servers(mappingOf(config["mcp_servers"]), "mcp_servers");

  for (const name of folder.names("memories"))
    if (name.endsWith(".md")) report.knows(folder.text(`memories/${name}`));
  report.skillFolders.push(folder.at("skills"));
  report.jobs(folder.data("cron/jobs.json"));
  const known = new Set([
    "model",
    "fallback_model",
    "fallback_providers",
    "mcp_servers",
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

/** A name, or `{ default, provider, base_url }`; `auto` and `custom` say nothing of the server. */
function takeModel(report: Report, given: unknown): void {
  const { default: usual, model = usual ?? given, provider, base_url: address } = mappingOf(given);
  const name = textOf(model);
  if (name === undefined) return;
  const named = textOf(provider) ?? "";
  const server = /^(?:auto|custom)$/.test(named) ? "" : named;
  const [, prefix = "", rest = name] = /^([^/]+)\/(.+)$/.exec(name) ?? [];
  if (textOf(address) !== undefined) report.model("openai", name, textOf(address));
  else if (server === "" || server === prefix) report.model(prefix, rest, undefined);
  else report.model(server, name, undefined);
}
