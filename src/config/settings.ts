import { dirname, resolve } from "node:path";
import type { EnvironmentSettings } from "./environment.ts";
import type { LimitSettings } from "./file-limits.ts";
import type { McpServerSettings, ToolRule } from "./file-tools.ts";
import type { FileSettings } from "./file.ts";
import { isLoopback } from "./leaves.ts";
import { joinMemory, type MemorySettings } from "./memory.ts";
import { joinModels, type ModelSettings } from "./models.ts";
import { SettingsError, type Problem } from "./problems.ts";
import { canChangeUser, findUser } from "./system-user.ts";
import type { joinTracing, TracingSettings } from "./tracing.ts";
import { joinTranscription, type TranscriptionSettings } from "./transcription.ts";

type RedisSettings =
  /** Parley starts its own under the data folder. */
  { readonly kind: "embedded" } | { readonly kind: "external"; readonly url: string };

export type TelegramSettings =
  | { readonly enabled: false }
  | {
      readonly enabled: true;
      readonly token: string;
      /** Without a trailing slash. */
      readonly apiRoot: string;
      readonly receiving:
        | { readonly mode: "polling" }
        | {
            readonly mode: "webhook";
            /** As registered with Telegram; served at `/telegram`. */
            readonly url: string;
            /** Undefined: one is made from the token, the same in every process. */
            readonly secret: string | undefined;
          };
      /**
       * Across all chats and processes; undefined: the platform's limit for an
       * ordinary bot.
       */
      readonly requestsPerSecond: number | undefined;
      /** Private chats show the growing answer by Telegram's own drafts, not by edits. */
      readonly nativeDrafts: boolean;
      /** Finished answers of one message are shown by Telegram's rich blocks. */
      readonly richMessages: boolean;
    };

export type DiscordSettings =
  | { readonly enabled: false }
  | {
      readonly enabled: true;
      readonly token: string;
      /** The REST base including `/api`, without a trailing slash. */
      readonly apiRoot: string;
      readonly messageContent: boolean;
      /**
       * A question that mentions the bot in a channel is answered in a new
       * thread.
       */
      readonly autoThread: boolean;
      /** People may install the bot for themselves, and use it where it is not. */
      readonly userInstall: boolean;
      /** Shown below the bot's name. */
      readonly presence: string | undefined;
      readonly shards: number | "auto";
      readonly requestsPerSecond: number | undefined;
    };

type HttpSettings =
  | { readonly enabled: false }
  /** Port 0 is any free one. */
  | { readonly enabled: true; readonly host: string; readonly port: number };

type PageSettings =
  | { readonly enabled: false }
  | {
      readonly enabled: true;
      readonly host: string;
      /** 0: any free one. */
      readonly port: number;
      /** Where browsers reach it; undefined: at host and port. */
      readonly url: string | undefined;
    };

type AccessSettings = {
  readonly mode: "open" | "pairing" | "allowlist";
  /** Persons as `telegram:1`, from the environment and the file, each once. */
  readonly admins: readonly string[];
  /** Persons, groups, servers and channels. */
  readonly allow: readonly string[];
  readonly ban: readonly string[];
  /** Administrators of a group, by the platform's word, are admins in its chats. */
  readonly trustGroupAdmins: boolean;
};

/**
 * Everything an operator can set. Durations are in milliseconds, money in US dollars; undefined is
 * "off", but in a tier's `turn`, where it is "as `turn` says" and "off" is `Infinity`.
 */
export type Settings = {
  readonly role: EnvironmentSettings["PARLEY_ROLE"];
  /** Absolute. */
  readonly dataFolder: string;
  /** Absolute; undefined when there is none. */
  readonly configFile: string | undefined;
  readonly logLevel: EnvironmentSettings["LOG_LEVEL"];
  readonly redis: RedisSettings;
  readonly telegram: TelegramSettings;
  readonly discord: DiscordSettings;
  readonly http: HttpSettings;
  /** The operator's page. */
  readonly page: PageSettings;
  readonly access: AccessSettings;
  readonly models: ModelSettings;
  /** Undefined: voice notes are refused. */
  readonly transcription: TranscriptionSettings | undefined;
  readonly persona: {
    /** Undefined: Parley's own. */
    readonly systemPrompt: string | undefined;
  };
  readonly personas: {
    /** Absolute; need not exist. */
    readonly folder: string;
    /** The name of the persona where none was chosen. Undefined: none. */
    readonly usual: string | undefined;
  };
  readonly turn: DeepReadonly<FileSettings["turn"]>;
  readonly context: DeepReadonly<FileSettings["context"]>;
  readonly memory: MemorySettings;
  readonly approvals: DeepReadonly<FileSettings["approvals"]>;
  /** The first rule that matches wins. */
  readonly toolRules: readonly ToolRule[];
  /** Undefined: the web can't be searched. Bots need no key. */
  readonly webSearch: FileSettings["webSearch"];
  readonly mcpServers: Readonly<Record<string, McpServerSettings>>;
  readonly skills: {
    /** Absolute; they need not exist. */
    readonly folders: readonly string[];
    /** Absolute: what of them was approved. */
    readonly lockFile: string;
  };
  readonly limits: DeepReadonly<LimitSettings>;
  readonly retention: DeepReadonly<FileSettings["retention"]>;
  /** Undefined: no spans are exported. */
  readonly tracing: TracingSettings | undefined;
};

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

