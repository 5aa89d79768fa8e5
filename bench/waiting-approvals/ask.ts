import { noFacts } from "../../src/core/facts.ts";
import { performance } from "node:perf_hooks";
import pino from "pino";
import { parseChatKey } from "../../src/core/chat.ts";
import type { ModelCard } from "../../src/core/model.ts";
import { noMetrics } from "../../src/core/metrics.ts";
import type { Sender, SendOutcome } from "../../src/core/ports.ts";
import { deliverChat } from "../../src/delivery/deliver-chat.ts";
import type { DeliveryDeps } from "../../src/delivery/deps.ts";
import type { LoopDeps } from "../../src/loop/deps.ts";
import { openTurn } from "../../src/loop/machine/open-turn.ts";
import { unlimited } from "../../src/loop/model/payment.ts";
import { startAtOnce } from "../../src/loop/session/turn-starts.ts";
import { runTurn } from "../../src/loop/run-turn.ts";
import { createToolbox } from "../../src/loop/tools/toolbox.ts";
import type { ModelChain } from "../../src/models/chain.ts";
import type { ModelCatalogue } from "../../src/models/create-models.ts";
import { createBlobs } from "../../src/store/turns/blobs.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { createKeptResults } from "../../src/store/turns/kept-results.ts";
import { createNotes } from "../../src/store/turns/notes.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import type { Store } from "../../src/store/redis/redis.ts";
import { createTurnStore } from "../../src/store/turns/turn-store.ts";
import { notesTools } from "../../src/tools/notes.ts";
import { idleChat } from "../idle-chats/leave-chats.ts";
import { inEveryChat } from "../support/in-every-chat.ts";

/** As the product has them by default, in ms. */
const leaseMs = 6_000;
const heartbeatMs = 2_000;
const dayMs = 86_400_000;
const retentionMs = 90 * dayMs;
const approvalTtlMs = dayMs;

const question =
  "Please note that the plumber comes on Thursday at nine, and that somebody has to let him into the cellar.";
const note = "The plumber comes on Thursday at 9:00; somebody has to let him into the cellar.";

export interface Asking {
  readonly chats: number;
  /** The number of the first of them; 0 without it. */
  readonly first?: number;
  /** Calls that wait in each; 0: the model answers in words, and the chat is idle. */
  readonly perChat: number;
  readonly say: (line: string) => void;
}

/**
 * Leaves approvals waiting in chats of their own, each as after a message, the model's answer with
 * its calls, and the delivery of its cards: by the loop, the store and the delivery of the product.
 * Model and platform are functions, and no one is woken. `say` hears of every tenth.
 */
export async function leaveWaiting(
  store: Store,
  { chats, first = 0, perChat, say }: Asking,
): Promise<void> {
  const ask = asker(store, perChat);
  await inEveryChat({ chats, say }, (index) => ask(first + index));
}

/** Makes the chat with a number wait. */
function asker(store: Store, perChat: number): (index: number) => Promise<void> {
  const inbox = createInbox(store);
  const loop = loopDeps(store, perChat);
  const delivery: DeliveryDeps = {
    outbox: createOutboxStore(store, leaseMs),
    sender: numbering(),
    blobs: createBlobs(store),
    relay: () => Promise.resolve(),
    heartbeatMs,
    now: Date.now,
    metrics: noMetrics,
    log,
  };
  const { signal } = new AbortController();
  return async (index) => {
    const chat = idleChat(index);
    await inbox.append(chat, {
      kind: "message",
      v: 1,
      id: `u${900_000_000 + index}`,
      messageId: "101",
      person: {
        id: `telegram:${parseChatKey(chat).chat}`,
        name: "Somebody",
      },
      text: question,
      atMs: Date.now(),
    });
    const turn = await runTurn(loop, chat, signal);
    const delivered = await deliverChat(delivery, chat, signal);
    if (turn.type !== "done" || delivered.type !== "done")
      throw new Error(`${chat}: ${turn.type}, ${delivered.type}`);
  };
}

const log = pino({ level: "silent" });

