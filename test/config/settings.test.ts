import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { longestAutoMs } from "../../src/approvals/tool-policy.ts";
import type { z } from "zod";
import { environmentNames } from "../../src/config/environment.ts";
import { fileSchema } from "../../src/config/file.ts";
import { loadSettings } from "../../src/config/load.ts";
import { discordToken, load, telegramToken } from "./support.ts";

/** The example of the design, nearly word for word. */
const example = `
providers:
  openai:   { type: openai, baseUrl: "\${OPENAI_BASE_URL}", apiKey: "\${OPENAI_API_KEY}", api: chat }
  local:    { type: ollama, host: "\${OLLAMA_HOST}" }
  lmstudio: { type: openai, preset: lmstudio }
models:
  local/qwen3: { contextWindow: 32768, tools: true, thinking: true, keepAlive: 10m, usdPerMillionTokens: { input: 0, output: 0 } }
tiers:
  balanced: { models: [openai/gpt-5-mini, local/qwen3], temperature: 0.7, maxOutputTokens: 4096 }
persona:   { systemPrompt: "Be kind." }
turn:      { maxModelCalls: 20, maxToolExecutions: 80, deadline: 15m, maxTokens: off, maxCost: off, whileBusy: followup,
             stopOn: { toolFailure: false, confirmationDenied: true, policyDenied: false }, loop: { sameCall: 3, sameTool: 5, hints: 5 } }
context:   { compactAt: 0.7, compactTo: 0.4, keepTurns: 10, protectPairs: 5, strategy: summarise }
approvals: { expiresAfter: 24h, approvers: requester-or-admins }
tools:
  rules:
    - { match: "files.read_*", confirm: never }
    - { match: "files.*", confirm: always, approvers: admins }
    - { match: "web.delete", deny: true }
mcp:
  servers:
    files: { command: some-server, args: [], env: { KEY: "\${SOME_KEY}" }, timeout: 60s, trusted: false, elicitation: defaults }
    web:   { url: "http://127.0.0.1:8931/mcp", headers: { authorization: "Bearer \${TOKEN}" } }
limits:
  person: { messages: [20/min, 500/day], cost: 5usd/day }
  global: { cost: 100usd/month }
access:    { mode: pairing, admins: ["telegram:1"], allow: [], ban: [] }
telegram:  { mode: polling, webhook: { url: "https://bot.example/telegram", secret: "\${WEBHOOK_SECRET}" } }
discord:   { messageContent: false, shards: auto }
retention: { history: 90d, traces: 7d }
`;

test("the example of the documentation is accepted, whole", () => {
  const settings = load({
    yaml: example,
    environment: { OPENAI_API_KEY: "sk-1", TOKEN: "t", SOME_KEY: "k" },
  });
  const chain = [
    { provider: "openai", model: "gpt-5-mini" },
    { provider: "local", model: "qwen3" },
  ];
  const usual = {
    models: chain,
    options: { temperature: 0.7, maxOutputTokens: 4_096 },
    turn: {},
  };
  expect(settings.models).toEqual({
    providers: {
      openai: {
        type: "openai",
        baseUrl: "https://api.openai.com/v1",
        apiKey: "sk-1",
        api: "chat",
      },
      ollama: { type: "ollama", host: "http://127.0.0.1:11434" },
      demo: { type: "demo" },
      local: { type: "ollama", host: "http://127.0.0.1:11434" },
      lmstudio: {
        type: "openai",
        baseUrl: "http://127.0.0.1:1234/v1",
        apiKey: undefined,
        api: "chat",
        preset: "lmstudio",
      },
    },
    overrides: {
      "local/qwen3": {
        card: {
          contextWindow: 32_768,
          tools: true,
          thinking: true,
          usdPerMillionTokens: { input: 0, output: 0 },
        },
        options: { keepAlive: "600000ms" },
      },
    },
    tiers: {
      fast: usual,
      balanced: usual,
      smart: usual,
      coding: usual,
      deep: usual,
      compaction: { models: chain, options: {}, turn: {} },
    },
  });
  expect(settings.toolRules).toEqual([
    {
      match: "files.read_*",
      verdict: "allow",
      confirm: "never",
      approvers: undefined,
    },
    {
      match: "files.*",
      verdict: "allow",
      confirm: "always",
      approvers: "admins",
    },
    { match: "web.delete", verdict: "deny" },
  ]);
  expect(settings.mcpServers).toEqual({
    files: {
      transport: "stdio",
      command: "some-server",
      arguments: [],
      environment: { KEY: "k" },
      timeoutMs: 60_000,
      trusted: false,
      elicitation: "defaults",
    },
    web: {
      transport: "http",
      url: "http://127.0.0.1:8931/mcp",
      headers: { authorization: "Bearer t" },
      timeoutMs: 60_000,
      trusted: false,
      elicitation: "off",
    },
  });
  expect(settings.limits.person).toEqual([
    { metric: "messages", max: 20, per: "minute" },
    { metric: "messages", max: 500, per: "day" },
    { metric: "cost", max: 5, per: "day" },
  ]);
  expect(settings.limits.global).toEqual([{ metric: "cost", max: 100, per: "month" }]);
  expect(settings.persona.systemPrompt).toBe("Be kind.");
});