export type Sources = {
  readonly environment: EnvironmentSettings;
  readonly tracing: ReturnType<typeof joinTracing>;
  readonly file: FileSettings;
  readonly dataFolder: string;
  readonly configFile: string | undefined;
  /** Where the file is, or would be: relative folders in it start there. */
  readonly configFolder: string;
  /** Absolute: where relative paths start from when there is no file. */
  readonly workingFolder: string;
};

/**
 * Joins both sources, the environment over the file. @throws SettingsError when they do not fit
 * together.
 */
export function joinSettings(sources: Sources): Settings {
  const { environment, file, dataFolder, configFile, configFolder } = sources;
  const models = joinModels(environment, file);
  const transcription = joinTranscription(environment, file, models.settings.providers);
  const memory = joinMemory(file, models.settings.providers);
  const http = joinHttp(environment, file);
  const telegram = joinTelegram(environment, file, http);
  const servers = joinServers(environment, file);
  const problems = [
    ...models.problems,
    ...transcription.problems,
    ...memory.problems,
    ...telegram.problems,
    ...servers.problems,
    ...sources.tracing.problems,
    ...searchProblems(environment, file),
    ...roleProblems(environment),
    ...pageProblems(environment),
  ];
  if (problems.length > 0) throw new SettingsError(problems);
  return {
    role: environment.PARLEY_ROLE,
    dataFolder,
    configFile,
    logLevel: environment.LOG_LEVEL,
    redis:
      environment.REDIS_URL === undefined
        ? { kind: "embedded" }
        : { kind: "external", url: environment.REDIS_URL },
    telegram: telegram.settings,
    discord: joinDiscord(environment, file),
    http,
    page: joinPage(environment),
    access: {
      mode: environment.PARLEY_ACCESS ?? file.access.mode ?? "pairing",
      admins: [...new Set([...environment.PARLEY_ADMINS, ...file.access.admins])],
      allow: file.access.allow,
      ban: file.access.ban,
      trustGroupAdmins: file.access.trustGroupAdmins,
    },
    models: models.settings,
    transcription: transcription.settings,
    persona: { systemPrompt: file.persona.systemPrompt },
    personas: {
      folder: resolve(
        configFile === undefined ? sources.workingFolder : dirname(configFile),
        file.personas.folder,
      ),
      usual: file.personas.default,
    },
    turn: file.turn,
    context: file.context,
    memory: memory.settings,
    approvals: file.approvals,
    toolRules: file.tools.rules,
    webSearch: file.webSearch,
    mcpServers: servers.settings,
    skills: {
      folders: file.skills.folders.map((folder) => resolve(configFolder, folder)),
      lockFile: resolve(configFolder, "parley-skills.lock"),
    },
    limits: file.limits,
    retention: file.retention,
    tracing: sources.tracing.settings,
  };
}

function joinHttp(environment: EnvironmentSettings, file: FileSettings): HttpSettings {
  const port = environment.PARLEY_HTTP_PORT ?? file.http.port ?? "off";
  const host = environment.PARLEY_HTTP_HOST ?? file.http.host ?? "127.0.0.1";
  return port === "off" ? { enabled: false } : { enabled: true, host, port };
}

function joinPage(environment: EnvironmentSettings): PageSettings {
  const { PARLEY_PAGE_PORT: port, PARLEY_PAGE_HOST: host, PARLEY_PAGE_URL: url } = environment;
  return port === "off" ? { enabled: false } : { enabled: true, host, port, url };
}

