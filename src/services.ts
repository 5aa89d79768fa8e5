import { randomBytes } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import { Access } from "./access/access.ts";
import { createLimits, type Limits } from "./limits/create-limits.ts";
import { createTextPayment } from "./limits/pay-for-embeddings.ts";
import { expireApproval } from "./approvals/expire-approval.ts";
import type { Settings } from "./config/settings.ts";
import type { unreached } from "./core/approval.ts";
import { chatKey, parseChatKey, type ChatKey } from "./core/chat.ts";
import type { Budget } from "./core/limits.ts";
import type { Metrics } from "./core/metrics.ts";
import type { OutboxEntry } from "./core/outbox.ts";
import type { Leases } from "./core/ports.ts";
import { lockMs } from "./queue/names.ts";
import { createMemory, type Memory, type MeaningDeps } from "./memory/memory.ts";
import { createWaker, type QueueDepths, type Waker } from "./queue/waker.ts";
import { createApprovalStore, type ApprovalStore } from "./store/approvals/approvals.ts";
import { createAudit, type AuditStore } from "./store/operations/audit.ts";
import { createBlobs, type Blobs } from "./store/turns/blobs.ts";
import { createBroadcasts, type Broadcasts } from "./store/operations/broadcasts.ts";
import { createChatCount, type ChatCount } from "./store/turns/chat-count.ts";
import { createDeadChats, type DeadChats } from "./store/turns/dead-chats.ts";
import { createConnectedBots, type ConnectedBots } from "./store/operations/connected-bots.ts";
import { createErrorReports, type ErrorReports } from "./store/operations/error-reports.ts";
import { createErasures, type Erasures } from "./store/erasure/erasures.ts";
import { createEmbedder } from "./models/create-embedder.ts";
import { createVectorStore } from "./store/memory/vectors.ts";
import { createWindowStore } from "./store/memory/windows.ts";
import { createInbox, type Inbox } from "./store/turns/inbox.ts";
import { createLeases } from "./store/operations/leases.ts";
import { createRelayedCards, type RelayedCards } from "./store/approvals/relayed-cards.ts";
import { createOutboxStore, type OutboxStore } from "./store/turns/outbox.ts";
import { createPauses, type PauseStore } from "./store/operations/pauses.ts";
import { createPeopleStore, type PeopleStore } from "./store/people/people.ts";
import { minRetentionMs } from "./store/turns/commit-fields.ts";
import { createSchedules, type ScheduleStore } from "./store/turns/schedules.ts";
import { passwordOf } from "./store/redis/connection.ts";
import type { Store } from "./store/redis/redis.ts";
import { retentionMsOf } from "./config/retention.ts";
import { messageOf } from "./core/errors.ts";
import { limitRules } from "./config/limit-rules.ts";
import { createRedactor } from "./logging/redactor.ts";
import { secretsOf } from "./logging/secrets.ts";
import type { CheckedServer } from "./tools/mcp/check-server.ts";
import type { Tracing } from "./tracing/tracing.ts";

/**
 * A lease ends with BullMQ's lock at the latest, and is renewed three times in that time.
 * Milliseconds.
 */
export const leaseMs = lockMs;
export const heartbeatMs = leaseMs / 3;

/** Shared by all roles. */
export interface Services {
  /** Of this process, no other one's: names it in the list of processes and in the leases of turns. */
  readonly processId: string;
  readonly settings: Settings;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Removes the settings' secrets, and text that looks like one. */
  readonly redact: (text: string) => string;
  readonly store: Store;
  readonly inbox: Inbox;
  readonly outbox: OutboxStore;
  readonly people: PeopleStore;
  readonly access: Access;
  readonly approvals: ApprovalStore;
  readonly relayedCards: RelayedCards;
  /** The limits of people and chats; one cache for the whole process. */
  readonly limits: Limits;
  readonly budget: Budget;
  readonly audit: AuditStore;
  readonly errors: ErrorReports;
  readonly pauses: PauseStore;
  readonly broadcasts: Broadcasts;
  readonly chats: ChatCount;
  readonly connectedBots: ConnectedBots;
  readonly blobs: Blobs;
  readonly schedules: ScheduleStore;
  readonly deadChats: DeadChats;
  readonly memory: Memory;
  readonly waker: Waker & QueueDepths;
  readonly leases: Leases;
  readonly erasures: Erasures;
  /** Puts news into a chat's outbox and wakes it. */
  readonly post: (chat: ChatKey, entry: OutboxEntry) => Promise<void>;
  /** Denies an expired approval, or one that could be shown to no one, and wakes its chat. */
  readonly expire: (approvalId: string, reason?: typeof unreached) => Promise<void>;
  /** What this process runs itself, once it does. */
  readonly running: { examineServer?: (name: string) => Promise<CheckedServer> };
  /** Undefined: nothing is exported. */
  readonly tracing: Tracing | undefined;
}