test("an unset name in a header or an environment leaves out that entry only", () => {
  const { mcpServers } = load({
    yaml: example,
    environment: { OPENAI_API_KEY: "sk-1" },
  });
  expect(mcpServers["files"]).toMatchObject({ environment: {} });
  expect(mcpServers["web"]).toMatchObject({ headers: {} });
});

test("both platforms, a Redis and a port from the environment", () => {
  const settings = load({
    environment: {
      REDIS_URL: "rediss://u:p@redis.example:6380/2",
      TELEGRAM_BOT_TOKEN: telegramToken,
      TELEGRAM_API_ROOT: "http://127.0.0.1:8081/",
      DISCORD_TOKEN: `${discordToken}\n`,
      DISCORD_API_ROOT: "http://127.0.0.1:8082/api",
      PARLEY_HTTP_PORT: "0",
      PARLEY_ROLE: "bots",
      LOG_LEVEL: "silent",
    },
  });
  expect(settings).toMatchObject({
    role: "bots",
    logLevel: "silent",
    redis: { kind: "external", url: "rediss://u:p@redis.example:6380/2" },
    telegram: {
      enabled: true,
      token: telegramToken,
      apiRoot: "http://127.0.0.1:8081",
      receiving: { mode: "polling" },
    },
    discord: {
      enabled: true,
      token: discordToken,
      apiRoot: "http://127.0.0.1:8082/api",
      messageContent: false,
      shards: "auto",
    },
    http: { enabled: true, host: "127.0.0.1", port: 0 },
  });
});

test.each<[string, Record<string, string>, unknown]>([
  [
    "OpenAI, then Ollama",
    { OPENAI_API_KEY: "k", OPENAI_MODEL: "m", OLLAMA_MODEL: "meta/llama" },
    [
      { provider: "openai", model: "m" },
      { provider: "ollama", model: "meta/llama" },
    ],
  ],
  ["Ollama alone", { OLLAMA_MODEL: "qwen3" }, [{ provider: "ollama", model: "qwen3" }]],
  [
    "a base URL without a key",
    { OPENAI_BASE_URL: "http://127.0.0.1:1234/v1", OPENAI_MODEL: "a/b" },
    [{ provider: "openai", model: "a/b" }],
  ],
  [
    "bots, who need no key",
    {
      OPENAI_MODEL: "m",
      PARLEY_ROLE: "bots",
      REDIS_URL: "redis://127.0.0.1",
    },
    [{ provider: "openai", model: "m" }],
  ],
])("without tiers, every tier's chain is: %s", (_, environment, models) => {
  const { tiers } = load({ environment }).models;
  for (const tier of Object.values(tiers)) expect(tier).toEqual({ models, options: {}, turn: {} });
});

test("a model's key splits at its first slash, and tiers fall back to balanced, else to the first given; summaries to fast", () => {
  const providers = "providers: { openrouter: { type: openai, preset: openrouter, apiKey: k } }";
  const llama = { provider: "openrouter", model: "meta/llama" };
  const demo = { provider: "demo", model: "demo" };
  const both = load({
    yaml: `${providers}\ntiers: { fast: { models: demo/demo }, balanced: { models: openrouter/meta/llama } }`,
  }).models.tiers;
  expect(both.fast.models).toEqual([demo]);
  expect(both.deep.models).toEqual([llama]);
  expect(both.compaction.models).toEqual([demo]);
  const one = load({
    yaml: `${providers}\ntiers: { deep: { models: [openrouter/meta/llama] } }`,
  }).models.tiers;
  expect(one.compaction.models).toEqual([llama]);
});

