import { noFacts } from "../../src/core/facts.ts";
import pino from "pino";
import { expect } from "vitest";
import type { ApprovalStatus, ApprovalView } from "../../src/core/approval.ts";
import { autoText } from "../../src/core/auto.ts";
import { chatKey, type ChatKey, type Person } from "../../src/core/chat.ts";
import type { ChatSettingName, WhileBusy } from "../../src/core/chat-settings.ts";
import {
  logEntrySchema,
  type ControlEntry,
  type EditEntry,
  type LogEntry,
  type MessageEntry,
} from "../../src/core/history.ts";
import {
  draftSchema,
  outcomeEntry,
  outboxEntrySchema,
  type OutboxEntry,
} from "../../src/core/outbox.ts";
import { noMetrics } from "../../src/core/metrics.ts";
import type { BeginOutcome, TurnStore } from "../../src/core/ports.ts";
import type { Tool } from "../../src/core/tool.ts";
import {
  turnStateSchema,
  type Spending,
  type TurnPolicy,
  type TurnState,
} from "../../src/core/turn.ts";
import type { Compactor } from "../../src/loop/compaction/compactor.ts";
import { createCompactor } from "../../src/loop/compaction/create-compactor.ts";
import type { ContextSettings } from "../../src/loop/compaction/settings.ts";
import type { LoopDeps } from "../../src/loop/deps.ts";
import { openTurn } from "../../src/loop/machine/open-turn.ts";
import { startAtOnce } from "../../src/loop/session/turn-starts.ts";
import { unlimited } from "../../src/loop/model/payment.ts";
import type { ToolPolicy } from "../../src/loop/tools/prepare-call.ts";
import { runTurn } from "../../src/loop/run-turn.ts";
import type { TurnResult } from "../../src/loop/turn-result.ts";
import { createToolbox } from "../../src/loop/tools/toolbox.ts";
import { buildRequestView } from "../../src/loop/view/build-request-view.ts";
import type { ModelChain } from "../../src/models/chain.ts";
import { createModels, type ModelCatalogue } from "../../src/models/create-models.ts";
import { ChildProcesses } from "../../src/tools/processes/child-processes.ts";
import { createFileReader } from "../../src/files/create-file-reader.ts";
import { createApprovalStore } from "../../src/store/approvals/approvals.ts";
import { createAudit } from "../../src/store/operations/audit.ts";
import { createBlobs } from "../../src/store/turns/blobs.ts";
import { createChatSettings } from "../../src/store/turns/chat-settings.ts";
import { createGrantStore } from "../../src/store/approvals/grants.ts";
import { createKeptResults } from "../../src/store/turns/kept-results.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { openStore } from "../../src/store/redis/redis.ts";
import { createTurnStore } from "../../src/store/turns/turn-store.ts";
import { readUsage } from "../../src/store/turns/usage.ts";
import { OpenAiServer, type OpenAiServerOptions } from "../emulators/model/openai-server.ts";
import { ScriptedModel } from "../emulators/model/scripted-model.ts";
import type { Step } from "../emulators/model/step.ts";
import type { TestRedis } from "../support/redis/test-redis.ts";
import { testTools, type Effects } from "./test-tools.ts";

export const ann: Person = { id: "telegram:1", name: "Ann" };
export const bob: Person = { id: "telegram:2", name: "Bob" };

/**
 * Where everybody waits for conditions: longer than any of them takes, shorter than the test's own
 * limit.
 */
const timeoutMs = 20_000;

export const defaultPolicy: TurnPolicy = {
  maxModelCalls: 20,
  maxToolExecutions: 80,
  deadlineMs: 900_000,
  stopOn: { toolFailure: false, confirmationDenied: true, policyDenied: false },
  loop: { sameCall: 3, sameTool: 5, hints: 5 },
};

export const defaultContext: ContextSettings = {
  compactAt: 0.7,
  compactTo: 0.4,
  keepTurns: 10,
  protectPairs: 5,
  strategy: "summarise",
};

