import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadSettings } from "../../src/config/load.ts";
import { SettingsError } from "../../src/config/problems.ts";
import { load, refusal, telegramToken, type Given } from "./support.ts";

const webhook = 'telegram: { mode: webhook, webhook: { url: "https://b.example/t" } }';

/** What is given, and what the message must hold: where, what is there, what belongs there. */
test.each<[string, readonly string[]]>([
  [
    "turn: { maxModelCalls: many }",
    ["turn.maxModelCalls (parley.yaml)", '"many"', "a whole number from 1 to 1000"],
  ],
  ["turn: { maxModelCalls: 0 }", ["turn.maxModelCalls", " is 0", "from 1 to 1000"]],
  ["turn: { maxModelCalls: 1.5 }", ["turn.maxModelCalls", "1.5", "a whole number"]],
  ["turn: { maxModelCalls: [1] }", ["turn.maxModelCalls", "a list", "a whole number"]],
  ["turn: { deadline: 15 }", ["turn.deadline", " is 15", "a duration such as 15m"]],
  ["turn: { deadline: 0s }", ["turn.deadline", '"0s"', "a duration"]],
  ["turn: { deadline: 9999999d }", ["turn.deadline", "a duration"]],
  ["turn: { maxTokens: -1 }", ["turn.maxTokens", "-1", "or off"]],
  ["turn: { maxCost: 5eur }", ["turn.maxCost", '"5eur"', "US dollars"]],
  [
    "turn: { whileBusy: wait }",
    ["turn.whileBusy", '"wait"', "followup, steer, interrupt or collect"],
  ],
  ["turn: { stopOn: { toolFailure: yes } }", ["turn.stopOn.toolFailure", '"yes"', "true or false"]],
  ["turn: { loop: { sameCall: 1 } }", ["turn.loop.sameCall", " is 1", "from 2 to 100"]],
  ["turn: 5", ["turn (parley.yaml) is 5", "a mapping with any of the keys maxModelCalls"]],
  ["turn: { maxModelCall: 5 }", ["turn.maxModelCall (parley.yaml)", "did you mean maxModelCalls?"]],
  ["turns: {}", ["turns (parley.yaml)", "did you mean turn?"]],
  ["weather: {}", ["weather", "the known ones are providers"]],
  ["- a", ["parley.yaml is a list", "a mapping"]],
  ["hello", ['parley.yaml is "hello"', "a mapping"]],
  ["turn: [", ["parley.yaml, line 1", "valid YAML"]],
  ["a: 1\na: 2", ["parley.yaml, line 2", "valid YAML"]],
  ["context: { compactAt: 2 }", ["context.compactAt", " is 2", "a number from 0.05 to 0.95"]],
  [
    "context: { compactAt: 0.3, compactTo: 0.3 }",
    ["context.compactTo", "0.3", "less than compactAt (0.3)"],
  ],
  ["context: { compactTo: 0.8 }", ["context.compactTo", "0.8", "less than compactAt (0.7)"]],
  ["context: { strategy: magic }", ["context.strategy", '"magic"', "summarise, agent or truncate"]],
  [
    "context: { strategy: agentic }",
    ["context.strategy", '"agentic"', "summarise, agent or truncate"],
  ],
  ["turn: { tools: some }", ["turn.tools", '"some"', "off, names or full"]],
  ["turn: { thinking: on }", ["turn.thinking", '"on"', "true or false"]],
  ["context: { keepTurns: .inf }", ["context.keepTurns", "Infinity", "a whole number"]],
  ["context: { compactAt: .nan }", ["context.compactAt", "NaN", "a number"]],
  ["approvals: { expiresAfter: off }", ["approvals.expiresAfter", '"off"', "a duration"]],
  [
    "approvals: { approvers: everyone }",
    [
      "approvals.approvers",
      '"everyone"',
      "requester-or-admins, requester, admins, owners, members or two-persons",
    ],
  ],
  ["approvals: { persons: 3, approvers: admins }", ["approvals.persons", " is 3", "from 1 to 2"]],
  ["approvals: { persons: 2 }", ["approvals.persons", "expected approvers next to it"]],
  ["approvals: { approvers: requester, persons: 2 }", ["approvals.persons", "only one requester"]],
  [
    "approvals: { approvers: two-persons, persons: 1 }",
    ["approvals.persons", "expected 2 with approvers: two-persons"],
  ],
  [
    "approvals: { approvers: two-persons, alwaysAllow: 1h }",
    ["approvals.alwaysAllow", "expected off", "two persons"],
  ],
  ["approvals: { alwaysAllow: often }", ["approvals.alwaysAllow", '"often"', "or off"]],
  [
    "approvals: { quietHours: { from: 22:00 } }",
    ["approvals.quietHours.to", "a time of day such as 22:00"],
  ],
  [
    "approvals: { quietHours: { from: 24:00, to: 7am } }",
    [
      "approvals.quietHours.from",
      '"24:00"',
      "approvals.quietHours.to",
      '"7am"',
      "a time of day such as 22:00",
    ],
  ],
  [
    "approvals: { quietHours: { from: 7:00, to: 07:00 } }",
    ["approvals.quietHours.to", "another time than from"],
  ],
  [
    "approvals: { quietHours: { from: 22:00, to: 07:00, timezone: Berlin } }",
    ["approvals.quietHours.timezone", '"Berlin"', "such as Europe/Berlin"],
  ],
  [
    "approvals: { quietHours: { from: 22:00, to: 07:00, then: wait } }",
    ["approvals.quietHours.then", '"wait"', "silent or deny"],
  ],
  [
    "tools: { rules: [{ match: a, arguments: {}, deny: true }] }",
    ["tools.rules[0].arguments", "at least one argument"],
  ],
  [
    "tools: { rules: [{ match: a, arguments: { a..b: x }, deny: true }] }",
    ["tools.rules[0].arguments.a..b", "a path such as options.force"],
  ],
  [
    "tools: { rules: [{ match: a, arguments: { a: [x] }, deny: true }] }",
    ["tools.rules[0].arguments.a", "a list", "a text"],
  ],
  [
    "tools: { rules: [{ match: a, arguments: { a: x }, history: keep }] }",
    ["tools.rules[0]", "no loop or history with arguments"],
  ],
  [
    "tools: { rules: [{ match: a, confirm: never, approvers: admins }] }",
    ["tools.rules[0]", "confirm: never, which asks nobody"],
  ],
  [
    "tools: { rules: [{ match: a, deny: true, expiresAfter: 1h }] }",
    ["tools.rules[0]", "not both"],
  ],
  [
    "tools: { rules: [{ match: a, approvers: owners, persons: 2, alwaysAllow: 1h }] }",
    ["tools.rules[0].alwaysAllow", "expected off"],
  ],
  [
    "tools: { rules: [{ match: a, auto: yes }] }",
    ["tools.rules[0].auto", "allowed, or a duration"],
  ],
  ["tools: { rules: [{ match: a, auto: 0m }] }", ["tools.rules[0].auto", "allowed, or a duration"]],
  [
    "tools: { rules: [{ match: a, auto: allowed, deny: true }] }",
    ["tools.rules[0]", "deny: true", "auto", "not both"],
  ],
  [
    "tools: { rules: [{ match: a, auto: allowed, confirm: never }] }",
    ["tools.rules[0]", "auto", "confirm: never, which asks nobody"],
  ],
  [
    "tools: { rules: [{ match: a, auto: 1h, approvers: admins, persons: 2 }] }",
    ["tools.rules[0].auto", "two persons"],
  ],
  [
    "tools: { rules: [{ match: a, auto: 1h, approvers: two-persons }] }",
    ["tools.rules[0].auto", "two persons"],
  ],
  [
    "approvals: { approvers: two-persons }\ntools: { rules: [{ match: a, auto: 1h }] }",
    ["tools.rules[0].auto", "two persons"],
  ],
  [
    "tools: { rules: [{ match: a, quietHours: deny }] }",
    ["tools.rules[0].quietHours", "approvals.quietHours to say when"],
  ],
  ["memory: { recall: always }", ["memory.recall", '"always"', "auto, tool or off"]],
  [
    "memory: { embeddings: demo/demo }",
    ["memory.embeddings", '"demo/demo"', "a provider of type openai or ollama (openai, ollama)"],
  ],
  [
    "memory: { embeddings: openai/text-embedding-3-small }",
    ["OPENAI_API_KEY", "absent", "a key, because memory.embeddings uses openai"],
  ],
  ["retention: { memory: long }", ["retention.memory", '"long"', "or off"]],
  ["retention: { history: long }", ["retention.history", '"long"', "or off"]],
  ["providers: { mine: {} }", ["providers.mine", "type: openai, ollama or demo"]],
  ["providers: { mine: { type: claude } }", ["providers.mine", "type: openai, ollama or demo"]],
  ["providers: { mine: openai }", ['providers.mine (parley.yaml) is "openai"', "type:"]],
  ["providers: { a/b: { type: demo } }", ["providers.a/b", "a provider's name"]],
  ["providers: { mine: { type: ollama, baseUrl: x } }", ["providers.mine.baseUrl", "unknown key"]],
  [
    "providers: { mine: { type: openai, baseUrl: nowhere } }",
    ["providers.mine.baseUrl", '"nowhere"', "an http or https URL"],
  ],
  [
    "providers: { mine: { type: openai, preset: lm } }",
    ["providers.mine.preset", '"lm"', "lmstudio, llamacpp"],
  ],
  ["providers: []", ["providers (parley.yaml) is a list", "a mapping of names"]],
  ["models: { qwen3: {} }", ["models.qwen3", "a model such as openai/gpt-5-mini"]],
  [
    "models: { nobody/qwen3: {} }",
    ["models.nobody/qwen3", "a known provider (openai, ollama, demo), not of nobody"],
  ],
  [
    "transcription: { provider: ollama }",
    ["transcription.provider", '"ollama"', "a provider of type openai (openai)"],
  ],
  [
    "transcription: { provider: openai }",
    ["OPENAI_API_KEY", "absent", "a key, because transcription uses openai"],
  ],
  ["transcription: { model: whisper-1 }", ["transcription.provider", "absent"]],
  [
    "webSearch: { provider: google }",
    ["webSearch.provider", '"google"', "searxng, brave or tavily"],
  ],
  ["webSearch: { provider: searxng }", ["webSearch.url", "absent", "the address of your SearXNG"]],
  [
    'webSearch: { provider: searxng, url: "http://a.example?q=1" }',
    ["webSearch.url", "without a login, a query"],
  ],
  [
    'webSearch: { provider: searxng, url: "http://ann:planted@a.example" }',
    ["webSearch.url", "without a login, a query"],
  ],
  [
    'webSearch: { provider: searxng, url: "http://a.example", apiKey: k }',
    ["webSearch.apiKey", "set (not shown)", "SearXNG takes no key"],
  ],
  [
    'webSearch: { provider: brave, apiKey: "${NONE}" }',
    ["webSearch.apiKey", "absent", "a key, because webSearch.provider is brave"],
  ],
  ["webSearch: { provider: tavily, apiKey: a b }", ["webSearch.apiKey", "without spaces"]],
  ["web_search: { provider: tavily }", ["web_search", "did you mean webSearch?"]],
  ["webSearch: { provider: brave, apikey: k }", ["webSearch.apikey", "did you mean apiKey?"]],
  [
    "models: { demo/demo: { contextWindow: 0 } }",
    ["models.demo/demo.contextWindow", " is 0", "a whole number from 1"],
  ],
  [
    "models: { demo/demo: { usdPerMillionTokens: { input: 1 } } }",
    ["models.demo/demo.usdPerMillionTokens.output", "absent", "a number"],
  ],
  [
    "tiers: { balanced: { models: [] } }",
    ["tiers.balanced.models", "a list", "at least one model"],
  ],
  ['tiers: { balanced: { models: ["${NONE}"] } }', ["tiers.balanced.models", "at least one model"]],
  [
    "tiers: { balanced: { models: {} } }",
    ["tiers.balanced.models[0]", "a mapping", "a model such as"],
  ],
  [
    "tiers: { balanced: { models: [gpt] } }",
    ["tiers.balanced.models[0]", '"gpt"', "a model such as"],
  ],
  [
    "tiers: { balanced: { models: [demo/demo, nobody/gpt] } }",
    [
      "tiers.balanced.models[1]",
      '"nobody/gpt"',
      "a known provider (openai, ollama, demo), not of nobody",
    ],
  ],
  [
    "tiers: { fast: { models: demo/demo, turn: { deadline: 5 } } }",
    ["tiers.fast.turn.deadline", " is 5", "a duration such as 15m", "or off"],
  ],
  [
    "tiers: { fast: { models: demo/demo, turn: { maxModelCalls: off } } }",
    ["tiers.fast.turn.maxModelCalls", '"off"', "from 1 to 1000"],
  ],
  [
    "tiers: { fast: { models: demo/demo, turn: { loop: { hints: -1 } } } }",
    ["tiers.fast.turn.loop.hints", "-1", "from 0 to 100"],
  ],
  [
    "tiers: { fast: { models: demo/demo, turn: { whileBusy: steer } } }",
    ["tiers.fast.turn.whileBusy", "unknown key", "maxModelCalls"],
  ],
  [
    "tiers: { fast: { models: demo/demo, turn: { maxTokns: 5 } } }",
    ["tiers.fast.turn.maxTokns", "did you mean maxTokens?"],
  ],
  [
    "tiers: { fast: { models: demo/demo, turn: 5 } }",
    ["tiers.fast.turn", " is 5", "any of the keys maxModelCalls"],
  ],
  [
    "tiers: { compaction: { models: demo/demo, turn: { maxModelCalls: 5 } } }",
    [
      "tiers.compaction.turn",
      "a mapping",
      "no limits here: summaries count towards those of the turn",
    ],
  ],
  ["tiers: { compaction: { turn: {} } }", ["tiers.compaction.turn", "no limits here"]],
  ["tiers: { balancd: { models: demo/demo } }", ["tiers.balancd", "did you mean balanced?"]],
  [
    "tiers: { fast: { models: demo/demo, temperature: 3 } }",
    ["tiers.fast.temperature", " is 3", "from 0 to 2"],
  ],
  [
    "tiers: { fast: { models: openai/gpt } }",
    ["OPENAI_API_KEY", "tiers.fast uses openai at https://api.openai.com/v1"],
  ],
  [
    'providers: { g: { type: openai, preset: google, apiKey: "${G}" } }\ntiers: { fast: { models: g/x } }',
    ["providers.g.apiKey", "absent", "tiers.fast uses g"],
  ],
  ["tools: { rules: [{ confirm: never }] }", ["tools.rules[0].match", "absent", "a tool's name"]],
  [
    "tools: { rules: [{ match: a, confirm: true }] }",
    ["tools.rules[0].confirm", "true", "never or always"],
  ],
  ["tools: { rules: [{ match: a, deny: true, confirm: never }] }", ["tools.rules[0]", "not both"]],
  [
    "tools: { rules: [{ match: a, deny: true, loop: off }] }",
    ["tools.rules[0]", "any of confirm, approvers, ", "history, not both"],
  ],
  ["tools: { rules: [{ match: a, deny: true, history: keep }] }", ["tools.rules[0]", "not both"]],
  [
    "tools: { rules: { match: a, loop: on } }",
    ["tools.rules[0].loop", '"on"', "off, or a mapping with sameCall and sameTool"],
  ],
  [
    "tools: { rules: [{ match: a, loop: 3 }] }",
    ["tools.rules[0].loop", " is 3", "off, or a mapping"],
  ],
  [
    "tools: { rules: [{ match: a, loop: { sameCall: 1, sameTol: 5 } }] }",
    [
      "tools.rules[0].loop.sameCall",
      " is 1",
      "a whole number from 2 to 100",
      "tools.rules[0].loop.sameTol",
      "did you mean sameTool?",
    ],
  ],
  [
    "tools: { rules: [{ match: a, history: none }] }",
    ["tools.rules[0].history", '"none"', "state, action or keep"],
  ],
  ["mcp: { servers: { a: {} } }", ["mcp.servers.a", "either command (with args and env) or url"]],
  ["mcp: { servers: { a: { command: x, url: http://x } } }", ["mcp.servers.a", "either command"]],
  ["mcp: { servers: { a.b: { command: x } } }", ["mcp.servers.a.b", "a server's name"]],
  ["mcp: { servers: { a: { command: x, args: y } } }", ["mcp.servers.a.args", '"y"', "a list"]],
  [
    "mcp: { servers: { a: { command: x, elicitation: ask } } }",
    ["mcp.servers.a.elicitation", '"ask"', "off or defaults"],
  ],
  [
    "limits: { person: { messages: 20/fortnight } }",
    ["limits.person.messages[0]", '"20/fortnight"', "20/min or 500/day"],
  ],
  ["limits: { person: { mesages: 20/day } }", ["limits.person.mesages", "did you mean messages?"]],
  ["limits: { role: { king: {} } }", ["limits.role.king", "unknown key"]],
  [
    "limits: { person: { cost: 5eur/day } }",
    [
      "limits.person.cost[0]",
      '"5eur/day"',
      "a limit such as 5usd/day or 100usd/month (per day, month, hour or turn), or off",
    ],
  ],
  [
    "limits: { global: { turns: 3/day } }",
    ["limits.global.turns[0]", '"3/day"', "a limit such as 3 (per at-once)"],
  ],
  [
    "limits: { chat: { modelCalls: 0 } }",
    ["limits.chat.modelCalls[0]", "0", "a limit such as 10 (per turn)"],
  ],
  [
    "limits: { chat: { messages: [10/min, 20/day, 30] } }",
    ["limits.chat.messages", "expected one limit per day, not several"],
  ],
  [
    "limits: { chat: { deadline: [10m, soon] } }",
    ["limits.chat.deadline[1]", '"soon"', "a limit such as 10m"],
  ],
  ["access: { mode: closed }", ["access.mode", '"closed"', "open, pairing or allowlist"]],
  ["access: { admins: [ann] }", ["access.admins[0]", '"ann"', "a person such as telegram:1"]],
  ["access: { ban: [1] }", ["access.ban[0]", " is 1", "a person or a place"]],
  [
    'access: { allow: ["discord:server:1"] }',
    ["access.allow[0]", "discord:server:1", "discord:guild:3"],
  ],
  [
    'access: { allow: ["telegram:chat:x"] }',
    ["access.allow[0]", "telegram:chat:x", "telegram:chat:-1001"],
  ],
  ['access: { ban: ["telegram:0123"] }', ["access.ban[0]", "telegram:0123", "a person or a place"]],
  [
    'access: { allow: ["telegram:chat:1001"] }',
    ["access.allow[0]", "telegram:chat:1001", "telegram:chat:-1001"],
  ],
  ["access: { trustGroupAdmins: sometimes }", ["access.trustGroupAdmins", "sometimes"]],
  ["telegram: { mode: push }", ["telegram.mode", '"push"', "polling or webhook"]],
  [
    "telegram: { mode: webhook }",
    ["telegram.webhook.url", "absent", "https URL", "PARLEY_HTTP_PORT", "expected a port"],
  ],
  [webhook, ["PARLEY_HTTP_PORT is off", "expected a port"]],
  [
    webhook.replace("https:", "http:"),
    ["telegram.webhook.url", '"http://b.example/t"', "an https URL (or http on loopback)"],
  ],
  ["discord: { shards: 0 }", ["discord.shards", " is 0", "auto or a whole number"]],
  ["discord: { autoThread: sometimes }", ["discord.autoThread", '"sometimes"', "true or false"]],
  ['discord: { presence: "" }', ["discord.presence", '""', "1 to 128 characters"]],
  ["http: { port: 70000 }", ["http.port", "70000", "0 (any free one) to 65535"]],
  ['persona: { systemPrompt: "${1x}" }', ["persona.systemPrompt", "write $${ for ${ itself"]],
  [
    'providers: { mine: { type: ollama, host: "${HOME_BOX}" } }\nmodels: { mine/x: { contextWindow: "${WINDOW}", usdPerMillionTokens: { input: "${PRICE}", output: 1 } } }',
    ["usdPerMillionTokens.input", "absent", "the environment's PRICE, which it names, is not set"],
  ],
])("the file %j is refused", (yaml, fragments) => {
  const message = refusal({ yaml });
  for (const fragment of fragments) expect(message).toContain(fragment);
});

