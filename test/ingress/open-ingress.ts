import pino from "pino";
import { Access, type AccessSettings } from "../../src/access/access.ts";
import { createLimits } from "../../src/limits/create-limits.ts";
import { findingIn, type Examined } from "../../src/doctor/check.ts";
import { backupFinding } from "../../src/doctor/deployment.ts";
import type { PairingDeps } from "../../src/access/pairing.ts";
import { createAccept } from "../../src/ingress/create-accept.ts";
import { fetchLimits, type AcceptDeps } from "../../src/ingress/deps.ts";
import { FairSlots } from "../../src/util/fair-slots.ts";
import { allCommands } from "../../src/commands/all-commands.ts";
import type { ModelChoices, SettingDefaults } from "../../src/commands/command.ts";
import type { Figures } from "../../src/commands/ports.ts";
import { chatLeaves } from "../../src/config/file.ts";
import { nearest } from "../../src/config/nearest.ts";
import { personaExtrasFormat } from "../../src/config/persona-extras.ts";
import { chatKey, type ChatAddress, type ChatKey, type Person } from "../../src/core/chat.ts";
import type {
  Acceptance,
  InboundCommand,
  InboundMessage,
  InboundTap,
} from "../../src/core/inbound.ts";
import type { LimitRule } from "../../src/core/limits.ts";
import { noMetrics } from "../../src/core/metrics.ts";
import type { OutboxEntry } from "../../src/core/outbox.ts";
import { createApprovalStore } from "../../src/store/approvals/approvals.ts";
import { createAudit } from "../../src/store/operations/audit.ts";
import { createBlobs } from "../../src/store/turns/blobs.ts";
import { createPageSessions } from "../../src/store/operations/page-sessions.ts";
import { createSkillReviews } from "../../src/store/operations/skill-reviews.ts";
import { createErrorReports } from "../../src/store/operations/error-reports.ts";
import { createBroadcasts } from "../../src/store/operations/broadcasts.ts";
import { createChatCount } from "../../src/store/turns/chat-count.ts";
import { createConnectedBots } from "../../src/store/operations/connected-bots.ts";
import { createPauses } from "../../src/store/operations/pauses.ts";
import { createErasures } from "../../src/store/erasure/erasures.ts";
import { createChatSettings } from "../../src/store/turns/chat-settings.ts";
import { readAuto, readChatStatus } from "../../src/store/turns/chat-status.ts";
import { heldGrants } from "../../src/approvals/held-grants.ts";
import { createGrantStore } from "../../src/store/approvals/grants.ts";
import { createPersonaChoices } from "../../src/store/personas/choices.ts";
import { createPersonaStore } from "../../src/store/personas/personas.ts";
import { createPersonaDrafts } from "../../src/store/personas/persona-drafts.ts";
import { createSchedules } from "../../src/store/turns/schedules.ts";
import { createFacts } from "../../src/store/memory/facts.ts";
import { createSummaries } from "../../src/store/memory/summaries.ts";
import { createNotes } from "../../src/store/turns/notes.ts";
import { createRecall } from "../../src/memory/recall.ts";
import { createWindowStore } from "../../src/store/memory/windows.ts";
import { createTodos } from "../../src/store/turns/todos.ts";
import { createToolSchemas } from "../../src/store/approvals/tool-schemas.ts";
import { readHistory } from "../../src/store/turns/history.ts";
import { createOfferedTools } from "../../src/store/approvals/offered-tools.ts";
import { createInbox, type Inbox } from "../../src/store/turns/inbox.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { createPeopleStore, type PeopleStore } from "../../src/store/people/people.ts";
import type { Store } from "../../src/store/redis/redis.ts";

let places = 0;
let people = 0;
let events = 0;

/** Someone in a chat of theirs with the bot; no other test knows them. */
export interface Place {
  readonly person: Person;
  readonly address: ChatAddress;
  readonly chat: ChatKey;
  readonly direct: boolean;
}

export function newPerson(more: Partial<Person> = {}): Person {
  people += 1;
  return { id: `telegram:9000${people}`, name: `Person ${people}`, ...more };
}

/** As in Telegram, a direct chat has its person's number. */
export function directPlace(person = newPerson(), bot = "77"): Place {
  const [platform = "", number = ""] = person.id.split(":");
  const address = {
    platform: platform as ChatAddress["platform"],
    bot,
    chat: number,
  };
  return { person, address, chat: chatKey(address), direct: true };
}

export function groupPlace(person = newPerson(), group?: Place): Place {
  if (group) return { ...group, person };
  places += 1;
  const address = {
    platform: person.id.split(":")[0] as ChatAddress["platform"],
    bot: "77",
    chat: `-100${places}`,
  };
  return { person, address, chat: chatKey(address), direct: false };
}