/** What of `LoopDeps` most tests have no need to choose. */
export const quietDeps = {
  policy: defaultPolicy,
  tierPolicies: {},
  defaults: { whileBusy: "followup", tools: "full", thinking: false },
  recall: undefined,
  personas: undefined,
  personFacts: noFacts,
  showsSummaries: true,
  systemPrompt: "You are Parley.",
  skills: () => [],
  context: defaultContext,
  budget: unlimited,
  downgrade: true,
  blobs: {
    get: () => Promise.resolve(undefined),
    put: () => Promise.reject(new Error("nothing is kept here")),
    putShown: () => Promise.resolve(undefined),
  },
  reader: {
    read: () => Promise.resolve({ type: "unreadable", why: "unknown" }),
  },
  audit: { write: () => Promise.resolve() },
  watched: () => Promise.resolve(undefined),
  grants: { of: () => Promise.resolve([]) },
  trace: undefined,
  metrics: noMetrics,
  onEvent: undefined,
  banCache: { refresh: () => Promise.resolve(), has: () => false },
  turnStarts: startAtOnce,
  callsPerCard: () => 8,
  askAgainAfterMs: [],
} as const satisfies Partial<LoopDeps>;

/** A catalogue in which every tier is this chain. */
export const only = (chain: ModelChain): ModelCatalogue => ({
  chain: () => chain,
  keys: chain.cards.map(({ id }) => id),
  knows: (key) => chain.cards.some(({ id }) => id === key),
  tiers: ["balanced"],
  aliases: new Map(),
});

/** The compactor as a deployment has it. */
const compactorFor = (deps: () => LoopDeps): Compactor => {
  const make = () =>
    createCompactor({
      settings: deps().context,
      chain: () => deps().models.chain("compaction"),
      agent: { runTurn, deps },
      monotonic: () => performance.now(),
      log: deps().log,
    });
  // Made when it is first needed: it is itself a part of what it is made of.
  let made: Compactor | undefined;
  return {
    check: (request) => (made ??= make()).check(request),
    compact: (job, signal, observer) => (made ??= make()).compact(job, signal, observer),
  };
};

/** An answer that calls these tools, each with its place as its label. */
export const calls = (...names: string[]): Step => ({
  toolCalls: names.map((name, index) => ({
    name,
    arguments: { label: `${index}` },
  })),
});

export const asDeclared: ToolPolicy = (_tool, declared) =>
  declared === "run" ? { type: "run" } : { type: "confirm", approvers: "requester-or-admins" };

export interface SceneOptions {
  readonly redis: TestRedis;
  readonly script?: ScriptedModel;
  readonly tools?: readonly Tool[];
  readonly leaseMs?: number;
  /** Absent: one that no other scene has. */
  readonly chat?: ChatKey;
  /** The models that the emulated server has. */
  readonly serves?: OpenAiServerOptions["models"];
  /** What holds in the whole deployment where the chat has set nothing. */
  readonly whileBusy?: WhileBusy;
  readonly deps?: Partial<LoopDeps>;
}

let scenes = 0;

/**
 * One chat, as a worker and the people in it see it: real Redis, real scripts, a real client of an
 * emulated model.
 */
export async function openScene(options: SceneOptions) {
  scenes += 1;
  const chat =
    options.chat ??
    chatKey({
      platform: "telegram",
      bot: "bot",
      chat: `${process.pid}-${scenes}`,
    });
  const store = openStore(options.redis.url, () => undefined);
  const server = await OpenAiServer.start({
    model: options.script ?? new ScriptedModel(),
    apiKey: "sk-a-very-secret-key",
    ...(options.serves === undefined ? {} : { models: options.serves }),
  });
  const lines: Record<string, unknown>[] = [];
  const effects: Effects = { runs: [], gates: new Map() };
  const stops = new Set<() => void>();
  const processes = new ChildProcesses();
  const { whileBusy = quietDeps.defaults.whileBusy } = options;
  const inbox = createInbox(store, { whileBusy });
  const approvals = createApprovalStore(store);
  const turns = createTurnStore({
    store,
    leaseMs: options.leaseMs ?? 10_000,
    retentionMs: 86_400_000,
    whileBusy,
    openTurn,
  });
  const deps: LoopDeps = {
    ...quietDeps,
    defaults: { ...quietDeps.defaults, whileBusy },
    store: turns,
    models: only(modelOf(server)),
    compactor: compactorFor(() => deps),
    toolbox: createToolbox([...testTools(effects), ...(options.tools ?? [])]),
    kept: createKeptResults(store),
    grants: createGrantStore(store),
    audit: createAudit(store, {
      retentionMs: undefined,
      redact: (text) => text,
      log: pino({ level: "silent" }),
    }),
    blobs: createBlobs(store),
    reader: createFileReader({ processes, log: pino({ level: "silent" }) }),
    toolPolicy: asDeclared,
    approvalTtlMs: 60_000,
    canReach: () => Promise.resolve(false),
    timeoutMs: 120_000,
    heartbeatMs: 60_000,
    draftIntervalMs: () => 1_000,
    wakeDelivery: () => Promise.resolve(),
    onNews: (_chat, listener) => {
      stops.add(listener);
      return { [Symbol.dispose]: () => stops.delete(listener) };
    },
    clock: { monotonic: () => performance.now(), wall: Date.now },
    newErrorId: () => "error-id-1",
    redact: (text) => text,
    noteError: () => undefined,
    modelWatch: { failed: () => Promise.resolve(false), answered: () => undefined },
    logFileOnce: () => undefined,
    log: pino(
      { level: "trace", serializers: { error: pino.stdSerializers.err } },
      {
        write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>),
      },
    ),
    ...options.deps,
  };
  return new Scene({
    chat,
    deps,
    store,
    server,
    inbox,
    approvals,
    effects,
    lines,
    stops,
    processes,
  });
}

