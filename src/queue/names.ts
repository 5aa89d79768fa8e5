/** BullMQ's keys are `parley:<queue>:…`; the braces keep the queue in one slot of a cluster. */
export const queuePrefix = "parley";

export const turnQueueName = "{turns}";

/**
 * BullMQ's lock and our leases, in ms: a dead worker's chat is free after at most this plus a
 * stalled check.
 */
export const lockMs = 6_000;
export const stalledIntervalMs = 1_000;
/** When a worker polls its queue again after an error, in ms. */
export const retryAfterErrorMs = 1_000;
