import { parseScopeName, scopeName } from "../../core/limit-scopes.ts";
import {
  limitMetrics,
  type LimitMetric,
  type LimitRule,
  type LimitScope,
  type Per,
} from "../../core/limits.ts";
import { limitsKey } from "../keys.ts";
import { texts, type Store } from "../redis/redis.ts";
import { askTogether } from "../redis/write-together.ts";

/**
 * How long the result of a change is kept for a command that is delivered
 * again. Milliseconds.
 */
const changeTtlMs = 3_600_000;

interface StoredRules {
  /** Grows with every change. */
  readonly version: string;
  readonly rules: readonly LimitRule[];
  /** Names of fields that this version does not understand. */
  readonly unreadable: readonly string[];
}

/** Which limit is changed, and to what; `max` undefined: it is as in the operator's file again. */
export interface RuleChange {
  readonly scope: LimitScope;
  readonly metric: LimitMetric;
  readonly per: Per;
  readonly max: number | undefined;
}

/** The limits that were set from chats. */
export interface LimitRules {
  read(): Promise<StoredRules>;
  /** The version that `read` would return. */
  version(): Promise<string>;
  /** The earlier value of each, undefined if it was not set; once per event. */
  change(eventId: string, changes: readonly RuleChange[]): Promise<readonly (number | undefined)[]>;
}

const rulesKey = limitsKey("rules");
export const rulesVersionKey = limitsKey("version");

const off = "off";

export function createLimitRules(store: Store): LimitRules {
  const readVersion = async (): Promise<string> => (await store.redis.get(rulesVersionKey)) ?? "0";
  return {
    // Every turn asks.
    version: askTogether(readVersion),
    async read() {
      const [version, fields] = await Promise.all([readVersion(), store.redis.hgetall(rulesKey)]);
      const read = Object.entries(fields).map(([field, value]) => ({
        field,
        rule: parseRule(field, value),
      }));
      return {
        version,
        rules: read.flatMap(({ rule }) => rule ?? []),
        unreadable: read.flatMap(({ field, rule }) => (rule ? [] : [field])),
      };
    },
    async change(eventId, changes) {
      const values = changes.flatMap(({ scope, metric, per, max }) => [
        `${scopeName(scope)} ${metric}/${per}`,
        max === undefined ? "" : max === Infinity ? off : String(max),
      ]);
      const before = texts(
        await store.run(
          "limit-set",
          [rulesKey, rulesVersionKey, limitsKey(`change:${eventId}`)],
          [changeTtlMs, ...values],
        ),
      );
      return before.map((value) => (value === "" ? undefined : maxOf(value)));
    },
  };
}

const maxOf = (value: string): number | undefined => {
  if (value === off) return Infinity;
  const max = value === "" ? NaN : Number(value);
  return Number.isFinite(max) && max >= 0 ? max : undefined;
};

function parseRule(field: string, value: string): LimitRule | undefined {
  const [name = "", what = "", ...rest] = field.split(" ");
  const [metricName = "", per] = what.split("/");
  const scope = parseScopeName(name);
  const max = maxOf(value);
  if (scope === undefined || max === undefined || rest.length > 0 || !isMetric(metricName))
    return undefined;
  const pers: readonly Per[] = limitMetrics[metricName];
  const known = pers.find((each) => each === per);
  return known && { scope, limit: { metric: metricName, per: known, max } };
}

const isMetric = (name: string): name is LimitMetric => Object.hasOwn(limitMetrics, name);