const modelOf = (server: OpenAiServer): ModelChain =>
  createModels(
    {
      providers: {
        openai: {
          type: "openai",
          baseUrl: server.baseUrl,
          apiKey: "sk-a-very-secret-key",
        },
      },
      tiers: {
        balanced: { models: [{ provider: "openai", model: "gpt-4o-mini" }] },
      },
    },
    { sleep: () => Promise.resolve(), random: () => 0 },
  ).chain("balanced");

interface Parts {
  readonly chat: ChatKey;
  readonly deps: LoopDeps;
  readonly store: ReturnType<typeof openStore>;
  readonly server: OpenAiServer;
  readonly inbox: ReturnType<typeof createInbox>;
  readonly approvals: ReturnType<typeof createApprovalStore>;
  readonly effects: Effects;
  readonly lines: Record<string, unknown>[];
  readonly stops: ReadonlySet<() => void>;
  readonly processes: ChildProcesses;
}

export class Scene implements AsyncDisposable {
  readonly parts: Parts;
  deps: LoopDeps;
  #messages = 0;

  constructor(parts: Parts) {
    this.parts = parts;
    this.deps = parts.deps;
  }

  get chat(): ChatKey {
    return this.parts.chat;
  }

  get model(): ScriptedModel {
    return this.parts.server.model;
  }

  /** Names and arguments of all tools that ran, in order. */
  get runs(): readonly string[] {
    return this.parts.effects.runs.map(({ tool, given }) => `${tool} ${JSON.stringify(given)}`);
  }

  with(deps: Partial<LoopDeps>): this {
    // What shortens a conversation is made of the rest.
    const compactor = compactorFor(() => this.deps);
    this.deps = { ...this.deps, compactor, ...deps };
    return this;
  }

  async say(text: string, more: Partial<MessageEntry> = {}): Promise<void> {
    this.#messages += 1;
    const accepted = await this.parts.inbox.append(this.chat, {
      kind: "message",
      v: 1,
      id: `m${this.#messages}`,
      messageId: `${this.#messages}`,
      person: ann,
      text,
      atMs: Date.now(),
      ...more,
    });
    expect(accepted).toBe("accepted");
  }

  /** As an edit of `messageId` comes through ingress, which has found that it matters. */
  async edit(messageId: string, text: string, more: Partial<EditEntry> = {}): Promise<void> {
    this.#messages += 1;
    const accepted = await this.parts.inbox.append(this.chat, {
      kind: "edit",
      v: 2,
      id: `m${this.#messages}`,
      edits: messageId,
      person: ann,
      text,
      atMs: Date.now(),
      ...more,
    });
    expect(accepted).toBe("accepted");
  }

  /** What a running session is told when someone wrote; without it the next heartbeat tells. */
  news(): void {
    for (const listener of this.parts.stops) listener();
  }

  /** As `/compact`, `/retry` and `/undo` do it: the latter two end first what runs. */
  async control(control: ControlEntry["control"], more: Partial<ControlEntry> = {}): Promise<void> {
    this.#messages += 1;
    if (control !== "compact") await this.stop();
    const accepted = await this.parts.inbox.append(this.chat, {
      kind: "control",
      v: 1,
      id: `m${this.#messages}`,
      control,
      person: ann,
      atMs: Date.now(),
      ...more,
    });
    expect(accepted).toBe("accepted");
  }