export interface TestIngress {
  readonly deps: AcceptDeps;
  readonly access: Access;
  readonly people: PeopleStore;
  readonly inbox: Inbox;
  /** Wakes so far, `turn <chat>`, `delivery <chat>`, `burst <chat>`. */
  readonly wakes: string[];
  /** What was logged so far. */
  readonly lines: readonly Record<string, unknown>[];
  say(at: Place, text: string, more?: Partial<InboundMessage>): Promise<Acceptance>;
  command(at: Place, name: string, more?: Partial<InboundCommand>): Promise<Acceptance>;
  tap(at: Place, data: string, more?: Partial<InboundTap>): Promise<Acceptance>;
  /** What waits to be delivered in a chat. */
  outbox(chat: ChatKey): Promise<OutboxEntry[]>;
  /** The texts of what waits to be delivered in a chat. */
  told(chat: ChatKey): Promise<string[]>;
  /** Ids of what waits for a turn. */
  waiting(chat: ChatKey): Promise<string[]>;
}

const arrival = ({ person, address, direct }: Place) => {
  events += 1;
  return {
    id: `m${events}`,
    messageId: `${events}`,
    person,
    address,
    direct,
    atMs: 1,
  };
};

const chains = {
  fast: ["openai/gpt-5-mini"],
  balanced: ["openai/gpt-5", "local/qwen3:8b"],
  smart: ["openrouter/deepseek/r2"],
  coding: ["openai/gpt-5", "local/qwen3:8b"],
  deep: ["openrouter/deepseek/r2", "openai/gpt-5"],
} as const;

export const testModels: ModelChoices = {
  keys: ["openai/gpt-5-mini", "openai/gpt-5", "local/qwen3:8b", "openrouter/deepseek/r2"],
  tiers: ["fast", "balanced", "smart", "deep"],
  aliases: new Map([["coding", "balanced"]]),
  modelsOf: (tier, first) => [
    ...new Set([...(first === undefined ? [] : [first]), ...chains[tier]]),
  ],
};

/** One of each status. */
const testFindings: readonly Examined[] = [
  {
    id: "redis.version",
    status: "ok",
    say: ({ findings }) => ({ what: findings.redis.answers("Redis", "7.2.0") }),
  },
  { id: "telegram.privacy", status: "note", say: ({ findings }) => findings.telegram.privacy },
  backupFinding(undefined, 1),
  {
    id: "model.a/b",
    status: "broken",
    say: ({ findings: { model } }) => ({
      what: model.failing.notPulled("b"),
      why: model.failing.why,
      fix: model.fix.pull("b"),
    }),
  },
];

const testFigures: Figures = {
  version: "1.2.3",
  uptimeMs: 3_600_000,
  chats: { today: 4, thisMonth: 9 },
  spent: {
    today: { messages: 12, tokens: 3_400, costUsd: 0.5 },
    thisMonth: { messages: 120, tokens: 34_000, costUsd: 5 },
  },
  turns: { waiting: 2, active: 1 },
  deliveries: 0,
  deadLetters: 7,
  pauses: {},
};

const testDefaults: SettingDefaults = {
  whileBusy: "followup",
  tools: "names",
  thinking: false,
  policy: {
    maxModelCalls: 20,
    maxToolExecutions: 80,
    deadlineMs: 15 * 60_000,
    loop: { sameCall: 3, sameTool: 5, hints: 5 },
    stopOn: {
      toolFailure: false,
      confirmationDenied: true,
      policyDenied: false,
    },
  },
  tierPolicies: {
    deep: {
      deadlineMs: 3_600_000,
      stopOn: { confirmationDenied: false },
      loop: { hints: 2 },
    },
  },
  context: { compactAt: 0.7, keepTurns: 10, strategy: "summarise" },
  modelOptions: { balanced: { temperature: 0.3 }, deep: { maxOutputTokens: 8_000 } },
  autoMs: 4 * 3_600_000,
};