test.each<[Record<string, string>, readonly string[]]>([
  [{ REDIS_URL: "localhost" }, ['REDIS_URL is "localhost"', "redis://"]],
  [{ REDIS_URL: "http://localhost" }, ["REDIS_URL", '"http://localhost"', "redis://"]],
  [{ REDIS_URL: "redis://h/name" }, ["REDIS_URL", "redis://h/name", "/0"]],
  [{ REDIS_URL: "redis://h1,h2:7002/1" }, ["REDIS_URL", "a Redis Cluster has one database"]],
  [
    { REDIS_URL: "redis+sentinel://h1,h2" },
    ["REDIS_URL", "the master's name as the Sentinels know it", "/mymaster/0"],
  ],
  [{ TELEGRAM_BOT_TOKEN: "12:short" }, ["TELEGRAM_BOT_TOKEN", "@BotFather"]],
  [{ TELEGRAM_API_ROOT: "telegram" }, ['TELEGRAM_API_ROOT is "telegram"', "an http or https URL"]],
  [{ DISCORD_TOKEN: "only.two" }, ["DISCORD_TOKEN", "three parts"]],
  [{ DISCORD_API_ROOT: "ftp://x" }, ['DISCORD_API_ROOT is "ftp://x"', "an http or https URL"]],
  [{ OPENAI_API_KEY: "sk-abcdefghijklmnop" }, ["OPENAI_MODEL is unset", "gpt-5-mini"]],
  [{ OPENAI_MODEL: "gpt" }, ['OPENAI_MODEL is "gpt"', "OPENAI_API_KEY", "OPENAI_BASE_URL"]],
  [{ OPENAI_BASE_URL: "x" }, ['OPENAI_BASE_URL is "x"', "an http or https URL"]],
  [{ OLLAMA_HOST: "ftp://x" }, ['OLLAMA_HOST is "ftp://x"', "http://127.0.0.1:11434"]],
  [
    { PARLEY_ADMINS: "telegram:1,ann" },
    ['PARLEY_ADMINS is "telegram:1,ann"', "telegram:1,discord:2"],
  ],
  [{ PARLEY_ACCESS: "closed" }, ['PARLEY_ACCESS is "closed"', "open, pairing or allowlist"]],
  [{ PARLEY_ROLE: "boss" }, ['PARLEY_ROLE is "boss"', "all, bots or worker"]],
  [{ PARLEY_ROLE: "bots" }, ["REDIS_URL is unset", "PARLEY_ROLE is bots"]],
  [{ PARLEY_ROLE: "worker" }, ["REDIS_URL is unset", "PARLEY_ROLE is worker"]],
  [{ PARLEY_HTTP_PORT: "http" }, ['PARLEY_HTTP_PORT is "http"', "65535"]],
  [{ PARLEY_HTTP_PORT: "8k" }, ['PARLEY_HTTP_PORT is "8k"', "65535"]],
  ...[
    "http://parley.example",
    "https://parley.example/page",
    "https://parley.example?a=1",
    "https://user@parley.example",
    "parley.example",
    "http://10.0.0.1:8090",
    "http://127.0.0.1.evil.example",
  ].map((PARLEY_PAGE_URL): [Record<string, string>, readonly string[]] => [
    { PARLEY_PAGE_URL },
    ["PARLEY_PAGE_URL is", "an https URL without a path (or http on loopback)"],
  ]),
  ...["0.0.0.0", "::", "10.0.0.1", "parley.example"].map(
    (host): [Record<string, string>, readonly string[]] => [
      { PARLEY_PAGE_PORT: "8090", PARLEY_PAGE_HOST: host },
      ["PARLEY_PAGE_URL is unset", `because PARLEY_PAGE_HOST is ${host}`],
    ],
  ),
  [
    { LOG_LEVEL: "loud" },
    ['LOG_LEVEL is "loud"', "fatal, error, warn, info, debug, trace or silent"],
  ],
  [{ PARLEY_CONFIG: "missing.yaml" }, ["PARLEY_CONFIG is", "missing.yaml", "ENOENT"]],
  [{ PARLEY_ADMIN: "telegram:1" }, ["PARLEY_ADMIN", "did you mean PARLEY_ADMINS?"]],
])("the environment %j is refused", (environment, fragments) => {
  const message = refusal({ environment });
  for (const fragment of fragments) expect(message).toContain(fragment);
});

