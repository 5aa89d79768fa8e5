import pino from "pino";
import type { LogEntry, Usage } from "../../../src/core/history.ts";
import type { ModelCard, ModelOptions } from "../../../src/core/model.ts";
import type { CompactionObserver } from "../../../src/loop/compaction/ask-model.ts";
import type { CompactionOutcome } from "../../../src/loop/compaction/compactor.ts";
import { createCompactor } from "../../../src/loop/compaction/create-compactor.ts";
import type { CompactionRequest } from "../../../src/loop/compaction/request.ts";
import type { ContextSettings } from "../../../src/loop/compaction/settings.ts";
import type { LoopDeps } from "../../../src/loop/deps.ts";
import { runTurn } from "../../../src/loop/run-turn.ts";
import { createToolbox } from "../../../src/loop/tools/toolbox.ts";
import type { ModelChain } from "../../../src/models/chain.ts";
import { createModels } from "../../../src/models/create-models.ts";
import { OpenAiServer } from "../../emulators/model/openai-server.ts";
import type { ModelRequest } from "../../emulators/model/model-request.ts";
import { ScriptedModel } from "../../emulators/model/scripted-model.ts";
import { only, quietDeps } from "../scene.ts";
import { requestOf, settings, turnOf } from "./conversation.ts";

/** So many sentences, each with a number of its own; about 12 tokens a sentence. */
export const prose = (label: string, sentences: number): string =>
  Array.from(
    { length: sentences },
    (_, place) => `Of ${label} this is the sentence number ${place + 1}.`,
  ).join(" ");

/** Turns of about 240 tokens from 1 on, and the question of one more: `turns + 1` is open. */
export const longTalk = (turns: number, from = 1): LogEntry[] => [
  ...Array.from({ length: turns }, (_, place) =>
    turnOf(from + place, {
      question: prose(`question ${from + place}`, 6),
      answer: prose(`answer ${from + place}`, 14),
    }),
  ).flat(),
  ...turnOf(from + turns, { question: "And now?" }),
];

export interface WorkshopOptions {
  readonly strategy: ContextSettings["strategy"];
  /** Of the models that compact. */
  readonly card?: Partial<ModelCard>;
  /** Of the tier that compacts. */
  readonly options?: ModelOptions;
  readonly script?: ScriptedModel;
}

/** A compactor with a real client of an emulated model, and the real loop for its agent. */
export async function openWorkshop(options: WorkshopOptions) {
  const script = options.script ?? new ScriptedModel();
  const { card = {} } = options;
  const server = await OpenAiServer.start({
    model: script,
    models: [{ id: "gpt-4o-mini", ...card }],
  });
  const chain = chainOf(server, card, options.options);
  const lines: string[] = [];
  const used: { model: string; usage: Usage; estimated: boolean }[] = [];
  const asked: Parameters<NonNullable<CompactionObserver["onCall"]>>[0][] = [];
  const log = pino({ level: "debug" }, { write: (line) => lines.push(line) });
  const touched: string[] = [];
  const forbidden = (what: string) => (): never => {
    touched.push(what);
    throw new Error(`a compaction must not touch the chat: ${what}`);
  };
  const compactor = createCompactor({
    settings: { ...settings, strategy: options.strategy },
    chain: () => chain,
    agent: { runTurn, deps: () => deps },
    monotonic: () => performance.now(),
    log,
  });
  const deps: LoopDeps = {
    ...quietDeps,
    // The chat's own: whatever of it is touched has failed.
    store: {
      begin: forbidden("begin"),
      commit: forbidden("commit"),
      heartbeat: forbidden("heartbeat"),
      waiting: forbidden("waiting"),
      lookBack: forbidden("lookBack"),
      draft: forbidden("draft"),
      release: forbidden("release"),
      newApprovalId: forbidden("newApprovalId"),
      history: forbidden("history"),
      overwrite: forbidden("overwrite"),
      erase: forbidden("erase"),
    },
    models: { ...only(chain), chain: forbidden("another tier's models") },
    compactor,
    toolbox: createToolbox([]),
    watched: () => Promise.resolve(undefined),
    kept: { keep: forbidden("keep"), read: forbidden("read") },
    toolPolicy: forbidden("toolPolicy"),
    trace: { write: forbidden("trace") },
    audit: { write: forbidden("audit") },
    approvalTtlMs: 60_000,
    canReach: () => Promise.resolve(false),
    timeoutMs: 120_000,
    heartbeatMs: 60_000,
    draftIntervalMs: () => 1_000,
    wakeDelivery: forbidden("wakeDelivery"),
    onNews: forbidden("onNews"),
    clock: { monotonic: () => performance.now(), wall: Date.now },
    newErrorId: () => "error-id-1",
    redact: forbidden("redact"),
    noteError: forbidden("noteError"),
    modelWatch: { failed: forbidden("failed"), answered: () => undefined },
    logFileOnce: forbidden("logFileOnce"),
    log,
  };
  const compact = async (
    entries: readonly LogEntry[],
    more: Partial<CompactionRequest> = {},
    signal: AbortSignal = new AbortController().signal,
  ): Promise<CompactionOutcome | undefined> => {
    const job = await compactor.check(requestFor(entries, more));
    return (
      job &&
      (await compactor.compact(job, signal, {
        onUsage: (card, usage, how) => used.push({ model: card.id, usage, ...how }),
        onCall: (call) => asked.push(call),
      }))
    );
  };
  return {
    server,
    chain,
    script,
    compactor,
    deps,
    lines,
    used,
    asked,
    touched,
    compact,
    /** The record, where there must be one. */
    async record(entries: readonly LogEntry[], more: Partial<CompactionRequest> = {}) {
      const outcome = await compact(entries, more);
      if (outcome?.type !== "compacted")
        throw new Error(`expected a compaction, got ${outcome?.type}`);
      return outcome.entry;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/**
 * A request of the turn that the last message of a talk has opened, to a model with room for 4,000
 * tokens.
 */
export const requestFor = (
  entries: readonly LogEntry[],
  more: Partial<CompactionRequest> = {},
): CompactionRequest => {
  const last = entries.at(-1);
  const turn = last?.kind === "message" ? Number(last.id.slice(1)) : 0;
  const request = requestOf(entries, { turn, ...more });
  return {
    ...request,
    card: { ...request.card, contextWindow: 4_000, ...more.card },
  };
};

const chainOf = (
  server: OpenAiServer,
  card: Partial<ModelCard>,
  options: ModelOptions = {},
): ModelChain =>
  createModels(
    {
      providers: {
        openai: { type: "openai", baseUrl: server.baseUrl, apiKey: "sk-test" },
      },
      tiers: {
        compaction: {
          models: [{ provider: "openai", model: "gpt-4o-mini" }],
          options,
        },
        balanced: { models: [{ provider: "openai", model: "gpt-4o-mini" }] },
      },
      overrides: { "openai/gpt-4o-mini": { card } },
    },
    { sleep: () => Promise.resolve(), random: () => 0 },
  ).chain("compaction");

export const asksForSummary = ({ systemText }: ModelRequest): boolean =>
  systemText.includes("You shorten the earlier part");

export const asksToCondense = ({ systemText }: ModelRequest): boolean =>
  systemText.includes("You shorten a summary");
