import { dirname, isAbsolute, join, relative } from "node:path";
import { parseEnv } from "node:util";
import { takeServers } from "./mcp-servers.ts";
import { readStored, type Stored } from "./openclaw-database.ts";
import { readPersona } from "./persona.ts";
import {
  addressProblem,
  nameOfOwn,
  Report,
  serverOf,
  type Imported,
  type ValueHere,
} from "./report.ts";
import { secretProblem, variableIn } from "./secret-objects.ts";
import { mappingOf, secretValue, textOf, withValues } from "./source-folder.ts";
import type { Mapping, SourceFolder } from "./source-folder.ts";

/** The keys of `openclaw.json` that something is taken from; of the others none is. */
const known = new Set(["agents", "models", "channels", "mcp", "cron", "env", "meta", "wizard"]);

/**
 * `~/.openclaw` as OpenClaw's documentation describes it: `openclaw.json` (JSON5), `.env`,
 * `workspace/*.md`, `skills/`, its databases, and what earlier versions had in their place:
 * `cron/jobs.json`, `credentials/<channel>-allowFrom.json`, `agents/main/agent/auth-profiles.json`.
 * Its earlier names were Moltbot and Clawdbot.
 */
export function importOpenClaw(folder: SourceFolder, valueHere: ValueHere): Imported {
  const report = new Report(valueHere);
  const names = ["openclaw.json", "moltbot.json", "clawdbot.json"];
  const config = mappingOf(folder.data(names.find((name) => folder.text(name)) ?? ""));
  const agents = mappingOf(mappingOf(config["agents"])["defaults"]);
  const env = environmentOf(folder, config);
  const workspace = workspaceOf(folder, textOf(agents["workspace"]));
  const inWorkspace = (name: string) => folder.text(`${workspace}/${name}`);
  const texts = ["IDENTITY.md", "SOUL.md"].map((name) => [name, inWorkspace(name)] as const);
  report.persona = readPersona(report, "openclaw", texts);
  const providers = mappingOf(mappingOf(config["models"])["providers"]);
  const models = modelsOf(agents["model"]);
  const stored = readStored(report, folder);
  takeKeys(report, env);
  leaveProviders(report, models, { providers, env });
  takeProfiles(report, stored.profiles ?? profilesIn(report, folder), env);
  for (const name of models) takeModel(report, name, { providers, env });
  for (const [name, value] of Object.entries(mappingOf(config["channels"])))
    takeChannel(report, { name, channel: mappingOf(value), folder, env, stored });
  leaveTokens(report, mappingOf(config["channels"]), env);
  const servers = mappingOf(mappingOf(config["mcp"])["servers"]);
  takeServers(report, servers, { where: "mcp.servers", env });

  for (const name of ["USER.md", "MEMORY.md"]) report.knows(inWorkspace(name));
  for (const name of folder.names(`${workspace}/memory`))
    report.leave(`memory/${name}`, "it is a day's notes; send the bot what is still true");
  for (const name of ["AGENTS.md", "TOOLS.md", "HEARTBEAT.md", "BOOT.md", "BOOTSTRAP.md"])
    if (inWorkspace(name) !== undefined)
      report.leave(name, "it describes how OpenClaw works, not who the bot is");
  for (const skills of [`${workspace}/skills`, `${workspace}/.agents/skills`, "skills"])
    report.skillFolders.push(folder.at(skills));
  if (stored.jobs !== undefined) report.jobs(stored.jobs);
  else takeJobFile(report, folder, textOf(mappingOf(config["cron"])["store"]));
  if (agents["model"] !== undefined && mappingOf(config["agents"])["list"] !== undefined)
    report.leave(
      "agents.list",
      "only the defaults are taken; write each other agent as a file in personas/",
    );
  for (const key of Object.keys(config).filter((each) => !known.has(each)))
    report.leave(`openclaw.json: ${key}`, "Parley has no such setting");
  return report;
}

/** Values that other settings refer to: `.env`, and `env` of the configuration. */
function environmentOf(folder: SourceFolder, config: Mapping): Mapping {
  const own = mappingOf(config["env"]);
  return { ...parseEnv(folder.text(".env") ?? ""), ...own, ...mappingOf(own["vars"]) };
}

