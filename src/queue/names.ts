import { botOf, type ChatKey } from "../core/chat.ts";

/** BullMQ's keys are `parley:<queue>:…`; the braces keep one queue in one slot of a cluster. */
export const queuePrefix = "parley";

export const turnQueueName = "{turns}";

/** Deliveries of one bot: only a process that is connected as this bot can send them. */
export const deliveryQueueName = (bot: string): string =>
  `{deliveries-${bot.replaceAll(":", "-")}}`;

export const deliveryQueueOf = (chat: ChatKey): string =>
  deliveryQueueName(botOf(chat));

/** BullMQ's lock and our leases, in ms: a dead worker's chat is free after at most this plus a stalled check. */
export const lockMs = 6_000;
export const stalledIntervalMs = 1_000;
/** When a worker asks its queue again after trouble, in ms. */
export const retryAfterTroubleMs = 1_000;
