import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import { Access } from "../access/access.ts";
import { expireApproval } from "../access/decide-approval.ts";
import type { Settings } from "../config/settings.ts";
import { chatKey, parseChatKey, type ChatKey } from "../core/chat.ts";
import type { OutboxEntry } from "../core/outbox.ts";
import type { Leases } from "../core/ports.ts";
import { lockMs } from "../queue/names.ts";
import { createWaker, type QueueDepths, type Waker } from "../queue/waker.ts";
import { createApprovalStore, type ApprovalStore } from "../store/approvals.ts";
import { createBlobs, type Blobs } from "../store/blobs.ts";
import { createErasures, type Erasures } from "../store/erasures.ts";
import { createInbox, type Inbox } from "../store/inbox.ts";
import { createLeases } from "../store/leases.ts";
import { createOutboxStore, type OutboxStore } from "../store/outbox.ts";
import { createPeopleStore, type PeopleStore } from "../store/people.ts";
import type { Store } from "../store/redis.ts";

/** A lease ends with BullMQ's lock at the latest, and is renewed three times in that time. Milliseconds. */
export const leaseMs = lockMs;
export const heartbeatMs = leaseMs / 3;

/** What every role shares. */
export interface Services {
  readonly settings: Settings;
  readonly log: Logger;
  readonly store: Store;
  readonly inbox: Inbox;
  readonly outbox: OutboxStore;
  readonly people: PeopleStore;
  readonly access: Access;
  readonly approvals: ApprovalStore;
  readonly blobs: Blobs;
  readonly waker: Waker & QueueDepths;
  readonly leases: Leases;
  readonly erasures: Erasures;
  /** Puts news into a chat's outbox and wakes it. */
  readonly post: (chat: ChatKey, entry: OutboxEntry) => Promise<void>;
  /** Denies an approval whose time is over, and wakes its chat. */
  readonly expire: (approvalId: string) => Promise<void>;
}

export function createServices(
  settings: Settings,
  log: Logger,
  store: Store,
): Services {
  const inbox = createInbox(store, { whileBusy: settings.turn.whileBusy });
  const people = createPeopleStore(store);
  const approvals = createApprovalStore(store);
  const waker = createWaker({ connection: store.redis, log });
  return {
    settings,
    log,
    store,
    inbox,
    outbox: createOutboxStore(store, leaseMs),
    people,
    access: new Access(people, settings.access, () => performance.now()),
    approvals,
    blobs: createBlobs(store),
    waker,
    leases: createLeases(store),
    erasures: createErasures(store),
    async post(chat, entry) {
      await Promise.all([
        inbox.post(chat, entry),
        waker.wake("delivery", chat),
      ]);
    },
    async expire(approvalId) {
      const expired = await expireApproval(approvals, approvalId);
      if (expired === undefined) return;
      const chat = chatKey(parseChatKey(expired.chat));
      await Promise.all([
        waker.wake("turn", chat),
        waker.wake("delivery", chat),
      ]);
    },
  };
}
