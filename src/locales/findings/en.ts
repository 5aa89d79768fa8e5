import { countedIn, numberIn } from "../counted.ts";

const counted = countedIn("en");
const n = numberIn("en");

/**
 * What `/doctor`, `npm run doctor` and the operator's page say of each finding: `what` is the case,
 * `why` it matters, and the `fix`. A fix that is only a command is in `src/doctor`.
 */
export const findingsEn = {
  /** What is examined, as it begins a sentence. */
  checks: {
    machine: "This machine",
    httpPort: "The HTTP port",
    page: "The operator's page",
    processes: "The list of processes",
    work: "The pending work",
    schedules: "The schedules",
    owners: "The list of owners",
    groups: "The list of refused groups",
    backup: "The time of the last backup",
    personas: "The folder of personas",
    tools: "The rules for tools",
    skills: "The list of skills",
    model: (id: string) => `The model ${id}`,
    embeddings: (model: string) => `The embeddings of ${model}`,
    search: (provider: string) => `The web search (${provider})`,
    mcp: (name: string) => `The MCP server "${name}"`,
  },
  late: {
    what: (check: string, seconds: number) => `${check}: no answer within ${n(seconds)} s.`,
    why: "What hangs here hangs for people, too.",
    fix: "Look at its log and at the network between this machine and it, then run doctor again.",
  },
  unexamined: {
    what: (check: string, cause: string) => `${check} couldn't be examined: ${cause}`,
    why: "Whether it works is unknown; what is wrong here may be wrong for people, too.",
    fix: "Fix what the message names, then run doctor again. If it names nothing of yours, report it as a bug.",
  },
  machine: {
    oldNode: {
      what: (version: string) => `Node ${version} is too old.`,
      why: (oldest: string) => `Parley runs on Node ${oldest} or newer.`,
      fix: "npm ci (it brings Node 24 along)",
    },
    settings: (file: string) => `The settings can be used (${file}).`,
    noFile: "no parley.yaml",
  },
  files: {
    closed: (path: string) => `Only its owner can read ${path}.`,
    open: (path: string, mode: string) =>
      `Other users of this machine can read ${path} (mode ${mode}).`,
    holdsSecrets: "It holds tokens and keys.",
    mayBeShared: "That is fine as long as it holds no key itself.",
    noFolder: {
      what: (folder: string) => `${folder} doesn't exist yet.`,
      why: "Parley makes it at its first start; another place is PARLEY_DATA.",
    },
    folderClosed: (folder: string) => `Other users can't read the data in ${folder}.`,
    folderOpen: {
      what: (folder: string, mode: string) =>
        `Other users of this machine can open ${folder} (mode ${mode}).`,
      why: "It holds conversations.",
    },
    canWrite: (folder: string, freeMb: number) => `${folder} is writable (${n(freeMb)} MB free).`,
    cannotWrite: {
      what: (folder: string, cause: string, freeMb: number) =>
        `Nothing can be written to ${folder}: ${cause} (${n(freeMb)} MB free).`,
      why: "Parley's own Redis then refuses messages, and there's no log.",
    },
    scarce: {
      what: (folder: string, freeMb: number) =>
        `The disk of ${folder} is nearly full: ${n(freeMb)} MB free.`,
      why: "When it's full, nothing new is saved and no one is answered.",
    },
    freeSpace: (folder: string) =>
      `Free space: df -h ${folder} ; or set PARLEY_DATA to a folder on another disk.`,
  },
  port: {
    free: (port: string) => `Port ${port} is free; Parley listens there when it runs.`,
    ready: (url: string) => `Parley runs and is ready at ${url}.`,
    notReady: {
      what: (url: string, answer: string) => `Parley runs at ${url}, but isn't ready: ${answer}`,
      why: "It doesn't answer people until it's ready.",
      fix: "Fix what else is broken; its log says the same.",
    },
    taken: {
      what: (port: string, host: string) => `Another program uses port ${port} of ${host}.`,
      why: (variable: string) => `Parley can't start while ${variable} is taken.`,
      fix: (port: string, variable: string) =>
        `End that program (ss -ltnp 'sport = :${port}'), or set ${variable} to another port.`,
    },
  },
  page: {
    free: (port: string) => `Port ${port} is free; the page is there when Parley runs.`,
    isAt: (url: string) => `The page is at ${url}.`,
    reached: (url: string) => `The page is reached at ${url}.`,
    notOfRole: {
      what: (role: string) => `PARLEY_PAGE_PORT is set, but the role ${role} serves no page.`,
      why: "The page runs in the roles bots and all.",
      fix: "Set it where PARLEY_ROLE is bots or all.",
    },
    otherHost: {
      what: (url: string) => `The proxy at ${url} passes on another Host than its own.`,
      why: "Links of /dashboard lead there.",
      fix: "Have it pass the Host header on; for nginx: proxy_set_header Host $host;",
    },
    unreached: {
      what: (url: string, answer: string) =>
        `The page isn't reached at ${url} from this machine (${answer}).`,
      why: "Links of /dashboard lead there.",
      fix: "Correct PARLEY_PAGE_URL or the proxy (docs/page.md). Ignore this if only browsers elsewhere reach it.",
    },
  },
  /** Its name is `Redis`, in a cluster with the server's own. */
  redis: {
    unknown: "unknown",
    answers: (name: string, version: string) => `${name} answers (version ${version}).`,
    tooOld: {
      what: (name: string, version: string) => `${name} is version ${version}.`,
      why: "Parley needs commands of Redis 6.2.",
      fix: "Install Redis 6.2 or newer (or Valkey), or unset REDIS_URL: then Parley runs its own.",
    },
    replica: {
      what: (name: string) => `${name} is a replica.`,
      why: "Nothing can be written to it.",
      fix: "Point REDIS_URL at its primary.",
    },
    alsoInFile: (command: string) => `${command} (and the same in redis.conf)`,
    evictsNothing: (name: string) => `${name} evicts nothing.`,
    mayEvict: {
      what: (name: string) => `${name} doesn't say its maxmemory-policy.`,
      why: "With any but noeviction, messages are lost when its memory is full.",
    },
    evicts: {
      what: (name: string, policy: string) =>
        `${name} evicts keys when its memory is full (maxmemory-policy ${policy}).`,
      why: "Messages and approvals would be lost; Parley refuses to start on it.",
    },
    writesAtOnce: (name: string) => `${name} writes each message to its disk at once.`,
    noFile: {
      what: (name: string) => `${name} has no append-only file.`,
      why: "What it has accepted can be lost when it ends.",
    },
    writesLater: {
      what: (name: string, value: string) => `${name} has appendfsync ${value}.`,
      why: "A power cut can lose what was accepted last.",
    },
    cannotWrite: {
      what: (name: string) => `${name} can't write to its disk.`,
      why: "It refuses every write until it can: no message is saved, no one is answered.",
      fix: "Free space on Redis' disk (df -h), or correct the permissions of its folder; it goes on by itself.",
    },
    uses: (name: string, usedMb: number, limitMb: number) =>
      `${name} uses ${n(usedMb)} MB of ${n(limitMb)} MB.`,
    usesOfUnknown: (name: string, usedMb: number) =>
      `${name} uses ${n(usedMb)} MB of an unknown limit.`,
    full: (name: string, usedMb: number, limitMb: number) =>
      `${name} uses ${n(usedMb)} MB of ${n(limitMb)} MB: its memory is full.`,
    memory: {
      why: "When its memory is full, new messages are refused.",
      fix: "Raise maxmemory (redis-cli config set maxmemory 2gb), or shorten retention.history and retention.traces in parley.yaml.",
    },
  },
  clock: {
    agrees: (redis: string) => `This machine's clock agrees with that of ${redis}.`,
    here: {
      ahead: (seconds: number, redis: string) =>
        `This machine's clock is ${n(seconds)} s ahead of that of ${redis}.`,
      behind: (seconds: number, redis: string) =>
        `This machine's clock is ${n(seconds)} s behind that of ${redis}.`,
      why: "Parley goes by Redis' clock, but log lines, TLS and tokens go by this one.",
      fix: "timedatectl set-ntp true (on the machine whose clock is wrong; date shows it)",
    },
    elsewhere: {
      ahead: (host: string, process: string, seconds: number) =>
        `The clock of ${host} (process ${process}) is ${n(seconds)} s ahead of Redis'.`,
      behind: (host: string, process: string, seconds: number) =>
        `The clock of ${host} (process ${process}) is ${n(seconds)} s behind Redis'.`,
      why: "Parley goes by Redis' clock, but that machine's log lines, TLS and tokens go by its own.",
      fix: (host: string) => `timedatectl set-ntp true (on ${host})`,
    },
  },
  processes: {
    none: {
      what: "Parley doesn't run on this Redis.",
      why: "No one is answered while it doesn't.",
    },
    runs: (version: string, processes: string) => `Parley ${version} runs: ${processes}.`,
    one: (role: string, process: string, host: string) => `${role} (process ${process} on ${host})`,
    versions: {
      what: (versions: string) => `Processes of several versions run: ${versions}.`,
      why: "That is meant only for the few minutes of an upgrade.",
      fix: "Restart the older ones, in the order of docs/guides/upgrade.md.",
    },
    noneAnswers: {
      what: (role: string) => `No process with the role ${role} runs.`,
      why: "Messages are saved, but no one is answered.",
    },
  },
  work: {
    nothingOverdue: "Nothing is overdue.",
    overdue: {
      what: (count: number) =>
        `${counted(count, { one: "chat or approval", other: "chats or approvals" })} should have been woken more than 30 s ago.`,
      why: "No running process takes care of them; people wait.",
      fix: "npm start (or restart the processes that hang)",
    },
    noneWaits: "No message waits for long.",
    waits: {
      what: (chat: string, span: string) => `A message in ${chat} has waited for ${span}.`,
      why: "The process that should answer hangs, none runs, or the deployment is paused.",
      fix: (chat: string) =>
        `npm run trace -- ${chat} ; npm run admin -- resume (where it's paused); else restart the processes.`,
    },
    delivered: "Every answer could be delivered.",
    undelivered: {
      what: (count: number) =>
        `${counted(count, { one: "message", other: "messages" })} couldn't be delivered.`,
      why: "People miss an answer.",
      /** @param listed sentences, each with its number. */
      reasons: (listed: string) => `Reasons: ${listed}`,
      /** Where not all could be read. */
      reasonsOfSome: (count: number, listed: string) =>
        `Reasons for ${n(count)} of them: ${listed}`,
      fix: "npm run admin -- dead-letters (shows why; then dead-letters replay --all)",
    },
  },
  schedules: {
    nothingOverdue: "No schedule is overdue.",
    overdue: {
      what: (count: number) =>
        `${counted(count, { one: "schedule", other: "schedules" })} should have been fired more than two minutes ago.`,
      why: "No running process fires them, or too many messages wait in their chats.",
      fix: "npm start (or restart the processes that hang)",
    },
    noneFailed: "No schedule is paused because it failed.",
    failed: {
      what: (count: number) =>
        `${counted(count, { one: "schedule is paused because it", other: "schedules are paused because they" })} failed three times in a row.`,
      why: "The people who created them know; the reason may be a model or a tool that all of them use.",
      fix: "Search the log for their errors, then resume them in their chats with /schedule.",
    },
    noneDead: "No schedule is paused because the bot can't write in its chat.",
    dead: {
      what: (count: number) =>
        `${counted(count, { one: "schedule is paused because the bot can't write in its chat", other: "schedules are paused because the bot can't write in their chats" })} any more.`,
      why: "The bot was removed from there, the place was deleted, or the person has blocked the bot. The people who created them know.",
      fix: "Add the bot again, and they go on by themselves; or delete them on the page.",
    },
  },
  people: {
    owners: (owners: string) => `Owners: ${owners}.`,
    noOwner: {
      what: "The bot has no owner.",
      why: "No one can let people in, decide what is for admins, or read what is broken.",
      fix: "Set PARLEY_ADMINS=telegram:<your id> (or discord:<your id>) in .env.",
      fixByCode:
        "npm start prints a code: send it to the bot in a direct message as /start {code:CODE}. Or set PARLEY_ADMINS=telegram:<your id>.",
    },
    refusedGroup: {
      what: (group: string) =>
        `Someone was refused in the group ${group} within the last ten minutes.`,
      why: "Neither the group nor that person is allowed.",
      fix: (command: string, place: string) =>
        `Write ${command} in the group as an admin, or add ${place} to access.allow in parley.yaml.`,
    },
  },
  backup: {
    age: (span: string) => `The last backup is ${span} old.`,
    nothingYet: "There's nothing to back up yet.",
    old: {
      never: "No backup has been recorded yet.",
      why: "Conversations, roles and approvals are in Redis only.",
      fix: "Back up Redis (docs/guides/backup.md), then: npm run admin -- backup-done",
    },
  },
  telegram: {
    knows: (username: string) => `Telegram knows the bot: ${username}.`,
    refused: {
      what: "Telegram doesn't accept TELEGRAM_BOT_TOKEN.",
      why: "Parley can't start with it.",
      fix: "Open @BotFather, send /token, choose the bot, copy its token into .env and start Parley again.",
    },
    unreachable: {
      what: (host: string, cause: string) => `Telegram can't be reached at ${host}: ${cause}`,
      why: "Nothing is received or sent.",
      fix: (address: string) => `Check whether this machine can reach it: curl -I ${address}`,
    },
    hasCommands: "Telegram shows the bot's commands.",
    noCommands: {
      what: "Telegram doesn't show the bot's current commands.",
      why: "People don't find them in the menu; they work all the same.",
    },
    readsGroups: "In groups the bot can read every message (privacy mode is off).",
    privacy: {
      what: "Privacy mode is on: in groups Telegram gives the bot only commands, mentions and replies to it.",
      why: "That is right unless a group has /activation always.",
      fix: "@BotFather: /setprivacy, choose the bot, Disable; then remove the bot from the group and add it again.",
    },
    deaf: {
      what: (groups: string) => `Privacy mode is on, but /activation always is set in ${groups}.`,
      why: "Telegram gives the bot only commands, mentions and replies there, so it misses all other messages.",
      fix: "Make the bot an admin of the group. Or @BotFather: /setprivacy, choose the bot, Disable; then remove the bot from the group and add it again.",
    },
    maybeDeaf: {
      what: (groups: string) =>
        `Privacy mode is on and /activation always is set in ${groups}, but it couldn't be checked whether the bot is an admin there.`,
      why: "Telegram gives a bot that isn't an admin only commands, mentions and replies, so it misses all other messages.",
    },
    otherPoller: {
      what: "Another program polls with this token, and no process of this deployment does.",
      why: "Telegram serves only one: messages would reach either of them by chance.",
      fix: "Stop the other program, or get this one a token of its own from @BotFather (/newbot).",
    },
    polls: "Parley polls Telegram, and no webhook is in its way.",
    canPoll: "No webhook is set, so Parley can poll Telegram when it runs.",
    strayWebhook: {
      what: (host: string) => `A webhook is set for this token (${host}), though Parley polls.`,
      why: "Telegram posts messages there, and Parley gets none while it's set.",
      fix: "npm run doctor -- --fix (deletes the webhook; Parley's next start does, too)",
    },
    posts: (host: string) => `Telegram posts to ${host}.`,
    lostWebhook: {
      unset: "No webhook is set, though telegram.mode is webhook.",
      elsewhere: (host: string) => `The webhook leads to ${host}, not to telegram.webhook.url.`,
      why: "Telegram's messages don't reach Parley.",
      fix: "npm start (sets it)",
    },
    failingWebhook: {
      what: (host: string, waiting: number, cause: string) =>
        `Telegram couldn't post to ${host} (updates that wait: ${n(waiting)}): ${cause}`,
      why: "Messages wait at Telegram until it can.",
      fix: "Check that telegram.webhook.url leads to Parley's HTTP port, with a certificate that Telegram trusts.",
    },
  },
  discord: {
    knows: (username: string, servers: number) =>
      `Discord knows the bot: ${username}, in ${counted(servers, { one: "server", other: "servers" })}.`,
    refused: {
      what: "Discord doesn't accept DISCORD_TOKEN.",
      why: "Parley can't start with it.",
      fix: "Open https://discord.com/developers/applications, page Bot, Reset Token, and copy it into .env.",
    },
    unreachable: {
      what: (cause: string) => `Discord can't be reached: ${cause}`,
      why: "Nothing is received or sent.",
      fix: "Check whether this machine can reach it: curl -I https://discord.com/api/v10/gateway",
    },
    noServer: {
      what: "The bot isn't in any server.",
      why: "People can't find it.",
      fix: (link: string) => `Open ${link}`,
    },
    lacks: {
      what: (server: string, permissions: string) =>
        `In the server "${server}" the bot lacks: ${permissions}.`,
      why: "It can't answer everything there.",
      fix: (link: string) => `Give the bot's role these permissions, or invite it again: ${link}`,
    },
    noIntent: {
      what: "discord.messageContent is true, but the intent is off in Discord's portal.",
      why: "Discord refuses the connection.",
      fix: (link: string) => `Switch on Message Content Intent: ${link}`,
    },
    hasCommands: (count: number) =>
      `Discord shows ${counted(count, { one: "command", other: "commands" })}.`,
    noCommands: {
      what: "Discord shows no commands of the bot.",
      why: "They are registered when Parley starts.",
    },
  },
  model: {
    demo: {
      what: "The built-in demo answers: no model is set.",
      why: "It only repeats and counts.",
      fix: "Set OLLAMA_MODEL, or OPENAI_API_KEY and OPENAI_MODEL, in .env.",
    },
    answers: (id: string, can: string) => `${id} answers: ${can}.`,
    can: {
      tools: "tools",
      noTools: "no tools",
      pictures: "pictures",
      noPictures: "no pictures",
      window: (tokens: number) => `window of ${n(tokens)} tokens`,
      price: (input: string, output: string) => `${input}/${output} per million tokens`,
    },
    noPrice: {
      what: (id: string) => `The price of ${id} is unknown.`,
      why: "What it costs is missing in /usage and on the page.",
      whyLimits: "Limits on cost don't count what it uses, so they never stop it.",
      fix: "Set usdPerMillionTokens: { input: …, output: … } for it under models in parley.yaml; both are 0 where it costs nothing.",
    },
    noTools: {
      what: (id: string) => `${id} can't use tools.`,
      why: "It can't look anything up, calculate or remember anything.",
      fix: "Choose a model with tools, or set tools: true for it under models in parley.yaml.",
    },
    brokenCalls: {
      what: (id: string, times: number) =>
        `${id} used tools in a way that failed, ${counted(times, { one: "time", other: "times" })} in the last 24 hours.`,
      why: "People read an apology. Mostly the model or its server writes the request as plain text.",
      fix: "Switch on the tool parser of its server (for vLLM: --enable-auto-tool-choice --tool-call-parser), update its chat template, or choose another model.",
    },
    smallWindow: {
      what: (taken: number, window: number, id: string) =>
        `Prompt and tools take about ${n(taken)} of the ${n(window)} tokens of ${id}.`,
      why: "Little is left for the conversation; it's summed up early and forgotten sooner.",
      fix: "Raise contextWindow for it under models in parley.yaml, or offer fewer tools.",
    },
    /** Owners read these also when Parley starts. */
    failing: {
      why: "People get an apology in place of an answer.",
      demo: "The demo",
      server: (host: string) => `The model server ${host}`,
      unknownHost: "at the configured address",
      unreachable: (server: string, id: string, cause: string) =>
        `${server} doesn't answer, so ${id} can't: ${cause}`,
      refusesKey: (server: string, id: string, cause: string) =>
        `${server} refuses the key for ${id}: ${cause}`,
      noCredit: (server: string, id: string, cause: string) =>
        `${server} takes the key for ${id}, but the account has no credit: ${cause}`,
      notPulled: (model: string) => `Ollama doesn't have ${model}.`,
      notServed: (server: string, model: string, cause: string) =>
        `${server} doesn't serve ${model}: ${cause}`,
      busy: (server: string, id: string, cause: string) =>
        `${server} is busy or has used up its quota, so ${id} doesn't answer: ${cause}`,
      refused: (server: string, id: string, cause: string) =>
        `${server} refused a request to ${id}: ${cause}`,
    },
    fix: {
      startOllama: "Start it (ollama serve), or correct OLLAMA_HOST.",
      start: "Start it, or correct its address (OPENAI_BASE_URL, or providers in parley.yaml).",
      key: "Correct OPENAI_API_KEY (or apiKey of the provider in parley.yaml).",
      login:
        "Correct the login in OLLAMA_HOST (http://user:password@host), or ask the person who runs the server.",
      credit:
        "Top up the account on the provider's billing page, or raise the key's spending limit.",
      pull: (model: string) => `Run: ollama pull ${model}`,
      name: "Set OPENAI_MODEL (or tiers in parley.yaml) to a model that it has.",
      second: "Try again later, or name a second model in tiers of parley.yaml.",
      seeLog: "See its log.",
    },
  },
  memory: {
    made: (model: string, dimensions: number) =>
      `The embeddings of ${model} are made (${counted(dimensions, { one: "dimension", other: "dimensions" })}).`,
    failing: {
      what: (model: string, cause: string) => `${model} makes no embeddings: ${cause}`,
      why: "What was said is found by keywords alone.",
      fix: "See the server's log, and memory.embeddings in parley.yaml.",
      fixModel: "Set memory.embeddings in parley.yaml to a model that makes embeddings.",
    },
    vectorsOf: (model: string, dimensions: number) =>
      `${model} (${counted(dimensions, { one: "dimension", other: "dimensions" })})`,
    inChats: (vectors: string, chats: number) => `${vectors} in ${n(chats)}`,
    stored: (vectors: string) => `The stored vectors are of ${vectors}.`,
    otherStored: {
      what: (vectors: string, others: string) =>
        `Not all chats have vectors of ${vectors}. Others: ${others}.`,
      why: "Until they are made again, those chats are searched by keywords alone.",
      fix: "Nothing, if memory.embeddings was changed on purpose: a chat's vectors are made again after its next answer.",
    },
  },
  search: {
    works: (provider: string) => `The web search (${provider}) finds pages.`,
    fails: (cause: string) => `The web search fails: ${cause}`,
    findsNothing: "The web search finds nothing.",
    why: "The model can't look anything up.",
    fix: {
      again: "Try again in a minute; if it still fails, look at the provider's status.",
      engines: "Look at SearXNG's page …/stats: the engines that it asks may refuse it.",
      start: "Start SearXNG, or correct webSearch.url.",
      address: "Correct webSearch.url in parley.yaml: something else answers there.",
      json: "Add json to search.formats in SearXNG's settings.yml (as in deploy/searxng).",
      login: "Give webSearch.url an address without a login.",
      account: (url: string) => `Check the key and its plan at ${url}.`,
    },
  },
  mcp: {
    offers: (name: string, tools: number) =>
      `The MCP server "${name}" offers ${counted(tools, { one: "tool", other: "tools" })}.`,
    partly: {
      what: (name: string, tools: number, more: number, problem: string) =>
        `The MCP server "${name}" offers ${counted(tools, { one: "tool", other: "tools" })}; ${n(more)} more can't be used: ${problem}`,
      why: "The model doesn't see those.",
      fix: "Correct or update the server.",
    },
    failing: {
      what: (name: string, cause: string) => `The MCP server "${name}" can't be used: ${cause}`,
      why: "The model has none of its tools.",
      fixCommand: (setting: string, command: string) =>
        `Run its command by hand, and correct ${setting} in parley.yaml: ${command}`,
      fixUrl: (setting: string) => `Start it, or correct ${setting} in parley.yaml.`,
      fixHeaders: (setting: string) =>
        `Correct the token or key in ${setting} in parley.yaml, or let it use the server.`,
      fixBusy: "Wait a few minutes; the server limits how often Parley may ask.",
      fixServer: "Look at the server's own log, or ask who runs it.",
    },
  },
  personas: {
    usable: (count: number) =>
      `${counted(count, { one: "persona", other: "personas" })} can be used.`,
    folder: {
      what: (cause: string) => `The folder of personas can't be used: ${cause}`,
      why: "Parley doesn't start without it.",
      fix: "Change personas.folder in parley.yaml, or its read permissions.",
    },
    leftOut: {
      what: (problem: string) => `A persona is left out: ${problem}`,
      why: "People can't choose it.",
      fix: (folder: string) => `Change the file in ${folder}; Parley notices it by itself.`,
    },
    noDefault: {
      what: (name: string, folder: string) =>
        `personas.default names "${name}", which is no persona in ${folder}.`,
      why: "Parley doesn't start without it.",
      fix: (file: string) => `Create ${file} there, or change personas.default in parley.yaml.`,
    },
  },
  skills: {
    usable: (count: number) => `${counted(count, { one: "skill", other: "skills" })} can be used.`,
    files: {
      what: (problems: string) => `Skill files have problems: ${problems}`,
      why: "Files that are left out aren't used, and the rest may not be what the skill's author meant.",
      fix: "Correct these files, or remove them.",
    },
    waiting: {
      what: (names: string) => `These skills wait for a review: ${names}.`,
      why: "No model sees them until then.",
      fix: "Send /skills review to the bot.",
    },
  },
  tools: {
    every: "every tool",
    auto: {
      what: (match: string, tools: string) => `The rule for ${match} allows auto for ${tools}.`,
      why: "After /settings permissions auto these run without asking, and what they do can't be undone.",
      fix: "Give auto in tools.rules of parley.yaml only to tools that may run unattended.",
    },
  },
};
