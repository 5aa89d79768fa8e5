import { z } from "zod";
import { parseRedisUrl } from "../core/redis-address.ts";
import { httpUrl, leaf, oneOf, pageOrigin, person, port, text } from "./leaves.ts";
import { nearest } from "./nearest.ts";
import { isSecretPath, show, type Problem } from "./problems.ts";
import type { Environment } from "./interpolation.ts";

const telegramToken = leaf(
  "a bot token from @BotFather, such as 123456789:AAE… (digits, a colon, about 35 characters)",
  (value) =>
    typeof value === "string" && /^\d+:[A-Za-z0-9_-]{30,}$/.test(value) ? { value } : undefined,
);

const discordToken = leaf(
  "a bot token as Discord's developer portal writes it: three parts of letters, digits, - and _ with dots between",
  (value) =>
    typeof value === "string" && /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/.test(value)
      ? { value }
      : undefined,
);

const redisUrl = z.unknown().transform((value, context): string => {
  const reading = parseRedisUrl(typeof value === "string" ? value : "");
  if ("address" in reading) return String(value);
  context.addIssue({
    code: "custom",
    message: `expected ${reading.expected}`,
  });
  return z.NEVER;
});

/**
 * In the format of Ollama's own `OLLAMA_HOST`: scheme and port are optional, and "every address"
 * means this host.
 */
const ollamaHost = leaf(
  "an address such as http://127.0.0.1:11434 or 192.168.1.5:11434",
  (value) => {
    if (typeof value !== "string") return undefined;
    const hasScheme = /^[a-z]+:\/\//i.test(value);
    const address = hasScheme ? value : `http://${value}`;
    if (!URL.canParse(address)) return undefined;
    const url = new URL(address);
    if (!/^https?:$/.test(url.protocol) || url.hostname === "") return undefined;
    if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
    if (!hasScheme && !/:\d+$/.test(value.split("/")[0] ?? "")) url.port = "11434";
    return { value: url.href.replace(/\/+$/, "") };
  },
);

const personList = leaf("a list of persons such as telegram:1,discord:2", (value) => {
  if (typeof value !== "string") return undefined;
  const names = value.split(/[,\s]+/).filter((name) => name !== "");
  return names.every((name) => person.safeParse(name).success) ? { value: names } : undefined;
});

export const accessModes = ["open", "pairing", "allowlist"] as const;
const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** The fixed names. What has no default here may also come from the file. */
const environmentSchema = z.object({
  REDIS_URL: redisUrl.optional(),
  TELEGRAM_BOT_TOKEN: telegramToken.optional(),
  TELEGRAM_API_ROOT: httpUrl.default("https://api.telegram.org"),
  DISCORD_TOKEN: discordToken.optional(),
  DISCORD_API_ROOT: httpUrl.default("https://discord.com/api"),
  OPENAI_API_KEY: text.optional(),
  OPENAI_BASE_URL: httpUrl.optional(),
  OPENAI_MODEL: text.optional(),
  OLLAMA_HOST: ollamaHost.default("http://127.0.0.1:11434"),
  OLLAMA_MODEL: text.optional(),
  PARLEY_ADMINS: personList.default([]),
  PARLEY_ACCESS: oneOf(...accessModes).optional(),
  PARLEY_CONFIG: text.optional(),
  PARLEY_DATA: text.default("./data"),
  PARLEY_ROLE: oneOf("all", "bots", "worker").default("all"),
  PARLEY_HTTP_PORT: port.optional(),
  PARLEY_HTTP_HOST: text.optional(),
  PARLEY_PAGE_PORT: port.default("off"),
  PARLEY_PAGE_HOST: text.default("127.0.0.1"),
  PARLEY_PAGE_URL: pageOrigin.optional(),
  LOG_LEVEL: oneOf(...logLevels).default("info"),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl.optional(),
});

export type EnvironmentSettings = z.output<typeof environmentSchema>;

export const environmentNames = Object.keys(environmentSchema.shape);

/** The environment as it counts: trimmed, and an empty text is as good as none. */
export function present(environment: Environment): Environment {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => {
      const trimmed = value?.trim();
      return trimmed === undefined || trimmed === "" ? [] : [[name, trimmed]];
    }),
  );
}

/**
 * Reads the known variables; a name that differs from one by a letter or two is a problem, too. A
 * value that can't be read is left out of the settings.
 */
export function readEnvironment(environment: Environment): {
  readonly settings: EnvironmentSettings;
  readonly problems: readonly Problem[];
} {
  const result = environmentSchema.safeParse(environment);
  const unreadable = (result.error?.issues ?? []).map((issue): Problem => {
    const name = String(issue.path[0]);
    return {
      where: name,
      value: isSecretPath([name]) ? "set (not shown)" : show(environment[name]),
      expected: issue.message,
    };
  });
  const names = new Set(unreadable.map(({ where }) => where));
  const readable = Object.entries(environment).filter(([name]) => !names.has(name));
  return {
    settings: result.data ?? environmentSchema.parse(Object.fromEntries(readable)),
    problems: [...misspelt(environment), ...unreadable],
  };
}

function misspelt(environment: Environment): Problem[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith("PARLEY_"))
    .filter((name) => !environmentNames.includes(name))
    .flatMap((name) => {
      const guess = nearest(name, environmentNames, 2);
      return guess === undefined
        ? []
        : [
            {
              where: name,
              value: undefined,
              expected: `unknown name; did you mean ${guess}?`,
            },
          ];
    });
}
