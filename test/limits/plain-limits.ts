import pino from "pino";
import { createLimits, type Limits } from "../../src/limits/create-limits.ts";
import { createConnectedBots } from "../../src/store/operations/connected-bots.ts";
import { createPeopleStore } from "../../src/store/people/people.ts";
import type { Store } from "../../src/store/redis/redis.ts";

/**
 * The limits of a process that no one has set any for: everybody is a member, and there is no admin
 * to tell.
 */
export const plainLimits = (
  store: Store,
  more: Partial<Parameters<typeof createLimits>[0]> = {},
): Limits =>
  createLimits({
    store,
    file: [],
    roleOf: () => Promise.resolve("member"),
    access: {
      admins: () => Promise.resolve([]),
      profileOf: () => Promise.resolve({ role: "member", preference: {} }),
    },
    people: createPeopleStore(store),
    connectedBots: createConnectedBots(store),
    post: () => Promise.resolve(),
    now: Date.now,
    monotonic: () => performance.now(),
    log: pino({ level: "silent" }),
    ...more,
  });