function loopDeps(store: Store, calls: number): LoopDeps {
  return {
    store: createTurnStore({ store, leaseMs, retentionMs, openTurn }),
    models: catalogueOf(asking(calls)),
    toolbox: createToolbox(notesTools(createNotes(store))),
    skills: () => [],
    kept: createKeptResults(store),
    blobs: createBlobs(store),
    reader: {
      read: () => Promise.resolve({ type: "unreadable", why: "unknown" }),
    },
    toolPolicy: (_tool, declared) =>
      declared === "confirm"
        ? { type: "confirm", approvers: "requester-or-admins" }
        : { type: "run" },
    policy: {
      maxModelCalls: 20,
      maxToolExecutions: 80,
      deadlineMs: 900_000,
      stopOn: {
        toolFailure: false,
        confirmationDenied: true,
        policyDenied: false,
      },
      loop: { sameCall: 3, sameTool: 5, hints: 5 },
    },
    tierPolicies: {},
    defaults: { whileBusy: "followup", tools: "full", thinking: false },
    watched: () => Promise.resolve(undefined),
    recall: undefined,
    personas: undefined,
    personFacts: noFacts,
    showsSummaries: true,
    systemPrompt: "You are Parley.",
    context: {
      compactAt: 0.7,
      compactTo: 0.4,
      keepTurns: 10,
      protectPairs: 5,
      strategy: "summarise",
    },
    compactor: {
      check: () => Promise.resolve(undefined),
      compact: () => Promise.reject(new Error("nothing is this long")),
    },
    budget: unlimited,
    downgrade: false,
    audit: { write: () => Promise.resolve() },
    grants: { of: () => Promise.resolve([]) },
    trace: undefined,
    metrics: noMetrics,
    onEvent: undefined,
    banCache: { refresh: () => Promise.resolve(), has: () => false },
    turnStarts: startAtOnce,
    callsPerCard: () => 8,
    approvalTtlMs,
    canReach: () => Promise.resolve(false),
    askAgainAfterMs: [],
    timeoutMs: 120_000,
    heartbeatMs,
    draftIntervalMs: () => dayMs,
    wakeDelivery: () => Promise.resolve(),
    onNews: () => ({ [Symbol.dispose]: () => undefined }),
    clock: { monotonic: () => performance.now(), wall: Date.now },
    newErrorId: () => "none",
    redact: (text) => text,
    noteError: () => undefined,
    modelWatch: { failed: () => Promise.resolve(false), answered: () => undefined },
    logFileOnce: () => undefined,
    log,
  };
}

/** A model that asks for so many notes, whatever it is told. */
function asking(calls: number): ModelChain {
  const card: ModelCard = {
    id: "openai/gpt-5-mini",
    tools: true,
    vision: false,
    thinking: false,
    toolChoiceNone: true,
    streaming: true,
    jsonMode: true,
    embeddings: false,
    settableTemperature: true,
    settableKeepAlive: true,
    settableContext: true,
    contextWindow: 400_000,
  };
  return {
    card,
    cards: [card],
    stream(_request, _signal, observer) {
      observer.onModel?.(card);
      for (let index = 0; index < calls; index += 1)
        observer.onEvent({
          type: "tool-call",
          id: `call_Xl3TzYWz6uVbq8NDlW4f0s${index}`,
          name: "write_note",
          arguments: JSON.stringify({ note }),
        });
      if (calls === 0) observer.onEvent({ type: "text-delta", text: note });
      const usage = { inputTokens: 350, outputTokens: 40 };
      observer.onEvent({ type: "usage", usage });
      observer.onUsage?.(card, usage);
      observer.onEvent({
        type: "finish",
        reason: calls === 0 ? "stop" : "tool-calls",
      });
      return Promise.resolve();
    },
  };
}

const catalogueOf = (chain: ModelChain): ModelCatalogue => ({
  chain: () => chain,
  keys: [chain.card.id],
  knows: (key) => key === chain.card.id,
  tiers: ["balanced"],
  aliases: new Map(),
});

const chunks = (text: string) => [{ text }];

/** A platform on which everything arrives at once. */
function numbering(): Sender {
  let messages = 101;
  const sent = (): Promise<SendOutcome> => {
    messages += 1;
    return Promise.resolve({ type: "sent", messageId: String(messages) });
  };
  return {
    platform: "telegram",
    deduplicates: false,
    editIntervalMs: () => 1_000,
    render: (text) => Promise.resolve(chunks(text)),
    plain: chunks,
    send: sent,
    sendFile: sent,
    edit: sent,
    typing: () => Promise.resolve(),
  };
}
