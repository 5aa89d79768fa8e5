import { isTooOld } from "../store/redis/check-server.ts";
import { readServerFacts, type ServerFacts } from "../store/redis/server-facts.ts";
import type { Store } from "../store/redis/redis.ts";
import { ok, when, type Check, type Examined } from "./check.ts";

export const redisCheck = ({ redis }: Pick<Store, "redis">): Check => ({
  id: "redis",
  what: () => "Redis",
  run: async () => (await readServerFacts(redis)).flatMap(redisFindings),
});

/** Of a limit of memory that is used, from which there is a warning. */
const scarceShare = 0.8;
/** A wall clock that is further off is noticed in logs and by TLS. Milliseconds. */
export const maxSkewMs = 10_000;

/** Pure. */
export function redisFindings(facts: ServerFacts): readonly Examined[] {
  const { name } = facts;
  const of = name === "" ? "Redis" : `Redis ${name}`;
  return [
    versionFinding(facts, of),
    ...when(facts.isReplica, {
      id: "redis.role",
      status: "broken",
      say: ({ findings: { redis } }) => ({ ...redis.replica, what: redis.replica.what(of) }),
    }),
    evictionFinding(facts, of),
    durabilityFinding(facts, of),
    ...when(facts.cannotWrite, {
      id: "redis.disk",
      status: "broken",
      say: ({ findings: { redis } }) => ({
        ...redis.cannotWrite,
        what: redis.cannotWrite.what(of),
      }),
    }),
    memoryFinding(facts, of),
    clockFinding(facts.clockAheadMs, of),
  ];
}

function versionFinding({ version }: ServerFacts, of: string): Examined {
  const id = "redis.version";
  return version === undefined || isTooOld(version)
    ? {
        id,
        status: "broken",
        say: ({ findings: { redis } }) => ({
          ...redis.tooOld,
          what: redis.tooOld.what(of, version ?? redis.unknown),
        }),
      }
    : ok(id, ({ redis }) => redis.answers(of, version));
}

function evictionFinding({ evictionPolicy: policy }: ServerFacts, of: string): Examined {
  const id = "redis.eviction";
  if (policy === "noeviction") return ok(id, ({ redis }) => redis.evictsNothing(of));
  return {
    id,
    status: policy === undefined ? "warning" : "broken",
    say({ findings: { redis } }) {
      const { mayEvict, evicts, alsoInFile } = redis;
      const fix = alsoInFile("redis-cli config set maxmemory-policy noeviction");
      return policy === undefined
        ? { what: mayEvict.what(of), why: mayEvict.why, fix }
        : { what: evicts.what(of, policy), why: evicts.why, fix };
    },
  };
}

function durabilityFinding({ hasAppendOnlyFile, appendfsync }: ServerFacts, of: string): Examined {
  const id = "redis.durability";
  if (hasAppendOnlyFile && appendfsync === "always")
    return ok(id, ({ redis }) => redis.writesAtOnce(of));
  const always = "redis-cli config set appendfsync always";
  return {
    id,
    status: "warning",
    say({ findings: { redis } }) {
      const { noFile, writesLater, alsoInFile, unknown } = redis;
      return hasAppendOnlyFile
        ? {
            what: writesLater.what(of, appendfsync ?? unknown),
            why: writesLater.why,
            fix: alsoInFile(always),
          }
        : {
            what: noFile.what(of),
            why: noFile.why,
            fix: alsoInFile(`redis-cli config set appendonly yes ; ${always}`),
          };
    },
  };
}

function memoryFinding({ usedBytes, maxBytes, systemBytes }: ServerFacts, of: string): Examined {
  const id = "redis.memory";
  const limit = maxBytes > 0 ? maxBytes : systemBytes;
  const used = megabytes(usedBytes);
  if (limit <= 0) return ok(id, ({ redis }) => redis.usesOfUnknown(of, used));
  if (usedBytes / limit < scarceShare)
    return ok(id, ({ redis }) => redis.uses(of, used, megabytes(limit)));
  const isFull = maxBytes > 0 && usedBytes >= maxBytes;
  return {
    id,
    status: isFull ? "broken" : "warning",
    say({ findings: { redis } }) {
      const what = isFull ? redis.full : redis.uses;
      return { what: what(of, used, megabytes(limit)), ...redis.memory };
    },
  };
}

function clockFinding(aheadMs: number, of: string): Examined {
  const id = "clock.redis";
  if (Math.abs(aheadMs) < maxSkewMs) return ok(id, ({ clock }) => clock.agrees(of));
  return {
    id,
    status: "warning",
    say({ findings: { clock } }) {
      const { ahead, behind, why, fix } = clock.here;
      return { what: (aheadMs > 0 ? ahead : behind)(skewSeconds(aheadMs), of), why, fix };
    },
  };
}

export const skewSeconds = (aheadMs: number): number => Math.round(Math.abs(aheadMs) / 1_000);

/** At least 1. */
const megabytes = (bytes: number): number => Math.max(1, Math.round(bytes / 1_048_576));
