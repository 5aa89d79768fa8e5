import { createHash } from "node:crypto";
import type { Logger } from "pino";
import { z } from "zod";
import {
  auditEntrySchema,
  type AuditAction,
  type AuditEntry,
  type AuditLog,
} from "../../core/audit.ts";
import { messageOf } from "../../core/errors.ts";
import { readLines } from "./audit-lines.ts";
import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { parseStored } from "../stored.ts";
import { unlessUnreadable } from "../unreadable.ts";

/** Each stream keeps its newest; a usual line takes 200 bytes. */
const maxLines = 100_000;
/** Digests of the last day's lines, so that none is written twice. */
const maxDigests = 20_000;
/** No fact is longer, in UTF-16 units, and no line has more of them. */
const maxTextLength = 300;
const maxDetails = 8;
/** Lines that are looked at for one answer in a chat. */
const maxLookedAt = 20_000;

/** One of the two lists. People in it add their names to those known, up to `maxNames` of both. */
interface Stream {
  readonly key: string;
  /** Digests of the last day. */
  readonly digests: string;
  readonly maxNames: number;
}

const streams: Readonly<Record<"acts" | "events", Stream>> = {
  /** Actions of authorised people. */
  acts: {
    key: configKey("audit-log"),
    digests: configKey("audit-log-ids"),
    maxNames: 20_000,
  },
  /**
   * Attempts that anyone can cause, and often: they must not displace the actions or their names.
   */
  events: {
    key: configKey("audit-events"),
    digests: configKey("audit-events-ids"),
    maxNames: 10_000,
  },
};
export const auditActsKey = streams.acts.key;
export const auditStreamKeys = Object.values(streams).map(({ key }) => key);

const streamOf = (action: AuditAction): Stream =>
  action === "attempt-denied" || action === "tool-executed" ? streams.events : streams.acts;

/**
 * People's names by id: the lines themselves hold no name, since they can't be changed by an
 * erasure.
 */
export const auditNamesKey = configKey("audit-names");

const lineSchema = auditEntrySchema.omit({ atMs: true, by: true }).extend({
  /**
   * Not only `auditActions`: during an upgrade newer processes write actions that this version
   * doesn't know.
   */
  action: z.string(),
  by: auditEntrySchema.shape.by.unwrap().pick({ id: true }).optional(),
});

/**
 * A line as it is read: names are today's, and absent where they are erased or were never known.
 */
export interface AuditRecord extends Omit<AuditEntry, "v" | "by" | "action"> {
  /** One of `auditActions`, or one of a newer version. */
  readonly action: string;
  /** Redis' own id: ms since the epoch and a number; they grow. */
  readonly id: string;
  readonly by?: { readonly id: string; readonly name?: string };
  /** The target's name, if it is a person. */
  readonly targetName?: string;
}

/** Lines that are looked for; all of it has to hold. */
export interface AuditFilter {
  /** The actor, or the person affected. */
  readonly personId?: string;
  readonly action?: AuditAction;
  /** Since then. Milliseconds since the epoch. */
  readonly fromMs?: number;
  /** The id of the newest line, or the last moment in milliseconds since the epoch. */
  readonly until?: string;
}

export interface AuditStore extends AuditLog {
  /**
   * The newest first, at most `count`. `isPart`: there was more to look at than is looked at for
   * one answer.
   */
  newest(
    filter: AuditFilter,
    count: number,
  ): Promise<{
    readonly records: readonly AuditRecord[];
    readonly isPart: boolean;
  }>;
  /** Everything since then (ms since the epoch), oldest first. */
  since(fromMs: number): AsyncGenerator<AuditRecord, void, undefined>;
}

export interface AuditOptions {
  /** Undefined: lines are kept until there are too many. */
  readonly retentionMs: number | undefined;
  /** Takes the secrets out of a text. */
  readonly redact: (text: string) => string;
  readonly log: Pick<Logger, "error" | "warn">;
}