test.each([
  ["lmstudio", "http://127.0.0.1:1234/v1"],
  ["llamacpp", "http://127.0.0.1:8080/v1"],
  ["vllm", "http://127.0.0.1:8000/v1"],
  ["openrouter", "https://openrouter.ai/api/v1"],
  ["mistral", "https://api.mistral.ai/v1"],
  ["anthropic", "https://api.anthropic.com/v1"],
  ["google", "https://generativelanguage.googleapis.com/v1beta/openai"],
])("the preset %s means %s", (preset, baseUrl) => {
  const { providers } = load({
    yaml: `providers: { mine: { type: openai, preset: ${preset} } }`,
  }).models;
  expect(providers["mine"]).toMatchObject({ type: "openai", baseUrl });
});

test.each([
  ["192.168.1.5", "http://192.168.1.5:11434"],
  ["box:1234", "http://box:1234"],
  ["0.0.0.0:11434", "http://127.0.0.1:11434"],
  ["https://ollama.example", "https://ollama.example"],
  ["http://127.0.0.1:11434/", "http://127.0.0.1:11434"],
])("OLLAMA_HOST=%s means %s", (host, expected) => {
  const { providers } = load({ environment: { OLLAMA_HOST: host } }).models;
  expect(providers["ollama"]).toEqual({ type: "ollama", host: expected });
});

test("the environment beats the file, and lists of admins unite", () => {
  const settings = load({
    yaml: 'access: { mode: open, admins: ["telegram:1", "telegram:2"] }\nhttp: { host: 0.0.0.0, port: 1 }',
    environment: {
      PARLEY_ACCESS: "allowlist",
      PARLEY_ADMINS: "discord:3, telegram:1",
      PARLEY_HTTP_PORT: "8080",
    },
  });
  expect(settings.access.mode).toBe("allowlist");
  expect(settings.access.admins).toEqual(["discord:3", "telegram:1", "telegram:2"]);
  expect(settings.http).toEqual({
    enabled: true,
    host: "0.0.0.0",
    port: 8_080,
  });
});

test("PARLEY_HTTP_PORT=off turns off the file's port", () => {
  const environment = { PARLEY_HTTP_PORT: "off" };
  expect(load({ yaml: "http: { port: 1 }", environment }).http).toEqual({
    enabled: false,
  });
});

test("a webhook", () => {
  const environment = {
    TELEGRAM_BOT_TOKEN: telegramToken,
    PARLEY_HTTP_PORT: "8080",
    WEBHOOK_SECRET: "s3cret",
  };
  const yaml =
    'telegram: { mode: webhook, webhook: { url: "http://localhost:8080/telegram", secret: "${WEBHOOK_SECRET}" } }';
  expect(load({ yaml, environment }).telegram).toMatchObject({
    receiving: {
      mode: "webhook",
      url: "http://localhost:8080/telegram",
      secret: "s3cret",
    },
  });
});

test("a worker needs no port for a webhook that others serve", () => {
  const yaml = 'telegram: { mode: webhook, webhook: { url: "https://bot.example/t" } }';
  const environment = {
    PARLEY_ROLE: "worker",
    REDIS_URL: "redis://127.0.0.1",
  };
  expect(load({ yaml, environment }).http).toEqual({ enabled: false });
});

test.each([
  [
    "numbers and booleans may come from the environment",
    {
      yaml: 'turn: { maxModelCalls: "${CALLS}", stopOn: { toolFailure: "${STOP}" } }',
      environment: { CALLS: "7", STOP: "true" },
    },
    { maxModelCalls: 7, stopOn: { toolFailure: true } },
  ],
  [
    "everything can be turned off or written short",
    { yaml: "turn: { deadline: off, maxTokens: 200k, maxCost: $2 }" },
    { deadlineMs: undefined, maxTokens: 200_000, maxCostUsd: 2 },
  ],
])("%s", (_, given, expected) => {
  expect(load(given).turn).toMatchObject(expected);
});

