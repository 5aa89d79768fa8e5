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
])("%s was probably meant to be %s", (name, meant) => {
  const [found, ...others] = nearMisses({ [name]: "x" });
  expect(others).toEqual([]);
  expect(found?.where).toBe(name);
  expect(found?.expected).toContain(`did you mean ${meant}?`);
  // It is another program's where the right one is set.
  expect(nearMisses({ [name]: "x", [meant]: "y" })).toEqual([]);
});

test.each(["OLLAMA_MODELS", "OPENAI_ORG_ID", "HOME", "REDIS_PORT", "TELEGRAM_BOT_TOKEN"])(
  "%s is no one's mistake",
  (name) => expect(nearMisses({ [name]: "x" })).toEqual([]),
);