  /** As `/auto` does it. */
  auto(goal: string, of: number, more: Partial<MessageEntry> = {}): Promise<void> {
    return this.say(autoText(goal, 1, of), {
      auto: { goal, step: 1, of },
      ...more,
    });
  }

  /** As `/settings`, `/tier` and `/model` do it. */
  set(name: ChatSettingName, value: string | undefined): Promise<void> {
    return createChatSettings(this.parts.store).set(this.chat, name, value);
  }

  async reset(): Promise<void> {
    this.#messages += 1;
    await this.parts.inbox.append(this.chat, {
      kind: "reset",
      v: 1,
      id: `m${this.#messages}`,
      atMs: Date.now(),
    });
  }

  /** As `/stop` does it: the watermark, then the word that quickens it. */
  async stop(): Promise<void> {
    await this.parts.inbox.stop(this.chat);
    this.news();
  }

  run(
    signal: AbortSignal = new AbortController().signal,
    deps: Partial<LoopDeps> = {},
  ): Promise<TurnResult> {
    return runTurn({ ...this.deps, ...deps }, this.chat, signal);
  }

  /** Runs until there is nothing left to do now. */
  async settle(deps: Partial<LoopDeps> = {}): Promise<TurnResult> {
    for (let runs = 0; runs < 50; runs += 1) {
      const result = await this.run(undefined, deps);
      if (result.type !== "again") return result;
    }
    throw new Error("the chat never comes to rest");
  }

  async outbox(): Promise<OutboxEntry[]> {
    const { outbox } = chatKeys(this.chat);
    const stored = await this.parts.store.redis.lrange(outbox, 0, -1);
    return stored.map((each) =>
      outboxEntrySchema.parse(JSON.parse(each.slice(each.indexOf(" ") + 1))),
    );
  }

  /** Answers and notices, as people read them. */
  async said(): Promise<string[]> {
    return (await this.outbox()).flatMap((entry) => (entry.kind === "message" ? [entry.text] : []));
  }

  /** The platform's own words in the chat. */
  async notices(): Promise<string[]> {
    return (await this.outbox()).flatMap((entry) => (entry.kind === "notice" ? [entry.text] : []));
  }

  /** The growing text as people see it now. */
  async draft(): Promise<string | undefined> {
    const { draft } = chatKeys(this.chat);
    const stored = await this.parts.store.redis.get(draft);
    return stored === null
      ? undefined
      : draftSchema.parse(JSON.parse(stored.slice(stored.indexOf(" ") + 1))).text;
  }

  /** What the chat has used, by model. */
  usage(): Promise<Readonly<Record<string, Spending>>> {
    return readUsage(this.parts.store, this.chat);
  }

  async log(): Promise<LogEntry[]> {
    const { log } = chatKeys(this.chat);
    const stored = await this.parts.store.redis.lrange(log, 0, -1);
    return stored.map((each) => logEntrySchema.parse(JSON.parse(each)));
  }

  /** Kinds and what matters of them, e.g. `tool current_time done`. */
  async story(): Promise<string[]> {
    return (await this.log()).map((entry) => {
      switch (entry.kind) {
        case "message":
          return `message ${entry.text}`;
        case "assistant":
          return `assistant ${[entry.text, ...entry.calls.map(({ name }) => `[${name}]`)].filter((part) => part !== "").join(" ")}`;
        case "edit":
          return `edit ${entry.text}`;
        case "reading":
          return `reading ${entry.failure ?? entry.text}`;
        case "tool":
          return `tool ${entry.name} ${entry.failure ?? "done"}`;
        case "end":
          return `end ${entry.reason}`;
        case "reset":
          return "reset";
        case "compaction":
          return `compaction ${entry.strategy}`;
        case "undo":
          return "undo";
        default:
          return entry satisfies never;
      }
    });
  }

  async state(): Promise<TurnState | undefined> {
    const json = await this.parts.store.redis.hget(chatKeys(this.chat).state, "state");
    return json === null || json === "open" ? undefined : turnStateSchema.parse(JSON.parse(json));
  }

  hash(field: string): Promise<string | null> {
    return this.parts.store.redis.hget(chatKeys(this.chat).state, field);
  }

  /** What cards have asked for, oldest first, with what became of it. */
  async asked(): Promise<ApprovalView[]> {
    const ids = (await this.outbox()).flatMap((entry) => {
      if (entry.kind === "card") return [entry.card.approvalId];
      return entry.kind === "cards" ? entry.approvals : [];
    });
    return Promise.all(
      ids.map(async (id) => {
        const view = await this.parts.approvals.find(id);
        if (view === undefined) throw new Error(`no approval ${id}`);
        return view;
      }),
    );
  }

