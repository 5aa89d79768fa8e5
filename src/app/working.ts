import { randomBytes } from "node:crypto";
import { performance } from "node:perf_hooks";
import { toolPolicy } from "../access/tool-policy.ts";
import { parseChatKey, type ChatKey } from "../core/chat.ts";
import type { LoopDeps } from "../loop/deps.ts";
import { openTurn } from "../loop/open-turn.ts";
import { runTurn } from "../loop/run-turn.ts";
import type { ModelChain } from "../models/chain.ts";
import { createDrainWorker } from "../queue/drain-worker.ts";
import { turnQueueName } from "../queue/names.ts";
import { createKeptResults } from "../store/kept-results.ts";
import { listenForStops } from "../store/stop-listener.ts";
import { createTurnStore } from "../store/turn-store.ts";
import { startTools, type Tools } from "./tools.ts";
import { heartbeatMs, leaseMs, type Services } from "./services.ts";

/** Turns that one process works on at the same time; nearly all of them wait for a model. */
const concurrency = 1_000;
/** Somebody else's message waits this long for a decision before it supersedes the open calls. */
const patienceMs = 2 * 60_000;

const ownSystemPrompt =
  "You are Parley, a helpful assistant in a chat. Answer in the language of the person, briefly unless asked for more. " +
  "Use tools when they help; some of them ask a person for approval first.";

/** Starts the worker's half: takes turns from the queue and works on them. Disposing gives running turns back. */
export async function startWorking(
  services: Services,
  model: ModelChain,
  signal: AbortSignal,
): Promise<AsyncDisposable> {
  const { store, waker, log } = services;
  await using parts = new AsyncDisposableStack();
  const subscriber = store.redis.duplicate();
  // Losing this connection only delays a stop until the next heartbeat; the main connection reports the trouble.
  subscriber.on("error", (error) =>
    log.debug({ error: error.message }, "subscriber trouble"),
  );
  const stops = parts.use(await listenForStops(subscriber));
  const tools = parts.use(await startTools(services, signal));
  const deps = loopDeps(services, { model, tools, onStop: stops.onStop });
  const worker = parts.use(
    createDrainWorker({
      connection: store.redis,
      queueName: turnQueueName,
      mailbox: "turn",
      concurrency,
      drain: (chat, signal) => runTurn(deps, chat, signal),
      waker,
      signal,
      log,
    }),
  );
  await worker.ready;
  return parts.move();
}

function loopDeps(
  { settings, store, waker, log }: Services,
  {
    model,
    tools,
    onStop,
  }: Pick<LoopDeps, "model" | "onStop"> & { readonly tools: Tools },
): LoopDeps {
  const { turn, approvals, persona, retention } = settings;
  return {
    store: createTurnStore({
      store,
      leaseMs,
      retentionMs: retention.historyMs ?? 10 * 365 * 86_400_000,
      openTurn,
    }),
    model,
    get toolbox() {
      return tools.toolbox();
    },
    kept: createKeptResults(store),
    toolPolicy: toolPolicy(settings.toolRules, approvals.approvers),
    policy: {
      maxModelCalls: turn.maxModelCalls,
      maxToolExecutions: turn.maxToolExecutions,
      deadlineMs: turn.deadlineMs ?? Number.MAX_SAFE_INTEGER,
      stopOn: turn.stopOn,
    },
    context: [persona.systemPrompt ?? ownSystemPrompt],
    approvalTtlMs: approvals.expiresAfterMs,
    patienceMs,
    heartbeatMs,
    draftIntervalMs,
    wakeDelivery: (chat) => waker.wake("delivery", chat),
    onStop,
    clock: { monotonic: () => performance.now(), wall: Date.now },
    newErrorId: () => randomBytes(4).toString("hex"),
    log,
  };
}

/** How often the growing text is written; a platform's own pace is kept where it is sent. */
const draftIntervalMs = (chat: ChatKey): number =>
  parseChatKey(chat).platform === "console" ? 80 : 1_000;