test("what the growing answer shows, and what becomes of messages meanwhile", () => {
  const { turn } = load({
    yaml: "turn: { whileBusy: steer, tools: names, thinking: true }",
  });
  expect(turn).toMatchObject({
    whileBusy: "steer",
    tools: "names",
    thinking: true,
  });
});

test.each(["summarise", "agent", "truncate"])(
  "a context is compacted with the strategy %s",
  (strategy) => {
    const yaml = `context: { strategy: ${strategy} }`;
    expect(load({ yaml }).context.strategy).toBe(strategy);
  },
);

test("limits of every metric are read for every scope", () => {
  const { limits } = load({
    yaml: `
limits:
  person: { messages: [20/min, 500], tokens: 200k tokens/day, cost: 5usd, turns: 3 }
  chat: { modelCalls: 10, toolExecutions: 0, deadline: 10m, cost: 2usd/turn }
  role: { owner: { cost: off }, guest: { messages: off/hour } }
  platform: { discord: { tokens: 1m/month } }
  global: { cost: $100/month }
`,
  });
  expect(limits).toEqual({
    person: [
      { metric: "messages", per: "minute", max: 20 },
      { metric: "messages", per: "day", max: 500 },
      { metric: "tokens", per: "day", max: 200_000 },
      { metric: "cost", per: "day", max: 5 },
      { metric: "turns", per: "at-once", max: 3 },
    ],
    chat: [
      { metric: "cost", per: "turn", max: 2 },
      { metric: "model-calls", per: "turn", max: 10 },
      { metric: "tool-executions", per: "turn", max: 0 },
      { metric: "deadline", per: "turn", max: 600_000 },
    ],
    role: {
      owner: ["day", "month", "hour", "turn"].map((per) => ({
        metric: "cost",
        per,
        max: Infinity,
      })),
      admin: [],
      member: [],
      guest: [{ metric: "messages", per: "hour", max: Infinity }],
    },
    platform: {
      telegram: [],
      discord: [{ metric: "tokens", per: "month", max: 1_000_000 }],
      console: [],
    },
    global: [{ metric: "cost", per: "month", max: 100 }],
  });
});

test("a tier changes what it names of the turn's limits; off is no limit", () => {
  const { tiers } = load({
    yaml: `
tiers:
  fast: { models: demo/demo, turn: { maxModelCalls: 5, maxToolExecutions: 0, deadline: 30s, maxTokens: 20k, maxCost: 5usd } }
  deep:
    models: demo/demo
    temperature: 1
    turn: { deadline: off, maxTokens: off, maxCost: off, stopOn: { toolFailure: true }, loop: { sameCall: 9, hints: 0 } }
  smart: { models: demo/demo, turn: { stopOn: {}, loop: {} } }`,
  }).models;
  expect(tiers.fast.turn).toStrictEqual({
    maxModelCalls: 5,
    maxToolExecutions: 0,
    deadlineMs: 30_000,
    maxTokens: 20_000,
    maxCostUsd: 5,
  });
  expect(tiers.deep).toStrictEqual({
    models: [{ provider: "demo", model: "demo" }],
    options: { temperature: 1 },
    turn: {
      deadlineMs: Infinity,
      maxTokens: Infinity,
      maxCostUsd: Infinity,
      stopOn: { toolFailure: true },
      loop: { sameCall: 9, hints: 0 },
    },
  });
  expect(tiers.smart.turn).toStrictEqual({ stopOn: {}, loop: {} });
  // No one wrote it: it has the models of the first tier that is written, and nothing of what is
  // special about that one.
  expect(tiers.coding).toStrictEqual({
    models: tiers.fast.models,
    options: {},
    turn: {},
  });
  expect(tiers.compaction).toStrictEqual({
    models: tiers.fast.models,
    options: {},
    turn: {},
  });
});

test("the only tier that is written keeps its options and limits to itself", () => {
  const { tiers } = load({
    yaml: "tiers: { deep: { models: demo/x, temperature: 1, json: true, turn: { maxModelCalls: 90, deadline: off } } }",
  }).models;
  const models = [{ provider: "demo", model: "x" }];
  expect(tiers.deep).toStrictEqual({
    models,
    options: { temperature: 1, json: true },
    turn: { maxModelCalls: 90, deadlineMs: Infinity },
  });
  const { deep: _, ...others } = tiers;
  for (const tier of Object.values(others))
    expect(tier).toStrictEqual({ models, options: {}, turn: {} });
});

