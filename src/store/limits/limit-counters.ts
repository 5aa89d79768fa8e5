import { RetryableError } from "../../core/errors.ts";
import { spansAt } from "../../core/limit-windows.ts";
import {
  counters,
  windows,
  type Cap,
  type Counter,
  type Usage,
  type Window,
} from "../../core/limits.ts";
import type { Spending } from "../../core/turn.ts";
import { limitsKey } from "../keys.ts";
import {
  capFields,
  isWindowed,
  nanosPerUsd,
  settlementOf,
  takeOf,
  usageAt,
  type Counted,
  type Settlement,
  type Take,
} from "./limit-replies.ts";
import { rulesVersionKey } from "./limit-rules.ts";
import { spentEntries, spentPrefix } from "./spent.ts";
import { list, number, text, type Reply, type Store } from "../redis/redis.ts";
import { packFields } from "../redis/script-fields.ts";

/**
 * A message's id is remembered so long: it is counted once, however soon it is delivered again.
 * Milliseconds.
 */
const messageTtlMs = 3_600_000;
/**
 * How long a reservation waits to be settled, perhaps by another worker after a
 * crash. Milliseconds.
 */
const reservationTtlMs = 7 * 86_400_000;
/** That a call was settled is remembered so long. Milliseconds. */
const settledTtlMs = 24 * 3_600_000;
/**
 * A refusal is reported once per window, and in a long window again after this
 * time. Milliseconds.
 */
const toldMs = 3_600_000;
/** More than a model call can use: such a figure is a mistake somewhere. */
const maxTokens = 1e12;
const maxUsd = 1e6;
/** Attempts if a new minute begins by Redis' clock during the call. */
const maxTries = 5;

/** Who counts: a person's id, a chat's key, a platform, and `all`. */
export type CounterNames = Readonly<Record<Counter, string>>;

/** Who spends, and what that is compared with. */
export interface Counting {
  readonly names: CounterNames;
  /** Of the rules from which the caps come. */
  readonly version: string;
  readonly caps: readonly Cap[];
}

/** Tokens and US dollars of one model call. */
export interface Spent {
  readonly tokens: number;
  readonly costUsd: number;
  /** 1 at a turn's first call. */
  readonly turns?: number;
  /** What of it each model took, by `provider/model`. */
  readonly models?: Readonly<Record<string, Spending>>;
}

/** A message or a model call that no limit applies to. */
export type Unlimited = { readonly names: CounterNames } & (
  | { readonly type: "message"; readonly countedAs: string }
  | { readonly type: "call"; readonly id: string; readonly took: Spent }
);

/** Counts what people and chats use, over all processes; each method is one script. */
export interface LimitCounters {
  /**
   * Counts a message, once per id, unless a cap refuses it. Without an id, no
   * refusal is reported.
   */
  countMessage(
    message: { readonly id: string; readonly countedAs: string },
    counting: Counting,
  ): Promise<Take>;
  /**
   * Reserves for a model call, once per id, where no cap forbids it. @throws TypeError when it is
   * no amount.
   */
  reserve(id: string, atMost: Spent, counting: Counting): Promise<Take>;
  /**
   * Replaces a call's reservation by its usage, once per id; an invalid amount counts as reserved.
   */
  settle(id: string, took: Spent, counting: Counting): Promise<Settlement>;
  /**
   * Counts all of these, each once per id. `reserved`: indexes of calls that are left to `settle`,
   * because something was reserved for them. `version`: of the rules.
   */
  add(counts: readonly Unlimited[]): Promise<{
    readonly version: string;
    readonly reserved: readonly number[];
  }>;
  /** The usage in the current windows. */
  usage(counter: Counter, name: string): Promise<Readonly<Record<Window, Usage>>>;
}

/** The amounts counted under one id. */
interface Counts {
  readonly what: "take" | "settle";
  /** The key that remembers it. */
  readonly record: string;
  /** Absent: a refusal is not reported. */
  readonly id: string | undefined;
  readonly ttlMs: number;
  /** Absent: as reserved. */
  readonly amounts: Amounts;
  /** Of a call that is settled. */
  readonly took?: Spent;
}

interface Amounts {
  readonly messages: number;
  readonly tokens: number | undefined;
  readonly nanoUsd: number | undefined;
}

const counterKey = (counter: Counter, name: string): string => limitsKey(`used:${counter}:${name}`);

