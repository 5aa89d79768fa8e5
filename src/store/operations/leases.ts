import { randomBytes } from "node:crypto";
import { performance } from "node:perf_hooks";
import { z } from "zod";
import type { HeldLease, Leases } from "../../core/ports.ts";
import { configKey } from "../keys.ts";
import { processPlace, processStart } from "./process-identity.ts";
import { list, number, text, type Store } from "../redis/redis.ts";

/**
 * How long the lease of a dead process remains, and so the longest wait of a standby. Milliseconds.
 */
const defaultLengthMs = 9_000;
/**
 * Giving a lease back must not hold up the end of a process whose Redis is away: it ends by itself.
 */
const releaseLimitMs = 1_000;

/** Leases over all processes of a deployment, by Redis' clock. */
export function createLeases(store: Pick<Store, "run">, lengthMs = defaultLengthMs): Leases {
  return {
    async take(name) {
      const token = randomBytes(12).toString("base64url");
      const self = await ownProcess();
      const call = async (what: "take" | "renew" | "release", dead = "") => {
        const [fence, owner, process] = list(
          await store.run(
            "lease",
            [configKey(`lease:${name}`)],
            [token, lengthMs, what, self, dead],
          ),
        );
        return { fence: number(fence), owner, process };
      };
      let askedAt = performance.now();
      let taken = await call("take");
      // Who died here need not be waited for.
      if (taken.fence === 0 && taken.owner && (await isDeadHere(text(taken.process))))
        taken = await call("take", text(taken.owner));
      const { fence } = taken;
      if (fence > 0 && performance.now() - askedAt > lengthMs / 2) {
        // The reply took time: count the remainder from a new request.
        askedAt = performance.now();
        const renewed = await call("renew");
        if (renewed.fence === 0) return undefined;
      }
      return fence === 0
        ? undefined
        : new RenewedLease({
            call: async (what) => (await call(what)).fence,
            fence,
            askedAt,
            lengthMs,
          });
    },
  };
}

/**
 * Place, id and start of this process: ids are used again, and mean something in one place only.
 */
let own: Promise<string> | undefined;
function ownProcess(): Promise<string> {
  own ??= Promise.all([processPlace(), processStart(process.pid)]).then(([place, start]) =>
    JSON.stringify([place, process.pid, start ?? null]),
  );
  return own;
}

const processSchema = z.tuple([z.string(), z.number(), z.string()]);

/** False if unknown: from another machine, or another version. */
async function isDeadHere(json: string): Promise<boolean> {
  let found: unknown;
  try {
    found = JSON.parse(json);
  } catch {
    return false;
  }
  const { success, data } = processSchema.safeParse(found);
  if (!success || data[0] !== (await processPlace())) return false;
  const [, pid, start] = data;
  if (hasExited(pid)) return true;
  // Unknown if the system doesn't allow reading it.
  const begun = await processStart(pid);
  return begun !== undefined && begun !== start;
}

function hasExited(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

interface Renewal {
  readonly call: (what: "renew" | "release") => Promise<number>;
  readonly fence: number;
  /** When the lease was asked for, by `performance.now()`. */
  readonly askedAt: number;
  readonly lengthMs: number;
}

/**
 * `held → lost` or `held → released`. It counts from when it was asked for, so that it is lost here
 * before Redis gives it to anybody else, also while Redis does not answer.
 */
class RenewedLease implements HeldLease {
  readonly fence: number;
  readonly #lost = new AbortController();
  readonly #renewal: Renewal;
  readonly #beat: NodeJS.Timeout;
  #end: NodeJS.Timeout | undefined;

  constructor(renewal: Renewal) {
    this.#renewal = renewal;
    this.fence = renewal.fence;
    this.#heldSince(renewal.askedAt);
    // Every failure is followed by another try, and by the loss in the end.
    this.#beat = setInterval(
      () => void this.#renew().catch(() => undefined),
      renewal.lengthMs / 3,
    ).unref();
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#beat);
    clearTimeout(this.#end);
    if (this.#lost.signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const limit = setTimeout(resolve, releaseLimitMs);
    // It expires if it can't be released.
    const released = this.#renewal.call("release").catch(() => undefined);
    await Promise.race([released, promise]);
    clearTimeout(limit);
  }

  async #renew(): Promise<void> {
    const askedAt = performance.now();
    const fence = await this.#renewal.call("renew");
    if (this.#lost.signal.aborted) {
      // It came too late for us, and must not keep others out.
      if (fence !== 0) await this.#renewal.call("release");
      return;
    }
    if (fence === 0) this.#lose();
    else this.#heldSince(askedAt);
  }

  #heldSince(askedAt: number): void {
    clearTimeout(this.#end);
    const leftMs = askedAt + this.#renewal.lengthMs - performance.now();
    this.#end = setTimeout(() => this.#lose(), Math.max(0, leftMs)).unref();
  }

  #lose(): void {
    clearInterval(this.#beat);
    clearTimeout(this.#end);
    this.#lost.abort();
  }
}

/** Whether some process holds a lease now. */
export async function isLeaseHeld(
  { redis, clock }: Pick<Store, "redis" | "clock">,
  name: string,
): Promise<boolean> {
  const [owner, until] = await redis.hmget(configKey(`lease:${name}`), "owner", "until");
  return Boolean(owner) && Number(until) > clock.now();
}