export function createAudit(store: Store, options: AuditOptions): AuditStore {
  const { redis, clock } = store;
  // Expired lines remain until the next write; don't show them.
  const oldestMs = (): number => Math.max(0, clock.now() - (options.retentionMs ?? Infinity));
  return {
    write: (id, entry) => write(store, options, { id, entry }),
    async newest(filter, count) {
      const records: AuditRecord[] = [];
      const names = await redis.hgetall(auditNamesKey);
      let lookedAt = 0;
      const { until, fromMs = 0 } = filter;
      const wanted = {
        fromMs: Math.max(fromMs, oldestMs()),
        until,
        first: "newest",
      } as const;
      for await (const line of readLines(store, auditStreamKeys, wanted)) {
        if (records.length >= count) break;
        if (lookedAt >= maxLookedAt) return { records, isPart: true };
        lookedAt += 1;
        const record = await recordOf(options, line, names);
        if (record && matches(record, filter)) records.push(record);
      }
      return { records, isPart: false };
    },
    async *since(fromMs) {
      const names = await redis.hgetall(auditNamesKey);
      const lines = readLines(store, auditStreamKeys, {
        fromMs: Math.max(fromMs, oldestMs()),
        first: "oldest",
      });
      for await (const line of lines) {
        const record = await recordOf(options, line, names);
        if (record) yield record;
      }
    },
  };
}

async function write(
  store: Store,
  { retentionMs, redact, log }: AuditOptions,
  {
    id,
    entry,
  }: {
    readonly id: string;
    readonly entry: Omit<AuditEntry, "v" | "atMs">;
  },
): Promise<void> {
  try {
    const { action, by, chat, target, outcome, details } = entry;
    const short = (text: string): string => redact(text).slice(0, maxTextLength).toWellFormed();
    const line: z.infer<typeof lineSchema> = {
      v: 1,
      action,
      ...(by === undefined ? {} : { by: { id: by.id } }),
      ...(chat === undefined ? {} : { chat }),
      ...(target === undefined ? {} : { target: short(target) }),
      ...(outcome === undefined ? {} : { outcome: short(outcome) }),
      ...(details === undefined ? {} : { details: shortened(details, short) }),
    };
    const { key, digests, maxNames } = streamOf(action);
    await store.run(
      "audit",
      [key, digests, auditNamesKey],
      [
        digestOf([id, action, by?.id, chat, target]),
        JSON.stringify(line),
        maxLines,
        retentionMs ?? 0,
        by?.id ?? "",
        (by?.name ?? "").slice(0, 100).toWellFormed(),
        maxDigests,
        maxNames,
      ],
    );
  } catch (error) {
    log.error(
      { action: entry.action, by: entry.by?.id, error: messageOf(error) },
      "a line of the audit log could not be written",
    );
  }
}

const shortened = (
  details: Readonly<Record<string, string>>,
  short: (text: string) => string,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(details)
      .slice(0, maxDetails)
      .map(([name, value]) => [name, short(value)]),
  );

/** An event's id is unique in its chat only, and one event may bring several lines. */
const digestOf = (parts: readonly (string | undefined)[]): string =>
  createHash("sha256")
    .update(JSON.stringify(parts.map((part) => part ?? null)))
    .digest("base64url")
    .slice(0, 22);

/** Undefined: unreadable, or written by a newer version; logged. */
async function recordOf(
  { log }: AuditOptions,
  { id, json }: { readonly id: string; readonly json: string },
  names: Readonly<Record<string, string>>,
): Promise<AuditRecord | undefined> {
  const report = (what: string, error: unknown): void =>
    log.warn({ error: messageOf(error) }, `${what} was left out`);
  const line = await unlessUnreadable(report, `line ${id} of the audit`, () =>
    parseStored(lineSchema, "the audit log", json),
  );
  if (line === undefined) return undefined;
  const { v: _, by, ...rest } = line;
  // A target may have any name, even `constructor`.
  const nameOf = (personId: string | undefined): string | undefined =>
    personId !== undefined && Object.hasOwn(names, personId) ? names[personId] : undefined;
  const name = nameOf(by?.id);
  const targetName = nameOf(rest.target);
  return {
    id,
    atMs: Number(id.split("-", 1)[0]),
    ...rest,
    ...(by ? { by: { ...by, ...(name ? { name } : {}) } } : {}),
    ...(targetName ? { targetName } : {}),
  };
}

const matches = ({ action, by, target }: AuditRecord, filter: AuditFilter): boolean =>
  (filter.action === undefined || filter.action === action) &&
  (filter.personId === undefined || filter.personId === by?.id || filter.personId === target);
