import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";

/** How long a link can be used. Milliseconds. */
const codeTtlMs = 10 * 60_000;
/** A session ends after so long without a request, and after so long in any case. Milliseconds. */
const sessionIdleMs = 12 * 3_600_000;
const sessionMaxMs = 7 * 86_400_000;

const personSchema = z.object({ id: z.string(), name: z.string() });
const sessionSchema = z.object({
  v: z.literal(1),
  id: z.string(),
  person: personSchema,
  sinceMs: z.number(),
});
type PageSession = Readonly<z.output<typeof sessionSchema>>;

/** Who is logged in to the operator's page. Secrets are stored as their SHA-256 only. */
export interface PageSessions {
  /** @returns a code of 128 bits, for one use within `codeTtlMs`. */
  createCode(person: PageSession["person"]): Promise<string>;
  /** Uses the code up. @returns the new session and its secret; undefined: no such code. */
  open(
    code: string,
  ): Promise<{ readonly secret: string; readonly session: PageSession } | undefined>;
  /** Undefined: no such session, or it has ended. Otherwise it is kept for `sessionIdleMs` more. */
  read(secret: string): Promise<PageSession | undefined>;
  end(secret: string): Promise<void>;
}

const codeKey = (code: string): string => configKey(`page-code:${hashOf(code)}`);
const sessionKey = (secret: string): string => configKey(`page-session:${hashOf(secret)}`);
const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("base64url");

export function createPageSessions({ redis, clock }: Store): PageSessions {
  return {
    async createCode(person) {
      const code = randomBytes(16).toString("base64url");
      await redis.set(codeKey(code), JSON.stringify(person), "PX", codeTtlMs);
      return code;
    },
    async open(code) {
      const json = await redis.getdel(codeKey(code));
      if (json === null) return undefined;
      const secret = randomBytes(32).toString("base64url");
      const session: PageSession = {
        v: 1,
        id: randomBytes(9).toString("base64url"),
        person: personSchema.parse(JSON.parse(json)),
        sinceMs: clock.now(),
      };
      await redis.set(sessionKey(secret), JSON.stringify(session), "PX", sessionIdleMs);
      return { secret, session };
    },
    async read(secret) {
      const key = sessionKey(secret);
      const json = await redis.get(key);
      if (json === null) return undefined;
      const session = sessionSchema.parse(JSON.parse(json));
      const leftMs = session.sinceMs + sessionMaxMs - clock.now();
      if (leftMs <= 0) return undefined;
      await redis.pexpire(key, Math.min(sessionIdleMs, leftMs));
      return session;
    },
    async end(secret) {
      await redis.del(sessionKey(secret));
    },
  };
}