/** @param now milliseconds since the epoch; corrected by Redis' clock. */
export function createLimitCounters(
  store: Store,
  now: () => number = () => store.clock.now(),
): LimitCounters {
  const inRedisMinute = minuteOfRedis(now);
  const count = counter(store, inRedisMinute);
  return {
    countMessage: async ({ id, countedAs }, counting) =>
      takeOf(
        await count(
          {
            what: "take",
            record: messageRecord(counting.names, countedAs),
            // A person's message in another chat may have the same id.
            id: id === "" ? undefined : `${counting.names.chat} ${id}`,
            ttlMs: messageTtlMs,
            amounts: oneMessage,
          },
          counting,
        ),
      ),
    async reserve(id, { tokens, costUsd }, counting) {
      if (!(tokens >= 0 && costUsd >= 0))
        throw new TypeError(`cannot reserve ${tokens} tokens, ${costUsd} USD`);
      // Rounded up: a reservation is an upper bound.
      const amounts = {
        messages: 0,
        tokens: Math.ceil(Math.min(tokens, maxTokens)),
        nanoUsd: Math.ceil(Math.min(costUsd, maxUsd) * nanosPerUsd),
      };
      const record = callRecord(id);
      return takeOf(
        await count({ what: "take", record, id, ttlMs: reservationTtlMs, amounts }, counting),
      );
    },
    async settle(id, took, counting) {
      const [record, amounts] = [callRecord(id), amountsOf(took)];
      return settlementOf(
        await count({ what: "settle", record, id, ttlMs: settledTtlMs, amounts, took }, counting),
      );
    },
    async add(counts) {
      const { records, counterKeys, fields } = together(counts);
      const keys = [rulesVersionKey, spentPrefix, ...records, ...counterKeys];
      const { reply } = await inRedisMinute((spans) =>
        store.run(
          "limit-add",
          keys,
          packFields({
            windows: windowFields(spans),
            counts: fields.map((each, index) => {
              const count = counts[index];
              const spent =
                count?.type === "call" ? spentEntries(count.names, count.took, spans) : [];
              return { ...each, spent };
            }),
          }),
        ),
      );
      const [, version, ...reserved] = reply;
      return { version: text(version), reserved: reserved.map(number) };
    },
    async usage(counter, name) {
      const [time, stored] = await Promise.all([
        store.redis.time(),
        store.redis.getBuffer(counterKey(counter, name)),
      ]);
      return usageAt(stored, spansAt(Number(time[0]) * 1_000));
    },
  };
}

const oneMessage: Amounts = { messages: 1, tokens: 0, nanoUsd: 0 };

const messageRecord = ({ chat }: CounterNames, countedAs: string): string =>
  limitsKey(`message:${chat}:${countedAs}`);
const callRecord = (id: string): string => limitsKey(`call:${id}`);

/** Invalid amounts are absent. */
function amountsOf({ tokens, costUsd }: Spent): Amounts {
  const isCount = tokens >= 0 && tokens <= maxTokens;
  const isMoney = costUsd >= 0 && costUsd <= maxUsd;
  return {
    messages: 0,
    tokens: isCount ? Math.round(tokens) : undefined,
    nanoUsd: isMoney ? Math.round(costUsd * nanosPerUsd) : undefined,
  };
}

/** Many counts as `limit-add` takes them: each counter is a key once. */
function together(counts: readonly Unlimited[]) {
  const indexes = new Map<string, number>();
  const indexOf = (key: string): number => {
    const index = indexes.get(key) ?? indexes.size + 1;
    indexes.set(key, index);
    return index;
  };
  const fields = counts.map((count) => {
    const isMessage = count.type === "message";
    const { messages, tokens = 0, nanoUsd = 0 } = isMessage ? oneMessage : amountsOf(count.took);
    return {
      counters: counters.map((each) => indexOf(counterKey(each, count.names[each]))),
      messages,
      tokens,
      nanoUsd,
      ttlMs: isMessage ? messageTtlMs : settledTtlMs,
    };
  });
  const records = counts.map((count) =>
    count.type === "message" ? messageRecord(count.names, count.countedAs) : callRecord(count.id),
  );
  return { records, counterKeys: [...indexes.keys()], fields };
}

type Spans = ReturnType<typeof spansAt>;
/** Runs a script in the minute that it is for Redis. */
type InRedisMinute = (
  run: (spans: Spans) => Promise<Reply>,
) => Promise<{ readonly reply: readonly Reply[]; readonly spans: Spans }>;

function minuteOfRedis(now: () => number): InRedisMinute {
  let aheadMs = 0;
  return async (run) => {
    for (let tried = 0; tried < maxTries; tried += 1) {
      const spans = spansAt(now() + aheadMs);
      const reply = list(await run(spans));
      if (reply[0] !== "again") return { reply, spans };
      aheadMs = number(reply[1]) - now();
    }
    throw new RetryableError("Redis was in another minute each time", {
      retryAfterMs: 1_000,
    });
  };
}

const windowFields = (spans: Spans) => windows.map((each) => ({ ...spans[each] }));

function counter(store: Store, inRedisMinute: InRedisMinute) {
  return async (
    { what, record, id, ttlMs, amounts, took }: Counts,
    { names, version, caps: all }: Counting,
  ): Promise<Counted> => {
    const caps = all.filter(isWindowed);
    const keys = [
      rulesVersionKey,
      record,
      limitsKey(`told:person:${names.person}`),
      limitsKey(`told:chat:${names.chat}`),
      spentPrefix,
      ...counters.map((each) => counterKey(each, names[each])),
    ];
    const { reply, spans } = await inRedisMinute((current) => {
      const fields = packFields({
        what,
        version,
        windows: windowFields(current),
        id,
        ...amounts,
        spent: took && spentEntries(names, took, current),
        ttlMs,
        toldMs,
        caps: caps.map(capFields),
      });
      return store.run("limit-count", keys, fields);
    });
    return { reply, spans, caps };
  };
}