/** Relative to the folder, which may be a copy; else the same name in this home. */
function placeOf(folder: SourceFolder, given: string): string {
  const [, own] = /^~\/\.(?:openclaw|moltbot|clawdbot)\/(.+)$/.exec(given) ?? [];
  if (own !== undefined) return own;
  const path = given.startsWith("~/") ? join(dirname(folder.path), given.slice(2)) : given;
  return isAbsolute(path) ? relative(folder.path, path) : path;
}

/** Relative to the folder; OpenClaw has renamed it twice. */
function workspaceOf(folder: SourceFolder, given: string | undefined): string {
  const usual = ["workspace", "workspace-main", "workspace.default"];
  const places = given === undefined ? usual : [placeOf(folder, given), ...usual];
  return places.find((name) => folder.names(name).length > 0) ?? "workspace";
}

/** A text, `${NAME}`, or `{ source: "env", id: NAME }`; of others the report says what is missing. */
function secretOf(value: unknown, { report, what, env }: Secret): string | undefined {
  const text = variableIn(value) ?? textOf(value);
  const problem = secretProblem(value);
  const read = text === undefined ? { problem } : secretValue(text, env);
  if ("value" in read) return read.value;
  if (read.problem !== undefined) report.leave(what, read.problem);
  return undefined;
}

interface Secret {
  readonly report: Report;
  /** As the report calls it. */
  readonly what: string;
  readonly env: Mapping;
}

/** From where its settings say, or the usual place: in a copied folder a full path leads elsewhere. */
function takeJobFile(report: Report, folder: SourceFolder, store: string | undefined): void {
  const usual = "cron/jobs.json";
  const places = store === undefined ? [usual] : [placeOf(folder, store), usual];
  const place = places.find((name) => folder.text(name) !== undefined);
  if (place !== undefined) report.jobs(report.optional(folder, place));
  else if (store !== undefined)
    report.leave("cron.store", `neither that file nor ${usual} can be read`);
}

function takeKeys(report: Report, env: Mapping): void {
  for (const name of [
    "OPENAI_API_KEY",
    "OPENROUTER_API_KEY",
    "ANTHROPIC_API_KEY",
    "MISTRAL_API_KEY",
  ])
    report.secret(name, textOf(env[name]));
}

interface Providers {
  readonly providers: Mapping;
  readonly env: Mapping;
}

/** The others go along with their models, and so do their keys. */
function leaveProviders(
  report: Report,
  models: readonly string[],
  { providers, env }: Providers,
): void {
  for (const [name, value] of Object.entries(providers)) {
    const isUsed = models.some((model) => model.startsWith(`${name}/`));
    const problem =
      addressProblem(addressOf(mappingOf(value), env)) ??
      (isUsed ? undefined : "no model of it is the default or a fallback");
    if (problem !== undefined) report.leave(`models.providers.${name}`, problem);
  }
}

function addressOf({ baseUrl }: Mapping, env: Mapping): string | undefined {
  const text = textOf(baseUrl);
  return text && withValues(text, env);
}

const profilesIn = (report: Report, folder: SourceFolder): Mapping =>
  mappingOf(mappingOf(report.optional(folder, "agents/main/agent/auth-profiles.json"))["profiles"]);

/** Keys that its own set-up has asked for; the ones above come first. */
function takeProfiles(report: Report, profiles: Mapping, env: Mapping): void {
  for (const [name, value] of Object.entries(profiles)) {
    const { type, provider, key, keyRef } = mappingOf(value);
    const variable = serverOf(textOf(provider) ?? "", undefined)?.keyName;
    if (type !== "api_key" || variable === undefined)
      report.leave(`the login ${name}`, "Parley has no such login, only API keys of some servers");
    else if (!Object.hasOwn(report.secrets, variable))
      report.secret(variable, secretOf(key ?? keyRef, { report, what: `the login ${name}`, env }));
  }
}

/** The one that answers, then its fallbacks. */
function modelsOf(given: unknown): readonly string[] {
  const { primary = given, fallbacks } = mappingOf(given);
  return [primary, ...listOf(fallbacks)].flatMap((name) => textOf(name) ?? []);
}