test.each<Given>([
  { environment: { TELEGRAM_BOT_TOKEN: "12:hush-hush" } },
  { environment: { DISCORD_TOKEN: "hush-hush" } },
  { environment: { REDIS_URL: "redis://:hush/hush@host" } },
  { environment: { REDIS_URL: "http://u:hush@host/#" } },
  { environment: { REDIS_URL: "redis://:hush@h1:7001,h2:7002/1" } },
  { environment: { REDIS_URL: "redis+sentinel://:hush@h1:26379,h2" } },
  {
    environment: { REDIS_URL: "redis+sentinel://h1,h2?sentinelPassword=hush" },
  },
  { environment: { OPENAI_BASE_URL: "ftp://u:hush@host" } },
  { environment: { KEY: "hush" }, yaml: 'turn: { deadline: "${KEY}" }' },
  {
    environment: { KEY: "hush" },
    yaml: 'access: { admins: ["${NONE}", "${KEY}"] }',
  },
  { yaml: "providers: { mine: { type: openai, apiKey: [hush] } }" },
  { yaml: "telegram: { webhook: { secret: 'hush hush' } }" },
  { yaml: "telegram: { token: hush }" },
  { yaml: "mcp: { servers: { a: { command: x, env: { KEY: [hush] } } } }" },
  { yaml: "mcp: { servers: { a: { url: 'ftp://u:hush@host' } } }" },
  { yaml: "providers: { mine: { type: openai, apiKey: hush\nturn: [" },
  { yaml: `turn: { deadline: "${telegramToken}hush" }` },
])("no secret is echoed: %j", (given) => {
  expect(refusal(given)).not.toContain("hush");
});

