import { pino } from "pino";
import type { Card, Draft, OutboxEntry } from "../../src/core/outbox.ts";
import { cardOf } from "../../src/core/outbox.ts";
import type { Approval } from "../../src/core/approval.ts";
import type { ChatKey } from "../../src/core/chat.ts";
import { noMetrics } from "../../src/core/metrics.ts";
import type { Sender } from "../../src/core/ports.ts";
import { deliverChat } from "../../src/delivery/deliver-chat.ts";
import type { DeliveryDeps, DeliveryResult } from "../../src/delivery/deps.ts";
import type { Blobs } from "../../src/store/turns/blobs.ts";
import type { Connection } from "../../src/store/redis/connection.ts";
import { chatKeys } from "../../src/store/keys.ts";
import type { OutboxStore } from "../../src/store/turns/outbox.ts";

export const log = pino({ level: "silent" });

export const never = new AbortController().signal;

const noBlobs: DeliveryDeps["blobs"] = {
  get: () => Promise.resolve(undefined),
  remove: () => Promise.resolve(),
};

export const deliveryDeps = (
  outbox: OutboxStore,
  sender: Sender,
  more: Partial<DeliveryDeps> = {},
): DeliveryDeps => ({
  outbox,
  sender,
  // A test that delivers files says where from.
  blobs: noBlobs,
  // No test lasts as long.
  relay: () => Promise.resolve(),
  heartbeatMs: 1_000_000,
  now: Date.now,
  metrics: noMetrics,
  log,
  ...more,
});

/** Delivers as workers would, one job after the other, until nothing is due any more. */
export async function deliverAll(deps: DeliveryDeps, chat: ChatKey): Promise<DeliveryResult> {
  for (;;) {
    const result = await deliverChat(deps, chat, never);
    if (result.type !== "again") return result;
  }
}

export const answer = (
  id: string,
  text: string,
  note?: string,
): OutboxEntry & { kind: "message" } => ({
  kind: "message",
  v: 1,
  id,
  text,
  ...(note === undefined ? {} : { note }),
});

/** A file of the chat, whose bytes are stored. */
export const file = async (
  blobs: Blobs,
  chat: ChatKey,
  {
    id,
    content,
    ...more
  }: {
    readonly id: string;
    readonly content: string;
    readonly caption?: string;
    readonly name?: string;
    readonly replyTo?: string;
  },
): Promise<OutboxEntry & { kind: "file" }> => ({
  kind: "file",
  v: 1,
  id,
  blob: await blobs.put(chat, Buffer.from(content)),
  name: "a.md",
  mediaType: "text/markdown",
  ...more,
});

export const draftOf = (id: string, text: string, generation = 1): Draft => ({
  v: 1,
  id,
  text,
  generation,
});

export const card = (approval: Approval): OutboxEntry => ({
  kind: "card",
  v: 1,
  id: `card-${approval.id}`,
  card: cardOf(approval),
});

export const resolution = (
  of: string,
  text: string,
  more: { card?: Card; id?: string } = {},
): OutboxEntry => ({
  kind: "resolution",
  v: 1,
  id: more.id ?? `decided-${of}`,
  of,
  text,
  ...(more.card ? { card: more.card } : {}),
});

/** Writes the growing answer as a running turn would. */
export async function writeDraft(
  redis: Connection,
  chat: ChatKey,
  draft: Draft | undefined,
): Promise<void> {
  const key = chatKeys(chat).draft;
  if (draft === undefined) await redis.del(key);
  else await redis.set(key, `${draft.id} ${JSON.stringify(draft)}`);
}

/** The time that a platform asked to wait is over. */
export async function letTimePass(redis: Connection, chat: ChatKey): Promise<void> {
  await redis.hset(chatKeys(chat).state, "out:notBefore", 1);
}