  async statuses(): Promise<ApprovalStatus[]> {
    return (await this.asked()).map(({ status }) => status);
  }

  async decide(
    index: number,
    status: "approved" | "denied" | "expired",
    reason?: string,
    by: Person = ann,
  ) {
    const view = (await this.asked())[index];
    if (view === undefined) throw new Error(`no card ${index}`);
    const told = (text: string): OutboxEntry =>
      outcomeEntry(view.approval, { id: `decided-${view.approval.id}`, text });
    return this.parts.approvals.decide(view, {
      status,
      decidedBy: by.name,
      decidedById: by.id,
      ...(reason === undefined ? {} : { reason }),
      told: told(status),
      toldExpired: told("expired"),
    });
  }

  /** As ingress does it for a person who writes other arguments. */
  async change(index: number, given: object, by: Person = ann) {
    const view = (await this.asked())[index];
    if (view === undefined) throw new Error(`no card ${index}`);
    const { approval } = view;
    const told = (text: string): OutboxEntry =>
      outcomeEntry(approval, { id: `decided-${approval.id}`, text });
    return this.parts.approvals.decide(view, {
      status: "changed",
      decidedBy: by.name,
      decidedById: by.id,
      edit: { v: 1, arguments: JSON.stringify(given), by },
      told: told("changed"),
      toldExpired: told("expired"),
    });
  }

  /** Nothing is open, no one owns it, and the next request needs no repair. */
  async expectAtRest(): Promise<void> {
    expect(await this.state()).toBeUndefined();
    expect(await this.hash("owner")).toBeNull();
    const { inbox, calls } = chatKeys(this.chat);
    expect(await this.parts.store.redis.llen(inbox)).toBe(0);
    expect(await this.parts.store.redis.exists(calls)).toBe(0);
    expect(await this.repairs()).toEqual([]);
    expect(this.parts.server.violations).toEqual([]);
    expect(this.parts.stops.size).toBe(0);
  }

  /** What the request of the next message would have to repair. */
  async repairs(): Promise<readonly string[]> {
    const next: LogEntry = {
      kind: "message",
      v: 1,
      id: "next",
      person: ann,
      text: "next",
      atMs: 0,
    };
    const view = buildRequestView({
      transcript: [...(await this.log()), next],
      viewStart: 0,
      card: { id: "openai/gpt-4o-mini", tools: true, thinking: false },
      context: [],
      tool: (name) => this.deps.toolbox.find(name),
      keepTurns: 10,
    });
    return view.diagnostics.filter((each) => each.startsWith("repair: "));
  }

  /** Log lines of a level and above, as one text. */
  logged(from: "debug" | "info" | "warn" | "error"): string {
    const level = { debug: 20, info: 30, warn: 40, error: 50 }[from];
    return this.parts.lines
      .filter((line) => Number(line["level"]) >= level)
      .map((line) => JSON.stringify(line))
      .join("\n");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.parts.processes[Symbol.dispose]();
    await this.parts.server[Symbol.asyncDispose]();
    this.parts.store.redis.disconnect();
  }
}

export interface Counts {
  begin: number;
  commit: number;
  release: number;
}

/** The same store, and how often each of its scripts ran. */
export function counted(store: TurnStore): {
  store: TurnStore;
  counts: Counts;
} {
  const counts: Counts = { begin: 0, commit: 0, release: 0 };
  return {
    counts,
    store: {
      ...store,
      begin(chat) {
        counts.begin += 1;
        return store.begin(chat);
      },
      commit(session, revision, commit) {
        counts.commit += 1;
        return store.commit(session, revision, commit);
      },
      release(session) {
        counts.release += 1;
        return store.release(session);
      },
    },
  };
}

/** Waits until something holds; never for a time. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what = "the condition",
): Promise<void> {
  const endMs = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > endMs) throw new Error(`waited in vain for ${what}`);
    // A timer, not setImmediate: a loop that never sleeps takes a core from what it waits for.
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Begins a chat as another worker does, as soon as no one owns it. */
export async function beginWhenFree(store: TurnStore, chat: ChatKey): Promise<BeginOutcome> {
  let outcome = await store.begin(chat);
  await until(async () => {
    if (outcome.type === "later") outcome = await store.begin(chat);
    return outcome.type !== "later";
  }, "the lease's end");
  return outcome;
}
