import { expect, test } from "vitest";
import { nearMisses } from "../../src/config/near-misses.ts";

test.each([
  ["TELEGRAM_TOKEN", "TELEGRAM_BOT_TOKEN"],
  ["TELEGRAM_BOT_TOKN", "TELEGRAM_BOT_TOKEN"],
  ["DISCORD_BOT_TOKEN", "DISCORD_TOKEN"],
  ["OPENAI_KEY", "OPENAI_API_KEY"],
  ["OPENAI_API_BASE", "OPENAI_BASE_URL"],
  ["OLLAMA_URL", "OLLAMA_HOST"],
  ["REDIS_HOST", "REDIS_URL"],
  ["BOT_TOKEN", "TELEGRAM_BOT_TOKEN"],
  ["OLAMA_MODEL", "OLLAMA_MODEL"],
  ["OLLAMA_MODELL", "OLLAMA_MODEL"],
  ["OLLAMA_HOTS", "OLLAMA_HOST"],
  ["OPENAI_API_KEYS", "OPENAI_API_KEY"],
  ["OPENAI_BASEURL", "OPENAI_BASE_URL"],
  ["REDIS_ULR", "REDIS_URL"],
  ["REDISURL", "REDIS_URL"],
  ["LOG_LEVEL_", "LOG_LEVEL"],
  ["DISCORD_TOKE", "DISCORD_TOKEN"],
])("%s was probably meant to be %s", (name, meant) => {
  const [found, ...others] = nearMisses({ [name]: "x" });
  expect(others).toEqual([]);
  expect(found?.where).toBe(name);
  expect(found?.expected).toContain(`did you mean ${meant}?`);
  // It is another program's where the right one is set.
  expect(nearMisses({ [name]: "x", [meant]: "y" })).toEqual([]);
});

/** Variables that Ollama, OpenAI's and AWS' programs, Redis' images and shells read. */
const foreign =
  `OLLAMA_MODELS OLLAMA_HOST OLLAMA_ORIGINS OLLAMA_DEBUG OLLAMA_KEEP_ALIVE OLLAMA_NOPRUNE OLLAMA_REMOTES
  OLLAMA_TMPDIR OLLAMA_NUM_PARALLEL OLLAMA_MAX_QUEUE OPENAI_ORG_ID OPENAI_ORGANIZATION OPENAI_PROJECT
  OPENAI_API_TYPE OPENAI_API_VERSION OPENAI_LOG REDIS_PORT REDIS_USER REDIS_SSL REDIS_TLS REDIS_DB
  REDIS_PASSWORD RDS_URL LOGLEVEL LOGNAME NODE_ENV OTEL_EXPORTER_OTLP_LOGS_ENDPOINT OTEL_SERVICE_NAME
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT OTEL_EXPORTER_OTLP_HEADERS TELEGRAM_API_ID TELEGRAM_API_HASH
  TELEGRAM_CHAT_ID DISCORD_CLIENT_ID DISCORD_GUILD_ID DISCORD_APP_ID TELEGRAM_BOT_TOKEN HOME PATH PWD
  SHELL LANG TERM`.split(/\s+/);
test.each(foreign)("%s is no one's mistake", (name) =>
  expect(nearMisses({ [name]: "x" })).toEqual([]),
);