test("a tier that is not written is balanced in all but name; summaries have its models only", () => {
  const { tiers } = load({
    yaml: "tiers: { fast: { temperature: 2 }, balanced: { models: demo/x, temperature: 1, turn: { maxModelCalls: 7 } } }",
  }).models;
  const models = [{ provider: "demo", model: "x" }];
  expect(tiers.deep).toStrictEqual({
    models,
    options: { temperature: 1 },
    turn: { maxModelCalls: 7 },
  });
  expect(tiers.fast).toStrictEqual({
    models,
    options: { temperature: 2 },
    turn: {},
  });
  expect(tiers.compaction).toStrictEqual({ models, options: {}, turn: {} });
});

test.each([
  ["the environment's chain", "", { OLLAMA_MODEL: "qwen3" }, "ollama/qwen3"],
  ["the demo, where there is no other", "", {}, "demo/demo"],
  [
    "those of balanced",
    "balanced: { models: demo/x }, fast: { models: demo/y },",
    { OLLAMA_MODEL: "qwen3" },
    "demo/x",
  ],
  [
    "those of the first tier that names any",
    "balanced: { temperature: 1 }, fast: { models: demo/y },",
    { OLLAMA_MODEL: "qwen3" },
    "demo/y",
  ],
  [
    "those of compaction, where no other names any",
    "compaction: { models: demo/z },",
    { OLLAMA_MODEL: "qwen3" },
    "demo/z",
  ],
])("a tier that names no models has the usual ones: %s", (_, others, environment, expected) => {
  const { tiers } = load({
    yaml: `tiers: { ${others} deep: { turn: { maxModelCalls: 40 }, thinking: true } }`,
    environment,
  }).models;
  const [provider = "", model = ""] = expected.split("/");
  expect(tiers.deep).toStrictEqual({
    models: [{ provider, model }],
    options: { thinking: true },
    turn: { maxModelCalls: 40 },
  });
  expect(tiers.smart.turn).toStrictEqual({});
});

test("a tier for summaries that names no models has those of fast, with its own options", () => {
  const { tiers } = load({
    yaml: "tiers: { compaction: { temperature: 0.2 }, fast: { models: demo/y }, balanced: { models: demo/x } }",
  }).models;
  expect(tiers.compaction).toStrictEqual({
    models: [{ provider: "demo", model: "y" }],
    options: { temperature: 0.2 },
    turn: {},
  });
});

test("a tier's turn may come from the environment, key by key", () => {
  const given = {
    yaml: 'tiers: { deep: { models: demo/demo, turn: { deadline: "${LIMIT}", maxTokens: "${NONE}", stopOn: { toolFailure: "${NONE}" } } } }',
    environment: { LIMIT: "off" },
  };
  expect(load(given).models.tiers.deep.turn).toStrictEqual({
    deadlineMs: Infinity,
    stopOn: {},
  });
});

test("a rule that only declares says nothing about what may run", () => {
  const yaml = `
tools:
  rules:
    - { match: jobs.status, loop: off }
    - { match: "jobs.*", loop: { sameCall: 10 }, history: state }
    - { match: "files.*", confirm: never, loop: { sameTool: 20, sameCall: 4 }, history: keep }
    - { match: "web.*", approvers: admins, history: action }
    - { match: "mail.*" }`;
  const confirm = undefined;
  const approvers = undefined;
  expect(load({ yaml }).toolRules).toStrictEqual([
    { match: "jobs.status", verdict: "silent", loop: false },
    {
      match: "jobs.*",
      verdict: "silent",
      loop: { sameCall: 10 },
      history: "state",
    },
    {
      match: "files.*",
      verdict: "allow",
      confirm: "never",
      approvers,
      loop: { sameCall: 4, sameTool: 20 },
      history: "keep",
    },
    {
      match: "web.*",
      verdict: "allow",
      confirm,
      approvers: "admins",
      history: "action",
    },
    { match: "mail.*", verdict: "allow", confirm, approvers },
  ]);
});

