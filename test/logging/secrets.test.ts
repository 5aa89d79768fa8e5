import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { secretsOf } from "../../src/logging/secrets.ts";
import { loadSettings } from "../../src/config/load.ts";

/** The settings of a folder with this `parley.yaml`. */
function settingsOf(environment: Record<string, string>, file: string) {
  const workingFolder = mkdtempSync(join(tmpdir(), "parley-secrets-"));
  onTestFinished(() => rmSync(workingFolder, { recursive: true }));
  writeFileSync(join(workingFolder, "parley.yaml"), file);
  return loadSettings({ environment, workingFolder });
}

it("finds every secret of the settings, and only what may be one", () => {
  const telegramToken = `123456789:${"planted-telegram".repeat(3)}`;
  const settings = settingsOf(
    {
      REDIS_URL: "redis://parley:planted%2Fredis@127.0.0.1:6379",
      TELEGRAM_BOT_TOKEN: telegramToken,
      DISCORD_TOKEN: "planted.discord.token",
      OPENAI_API_KEY: "planted-openai",
      OPENAI_MODEL: "gpt-5-mini",
      OLLAMA_HOST: "http://ann:planted-ollama@127.0.0.1:11434",
      PARLEY_HTTP_PORT: "8080",
      SOME_KEY: "planted-environment",
      SOME_SEARCH_KEY: "planted-search",
    },
    `
providers:
  router: { type: openai, preset: openrouter, apiKey: planted-router }
webSearch: { provider: brave, apiKey: "\${SOME_SEARCH_KEY}" }
mcp:
  servers:
    files:
      command: some-server
      args: [--root, /srv/files, --api-key, planted-argument, --token=planted=flag]
      env: { KEY: "\${SOME_KEY}" }
    web:
      url: http://127.0.0.1:8931/mcp?key=planted-query
      headers: { authorization: Bearer planted-bearer, x-key: planted-header }
telegram:
  mode: webhook
  webhook: { url: "https://bot.example/telegram", secret: planted-webhook }
`,
  );
  const found = secretsOf(settings);
  expect(new Set(found)).toEqual(
    new Set([
      "parley",
      "planted%2Fredis",
      "planted/redis",
      telegramToken,
      "planted.discord.token",
      "planted-openai",
      "ann",
      "planted-ollama",
      "planted-environment",
      "planted-search",
      "planted-router",
      "planted-argument",
      "planted=flag",
      "planted-query",
      "Bearer planted-bearer",
      "planted-bearer",
      "planted-header",
      "planted-webhook",
    ]),
  );
});

it("finds none where there are none", () => {
  expect(secretsOf(settingsOf({}, ""))).toEqual([]);
});

it.each([
  ["redis://:planted%2Fone@h1:7001,h2:7002", ["planted/one"]],
  [
    "redis+sentinel://:planted-one@h1,h2/m?sentinelPassword=planted%2Ftwo",
    ["planted-one", "planted/two", "planted%2Ftwo"],
  ],
])("finds the passwords in %s", (REDIS_URL, expected) => {
  const found = secretsOf(settingsOf({ REDIS_URL }, ""));
  expect(found).toEqual(expect.arrayContaining(expected));
});
