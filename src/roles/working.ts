import { performance } from "node:perf_hooks";
import { heldGrants } from "../approvals/held-grants.ts";
import { canReach } from "../access/notify-admins.ts";
import { BanCache } from "../access/ban-cache.ts";
import { toolPolicy } from "../approvals/tool-policy.ts";
import { parseChatKey, type ChatKey } from "../core/chat.ts";
import { messageOf } from "../core/errors.ts";
import { createFileReader } from "../files/create-file-reader.ts";
import type { LoopDeps } from "../loop/deps.ts";
import { openTurn } from "../loop/machine/open-turn.ts";
import { runTurn } from "../loop/run-turn.ts";
import { askAgainAfterMs } from "../loop/session/kept-turn.ts";
import { TurnStarts } from "../loop/session/turn-starts.ts";
import { createCompactor } from "../loop/compaction/create-compactor.ts";
import type { ModelCatalogue } from "../models/create-models.ts";
import { createTranscriber } from "../models/openai/transcribe.ts";
import type { SkillLibrary } from "../skills/skill-library.ts";
import { createTurnWorker } from "../queue/turn-worker.ts";
import { createSummaries } from "../store/memory/summaries.ts";
import { createFacts } from "../store/memory/facts.ts";
import { createPersonFacts } from "../store/memory/person-facts.ts";
import { PersonaCache } from "../store/personas/persona-cache.ts";
import { createPersonaStore } from "../store/personas/personas.ts";
import { createGrantStore } from "../store/approvals/grants.ts";
import { createKeptResults } from "../store/turns/kept-results.ts";
import { listenForStops } from "../store/turns/stop-listener.ts";
import { createTurnStore } from "../store/turns/turn-store.ts";
import { ChildProcesses } from "../tools/processes/child-processes.ts";
import type { TurnStore } from "../core/ports.ts";
import type { TraceSink } from "../core/trace.ts";
import { createTraces } from "../store/traces/traces.ts";
import { newErrorId } from "../logging/error-id.ts";
import { startSummaries } from "../jobs/summarise-chats.ts";
import { startFactTrim } from "../jobs/trim-facts.ts";
import { PauseWatch } from "../jobs/pause-watch.ts";
import { watchModels } from "../jobs/notify-outages.ts";
import { haltTurn, notifyPaused } from "../jobs/notify-paused.ts";
import { startSkills } from "./skills.ts";
import { startPersonaFiles } from "./persona-files.ts";
import { startTools, type Tools } from "./tools.ts";
import { retentionMsOf } from "../config/retention.ts";
import { heartbeatMs, leaseMs, type Services } from "../services.ts";
import { ownSystemPrompt, turnDefaults } from "./turn-defaults.ts";

/** Turns that one process works on at the same time; nearly all of them wait for a model. */
const concurrency = 1_000;
/**
 * How long another person's message waits for a decision before it supersedes
 * the open calls.
 */
const timeoutMs = 2 * 60_000;

/**
 * Starts the worker's half: takes turns from the queue and works on them. Disposing gives running
 * turns back.
 * @param options.say shows a line to the person who started Parley.
 */
export async function startWorking(
  services: Services,
  models: ModelCatalogue,
  options: {
    readonly signal: AbortSignal;
    readonly say: (line: string) => void;
    /** Undefined: the log is on the screen. */
    readonly logFile: string | undefined;
  },
): Promise<AsyncDisposable> {
  const { store, waker, log } = services;
  const { signal, say, logFile } = options;
  await using parts = new AsyncDisposableStack();
  // Losing this connection only delays a stop until the next heartbeat; the main connection reports
  // the error.
  const stops = parts.use(
    await listenForStops(store.redis, (error) => log.debug({ error }, "subscriber error")),
  );
  // Disposed after the worker: jobs continue during their grace period.
  const processes = parts.use(new ChildProcesses());
  const skills = parts.use(await startSkills(services, say));
  const tools = parts.use(await startTools({ ...services, processes }, signal));
  services.running.examineServer = tools.examineServer;
  const personas = createPersonaStore(store);
  parts.use(
    await startPersonaFiles({ ...services, store: personas }, () => ({
      tools: tools.names(),
      skills: skills.names,
      models: models.keys,
      servers: tools.unlisted(),
    })),
  );
  const { tracing } = services;
  const stored = startTraces(services, parts);
  const trace = tracing ? tracing.turns.sink(stored) : stored;
  const { onStop: onNews } = stops;
  const pauses = parts.use(watchPauses(services));
  const modelWatch = parts.use(watchModels(services));
  const deps = loopDeps(services, {
    models,
    tools,
    skills,
    processes,
    onNews,
    trace,
    pauses,
    personas: cachePersonas(services),
    modelWatch,
    logFile,
  });
  const worker = parts.use(
    createTurnWorker({
      connection: store.redis,
      concurrency,
      drain: (chat, signal) => pauses.drain(chat, () => runTurn(deps, chat, signal)),
      waker,
      signal,
      log,
    }),
  );
  const { memoryMs } = services.settings.retention;
  if (memoryMs !== undefined) parts.use(startFactTrim({ store, log, retentionMs: memoryMs }));
  if (services.settings.memory.summaries)
    parts.use(
      startSummaries({
        ...services,
        summaries: createSummaries(store, memoryMs),
        chain: () => models.chain("compaction"),
        clock: deps.clock,
      }),
    );
  await worker.ready;
  return parts.move();
}

