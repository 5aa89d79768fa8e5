import { environmentNames } from "./environment.ts";
import type { Environment } from "./interpolation.ts";
import { nearest } from "./nearest.ts";
import type { Problem } from "./problems.ts";

/** What other programs and older guides call the same thing, and the name that Parley reads. */
const otherNames: Readonly<Record<string, string>> = {
  BOT_TOKEN: "TELEGRAM_BOT_TOKEN",
  TELEGRAM_TOKEN: "TELEGRAM_BOT_TOKEN",
  TELEGRAM_API_TOKEN: "TELEGRAM_BOT_TOKEN",
  TELEGRAM_BOT_API_TOKEN: "TELEGRAM_BOT_TOKEN",
  TELEGRAM_BOT_KEY: "TELEGRAM_BOT_TOKEN",
  DISCORD_BOT_TOKEN: "DISCORD_TOKEN",
  DISCORD_API_TOKEN: "DISCORD_TOKEN",
  DISCORD_BOT_KEY: "DISCORD_TOKEN",
  OPENAI_KEY: "OPENAI_API_KEY",
  OPENAI_TOKEN: "OPENAI_API_KEY",
  OPENAI_APIKEY: "OPENAI_API_KEY",
  OPENAI_API_BASE: "OPENAI_BASE_URL",
  OPENAI_API_BASE_URL: "OPENAI_BASE_URL",
  OPENAI_API_URL: "OPENAI_BASE_URL",
  OPENAI_URL: "OPENAI_BASE_URL",
  OPENAI_MODEL_NAME: "OPENAI_MODEL",
  OLLAMA_URL: "OLLAMA_HOST",
  OLLAMA_BASE_URL: "OLLAMA_HOST",
  OLLAMA_API_BASE: "OLLAMA_HOST",
  OLLAMA_MODEL_NAME: "OLLAMA_MODEL",
  REDIS_HOST: "REDIS_URL",
  REDIS_URI: "REDIS_URL",
  REDIS_ADDRESS: "REDIS_URL",
  REDIS_CONNECTION_STRING: "REDIS_URL",
};

/** Other programs' variables that differ from Parley's by a letter. */
const foreign: ReadonlySet<string> = new Set(["OLLAMA_MODELS", "LOGLEVEL"]);

/** How many letters may differ: of a short name two make another program's, such as RDS_URL. */
const atMost = (name: string): number => (name.length < 12 ? 1 : 2);

/** Misspelt names that begin with PARLEY_ refuse the start: see `readEnvironment`. */
const misspelt = (name: string): string | undefined =>
  foreign.has(name) || name.startsWith("PARLEY_")
    ? undefined
    : nearest(name, environmentNames, atMost(name));

/**
 * Variables that Parley doesn't read though they were probably meant for it, where the one that it
 * reads is not set. They don't refuse the start: they may belong to another program. Pure.
 */
export function nearMisses(environment: Environment): readonly Problem[] {
  return Object.keys(environment).flatMap((name) => {
    if (environmentNames.includes(name)) return [];
    const meant = otherNames[name] ?? misspelt(name);
    return meant === undefined || environment[meant] !== undefined
      ? []
      : [
          {
            where: name,
            value: undefined,
            expected: `Parley doesn't read it; did you mean ${meant}?${forms[name] ?? ""}`,
          },
        ];
  });
}

const forms: Readonly<Record<string, string>> = {
  BOT_TOKEN: " Discord's is DISCORD_TOKEN.",
  REDIS_HOST: " Write it as REDIS_URL=redis://host:6379",
};
