import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { describe, expect, it, onTestFinished } from "vitest";
import { importFrom } from "../../../src/cli/init/import/import-from.ts";
import { placePersona } from "../../../src/cli/init/import/persona.ts";
import type { ImportSource } from "../../../src/cli/init/options.ts";
import { editFileText } from "../../../src/config/edit-file.ts";
import { readPersonaFile } from "../../../src/config/persona-file.ts";
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
  const settingsFile = join(folder, "parley.yaml");
  const placed = () =>
    imported.persona &&
    placePersona(imported.persona, { folder: join(folder, "personas"), settingsFile });
  const yaml = editFileText("", [...(placed()?.changes ?? []), ...imported.changes]);
  return { ...imported, yaml, placed, folder };
}

const fromOpenClaw = () => importHome("openclaw", openClawHome);
const soul = (text: string) => importHome("hermes", { "SOUL.md": text });
const fromHermes = () => importHome("hermes", hermesHome);

describe("from OpenClaw", () => {
  it("takes what has a place, in settings that Parley can read", () => {
    const { yaml, secrets } = fromOpenClaw();
    expect(parse(yaml)).toEqual({
      personas: { folder: "./personas", default: "molly" },
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
    expect(settings.personas.usual).toBe("molly");
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
      "workspace/skills/weather: copy it to skills/ yourself; an admin approves it in the chat",
      "skills/shared: copy it to skills/ yourself; an admin approves it in the chat",
      "the scheduled job “Morning brief”: ask for it in the chat again, or use /remind",
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
      personas: { folder: "./personas", default: "hermes" },
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
      "skills/research/arxiv: copy it to skills/ yourself; an admin approves it in the chat",
      "the scheduled job “Daily briefing”: ask for it in the chat again, or use /remind",
      ".env: FIRECRAWL_API_KEY: Parley doesn't use it",
      "config.yaml: terminal: Parley has no such setting",
    ])
      expect(left).toContain(what);
  });
});

describe("the persona", () => {
  it("becomes a file that Parley can read, word for word", () => {
    const { file, said } = fromOpenClaw().placed() ?? {};
    expect(said).toBe("IDENTITY.md and SOUL.md → personas/molly.md, personas.default");
    expect(file?.before).toBeUndefined();
    const read = readPersonaFile(file?.after ?? "", "molly.md", undefined);
    expect(read).toMatchObject({
      persona: { name: "molly", prompt: "# Identity\nName: Molly\n\nBe kind. Say ${NAME} never." },
    });
    expect(file?.after).toMatch(/^---\nname: molly\n---\n\n# Identity/);
  });

  it("has the name and the description of its front matter, and grants nothing", () => {
    const { placed, left, yaml } = soul(
      "---\nname: Dr. Bones\ndescription: Knows dinosaurs\ntools: ['*']\nallowed-tools: Bash\nvibe: calm\n---\nDig deep.",
    );
    expect(placed()?.file.after).toBe(
      "---\nname: dr-bones\ndescription: Knows dinosaurs\n---\n\nDig deep.\n",
    );
    expect(left).toEqual([
      "SOUL.md: tools: a persona grants no tools; see docs/approvals.md",
      "SOUL.md: allowed-tools: a persona grants no tools; see docs/approvals.md",
      "SOUL.md: vibe: a persona has no such field",
    ]);
    expect(parse(yaml)).toEqual({ personas: { folder: "./personas", default: "dr-bones" } });
  });

  it.each([
    ["- **Name:** Molly", "molly"],
    ["* **Name**: Molly the Owl", "molly-owl"],
    // Words of a command.
    ["- **Name:** Default", "default-2"],
    ["- **Name:** New", "new-2"],
    // As the template has it, and nothing that could be a name.
    ["- **Name:** _(pick something you like)_", "hermes"],
    ["Name:\nCreature: owl", "hermes"],
    ["Name: Молly", "hermes"],
  ])("whose text has %j is called %s", (text, name) => {
    expect(soul(text).placed()?.file.path).toMatch(new RegExp(`/personas/${name}\\.md$`));
  });

  it("replaces no file, and says so; taken over again, it is the same file", () => {
    const { placed, folder } = fromHermes();
    mkdirSync(join(folder, "personas"));
    writeFileSync(join(folder, "personas/hermes.md"), "Another one.");
    const second = placed();
    expect(second?.said).toBe(
      "SOUL.md → personas/hermes-2.md, personas.default; personas/hermes.md is there already, and stays",
    );
    expect(second?.changes.at(-1)).toMatchObject({ value: "hermes-2" });
    const { file } = second ?? {};
    expect(file?.after).toContain("name: hermes-2");
    const first = file?.after.replace("hermes-2", "hermes") ?? "";
    writeFileSync(join(folder, "personas/hermes.md"), first);
    expect(placed()?.file).toMatchObject({ before: first, after: first });
    expect(placed()?.said).toBe("SOUL.md → personas/hermes.md, personas.default");
  });

  it("is left, and said to be, where it can't be one", () => {
    expect(soul("x".repeat(32_001))).toMatchObject({
      persona: undefined,
      left: ["SOUL.md: a prompt has at most 32000 characters, not 32001"],
    });
    const broken = soul("---\nname: [\n---\nBe kind.");
    expect(broken.left).toEqual(["SOUL.md: its front matter: it isn't valid YAML"]);
    expect(broken.placed()?.file.after).toContain("\n\nBe kind.\n");
    // No front matter, only lines of dashes.
    const prose = "---\nBe kind.\n---\nBe brief.";
    expect(soul(prose).persona?.prompt).toBe(prose);
    expect(soul("---\nname: x\n---\n").persona).toBeUndefined();
    expect(importHome("hermes", {}).persona).toBeUndefined();
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