function takeModel(report: Report, name: string, { providers, env }: Providers): void {
  const [, called, model] = /^([^/]+)\/(.+)$/.exec(name) ?? [];
  if (called === undefined || model === undefined)
    return report.leave(`the model ${name}`, "it isn't written as provider/model");
  const own = mappingOf(Object.hasOwn(providers, called) ? providers[called] : undefined);
  if (!/^(?:openai|$)/.test(textOf(own["api"]) ?? "") && called !== "ollama")
    return report.leave(`the model ${name}`, "its server doesn't speak OpenAI's API");
  const address = called === "ollama" ? undefined : addressOf(own, env);
  const provider = address === undefined ? called : nameOfOwn(called, address);
  const what = `models.providers.${called}.apiKey`;
  report.model(provider, model, { address, key: secretOf(own["apiKey"], { report, what, env }) });
}

interface Channel {
  readonly name: string;
  readonly channel: Mapping;
  readonly folder: SourceFolder;
  readonly env: Mapping;
  readonly stored: Stored;
}

function takeChannel(report: Report, given: Channel): void {
  const { name, channel, env } = given;
  if (name === "defaults") return;
  if (name !== "telegram" && name !== "discord")
    return report.leave(`channels.${name}`, "Parley speaks Telegram and Discord only");
  const account = { ...channel, ...mappingOf(mappingOf(channel["accounts"])["default"]) };
  const isTelegram = name === "telegram";
  const key = isTelegram ? "botToken" : "token";
  const own = secretOf(account[key], { report, what: `channels.${name}.${key}`, env });
  const token = own ?? textOf(env[tokens[name]]);
  report.secret(isTelegram ? "TELEGRAM_BOT_TOKEN" : "DISCORD_TOKEN", token);
  const people = [...listOf(account["allowFrom"]), ...pairedWith(report, given)].map((id) =>
    id.replace(/^(?:tg|telegram|discord|user):/, ""),
  );
  const places = Object.keys(mappingOf(account[isTelegram ? "groups" : "guilds"]));
  const kind = isTelegram ? "chat" : "guild";
  const all = [
    ...people.map((id) => `${name}:${id}`),
    ...places.map((id) => `${name}:${kind}:${id}`),
  ];
  const everyone = all.filter((each) => each.endsWith(":*"));
  report.allow(
    all.filter((each) => !everyone.includes(each)),
    `channels.${name}`,
  );
  if (everyone.length > 0)
    report.leave(`channels.${name}: everyone`, "set access.mode: open if you want that here, too");
  const others = Object.keys(account).filter((key) => !taken.has(key));
  if (others.length > 0)
    report.leave(`channels.${name}: ${others.join(", ")}`, "Parley has no such setting");
}

/** Senders that have been approved; earlier versions kept them in a file or two. */
function pairedWith(report: Report, { name, folder, stored }: Channel): readonly string[] {
  if (stored.pairings === undefined)
    return ["", "-default"].flatMap((suffix) => {
      const file = report.optional(folder, `credentials/${name}${suffix}-allowFrom.json`);
      return listOf(mappingOf(file)["allowFrom"]);
    });
  const own = stored.pairings.filter(({ channel }) => channel === name);
  for (const { account, entry } of own.filter(({ account }) => account !== "default"))
    report.leave(`channels.${name}: ${entry}`, `it is paired with the account ${account}`);
  return own.flatMap(({ account, entry }) => (account === "default" ? entry : []));
}

/** Variables of tokens, by the channel. */
const tokens = { telegram: "TELEGRAM_BOT_TOKEN", discord: "DISCORD_BOT_TOKEN" } as const;

function leaveTokens(report: Report, channels: Mapping, env: Mapping): void {
  for (const [channel, name] of Object.entries(tokens))
    if (!Object.hasOwn(channels, channel) && textOf(env[name]) !== undefined)
      report.leave(name, `there is no channels.${channel} in its settings`);
}

const taken = new Set([
  "enabled",
  "botToken",
  "token",
  "allowFrom",
  "groups",
  "guilds",
  "accounts",
]);

const listOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : [];