/** Its own address is plain http: beyond the machine, the cookie would travel in clear text. */
function pageProblems(environment: EnvironmentSettings): Problem[] {
  const { PARLEY_PAGE_PORT: port, PARLEY_PAGE_HOST: host, PARLEY_PAGE_URL: url } = environment;
  const isOwn = isLoopback(host.includes(":") ? `[${host}]` : host);
  const isServing = environment.PARLEY_ROLE !== "worker";
  if (!isServing || port === "off" || isOwn || url !== undefined) return [];
  return [
    {
      where: "PARLEY_PAGE_URL",
      value: "unset",
      expected: `expected the https URL of the proxy in front of the page, because PARLEY_PAGE_HOST is ${host}, which other machines reach`,
    },
  ];
}

function joinTelegram(
  environment: EnvironmentSettings,
  file: FileSettings,
  http: HttpSettings,
): {
  readonly settings: TelegramSettings;
  readonly problems: readonly Problem[];
} {
  const { mode, webhook } = file.telegram;
  const problems: Problem[] = [];
  if (mode === "webhook" && webhook.url === undefined)
    problems.push({
      where: "telegram.webhook.url",
      value: "absent",
      expected:
        "expected the https URL at which Telegram reaches Parley, because telegram.mode is webhook",
    });
  // A worker opens no platform connection, but may share the file with those that do.
  const isServing = environment.PARLEY_ROLE !== "worker";
  if (mode === "webhook" && isServing && !http.enabled)
    problems.push({
      where: "PARLEY_HTTP_PORT",
      value: "off",
      expected: "expected a port, because telegram.mode is webhook",
    });
  const token = environment.TELEGRAM_BOT_TOKEN;
  if (token === undefined) return { settings: { enabled: false }, problems };
  const { url, secret } = webhook;
  const settings: TelegramSettings = {
    enabled: true,
    token,
    apiRoot: environment.TELEGRAM_API_ROOT,
    receiving:
      mode === "webhook" && url !== undefined ? { mode, url, secret } : { mode: "polling" },
    requestsPerSecond: file.telegram.requestsPerSecond,
    nativeDrafts: file.telegram.nativeDrafts,
    richMessages: file.telegram.richMessages,
  };
  return { settings, problems };
}

function joinDiscord(environment: EnvironmentSettings, file: FileSettings): DiscordSettings {
  return environment.DISCORD_TOKEN === undefined
    ? { enabled: false }
    : {
        enabled: true,
        token: environment.DISCORD_TOKEN,
        apiRoot: environment.DISCORD_API_ROOT,
        messageContent: file.discord.messageContent,
        autoThread: file.discord.autoThread,
        userInstall: file.discord.userInstall,
        presence: file.discord.presence,
        shards: file.discord.shards,
        requestsPerSecond: file.discord.requestsPerSecond,
      };
}

/**
 * Looks up the users that programs run as. A process that starts no servers may share the file, on
 * a machine without such users and without root's rights.
 */
function joinServers(
  { PARLEY_ROLE: role }: EnvironmentSettings,
  file: FileSettings,
): {
  readonly settings: Readonly<Record<string, McpServerSettings>>;
  readonly problems: readonly Problem[];
} {
  const settings: Record<string, McpServerSettings> = {};
  const problems: Problem[] = [];
  for (const [name, server] of Object.entries(file.mcp.servers)) {
    if (server.transport === "http") {
      settings[name] = server;
      continue;
    }
    const { user: given, ...program } = server;
    settings[name] = program;
    if (given === undefined || role === "bots") continue;
    const user = canChangeUser() ? findUser(given) : undefined;
    if (user === undefined || user.uid === 0)
      problems.push({
        where: `mcp.servers.${name}.user`,
        value: JSON.stringify(given),
        expected:
          "expected the name or number of a user in /etc/passwd other than root; Parley itself must run as root, on Linux",
      });
    else settings[name] = { ...program, user };
  }
  return { settings, problems };
}

/** Bots never search, and may have no key. */
function searchProblems(
  { PARLEY_ROLE: role }: EnvironmentSettings,
  { webSearch: { provider, apiKey } = { provider: "searxng" } }: FileSettings,
): Problem[] {
  if (role === "bots" || provider === "searxng" || apiKey !== undefined) return [];
  const expected = `expected a key, because webSearch.provider is ${provider}`;
  return [{ where: "webSearch.apiKey", value: "absent", expected }];
}

function roleProblems({ PARLEY_ROLE: role, REDIS_URL: url }: EnvironmentSettings): Problem[] {
  if (role === "all" || url !== undefined) return [];
  return [
    {
      where: "REDIS_URL",
      value: "unset",
      expected: `expected the address of the Redis that all roles share, because PARLEY_ROLE is ${role}`,
    },
  ];
}
