import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { load } from "./support.ts";

const { dataFolder, skills, personas, ...defaults } = load();

test("with nothing set, everything is as the documentation says", () => {
  const chain = {
    models: [{ provider: "demo", model: "demo" }],
    options: {},
    turn: {},
  };
  expect(personas).toEqual({ folder: expect.stringMatching(/\/personas$/), usual: undefined });
  expect(defaults).toEqual({
    role: "all",
    configFile: undefined,
    logLevel: "info",
    redis: { kind: "embedded" },
    telegram: { enabled: false },
    discord: { enabled: false },
    http: { enabled: false },
    page: { enabled: false },
    access: {
      mode: "pairing",
      admins: [],
      allow: [],
      ban: [],
      trustGroupAdmins: false,
    },
    models: {
      providers: {
        openai: {
          type: "openai",
          baseUrl: "https://api.openai.com/v1",
          apiKey: undefined,
          api: "chat",
        },
        ollama: { type: "ollama", host: "http://127.0.0.1:11434" },
        demo: { type: "demo" },
      },
      overrides: {},
      tiers: {
        fast: chain,
        balanced: chain,
        smart: chain,
        coding: chain,
        deep: chain,
        compaction: chain,
      },
    },
    persona: { systemPrompt: undefined },
    turn: {
      maxModelCalls: 20,
      maxToolExecutions: 80,
      deadlineMs: 900_000,
      maxTokens: undefined,
      maxCostUsd: undefined,
      whileBusy: "followup",
      tools: "names",
      thinking: false,
      downgrade: true,
      stopOn: {
        toolFailure: false,
        confirmationDenied: true,
        policyDenied: false,
      },
      loop: { sameCall: 3, sameTool: 5, hints: 5 },
    },
    context: {
      compactAt: 0.7,
      compactTo: 0.4,
      keepTurns: 10,
      protectPairs: 5,
      strategy: "summarise",
    },
    approvals: {
      expiresAfterMs: 86_400_000,
      approvers: "requester-or-admins",
      alwaysAllowMs: 28_800_000,
    },
    memory: { recall: "auto", embeddings: undefined, facts: "ask", summaries: true },
    toolRules: [],
    webSearch: undefined,
    mcpServers: {},
    limits: {
      person: [],
      chat: [],
      role: { owner: [], admin: [], member: [], guest: [] },
      platform: { telegram: [], discord: [], console: [] },
      global: [],
    },
    retention: {
      historyMs: 7_776_000_000,
      tracesMs: 604_800_000,
      auditMs: 31_536_000_000,
      memoryMs: 31_536_000_000,
      windowsMs: undefined,
    },
  });
  expect(dataFolder).toMatch(/\/parley-config-[^/]*\/data$/);
  const folder = dirname(dataFolder);
  expect(skills).toEqual({
    folders: [join(folder, "skills"), join(folder, ".agents/skills")],
    lockFile: join(folder, "parley-skills.lock"),
  });
});

test.each([
  ["an empty file", ""],
  ["a file of comments", "# nothing\n"],
  ["sections without keys", "turn:\nproviders:\ntelegram: {}\nmcp: { servers: }\ntiers: {}\n"],
  ["keys whose names are unset", 'persona: { systemPrompt: "${NOBODY}" }'],
])("%s changes nothing", (_, yaml) => {
  const {
    dataFolder: _folder,
    skills: _skills,
    personas: here,
    configFile,
    ...settings
  } = load({ yaml });
  expect(here.usual).toBeUndefined();
  expect(here.folder).toMatch(/\/personas$/);
  expect(configFile).toMatch(/parley\.yaml$/);
  expect({ ...settings, configFile: undefined }).toEqual(defaults);
});

test("empty names count as unset", () => {
  const names = "REDIS_URL TELEGRAM_BOT_TOKEN PARLEY_ROLE PARLEY_HTTP_PORT";
  const environment = Object.fromEntries(
    `${names} LOG_LEVEL PARLEY_CONFIG OPENAI_API_KEY`.split(" ").map((name) => [name, " "]),
  );
  const {
    dataFolder: _folder,
    skills: _skills,
    personas: _personas,
    ...settings
  } = load({ environment });
  expect(settings).toEqual(defaults);
});
