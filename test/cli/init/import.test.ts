import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { describe, expect, it } from "vitest";
import { importFrom } from "../../../src/cli/init/import/import-from.ts";
import { factsIn, withRoom } from "../../../src/cli/init/import/knowledge.ts";
import { readPersonaFile } from "../../../src/config/persona-file.ts";
import { load } from "../../config/support.ts";
import { hermesHome, importHome, openClawHome } from "./homes.ts";

const fromOpenClaw = () => importHome("openclaw", openClawHome);
const soul = (text: string) => importHome("hermes", { "SOUL.md": text });
const fromHermes = () => importHome("hermes", hermesHome);

describe("from OpenClaw", () => {
  it("takes what has a place, in settings that Parley can read", async () => {
    const { yaml, secrets } = await fromOpenClaw();
    expect(parse(yaml)).toEqual({
      personas: { folder: "./personas", default: "molly" },
      providers: {
        lab: { type: "openai", baseUrl: "http://10.0.0.7:8000/v1", apiKey: "${LAB_API_KEY}" },
        openai: {
          type: "openai",
          baseUrl: "https://api.openai.com/v1",
          apiKey: "${OPENAI_API_KEY}",
        },
      },
      tiers: { balanced: { models: ["lab/big-model", "openai/gpt-5-mini"] } },
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

  it("offers the secrets apart from the settings, and shows none", async () => {
    const { yaml, secrets, taken, left } = await fromOpenClaw();
    expect(secrets).toEqual({
      LAB_API_KEY: "sk-planted-provider-key",
      // Not what its login has, which comes later.
      OPENAI_API_KEY: "sk-planted-openai",
      OPENROUTER_API_KEY: "planted-router",
      TELEGRAM_BOT_TOKEN: "123456:planted-telegram-token-0123456789",
      DISCORD_TOKEN: "planted.discord.token",
      MCP_FILES_GITHUB_TOKEN: "planted-github-token",
    });
    expect([yaml, ...taken, ...left].join("\n")).not.toMatch(/planted/);
  });

  it("names each thing that it leaves, and why", async () => {
    const { left } = await fromOpenClaw();
    for (const what of [
      "memory/2026-01-02.md: it is a day's notes; send the bot what is still true",
      "the scheduled job “Clean up”: Parley's schedules run no scripts",
      "the scheduled job “Ping”: Parley runs nothing more often than every 5 minutes",
      "AGENTS.md: it describes how OpenClaw works, not who the bot is",
      "channels.whatsapp: Parley speaks Telegram and Discord only",
      "channels.telegram: telegram:@ann: Parley's allowlist needs a number for each person or group",
      "channels.telegram: everyone: set access.mode: open if you want that here, too",
      "channels.telegram: dmPolicy: Parley has no such setting",
      "mcp.servers.old: it is switched off there",
      "mcp.servers.files.cwd: MCP servers in parley.yaml have no such key; see docs/mcp.md",
      "the fallback model mistral/small: its key, MISTRAL_API_KEY, isn't there",
      "openclaw.json: gateway: Parley has no such setting",
      "the login anthropic:default: Parley has no such login, only API keys of some servers",
    ])
      expect(left).toContain(what);
  });
});

describe("a file or a channel that is missing or broken", () => {
  it("ends nothing: the rest of OpenClaw's is taken, and it is named", async () => {
    const { left, secrets } = await importHome("openclaw", {
      "openclaw.json": '{ "channels": { "telegram": {} } }',
      "agents/main/agent/auth-profiles.json": "{ oops: [",
      "credentials/telegram-allowFrom.json": "{ oops: [",
      "cron/jobs.json": "{ oops: [",
      ".env": "OPENAI_API_KEY=sk-1\n",
    });
    expect(secrets).toEqual({ OPENAI_API_KEY: "sk-1" });
    expect(left).toEqual([
      expect.stringMatching(/^agents\/main\/agent\/auth-profiles\.json: expected valid YAML/),
      expect.stringMatching(/^credentials\/telegram-allowFrom\.json: expected valid YAML/),
      expect.stringMatching(/^cron\/jobs\.json: expected valid YAML/),
    ]);
  });

  it("leaves its token, by name", async () => {
    const { left, secrets } = await importHome("openclaw", {
      "openclaw.json": '{ "channels": {} }',
      ".env": "TELEGRAM_BOT_TOKEN=planted-1\nDISCORD_BOT_TOKEN=planted-2\n",
    });
    expect(secrets).toEqual({});
    expect(left).toEqual([
      "TELEGRAM_BOT_TOKEN: there is no channels.telegram in its settings",
      "DISCORD_BOT_TOKEN: there is no channels.discord in its settings",
    ]);
  });
});

const serversOf = async (servers: Readonly<Record<string, unknown>>) => {
  const config = JSON.stringify({ mcp: { servers } });
  const { yaml, left, taken } = await importHome("openclaw", { "openclaw.json": config });
  expect([yaml, ...left, ...taken].join("\n")).not.toContain("planted");
  return { yaml: parse(yaml) as unknown, left };
};

describe("an MCP server", () => {
  it.each([
    ["args", { command: "npx", args: ["server", "--api-key", "planted"] }],
    ["args", { command: "npx", args: ["server", "--token=planted"] }],
    ["args", { command: "docker", args: ["run", "-e", "GITHUB_TOKEN=planted", "image"] }],
    ["args", { command: "npx", args: ["mcp-remote", "--header", "Authorization: Bearer planted"] }],
    ["args", { command: "npx", args: ["pg", "postgres://ann:planted@db/main"] }],
    ["args", { command: "sh", args: ["-c", "server --password planted"] }],
    ["args", { command: "server", args: "--secret planted" }],
    ["command", { command: "server --token planted" }],
    ["url", { url: "https://mcp.example.com/mcp?key=planted" }],
    ["url", { url: "https://ann:planted@mcp.example.com/mcp" }],
  ])("with a secret in its %s is left: %j", async (key, entry) => {
    const { yaml, left } = await serversOf({ remote: entry });
    expect(yaml).toBeNull();
    expect(left).toEqual([
      `mcp.servers.remote: its ${key} seems to hold a secret; put that into .env, and the server with \${NAME} into parley.yaml`,
    ]);
  });

  it.each([
    {
      command: "npx",
      args: ["-y", "@scope/server@1.2.3", "--port=8080", "--token-file", "/run/t"],
    },
    { command: "npx", args: ["mcp-remote", "--header", "Authorization: Bearer ${LAB_TOKEN}"] },
    { command: "docker", args: ["run", "--env", "GITHUB_TOKEN", "-e", "MODE=ro", "image"] },
    { command: "server", args: ["--api-key", "${LAB_KEY}", "--token=${LAB_TOKEN}"] },
    { url: "https://mcp.example.com:8443/mcp?key=${LAB_KEY}" },
  ])("without one is taken as it is: %j", async (entry) => {
    expect(await serversOf({ remote: entry })).toEqual({
      yaml: { mcp: { servers: { remote: entry } } },
      left: [],
    });
  });
});

describe("a server's address", () => {
  const addresses = {
    lab: "${LAB_URL}/v1",
    unused: "${MISSING}/v1",
    bare: "localhost:8000/v1",
    login: "https://ann:planted@models.example.com/v1",
  };

  it("has its variables replaced, or is left with the reason", async () => {
    const providers = Object.fromEntries(
      Object.entries(addresses).map(([name, baseUrl]) => [name, { baseUrl, apiKey: "sk-1" }]),
    );
    const model = { primary: "lab/big", fallbacks: ["bare/small"] };
    const { yaml, left, secrets } = await importHome("openclaw", {
      "openclaw.json": JSON.stringify({ agents: { defaults: { model } }, models: { providers } }),
      ".env": "LAB_URL=http://10.0.0.7:8000\n",
    });
    expect(parse(yaml)).toMatchObject({
      providers: { lab: { baseUrl: "http://10.0.0.7:8000/v1" } },
      tiers: { balanced: { models: ["lab/big"] } },
    });
    expect(Object.keys(secrets)).toEqual(["LAB_API_KEY"]);
    expect(left).toEqual([
      "models.providers.unused: its server's address names a variable that isn't set there",
      "models.providers.bare: its server's address isn't an http or https URL",
      "models.providers.login: its server's address holds a secret",
      "the fallback model bare/small: its server's address isn't an http or https URL",
    ]);
  });

  it("of Hermes, too", async () => {
    const { left } = await importHome("hermes", {
      "config.yaml": 'model: { default: big, base_url: "${LAB_URL}/v1" }',
    });
    expect(left).toEqual([
      "the model custom-server/big: its server's address names a variable that isn't set there",
    ]);
  });
});

const baseUrlAt = (port: number) => `base_url: "http://10.0.0.7:${port}/v1"`;

describe("from Hermes", () => {
  it("takes what has a place, in settings that Parley can read", async () => {
    const { yaml, secrets } = await fromHermes();
    expect(parse(yaml)).toEqual({
      personas: { folder: "./personas", default: "hermes" },
      access: { allow: ["discord:333", "telegram:111", "telegram:222"] },
      providers: {
        openrouter: { type: "openai", preset: "openrouter", apiKey: "${OPENROUTER_API_KEY}" },
        google: { type: "openai", preset: "google", apiKey: "${GOOGLE_API_KEY}" },
      },
      tiers: {
        balanced: {
          models: ["openrouter/anthropic/claude-opus-4.6", "google/gemini-3-flash"],
        },
      },
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

  it("finds the person's own servers, and their keys", async () => {
    const { yaml, secrets, left } = await importHome("hermes", {
      "config.yaml": `model: { default: big, provider: "custom:lab" }
fallback_providers:
  - { model: small, provider: desk }
  - { model: gemini-3-flash, provider: gemini }
custom_providers:
  - { name: lab, base_url: "http://10.0.0.7:8000/v1", api_key: "\${LAB_TOKEN}" }
providers:
  desk: { base_url: "http://10.0.0.8:8000/v1", key_env: DESK_TOKEN }
`,
      ".env": "LAB_TOKEN=planted-lab\nDESK_TOKEN=planted-desk\nGEMINI_API_KEY=planted-gemini\n",
    });
    expect(parse(yaml)).toEqual({
      providers: {
        lab: { type: "openai", baseUrl: "http://10.0.0.7:8000/v1", apiKey: "${LAB_API_KEY}" },
        desk: { type: "openai", baseUrl: "http://10.0.0.8:8000/v1", apiKey: "${DESK_API_KEY}" },
        google: { type: "openai", preset: "google", apiKey: "${GOOGLE_API_KEY}" },
      },
      tiers: { balanced: { models: ["lab/big", "desk/small", "google/gemini-3-flash"] } },
    });
    expect(secrets).toEqual({
      LAB_API_KEY: "planted-lab",
      DESK_API_KEY: "planted-desk",
      GOOGLE_API_KEY: "planted-gemini",
    });
    // Each of its variables is used.
    expect(left).toEqual([]);
  });

  it("keeps a key that another server has, and names servers without a name by their host", async () => {
    const { yaml, secrets, left } = await importHome("hermes", {
      "config.yaml": `model: { default: gpt-5, provider: openai }
fallback_model: { provider: custom, model: big, base_url: "http://10.0.0.8:8000/v1", api_key: local }
fallback_providers:
  - { provider: custom, model: small, base_url: "http://10.0.0.9:8000/v1", api_key: k2 }
  - { provider: custom, model: tiny, base_url: "http://10.0.0.9:8000/v1", api_key: k3 }
  - { provider: custom, model: away, base_url: "10.0.0.10/v1", api_key: k4 }
  - { provider: OpenAI, model: own }
  - { provider: my lab, model: one }
  - { provider: my-lab, model: two }
custom_providers:
  - { name: OpenAI, base_url: "http://10.0.0.7/v1", api_key: k5 }
  - { name: my lab, base_url: "http://10.0.0.5/v1", api_key: k6 }
  - { name: my-lab, base_url: "http://10.0.0.6/v1", api_key: k7 }
`,
      ".env": "OPENAI_API_KEY=real\n",
    });
    expect(secrets).toEqual({
      OPENAI_API_KEY: "real",
      CUSTOM_10_0_0_8_8000_API_KEY: "local",
      CUSTOM_10_0_0_9_8000_API_KEY: "k2",
      CUSTOM_10_0_0_7_API_KEY: "k5",
      MY_LAB_API_KEY: "k6",
    });
    expect(parse(yaml)).toMatchObject({
      providers: {
        openai: { baseUrl: "https://api.openai.com/v1", apiKey: "${OPENAI_API_KEY}" },
        "custom-10.0.0.8-8000": {
          baseUrl: "http://10.0.0.8:8000/v1",
          apiKey: "${CUSTOM_10_0_0_8_8000_API_KEY}",
        },
        "custom-10.0.0.9-8000": { apiKey: "${CUSTOM_10_0_0_9_8000_API_KEY}" },
        "custom-10.0.0.7": { apiKey: "${CUSTOM_10_0_0_7_API_KEY}" },
      },
      tiers: {
        balanced: {
          models: [
            "openai/gpt-5",
            "custom-10.0.0.8-8000/big",
            "custom-10.0.0.9-8000/small",
            "custom-10.0.0.9-8000/tiny",
            "custom-10.0.0.7/own",
            "my_lab/one",
          ],
        },
      },
    });
    expect(left).toEqual([
      "the key of the fallback model custom-10.0.0.9-8000/tiny: its server has another one, CUSTOM_10_0_0_9_8000_API_KEY",
      "the fallback model custom-server/away: its server's address isn't an http or https URL",
      "the fallback model my-lab/two: another server is called my-lab in parley.yaml already",
    ]);
    expect(() => load({ yaml, environment: secrets })).not.toThrow();
  });

  it("takes the first key that isn't empty, and says where there is none", async () => {
    const { secrets, left } = await importHome("hermes", {
      "config.yaml": `model: { default: big, provider: lab }
fallback_providers:
  - { model: own, ${baseUrlAt(2)}, api_key: " ", key_env: DESK_TOKEN }
  - { model: small, provider: desk, api_key: "\${MISSING}" }
  - { model: none, ${baseUrlAt(4)}, api_key: "\${MISSING}" }
providers:
  lab: { ${baseUrlAt(1)}, api_key: "", key_env: LAB_TOKEN }
  desk: { ${baseUrlAt(3)}, api_key: planted-of-server }
`,
      ".env": "LAB_TOKEN=planted-lab\nDESK_TOKEN=planted-desk\n",
    });
    expect(secrets).toEqual({
      LAB_API_KEY: "planted-lab",
      CUSTOM_10_0_0_7_2_API_KEY: "planted-desk",
      DESK_API_KEY: "planted-of-server",
    });
    expect(left).toEqual(["the key of none: MISSING isn't set there"]);
  });

  it("copies what MCP servers refer to, and names only the variables that nothing uses", async () => {
    const { yaml, secrets, left } = await importHome("hermes", {
      "config.yaml": `mcp_servers:
  remote:
    url: "https://mcp.example.com/mcp?key=\${URL_KEY}"
    headers: { Authorization: "Bearer \${MCP_TOKEN}" }
`,
      ".env": "HERMES_TIMEZONE=Asia/Tokyo\nMCP_TOKEN=planted\nURL_KEY=planted-2\nOTHER=1\n",
    });
    expect(secrets).toEqual({ MCP_TOKEN: "planted", URL_KEY: "planted-2" });
    expect(load({ yaml, environment: secrets }).mcpServers).toMatchObject({
      remote: { headers: { Authorization: "Bearer planted" } },
    });
    expect(left).toEqual([".env: OTHER: Parley doesn't use it"]);
  });

  it("names each thing that it leaves, and shows no secret", async () => {
    const { yaml, secrets, taken, left } = await fromHermes();
    expect(Object.keys(secrets).toSorted()).toEqual([
      "DISCORD_TOKEN",
      "GOOGLE_API_KEY",
      "MCP_REMOTE_AUTHORIZATION",
      "OPENROUTER_API_KEY",
      "TELEGRAM_BOT_TOKEN",
    ]);
    expect([yaml, ...taken, ...left].join("\n")).not.toMatch(/planted/);
    for (const what of [
      ".env: FIRECRAWL_API_KEY: Parley doesn't use it",
      "config.yaml: terminal: Parley has no such setting",
    ])
      expect(left).toContain(what);
  });
});

describe("the persona", () => {
  it("becomes a file that Parley can read, word for word", async () => {
    const { file, said } = (await fromOpenClaw()).placed() ?? {};
    expect(said).toBe("IDENTITY.md and SOUL.md → personas/molly.md, personas.default");
    expect(file?.before).toBeUndefined();
    const read = readPersonaFile(file?.after ?? "", "molly.md", undefined);
    expect(read).toMatchObject({
      persona: { name: "molly", prompt: "# Identity\nName: Molly\n\nBe kind. Say ${NAME} never." },
    });
    expect(file?.after).toMatch(/^---\nname: molly\n---\n\n# Identity/);
  });

  it("has the name and the description of its front matter, and grants nothing", async () => {
    const { placed, left, yaml } = await soul(
      "---\nname: Dr. Bones\ndescription: Knows dinosaurs\ntools: ['*']\nallowed-tools: Bash\nmodel: claude\ntier: deep\nmemory: on\nvibe: calm\n---\nDig deep.",
    );
    expect(placed()?.file.after).toBe(
      "---\nname: dr-bones\ndescription: Knows dinosaurs\n---\n\nDig deep.\n",
    );
    expect(left).toEqual([
      "SOUL.md: tools: a persona grants no tools; see docs/approvals.md",
      "SOUL.md: allowed-tools: a persona grants no tools; see docs/approvals.md",
      ...["model", "tier", "memory"].map(
        (field) =>
          `SOUL.md: ${field}: it was chosen for the other bot; to set it here, see docs/personas.md`,
      ),
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
  ])("whose text has %j is called %s", async (text, name) => {
    expect((await soul(text)).placed()?.file.path).toMatch(new RegExp(`/personas/${name}\\.md$`));
  });

  it("replaces no file, and says so; taken over again, it is the same file", async () => {
    const { placed, folder } = await fromHermes();
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

  it("is left, and said to be, where it can't be one", async () => {
    expect(await soul("x".repeat(32_001))).toMatchObject({
      persona: undefined,
      left: ["SOUL.md: a prompt has at most 32000 characters, not 32001"],
    });
    const broken = await soul("---\nname: [\n---\nBe kind.");
    expect(broken.left).toEqual(["SOUL.md: its front matter: it isn't valid YAML"]);
    expect(broken.placed()?.file.after).toContain("\n\nBe kind.\n");
    // No front matter, only lines of dashes.
    const prose = "---\nBe kind.\n---\nBe brief.";
    expect((await soul(prose)).persona?.prompt).toBe(prose);
    expect((await soul("---\nname: x\n---\n")).persona).toBeUndefined();
    expect((await importHome("hermes", {})).persona).toBeUndefined();
  });
});

describe("the skills", () => {
  it("become copies that wait for an admin, within Parley's limits and without links", async () => {
    const { place, skills, folder } = await importHome("hermes", {
      ...hermesHome,
      "skills/research/arxiv/big.txt": "x".repeat(262_145),
      "skills/broken/SKILL.md": "no front matter",
    });
    const { files, taken, left } = place();
    expect(files).toEqual([
      {
        path: join(folder, "to/skills/arxiv/SKILL.md"),
        before: undefined,
        after: hermesHome["skills/research/arxiv/SKILL.md"],
        isCopy: true,
      },
    ]);
    expect(taken).toEqual([
      "the skill arxiv → to/skills/arxiv (an admin approves it with /skills review)",
    ]);
    expect(left).toEqual([]);
    expect(skills.problems.join("\n")).toMatch(
      /skills\/broken isn't used: its SKILL\.md has no front matter[^]*arxiv has 1 files that are left out/,
    );
  });

  it("of OpenClaw come from the workspace and from its own folder", async () => {
    const { files } = (await fromOpenClaw()).place();
    expect(files.map(({ path }) => path.replace(/^.*\/to\//, ""))).toEqual([
      "skills/shared/SKILL.md",
      "skills/weather/SKILL.md",
    ]);
  });

  it("never follow a link", async () => {
    const { folder } = await fromHermes();
    writeFileSync(join(folder, "secret"), "planted");
    symlinkSync(join(folder, "secret"), join(folder, "skills/research/arxiv/notes.md"));
    symlinkSync("/etc", join(folder, "skills/etc"));
    const { skills } = await importFrom("hermes", folder, () => undefined);
    expect(JSON.stringify(skills.skills.map(({ files }) => [...files]))).not.toContain("planted");
    expect(skills.problems.join("\n")).toMatch(/etc is a link[^]*notes\.md is left out/);
  });

  it("replace none that is there, and are the same when taken over again", async () => {
    const { place, folder } = await fromHermes();
    mkdirSync(join(folder, "to/skills/arxiv"), { recursive: true });
    const there = join(folder, "to/skills/arxiv/SKILL.md");
    writeFileSync(there, "Mine.");
    const second = place();
    expect(second.files).toEqual([]);
    expect(second.left).toEqual(["the skill arxiv: to/skills/arxiv is there already, and stays"]);
    writeFileSync(there, hermesHome["skills/research/arxiv/SKILL.md"] ?? "");
    expect(place().taken).toEqual(["the skill arxiv: to/skills/arxiv is the same already"]);
  });
});

describe("facts and schedules", () => {
  it("of OpenClaw wait for /import, with the headings that they are under", async () => {
    const { facts, schedules } = await fromOpenClaw();
    expect(facts).toEqual(["Name: Ann", "Family: Ben is her brother", "Ann likes tea"]);
    expect(schedules).toEqual([
      {
        text: "Summarize overnight updates.",
        timing: { type: "cron", rule: "0 7 * * *" },
        zone: "Europe/Berlin",
      },
      {
        text: "Call Ben",
        timing: { type: "at", atMs: Date.UTC(2030, 0, 1, 9), isMoment: true },
        zone: expect.any(String) as string,
      },
    ]);
  });

  it("of Hermes, too, which divides facts by a sign", async () => {
    const { facts, schedules } = await fromHermes();
    expect(facts).toEqual(["prefers tea", "lives in Kiel"]);
    expect(schedules).toMatchObject([
      { text: "Summarize today's news", timing: { type: "cron", rule: "0 9 * * *" } },
      { text: "Drink water", timing: { type: "every", everyMs: 7_200_000 } },
    ]);
  });

  it("are due once as clocks in their zone show it, or at a moment", async () => {
    const tz = "Asia/Tokyo";
    const jobs = [
      { kind: "at", at: "2030-01-01T09:00:00", tz },
      { kind: "once", run_at: "2030-01-01 09:00", tz },
      { kind: "once", run_at: "2030-01-01", tz },
      { kind: "at", at: "2030-01-01T09:00:00" },
      { kind: "at", at: "2030-01-01" },
      { kind: "at", at: "2030-01-01T09:00:00+02:00", tz },
      { kind: "at", atMs: 1_900_000_000_000, tz },
      { kind: "at", at: "soon", tz },
    ].map((schedule, index) => ({ name: `${index}`, prompt: "Call", schedule }));
    const { schedules, left } = await importHome("openclaw", {
      "cron/jobs.json": JSON.stringify({ jobs }),
    });
    expect(schedules.map(({ timing }) => timing)).toEqual([
      { type: "at", atMs: Date.UTC(2030, 0, 1, 0) },
      { type: "at", atMs: Date.UTC(2030, 0, 1, 0) },
      { type: "at", atMs: Date.UTC(2029, 11, 31, 15) },
      // OpenClaw's has no zone: it is UTC.
      { type: "at", atMs: Date.UTC(2030, 0, 1, 9), isMoment: true },
      { type: "at", atMs: Date.UTC(2030, 0, 1), isMoment: true },
      { type: "at", atMs: Date.UTC(2030, 0, 1, 7), isMoment: true },
      { type: "at", atMs: 1_900_000_000_000, isMoment: true },
    ]);
    expect(left).toEqual(["the scheduled job “7”: Parley can't read when it is due"]);
  });

  it("of Hermes are due in its zone, and left where Parley can't do the same", async () => {
    const schedule = { kind: "cron", expr: "0 9 * * *" };
    const job = { prompt: "Call", schedule };
    const jobs = [
      job,
      { ...job, name: "Thrice", repeat: { times: 3, completed: 0 } },
      { ...job, name: "Watch", monitor_url: "https://example.com" },
    ];
    const { schedules, left } = await importHome("hermes", {
      "config.yaml": "timezone: Asia/Tokyo\n",
      "cron/jobs.json": JSON.stringify({ jobs, updated_at: "2026-11-01T00:00:00+09:00" }),
    });
    expect(schedules).toMatchObject([{ text: "Call", zone: "Asia/Tokyo" }]);
    expect(left).toEqual([
      "the scheduled job “Thrice”: Parley's schedules have no number of times",
      "the scheduled job “Watch”: Parley's schedules run no scripts",
    ]);
  });

  it("of OpenClaw are read where its settings say, and named where they are in its database", async () => {
    const job = { schedule: { kind: "cron", cron: "0 9 * * *" }, payload: { text: "Call" } };
    const { schedules, facts, left } = await importHome("openclaw", {
      "moltbot.json": `{ "cron": { "store": "~/.openclaw/cron/own.json" },
        "agents": { "defaults": { "workspace": "~/.openclaw/desk" } } }`,
      "desk/MEMORY.md": "- likes tea\n",
      "workspace/MEMORY.md": "- old\n",
      "cron/own.json": JSON.stringify({ version: 1, jobs: [job] }),
      "state/openclaw.sqlite": "SQLite",
    });
    expect(schedules).toMatchObject([{ text: "Call", timing: { rule: "0 9 * * *" } }]);
    expect(facts).toEqual(["likes tea"]);
    expect(left).toEqual([expect.stringContaining("state/openclaw.sqlite")]);
  });

  it("of OpenClaw are read at the usual place, too, where a full path leads elsewhere", async () => {
    const job = { schedule: { kind: "cron", cron: "0 9 * * *" }, payload: { text: "Call" } };
    const config = JSON.stringify({ cron: { store: "/nowhere/at-all/.openclaw/cron/jobs.json" } });
    const { schedules, left } = await importHome("openclaw", {
      "openclaw.json": config,
      "cron/jobs.json": JSON.stringify({ jobs: [job] }),
    });
    expect(schedules).toMatchObject([{ text: "Call" }]);
    expect(left).toEqual([]);
    expect((await importHome("openclaw", { "openclaw.json": config })).left).toEqual([
      "cron.store: neither that file nor cron/jobs.json can be read",
    ]);
  });

  it("are left where they are switched off", async () => {
    const off = { name: "Off", prompt: "Call", enabled: false };
    const jobs = [{ ...off, schedule: { kind: "cron", expr: "0 7 * * *" } }];
    const { schedules, left } = await importHome("hermes", {
      "cron/jobs.json": JSON.stringify({ jobs }),
    });
    expect(schedules).toEqual([]);
    expect(left).toEqual(["the scheduled job “Off”: it is switched off there"]);
  });

  it("come from lists and paragraphs, without titles, comments and what is to be filled in", () => {
    const text = `# MEMORY.md
<!-- Keep this short. -->
About tea
and cake.

## People
- **Ben:** brother,
  from Kiel
1. [x] Ann
- **Pronouns:**
- _(fill this in)_
---
After a rule`;
    expect(factsIn(text)).toEqual([
      "About tea and cake.",
      "People: Ben: brother, from Kiel",
      "People: [x] Ann",
      "People: After a rule",
    ]);
    expect(factsIn("")).toEqual([]);
  });

  it("are left where they have no room", () => {
    const left: string[] = [];
    const facts = ["x".repeat(501), ...Array.from({ length: 102 }, (_, index) => `f${index}`)];
    const { facts: kept } = withRoom({ facts, schedules: [] }, (what) => void left.push(what));
    expect(kept).toEqual(facts.slice(1, 101));
    expect(left).toEqual([`the fact “${"x".repeat(40)}…”`, "2 facts"]);
  });
});

describe("fallback models", () => {
  it("of a server without its key, or that speaks no API of Parley's, are left", async () => {
    const { left, yaml } = await importHome("hermes", {
      "config.yaml": [
        "model: { default: big, base_url: http://10.0.0.7/v1 }",
        "fallback_providers:",
        "  - { provider: openai, model: gpt-5-mini }",
        "  - { provider: nous, model: hermes-4 }",
        "  - { provider: ollama, model: qwen3 }",
      ].join("\n"),
    });
    expect(parse(yaml)).toMatchObject({
      tiers: { balanced: { models: ["custom-10.0.0.7/big", "ollama/qwen3"] } },
    });
    expect(left).toEqual([
      "the fallback model openai/gpt-5-mini: its key, OPENAI_API_KEY, isn't there",
      "the fallback model nous/hermes-4: Parley doesn't know its server's address",
    ]);
  });
});

describe("a folder that is of no use", () => {
  it("is named when it isn't there", async () => {
    await expect(importFrom("hermes", "/nowhere/at-all", () => undefined)).rejects.toThrow(
      "--from: expected a folder at /nowhere/at-all; name another one after it",
    );
  });

  it("is named when its configuration can't be read", async () => {
    await expect(importHome("openclaw", { "openclaw.json": "{ oops: [" })).rejects.toThrow(
      /openclaw\.json: expected valid YAML/,
    );
  });
});