export function createServices(
  settings: Settings,
  { log, metrics }: Pick<Services, "log" | "metrics">,
  store: Store,
): Services {
  const inbox = createInbox(store, { whileBusy: settings.turn.whileBusy });
  const people = createPeopleStore(store);
  const approvals = timed(createApprovalStore(store), { metrics, store });
  const waker = createWaker({ store, log });
  // Our own Redis' password is in no settings.
  const password = passwordOf(store.redis) ?? "";
  const redact = createRedactor([...secretsOf(settings), password]);
  const audit = createAudit(store, {
    retentionMs: settings.retention.auditMs,
    redact,
    log,
  });
  const access = new Access(people, settings.access, () => performance.now());
  const post: Services["post"] = async (chat, entry) => {
    await Promise.all([inbox.post(chat, entry), waker.wake("delivery", chat)]);
  };
  const connectedBots = createConnectedBots(store);
  const deadChats = createDeadChats(store, (chat) => metrics.chatDied(parseChatKey(chat).platform));
  // The sweeper finds one again and again.
  const reported = new Set<string>();
  const limits = createLimits({
    store,
    file: limitRules(settings),
    roleOf: ({ person, chat }) =>
      access.roleOf(person, { address: parseChatKey(chat), direct: false }),
    access,
    people,
    connectedBots,
    post,
    now: () => store.clock.now(),
    monotonic: () => performance.now(),
    log,
  });
  return {
    processId: randomBytes(6).toString("base64url"),
    settings,
    log,
    metrics,
    redact,
    store,
    inbox,
    outbox: createOutboxStore(store, leaseMs, deadChats),
    people,
    access,
    limits,
    budget: limits.budget,
    approvals,
    relayedCards: createRelayedCards(store),
    audit,
    errors: createErrorReports(store, { log }),
    pauses: createPauses(store),
    broadcasts: createBroadcasts(store),
    chats: createChatCount(store),
    connectedBots,
    blobs: createBlobs(store),
    deadChats,
    memory: createMemory({
      windows: createWindowStore(store, settings.retention.windowsMs),
      meaning: meaningOf({ settings, store, budget: limits.budget, log }),
      report: (chat, error) =>
        log.warn(
          { chat, error: messageOf(error) },
          "what a chat is searched by was damaged, and is made again",
        ),
    }),
    schedules: createSchedules(store, {
      retentionMs: Math.max(retentionMsOf(settings), minRetentionMs),
      report(what, error) {
        if (!reported.has(what))
          log.error({ what, error: messageOf(error) }, "a schedule can't be read");
        reported.add(what);
      },
    }),
    waker,
    leases: createLeases(store),
    erasures: createErasures(store),
    post,
    running: {},
    tracing: undefined,
    async expire(approvalId, reason) {
      const expired = await expireApproval({ approvals, audit }, approvalId, reason);
      if (expired === undefined) return;
      const chat = chatKey(parseChatKey(expired.chat));
      await Promise.all([waker.wake("turn", chat), waker.wake("delivery", chat)]);
    },
  };
}

/** Undefined: no model makes embeddings. */
function meaningOf({
  settings,
  store,
  budget,
  log,
}: Pick<Services, "settings" | "store" | "budget" | "log">): MeaningDeps | undefined {
  const { embeddings } = settings.memory;
  if (embeddings === undefined) return undefined;
  const embedder = createEmbedder(embeddings);
  const { card } = settings.models.overrides[embedder.model] ?? {};
  return {
    embedder,
    vectors: createVectorStore(store),
    pay: createTextPayment({
      budget,
      model: embedder.model,
      usdPerMillionTokens: card?.usdPerMillionTokens?.input,
      report: (cause) => log.warn({ cause }, "embeddings could not be charged"),
    }),
    monotonic: () => performance.now(),
    report: (cause) =>
      log.warn({ cause }, "embeddings can't be made: for a minute, keywords alone are searched"),
  };
}

/** Also counts how long people had to be waited for. */
const timed = (
  approvals: ApprovalStore,
  { metrics, store }: Pick<Services, "metrics" | "store">,
): ApprovalStore => ({
  ...approvals,
  async decide(view, decision) {
    const decided = await approvals.decide(view, decision);
    const { askedAtMs } = view.approval;
    if (decided.type === "decided" && askedAtMs !== undefined)
      metrics.approvalDecided(store.clock.now() - askedAtMs);
    return decided;
  },
});
