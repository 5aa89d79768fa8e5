import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { importFrom } from "../../../src/cli/init/import/import-from.ts";
import { placePersona } from "../../../src/cli/init/import/persona.ts";
import { placeSkills } from "../../../src/cli/init/import/skills.ts";
import type { ImportSource } from "../../../src/cli/init/options.ts";
import { editFileText } from "../../../src/config/edit-file.ts";

/** A home of OpenClaw in the shape that its configuration reference gives; JSON5. */
export const openClawHome: Readonly<Record<string, string>> = {
  "openclaw.json": `{
  // The gateway
  "gateway": { "mode": "local", "bind": "loopback", "port": 18789 },
  "agents": {
    "defaults": {
      "model": { "primary": "lab/big-model", "fallbacks": ["openai/gpt-5-mini", "mistral/small"] },
      "workspace": "~/.openclaw/workspace",
    },
  },
  "models": {
    "mode": "merge",
    "providers": {
      "lab": {
        "baseUrl": "http://10.0.0.7:8000/v1", /* on the local network */
        "apiKey": "sk-planted-provider-key",
        "api": "openai-completions",
        "models": [{ "id": "big-model", "name": "Big" }],
      },
    },
  },
  "channels": {
    "telegram": {
      "enabled": true,
      "botToken": "\${TELEGRAM_BOT_TOKEN}",
      "dmPolicy": "open",
      "allowFrom": ["tg:123456789", "@ann", "*"],
      "groups": { "-1001234567890": { "requireMention": true } },
    },
    "discord": {
      "token": { "source": "env", "id": "MY_DISCORD" },
      "allowFrom": ["42"],
    },
    "whatsapp": { "allowFrom": ["+15555550123"] },
  },
  "mcp": {
    "servers": {
      "files": {
        "command": "npx",
        "args": ["-y", "@modelcontextprotocol/server-filesystem", "/srv"],
        "env": { "MODE": "ro", "GITHUB_TOKEN": "planted-github-token" },
        "cwd": "/srv",
      },
      "old": { "command": "old-server", "enabled": false },
    },
  },
}
`,
  ".env":
    "TELEGRAM_BOT_TOKEN=123456:planted-telegram-token-0123456789\nOPENAI_API_KEY=sk-planted-openai\nMY_DISCORD=planted.discord.token\nROUTER=planted-router\n",
  "workspace/IDENTITY.md": "# Identity\nName: Molly\n",
  "workspace/SOUL.md": "Be kind. Say ${NAME} never.\n",
  "workspace/AGENTS.md": "Read SOUL.md first.\n",
  "workspace/MEMORY.md": "- Ann likes tea\n",
  "workspace/USER.md": "# About\n- Name: Ann\n## Family\n- Ben is her brother\n",
  "workspace/memory/2026-01-02.md": "We talked about tea.\n",
  "workspace/skills/weather/SKILL.md":
    "---\nname: weather\ndescription: About weather.\n---\nDo it.\n",
  "skills/shared/SKILL.md": "---\nname: shared\ndescription: About shared.\n---\nDo it.\n",
  "agents/main/agent/auth-profiles.json": JSON.stringify({
    version: 1,
    profiles: {
      "openai:default": { type: "api_key", provider: "openai", key: "sk-planted-second" },
      "openrouter:default": {
        type: "api_key",
        provider: "openrouter",
        keyRef: { source: "env", id: "ROUTER" },
      },
      "anthropic:default": { type: "oauth", provider: "anthropic", access: "planted-access" },
    },
    usageStats: {},
  }),
  "credentials/telegram-allowFrom.json": '{ "version": 1, "allowFrom": ["555"] }',
  "cron/jobs.json": JSON.stringify({
    version: 1,
    jobs: [
      {
        id: "6f0c",
        name: "Morning brief",
        enabled: true,
        createdAtMs: 1_780_000_000_000,
        updatedAtMs: 1_780_000_000_000,
        schedule: { kind: "cron", expr: "0 7 * * *", tz: "Europe/Berlin", staggerMs: 0 },
        sessionTarget: "isolated",
        wakeMode: "next-heartbeat",
        payload: { kind: "agentTurn", message: "Summarize overnight updates." },
        delivery: { mode: "announce", channel: "telegram", to: "123456789" },
        state: { nextRunAtMs: 1_780_000_000_000 },
      },
      {
        name: "Call",
        schedule: { kind: "at", at: "2030-01-01T09:00:00Z" },
        sessionTarget: "main",
        wakeMode: "now",
        payload: { kind: "systemEvent", text: "Call Ben" },
        deleteAfterRun: true,
      },
      {
        name: "Clean up",
        schedule: { kind: "every", everyMs: 3600000, anchorMs: 1_780_000_000_000 },
        payload: { kind: "command", argv: ["sh", "clean.sh"] },
      },
      {
        name: "Ping",
        schedule: { kind: "every", everyMs: 60000 },
        payload: { kind: "agentTurn", message: "Ping" },
      },
    ],
  }),
};