test("every problem is listed, those of the environment beside those of the file", () => {
  const message = refusal({
    environment: { LOG_LEVEL: "loud", PARLEY_ROLE: "boss" },
    yaml: "turn: { deadline: 1, loop: { hints: x } }\nzebra: 1",
  });
  for (const where of ["LOG_LEVEL", "PARLEY_ROLE", "turn.deadline", "turn.loop.hints", "zebra"])
    expect(message).toContain(where);
});

test("names that only look like ours are left alone", () => {
  const environment = {
    PARLEY_SERVICE_HOST: "10.0.0.1",
    PARLEY_TEST_SEED: "1",
  };
  expect(load({ environment }).role).toBe("all");
});

test("a PARLEY_CONFIG that is a folder is refused", () => {
  const workingFolder = mkdtempSync(join(tmpdir(), "parley-config-"));
  onTestFinished(() => rmSync(workingFolder, { recursive: true }));
  mkdirSync(join(workingFolder, "parley.yaml"));
  const attempt = () => loadSettings({ environment: {}, workingFolder });
  expect(attempt).toThrow(SettingsError);
  expect(attempt).toThrow("EISDIR");
});

test("very deep nesting is refused, not a crash", () => {
  expect(refusal({ yaml: "{a: ".repeat(40) + "1" + "}".repeat(40) })).toContain(
    "at most 32 levels",
  );
  expect(refusal({ yaml: "[".repeat(20_000) })).toContain("parley.yaml");
});