test("rules name calls by what they are given, and say how people are asked", () => {
  const yaml = `
approvals:
  approvers: two-persons
  expiresAfter: 2h
  quietHours: { from: 22:00, to: "7:30", timezone: Europe/Berlin, then: deny }
tools:
  rules:
    - { match: "files.*", arguments: { path: "docs/*", options.depth: 1, deep: false }, confirm: never }
    - { match: "files.*", arguments: { path: "/etc/*" }, deny: true }
    - { match: "files.*", confirm: always, approvers: owners, persons: 2, expiresAfter: 10m, quietHours: silent }
    - { match: "mail.*", approvers: members, alwaysAllow: 15m }
    - { match: "web.*", alwaysAllow: off, quietHours: off }`;
  const settings = load({ yaml });
  expect(settings.approvals).toStrictEqual({
    approvers: "requester-or-admins",
    persons: 2,
    expiresAfterMs: 7_200_000,
    alwaysAllowMs: 28_800_000,
    quietHours: {
      fromMinute: 1_320,
      toMinute: 450,
      timezone: "Europe/Berlin",
      mode: "deny",
    },
  });
  const unsaid = { confirm: undefined, approvers: undefined };
  expect(settings.toolRules).toStrictEqual([
    {
      match: "files.*",
      arguments: { path: "docs/*", "options.depth": "1", deep: "false" },
      verdict: "allow",
      ...unsaid,
      confirm: "never",
    },
    { match: "files.*", arguments: { path: "/etc/*" }, verdict: "deny" },
    {
      match: "files.*",
      verdict: "allow",
      confirm: "always",
      approvers: "owners",
      persons: 2,
      expiresAfterMs: 600_000,
      quietHours: "silent",
    },
    {
      match: "mail.*",
      verdict: "allow",
      confirm: undefined,
      approvers: "members",
      alwaysAllowMs: 900_000,
    },
    {
      match: "web.*",
      verdict: "allow",
      ...unsaid,
      alwaysAllowMs: 0,
      quietHours: "off",
    },
  ]);
});

test("a rule says whether and for how long the permission mode auto applies", () => {
  const autos = [
    "auto: allowed",
    "auto: 4h",
    "auto: 30m, approvers: admins, quietHours: deny",
    "confirm: always",
  ];
  const rules = autos.map((auto) => `    - { match: a, ${auto} }`).join("\n");
  const hours = "approvals: { quietHours: { from: 22:00, to: 7:00 } }";
  const { toolRules } = load({ yaml: `${hours}\ntools:\n  rules:\n${rules}` });
  expect(toolRules.map((rule) => "autoMs" in rule && rule.autoMs)).toEqual([
    3_600_000,
    14_400_000,
    1_800_000,
    false,
  ]);
  expect(longestAutoMs(toolRules)).toBe(14_400_000);
  expect(longestAutoMs([])).toBe(0);
  // One that two persons approve by default may say otherwise.
  const yaml =
    "approvals: { approvers: two-persons }\ntools: { rules: [{ match: a, auto: 1h, approvers: admins }] }";
  expect(load({ yaml }).toolRules).toMatchObject([{ autoMs: 3_600_000 }]);
});

test("retention off keeps history and audit for ever and makes no traces", () => {
  expect(
    load({ yaml: "retention: { history: off, traces: off, audit: off, memory: off }" }).retention,
  ).toEqual({
    historyMs: undefined,
    tracesMs: undefined,
    auditMs: undefined,
    memoryMs: undefined,
    windowsMs: undefined,
  });
});

test.each([
  ["{}", 365, undefined],
  ["{ history: off }", 365, undefined],
  ["{ memory: 30d }", 30, 30],
  ["{ memory: 90d }", 90, undefined],
  ["{ memory: 730d }", 730, undefined],
  ["{ memory: 400d, history: off }", 400, 400],
  ["{ memory: off, history: 10d }", undefined, undefined],
])("retention %s: facts and summaries are kept %s days, what is recalled %s", (yaml, ...days) => {
  const { memoryMs, windowsMs } = load({ yaml: `retention: ${yaml}` }).retention;
  expect([memoryMs, windowsMs].map((ms) => ms && ms / 86_400_000)).toEqual(days);
});

test("an element of a list that names something unset is absent; $${ is ${ itself", () => {
  const settings = load({
    yaml: 'access: { admins: ["telegram:1", "${NOBODY}", "${SOMEBODY}"] }\npersona: { systemPrompt: "Say $${NAME} and ${WORD}." }',
    environment: { SOMEBODY: "discord:2", WORD: "hello" },
  });
  expect(settings.access.admins).toEqual(["telegram:1", "discord:2"]);
  expect(settings.persona.systemPrompt).toBe("Say ${NAME} and hello.");
});

