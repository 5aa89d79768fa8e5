import { configureGlobal } from "fast-check";

// Tests never speak to a real service: whatever the developer's shell exports is gone before the
// first import.
for (const name of [
  "REDIS_URL",
  "TELEGRAM_BOT_TOKEN",
  "TELEGRAM_API_ROOT",
  "DISCORD_TOKEN",
  "DISCORD_API_ROOT",
  "OPENAI_API_KEY",
  "OPENAI_BASE_URL",
  "OPENAI_MODEL",
  "OLLAMA_HOST",
  "OLLAMA_MODEL",
  "PARLEY_ADMINS",
  "PARLEY_ACCESS",
  "PARLEY_CONFIG",
  "PARLEY_ROLE",
  "PARLEY_HTTP_PORT",
  "PARLEY_HTTP_HOST",
]) {
  delete process.env[name];
}

// What the terminal's tests type on is one that can move its cursor, whatever CI calls its own.
process.env["TERM"] = "xterm";

configureGlobal({ seed: Number(process.env["PARLEY_TEST_SEED"]) });