test("an anchor that holds itself and a bomb of aliases are refused", () => {
  expect(refusal({ yaml: "turn: &a [*a]" })).toContain("parley.yaml");
  const bomb = Array.from(
    { length: 12 },
    (_, i) =>
      `a${i}: &a${i} [${Array.from({ length: 9 }, () => (i === 0 ? "x" : `*a${i - 1}`)).join(",")}]`,
  ).join("\n");
  expect(refusal({ yaml: bomb })).toContain("parley.yaml");
});

test("tiers that name no models leave the environment's chain in use, and it must be whole", () => {
  const yaml = "tiers: { deep: { turn: { maxModelCalls: 40 } } }";
  const environment = { OPENAI_API_KEY: "sk-abcdefghijklmnop" };
  expect(refusal({ yaml, environment })).toContain("OPENAI_MODEL is unset");
});

test("all problems of the environment, the file and both together are said at once", () => {
  const message = refusal({
    environment: {
      PARLEY_ROL: "worker",
      REDIS_URL: "localhost",
      OPENAI_MODEL: "gpt-5-mini",
      OPENAI_KEY: "sk-planted",
    },
    yaml: "tiers: { fast: { models: [nobody/x] } }",
  });
  for (const part of [
    "did you mean PARLEY_ROLE?",
    "REDIS_URL is",
    "nobody/x",
    "OPENAI_KEY: Parley doesn't read it; did you mean OPENAI_API_KEY?",
  ])
    expect(message).toContain(part);
});

test("what only follows from a value that can't be read is not said", () => {
  const message = refusal({
    environment: { OPENAI_BASE_URL: "nowhere", OPENAI_MODEL: "gpt-5-mini" },
  });
  expect(message.split("\n")).toHaveLength(2);
});