test("the environment beats .env, even with an empty text", () => {
  const dotEnv = "LOG_LEVEL=debug\nOLLAMA_MODEL=a\nPARLEY_ACCESS='open'\n";
  const settings = load({
    dotEnv,
    environment: { OLLAMA_MODEL: "", LOG_LEVEL: "warn" },
  });
  expect(settings.logLevel).toBe("warn");
  expect(settings.access.mode).toBe("open");
  expect(settings.models.tiers.fast.models[0]?.provider).toBe("demo");
});

test("PARLEY_CONFIG and PARLEY_DATA are relative to the working folder, and the caller's data folder wins", () => {
  const workingFolder = mkdtempSync(join(tmpdir(), "parley-config-"));
  onTestFinished(() => rmSync(workingFolder, { recursive: true }));
  writeFileSync(join(workingFolder, "other.yml"), "turn: { deadline: 1m }");
  const environment = { PARLEY_CONFIG: "other.yml", PARLEY_DATA: "./here" };
  const settings = loadSettings({ environment, workingFolder });
  expect(settings.turn.deadlineMs).toBe(60_000);
  expect(settings.configFile).toBe(join(workingFolder, "other.yml"));
  expect(settings.dataFolder).toBe(join(workingFolder, "here"));
  const dataFolder = "/elsewhere";
  expect(loadSettings({ environment, workingFolder, dataFolder }).dataFolder).toBe("/elsewhere");
});

test("the documentation's examples are accepted, and every name and key is documented", () => {
  const page = documentation("settings");
  const pages = [
    "settings",
    "tools",
    "mcp",
    "approvals",
    "guides/mcp-server",
    "guides/team-server",
  ];
  const examples = pages.flatMap((name) =>
    [...documentation(name).matchAll(/```yaml\n([^]*?)```/g)].map(([, yaml = ""]) => yaml),
  );
  expect(examples.length).toBeGreaterThan(3);
  const environment = {
    OPENAI_API_KEY: "k",
    OPENAI_MODEL: "m",
    TICKETS_TOKEN: "t",
  };
  for (const yaml of examples) load({ yaml, environment });
  const whole = examples.filter((yaml) => yaml.startsWith("providers:"));
  const { turn, context, approvals, retention } = load();
  expect(whole.map((yaml) => load({ yaml, environment }))).toMatchObject([
    { turn, context, approvals, retention },
  ]);
  const dotEnv = readFileSync(new URL("../../.env.example", import.meta.url), "utf8");
  expect(load({ dotEnv }).redis).toEqual({ kind: "embedded" });
  for (const name of environmentNames) expect(page).toContain(`\`${name}\``);
  const keys = leafKeys(fileSchema);
  expect(keys.length).toBeGreaterThan(50);
  for (const key of keys) expect(page).toMatch(new RegExp(`\\b${key}\\b`));
});

function documentation(name: string): string {
  const page = new URL(`../../docs/${name}.md`, import.meta.url);
  return readFileSync(page, "utf8");
}

/** The names of all keys that hold no further section. */
function leafKeys(schema: z.ZodType): string[] {
  const found: string[] = [];
  const visit = (node: unknown, key: string): void => {
    const {
      shape,
      innerType,
      in: input,
      valueType,
    } = (node as { def: Record<string, object | undefined> }).def;
    if (shape !== undefined) for (const [name, child] of Object.entries(shape)) visit(child, name);
    else if (innerType ?? input ?? valueType) visit(innerType ?? input ?? valueType, key);
    else if (key !== "") found.push(key);
  };
  visit(schema, "");
  return found;
}

test("bots need no key of a search provider, and workers are given it", () => {
  const yaml = 'webSearch: { provider: brave, apiKey: "${BRAVE_API_KEY}" }';
  const REDIS_URL = "redis://127.0.0.1:6379";
  const bots = load({ yaml, environment: { PARLEY_ROLE: "bots", REDIS_URL } });
  expect(bots.webSearch).toEqual({ provider: "brave" });
  const worker = load({ yaml, environment: { BRAVE_API_KEY: "planted-search" } });
  expect(worker.webSearch).toEqual({ provider: "brave", apiKey: "planted-search" });
});