/** A home of Hermes Agent in the shape that its documentation gives. */
export const hermesHome: Readonly<Record<string, string>> = {
  "config.yaml": `_config_version: 50
model:
  default: "anthropic/claude-opus-4.6"
  provider: "auto"
  base_url: "https://openrouter.ai/api/v1"
fallback_model:
  provider: google
  model: gemini-3-flash
terminal:
  backend: local
mcp_servers:
  remote:
    url: "https://mcp.example.com/mcp"
    headers:
      Authorization: "Bearer planted-bearer"
`,
  ".env": [
    "OPENROUTER_API_KEY=sk-or-planted",
    "GOOGLE_API_KEY=planted-google",
    "TELEGRAM_BOT_TOKEN=123:planted-telegram-0123456789012345",
    "TELEGRAM_ALLOWED_USERS=111, 222",
    "DISCORD_BOT_TOKEN=planted.discord.token",
    "DISCORD_ALLOWED_USERS=333",
    "FIRECRAWL_API_KEY=fc-planted",
    "",
  ].join("\n"),
  "SOUL.md": "You are Hermes, terse and exact.\n",
  "memories/MEMORY.md": "- prefers tea\n§\n- lives in Kiel\n",
  "skills/research/arxiv/SKILL.md": "---\nname: arxiv\ndescription: About arxiv.\n---\nDo it.\n",
  "cron/jobs.json": JSON.stringify({
    jobs: [
      {
        id: "a1b2c3d4e5f6",
        name: "Daily briefing",
        prompt: "Summarize today's news",
        schedule: { kind: "cron", expr: "0 9 * * *", display: "0 9 * * *" },
        schedule_display: "0 9 * * *",
        skills: [],
        script: null,
        monitor_script: null,
        repeat: { times: null, completed: 3 },
        deliver: "telegram:-1001234567890",
        enabled: true,
        state: "scheduled",
      },
      {
        name: "Water",
        prompt: "Drink water",
        schedule: { kind: "interval", minutes: 120, display: "every 120m" },
      },
    ],
  }),
};

/**
 * What is imported from a folder with these files, and what becomes of it.
 * @param here variables that Parley has already
 */
export async function importHome(
  kind: ImportSource,
  files: Readonly<Record<string, string>>,
  here: Readonly<Record<string, string>> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "parley-import-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const imported = await importFrom(kind, folder, (name) => here[name]);
  const settingsFile = join(folder, "parley.yaml");
  const placed = () =>
    imported.persona &&
    placePersona(imported.persona, { folder: join(folder, "personas"), settingsFile });
  const yaml = editFileText("", [...(placed()?.changes ?? []), ...imported.changes]);
  const place = () =>
    placeSkills(imported.skills, { folder: join(folder, "to/skills"), settingsFile });
  return { ...imported, yaml, placed, place, folder };
}