function loopDeps(
  services: Services,
  parts: Pick<LoopDeps, "models" | "onNews" | "trace" | "personas" | "modelWatch"> & {
    readonly tools: Tools;
    readonly skills: Pick<SkillLibrary, "offered">;
    readonly processes: ChildProcesses;
    readonly pauses: PauseWatch;
    readonly logFile: string | undefined;
  },
): LoopDeps {
  const { settings, store, people, access, waker, blobs, audit, budget, metrics } = services;
  const { tracing, errors, redact, log } = services;
  const { models, tools, skills, processes, onNews, trace, pauses, personas, modelWatch } = parts;
  let { logFile } = parts;
  const { approvals, context } = settings;
  const { policy, tierPolicies, downgrade, ...defaults } = turnDefaults(settings);
  const deps: LoopDeps = {
    store: turnStoreOf(services, pauses),
    models,
    get toolbox() {
      return tools.toolbox();
    },
    skills: () => skills.offered,
    kept: createKeptResults(store),
    grants: heldGrants(createGrantStore(store), access),
    blobs,
    reader: createFileReader({
      processes,
      transcribe: settings.transcription && createTranscriber(settings.transcription),
      log,
    }),
    watched: (chat, id) => services.schedules.digest(chat, id),
    toolPolicy: toolPolicy(settings.toolRules, approvals),
    policy,
    tierPolicies,
    banCache: new BanCache(people, access, () => performance.now()),
    turnStarts: new TurnStarts(),
    budget,
    downgrade,
    defaults,
    systemPrompt: settings.persona.systemPrompt ?? ownSystemPrompt,
    personas,
    personFacts: createPersonFacts(store, {
      facts: createFacts(store, settings.retention.memoryMs),
      now: () => performance.now(),
    }),
    showsSummaries: settings.memory.summaries,
    recall: settings.memory.recall === "auto" ? services.memory.recall : undefined,
    context,
    compactor: createCompactor({
      settings: context,
      chain: () => models.chain("compaction"),
      agent: { runTurn, deps: () => deps },
      monotonic: () => performance.now(),
      log,
    }),
    trace,
    metrics,
    onEvent: tracing && ((chat, event) => tracing.turns.onEvent(chat, event)),
    audit,
    approvalTtlMs: approvals.expiresAfterMs,
    canReach: (approvers) => canReach(services, approvers),
    callsPerCard,
    timeoutMs,
    askAgainAfterMs,
    heartbeatMs,
    draftIntervalMs,
    wakeDelivery: (chat) => waker.wakeHere("delivery", chat),
    onNews,
    clock: { monotonic: () => performance.now(), wall: () => store.clock.now() },
    newErrorId,
    redact,
    noteError: (report) => void errors.note(report),
    modelWatch,
    logFileOnce() {
      const file = logFile;
      logFile = undefined;
      return file;
    },
    log,
  };
  return deps;
}

function turnStoreOf(
  { processId, store, settings, tracing }: Services,
  pauses: PauseWatch,
): TurnStore {
  const turnStore = createTurnStore({
    processId,
    store,
    leaseMs,
    retentionMs: retentionMsOf(settings),
    isIndexed: settings.memory.recall !== "off",
    memoryMs: settings.retention.memoryMs,
    isSummarised: settings.memory.summaries,
    whileBusy: settings.turn.whileBusy,
    hold: (chat) => pauses.hold(chat),
    openTurn,
  });
  return tracing ? tracing.turns.store(turnStore) : turnStore;
}
/** What turns know of personas. */
const cachePersonas = ({ store, settings, log }: Services): PersonaCache =>
  new PersonaCache(createPersonaStore(store), {
    usual: settings.personas.usual,
    now: () => performance.now(),
    report: (what, error) => log.warn({ what, error: messageOf(error) }, "a persona can't be read"),
  });

const watchPauses = (services: Services): PauseWatch =>
  new PauseWatch({
    pauses: services.pauses,
    wake: (chat) => services.waker.wake("turn", chat),
    notify: (chat, pause) => notifyPaused(services, chat, pause),
    halt: (chat, pause) => haltTurn(services, chat, pause),
    monotonic: () => performance.now(),
    log: services.log,
  });

/**
 * Keeps what models are asked and answered, unless that is switched off; written out when it is
 * disposed of.
 */
function startTraces(
  { settings, store, redact, log }: Services,
  parts: AsyncDisposableStack,
): TraceSink | undefined {
  const { tracesMs } = settings.retention;
  if (tracesMs === undefined) return undefined;
  const traces = createTraces({
    store,
    ttlMs: tracesMs,
    redact,
    log,
  });
  parts.defer(() => traces.flush());
  return traces;
}

/** In a terminal each call is a separate question, answered with a key. */
const callsPerCard = (chat: ChatKey): number => (parseChatKey(chat).platform === "console" ? 1 : 8);

/** How often the growing text is written; a platform's own pace is kept where it is sent. */
const draftIntervalMs = (chat: ChatKey): number =>
  parseChatKey(chat).platform === "console" ? 80 : 1_000;
