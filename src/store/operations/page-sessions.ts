import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { chatKeySchema } from "../../core/chat.ts";
import { configKey } from "../keys.ts";
import type { Connection } from "../redis/connection.ts";
import { number, type Store } from "../redis/redis.ts";

/** How long a link can be used. Milliseconds. */
const codeTtlMs = 10 * 60_000;
/** A session ends after so long without a request, and after so long in any case. Milliseconds. */
const sessionIdleMs = 12 * 3_600_000;
const sessionMaxMs = 7 * 86_400_000;
/** Two readings of one end differ by less. Milliseconds. */
const marginMs = 5_000;

const personSchema = z.object({ id: z.string(), name: z.string() });
/** Stored under a code until it is used. */
const linkSchema = z.object({
  v: z.literal(1),
  person: personSchema,
  /** The direct chat in which they asked for the link. */
  chat: chatKeySchema,
});
type Link = Readonly<z.output<typeof linkSchema>>;
const sessionSchema = z.object({
  v: z.literal(1),
  person: personSchema,
  sinceMs: z.number(),
  /** Such as `Firefox (Linux)`; absent: unknown. */
  browser: z.string().optional(),
});
export type PageSession = Readonly<z.output<typeof sessionSchema>> & {
  /** The hash of its secret. */
  readonly id: string;
};

interface ListedSession extends PageSession {
  /** Of its last request; undefined: in its last twelve hours that isn't known. Milliseconds. */
  readonly usedMs: number | undefined;
}

/**
 * Who is logged in to the operator's page. A code becomes a session once; a session ends by its
 * time, by its person, or when the page finds that the person is no admin any more. Codes and
 * secrets are stored as their SHA-256 only.
 */
export interface PageSessions {
  /** @returns a code of 128 bits, for one use within ten minutes. */
  createCode(link: Omit<Link, "v">): Promise<string>;
  /**
   * Uses the code up. @returns the session, its secret, and the chat in which the link was sent;
   * undefined: no such code.
   */
  open(
    code: string,
    browser: string | undefined,
  ): Promise<
    | { readonly secret: string; readonly session: PageSession; readonly chat: Link["chat"] }
    | undefined
  >;
  /** Undefined: it has ended. Otherwise it is kept for twelve hours more. */
  use(secret: string): Promise<PageSession | undefined>;
  /** The same without keeping it. */
  read(id: string): Promise<PageSession | undefined>;
  /** A person's, the newest first. */
  list(personId: string): Promise<readonly ListedSession[]>;
  end(id: string): Promise<void>;
  /** Ends a person's sessions, and the links that they have not used yet. */
  endAll(personId: string): Promise<void>;
}

const codeKey = (code: string): string => configKey(`page-code:${hashOf(code)}`);
const sessionKey = (id: string): string => configKey(`page-session:${id}`);
/** Keys of a person's codes and sessions; some may have expired. */
const keysOf = (personId: string): string => configKey(`page-of:${personId}`);
const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("base64url");

export function createPageSessions(store: Store): PageSessions {
  const { redis, clock } = store;
  const leftMs = ({ sinceMs }: PageSession): number => sinceMs + sessionMaxMs - clock.now();
  const read: PageSessions["read"] = async (id) => {
    const session = parsed(id, await redis.get(sessionKey(id)));
    return session !== undefined && leftMs(session) > 0 ? session : undefined;
  };
  return {
    read,
    async createCode({ person: { id, name }, chat }) {
      const code = randomBytes(16).toString("base64url");
      const key = codeKey(code);
      const link: Link = { v: 1, person: { id, name }, chat };
      await redis
        .multi()
        .set(key, JSON.stringify(link), "PX", codeTtlMs)
        .sadd(keysOf(id), key)
        .pexpire(keysOf(id), sessionMaxMs)
        .exec();
      return code;
    },
    async open(code, browser) {
      const link = parseWith(linkSchema, await redis.get(codeKey(code)));
      if (link === undefined) return undefined;
      const secret = randomBytes(32).toString("base64url");
      const id = hashOf(secret);
      const { person, chat } = link;
      const session = {
        v: 1 as const,
        person,
        sinceMs: clock.now(),
        ...(browser === undefined ? {} : { browser }),
      };
      const isOpen = await store.run(
        "page-open",
        [codeKey(code), sessionKey(id), keysOf(person.id)],
        [JSON.stringify(session), sessionIdleMs, sessionMaxMs],
      );
      return number(isOpen) === 1 ? { secret, session: { ...session, id }, chat } : undefined;
    },
    async use(secret) {
      const session = await read(hashOf(secret));
      if (session === undefined) return undefined;
      await redis.pexpire(sessionKey(session.id), Math.min(sessionIdleMs, leftMs(session)));
      return session;
    },
    async list(personId) {
      const prefix = sessionKey("");
      const keys = (await redis.smembers(keysOf(personId))).filter((key) => key.startsWith(prefix));
      const sessions = await Promise.all(
        keys.map(async (key) => {
          const [session, idleMs] = await Promise.all([
            read(key.slice(prefix.length)),
            redis.pttl(key),
          ]);
          return session && { ...session, usedMs: usedMsOf(session, clock.now() + idleMs) };
        }),
      );
      return sessions
        .filter((session) => session !== undefined)
        .toSorted((one, other) => other.sinceMs - one.sinceMs);
    },
    async end(id) {
      await redis.del(sessionKey(id));
    },
    endAll: (personId) => erasePageSessions(redis, personId),
  };
}

/** Until there are none: one may be opened just now. */
export async function erasePageSessions(redis: Connection, personId: string): Promise<void> {
  for (;;) {
    const keys = await redis.smembers(keysOf(personId));
    if (keys.length === 0) return;
    await redis
      .multi()
      .del(...keys)
      .srem(keysOf(personId), ...keys)
      .exec();
  }
}

/** From when it would end if it weren't used any more. */
const usedMsOf = ({ sinceMs }: PageSession, endsMs: number): number | undefined =>
  endsMs < sinceMs + sessionMaxMs - marginMs ? endsMs - sessionIdleMs : undefined;

const parsed = (id: string, json: string | null): PageSession | undefined => {
  const session = parseWith(sessionSchema, json);
  return session && { ...session, id };
};

/** What can't be read is none. */
function parseWith<Value>(schema: z.ZodType<Value>, json: string | null): Value | undefined {
  try {
    return json === null ? undefined : schema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