/** Parley's door on a real store, with no one behind it. */
export function openIngress(
  store: Store,
  settings: Partial<AccessSettings> = {},
  /** What the operator's file says of limits. */
  file: readonly LimitRule[] = [],
): TestIngress {
  const inbox = createInbox(store);
  const known = createPeopleStore(store);
  const wakes: string[] = [];
  const lines: Record<string, unknown>[] = [];
  const wake = (what: string) => (chat: ChatKey) => {
    wakes.push(`${what} ${chat}`);
    return Promise.resolve();
  };
  const access = new Access(
    known,
    { mode: "open", admins: [], allow: [], ban: [], ...settings },
    () => performance.now(),
  );
  const audit = createAudit(store, {
    retentionMs: undefined,
    redact: (text) => text,
    log: pino({ level: "silent" }),
  });
  const pairing: PairingDeps = {
    access,
    people: known,
    audit,
    connectedBots: createConnectedBots(store),
    post: async (chat, entry) => {
      await inbox.post(chat, entry);
      await wake("delivery")(chat);
    },
  };
  const limits = createLimits({
    store,
    file,
    roleOf: ({ person }) => access.roleOf(person),
    access,
    people: known,
    connectedBots: createConnectedBots(store),
    post: pairing.post,
    now: Date.now,
    monotonic: () => performance.now(),
    log: pino({ level: "silent" }),
  });
  const deps: AcceptDeps = {
    access,
    people: known,
    messageLimits: limits.messages,
    metrics: noMetrics,
    inbox,
    pairing,
    settings: createChatSettings(store),
    status: (chat) => readChatStatus(store, chat),
    runningAuto: (chat) => readAuto(store, chat),
    startTurn: wake("turn"),
    wakeTurn: wake("turn"),
    wakeDelivery: wake("delivery"),
    approvals: createApprovalStore(store),
    grants: heldGrants(createGrantStore(store), access),
    skillReviews: createSkillReviews(store),
    toolSchemas: createToolSchemas(store),
    audit,
    errors: createErrorReports(store, { log: pino({ level: "silent" }) }),
    pauses: createPauses(store, { knownAfterMs: 0 }),
    figures: () => Promise.resolve(testFigures),
    doctor: () => Promise.resolve((locale) => testFindings.map(findingIn(locale))),
    broadcasts: {
      ...createBroadcasts(store),
      count: () => Promise.resolve({ count: 3, isAll: true }),
    },
    page: { url: () => "http://127.0.0.1:8090", sessions: createPageSessions(store) },
    imported: {
      read: () => Promise.resolve(undefined),
      finish: () => Promise.resolve(),
      takenOver: () => Promise.resolve(undefined),
    },
    tools: () => createOfferedTools(store).read(),
    canSearch: false,
    todos: createTodos(store),
    facts: createFacts(store, undefined),
    notes: createNotes(store),
    summaries: createSummaries(store, undefined),
    recall: createRecall({ windows: createWindowStore(store) }),
    memory: { recall: "auto", embeddings: "none" },
    schedules: createSchedules(store, {
      retentionMs: 86_400_000,
      report: (what) => lines.push({ what }),
    }),
    personas: {
      store: createPersonaStore(store),
      choices: createPersonaChoices(store, access),
      usual: undefined,
    },
    personaDrafts: createPersonaDrafts(store),
    personaExtras: personaExtrasFormat,
    models: testModels,
    defaults: testDefaults,
    limits: chatLeaves,
    limitService: limits.limitService,
    nearest,
    history: (chat) => readHistory(store, chat),
    blobs: createBlobs(store),
    erasures: createErasures(store),
    post: async (chat, entry) => {
      const ingested = await inbox.post(chat, entry);
      await wake("delivery")(chat);
      return ingested;
    },
    commands: allCommands,
    now: Date.now,
    wakeTurnIn: (chat) => void wakes.push(`burst ${chat}`),
    fetchSlots: new FairSlots(fetchLimits),
    chats: createChatCount(store),
    readsVoice: false,
    seesPictures: () => Promise.resolve(true),
    newErrorId: () => "error1",
    log: pino(
      { level: "trace" },
      {
        write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>),
      },
    ),
  };
  const acceptOnly = createAccept(deps);
  const accept: typeof acceptOnly = async (inbound) => {
    const acceptance = await acceptOnly(inbound);
    // Tests compare what Redis holds before and after.
    await limits.flush();
    return acceptance;
  };
  const outbox = async (chat: ChatKey) =>
    (await store.redis.lrange(chatKeys(chat).outbox, 0, -1)).map(
      (stored) => JSON.parse(stored.slice(stored.indexOf(" ") + 1)) as OutboxEntry,
    );
  return {
    deps,
    access,
    people: known,
    inbox,
    wakes,
    lines,
    say: (at, text, more = {}) => accept({ ...arrival(at), type: "message", text, ...more }),
    command: (at, name, more = {}) =>
      accept({
        ...arrival(at),
        type: "command",
        name,
        argument: "",
        answersItself: false,
        ...more,
      }),
    tap: (at, data, more = {}) => accept({ ...arrival(at), type: "tap", data, ...more }),
    outbox,
    told: async (chat) =>
      (await outbox(chat)).map((entry) => ("text" in entry ? entry.text : entry.kind)),
    waiting: async (chat) =>
      (await store.redis.lrange(chatKeys(chat).inbox, 0, -1)).map(
        (json) => (JSON.parse(json) as { id: string }).id,
      ),
  };
}

/** The text that a person reads at once. @throws when there is none. */
export function textOf(acceptance: Acceptance): string {
  if ("text" in acceptance && acceptance.text !== undefined) return acceptance.text;
  throw new Error(`no text in ${JSON.stringify(acceptance)}`);
}
