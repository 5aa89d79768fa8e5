import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { describe, expect, it, onTestFinished } from "vitest";
import { importFrom } from "../../../src/cli/init/import/import-from.ts";
import type { ImportSource } from "../../../src/cli/init/options.ts";
import { editFileText } from "../../../src/config/edit-file.ts";
import { load } from "../../config/support.ts";
import { hermesHome, openClawHome } from "./homes.ts";

function importHome(kind: ImportSource, files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), "parley-import-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const imported = importFrom(kind, folder);
  const yaml = editFileText("", imported.changes);
  return { ...imported, yaml };
}

const fromOpenClaw = () => importHome("openclaw", openClawHome);
const fromHermes = () => importHome("hermes", hermesHome);

describe("from OpenClaw", () => {
  it("takes what has a place, in settings that Parley can read", () => {
    const { yaml, secrets } = fromOpenClaw();
    expect(parse(yaml)).toEqual({
      persona: { systemPrompt: "# Identity\nName: Molly\n\nBe kind. Say $${NAME} never." },
      providers: {
        openai: { type: "openai", baseUrl: "http://10.0.0.7:8000/v1", apiKey: "${OPENAI_API_KEY}" },
      },
      tiers: { balanced: { models: ["openai/big-model"] } },
      access: {
        allow: ["telegram:123456789", "telegram:555", "telegram:chat:-1001234567890", "discord:42"],
      },
      mcp: {
        servers: {
          files: {
            command: "npx",
            args: ["-y", "@modelcontextprotocol/server-filesystem", "/srv"],
            env: { MODE: "ro", GITHUB_TOKEN: "${MCP_FILES_GITHUB_TOKEN}" },
          },
        },
      },
    });
    const settings = load({ yaml, environment: secrets });
    expect(settings.persona.systemPrompt).toContain("Say ${NAME} never.");
    expect(settings.mcpServers).toMatchObject({
      files: { environment: { GITHUB_TOKEN: "planted-github-token" } },
    });
  });

  it("offers the secrets apart from the settings, and shows none", () => {
    const { yaml, secrets, taken, left } = fromOpenClaw();
    expect(secrets).toEqual({
      OPENAI_API_KEY: "sk-planted-provider-key",
      TELEGRAM_BOT_TOKEN: "123456:planted-telegram-token-0123456789",
      DISCORD_TOKEN: "planted.discord.token",
      MCP_FILES_GITHUB_TOKEN: "planted-github-token",
    });
    expect([yaml, ...taken, ...left].join("\n")).not.toMatch(/planted/);
  });

  it("names each thing that it leaves, and why", () => {
    const { left } = fromOpenClaw();
    for (const what of [
      "MEMORY.md: Parley keeps no facts yet",
      "USER.md: Parley keeps no facts yet",
      "memory/2026-01-02.md: Parley keeps no facts yet",
      "workspace/skills/weather: Parley has no skills yet",
      "skills/shared: Parley has no skills yet",
      "the scheduled job “Morning brief”: Parley has no schedules yet",
      "AGENTS.md: it describes how OpenClaw works, not who the bot is",
      "channels.whatsapp: Parley speaks Telegram and Discord only",
      "channels.telegram: telegram:@ann: Parley's allowlist needs a number for each person or group",
      "channels.telegram: everyone: set access.mode: open if you want that here, too",
      "channels.telegram: dmPolicy: Parley has no such setting",
      "mcp.servers.old: it is switched off there",
      "mcp.servers.files.cwd: MCP servers in parley.yaml have no such key; see docs/mcp.md",
      "the fallback model openai/gpt-5-mini: add it to tiers.balanced.models",
      "openclaw.json: gateway: Parley has no such setting",
    ])
      expect(left).toContain(what);
  });
});

describe("from Hermes", () => {
  it("takes what has a place, in settings that Parley can read", () => {
    const { yaml, secrets } = fromHermes();
    expect(parse(yaml)).toEqual({
      persona: { systemPrompt: "You are Hermes, terse and exact." },
      access: { allow: ["discord:333", "telegram:111", "telegram:222"] },
      providers: {
        openrouter: { type: "openai", preset: "openrouter", apiKey: "${OPENROUTER_API_KEY}" },
      },
      tiers: { balanced: { models: ["openrouter/anthropic/claude-opus-4.6"] } },
      mcp: {
        servers: {
          remote: {
            url: "https://mcp.example.com/mcp",
            headers: { Authorization: "${MCP_REMOTE_AUTHORIZATION}" },
          },
        },
      },
    });
    expect(load({ yaml, environment: secrets }).mcpServers).toMatchObject({
      remote: { headers: { Authorization: "Bearer planted-bearer" } },
    });
  });

  it("names each thing that it leaves, and shows no secret", () => {
    const { yaml, secrets, taken, left } = fromHermes();
    expect(Object.keys(secrets).toSorted()).toEqual([
      "DISCORD_TOKEN",
      "MCP_REMOTE_AUTHORIZATION",
      "OPENROUTER_API_KEY",
      "TELEGRAM_BOT_TOKEN",
    ]);
    expect([yaml, ...taken, ...left].join("\n")).not.toMatch(/planted/);
    for (const what of [
      "memories/MEMORY.md: Parley keeps no facts yet",
      "skills/research/arxiv: Parley has no skills yet",
      "the scheduled job “Daily briefing”: Parley has no schedules yet",
      ".env: FIRECRAWL_API_KEY: Parley doesn't use it",
      "config.yaml: terminal: Parley has no such setting",
    ])
      expect(left).toContain(what);
  });
});

describe("a folder that is of no use", () => {
  it("is named when it isn't there", () => {
    expect(() => importFrom("hermes", "/nowhere/at-all")).toThrow(
      "--from: expected a folder at /nowhere/at-all; name another one after it",
    );
  });

  it("is named when its configuration can't be read", () => {
    expect(() => importHome("openclaw", { "openclaw.json": "{ oops: [" })).toThrow(
      /openclaw\.json: expected valid YAML/,
    );
  });
});
