import type { Logger } from "pino";
import { backoffMs, equalJitter } from "../../util/backoff.ts";
import { sleepUnref } from "../../util/sleep.ts";
import type { Store } from "./redis.ts";
import { describeRefusal, isPassingRefusal } from "./refusals.ts";

const backoff = { firstMs: 100, maxMs: 1_000 };

/** Hears of refusals: of the first, and of the first success after it. */
export interface RefusalListener {
  refused(error: unknown): void;
  over(): void;
}

/**
 * Repeats what the server refuses for now, as commands also wait for a lost connection: an accepted
 * message must not be lost to a failover, nor a turn to a full disk. Callers that must answer in
 * time put their own limit around. Fulfils or rejects as the first attempt does that was not
 * refused so.
 */
export function retryRefused<Result>(
  attempt: () => Promise<Result>,
  listener?: RefusalListener,
): Promise<Result> {
  // Every command passes here, and hardly one is refused.
  return attempt().catch((error: unknown) => retry(attempt, error, listener));
}

async function retry<Result>(
  attempt: () => Promise<Result>,
  refusal: unknown,
  listener: RefusalListener | undefined,
): Promise<Result> {
  let last = refusal;
  for (let failures = 1; ; failures += 1) {
    if (!isPassingRefusal(last)) throw last;
    listener?.refused(last);
    await sleepUnref(equalJitter(backoffMs(failures, backoff), Math.random()));
    try {
      const result = await attempt();
      listener?.over();
      return result;
    } catch (error) {
      last = error;
    }
  }
}

/**
 * Reports one refusal per outage, regardless of which command meets it, and the
 * end of the outage.
 */
function oncePerOutage(listener: RefusalListener): RefusalListener {
  let isOutage = false;
  return {
    refused(error) {
      if (isOutage) return;
      isOutage = true;
      listener.refused(error);
    },
    over() {
      if (!isOutage) return;
      isOutage = false;
      listener.over();
    },
  };
}

/** The same store, whose scripts retry transient refusals; logs each outage once. */
export function retryingStore(store: Store, log: Pick<Logger, "warn" | "info">): Store {
  const listener = oncePerOutage({
    refused: (error) => log.warn(`${describeRefusal(error)} Trying again.`),
    over: () => log.info("Redis takes writes again"),
  });
  return {
    ...store,
    run: (name, keys, values) => retryRefused(() => store.run(name, keys, values), listener),
  };
}
