import { isTooOld } from "../store/redis/check-server.ts";
import { readServerFacts, type ServerFacts } from "../store/redis/server-facts.ts";
import type { Store } from "../store/redis/redis.ts";
import { ok, when, type Check, type Examined } from "./check.ts";

export const redisCheck = ({ redis }: Pick<Store, "redis">): Check => ({
  id: "redis",
  what: "Redis",
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
      what: `${of} is a replica.`,
      why: "Nothing can be written to it.",
      fix: "Point REDIS_URL at its primary.",
    }),
    evictionFinding(facts, of),
    durabilityFinding(facts, of),
    ...when(facts.cannotWrite, {
      id: "redis.disk",
      status: "broken",
      what: `${of} can't write to its disk.`,
      why: "It refuses every write until it can: no message is kept, no one is answered.",
      fix: "Free space on Redis' disk (df -h), or correct the rights of its folder; it goes on by itself.",
    }),
    memoryFinding(facts, of),
    clockFinding(facts.clockAheadMs, of),
  ];
}

function versionFinding({ version }: ServerFacts, of: string): Examined {
  return version === undefined || isTooOld(version)
    ? {
        id: "redis.version",
        status: "broken",
        what: `${of} is version ${version ?? "unknown"}.`,
        why: "Parley needs commands of Redis 6.2.",
        fix: "Install Redis 6.2 or newer (or Valkey), or unset REDIS_URL: then Parley runs its own.",
      }
    : ok("redis.version", `${of} answers (version ${version}).`);
}

function evictionFinding({ evictionPolicy: policy }: ServerFacts, of: string): Examined {
  if (policy === "noeviction") return ok("redis.eviction", `${of} evicts nothing.`);
  const fix = "redis-cli config set maxmemory-policy noeviction   (and the same in redis.conf)";
  return policy === undefined
    ? {
        id: "redis.eviction",
        status: "warning",
        what: `${of} doesn't say its maxmemory-policy.`,
        why: "With any but noeviction, messages are lost when its memory is full.",
        fix,
      }
    : {
        id: "redis.eviction",
        status: "broken",
        what: `${of} evicts keys when its memory is full (maxmemory-policy ${policy}).`,
        why: "Messages and approvals would be lost; Parley refuses to start on it.",
        fix,
      };
}

function durabilityFinding(facts: ServerFacts, of: string): Examined {
  const { hasAppendOnlyFile, appendfsync } = facts;
  if (!hasAppendOnlyFile)
    return {
      id: "redis.durability",
      status: "warning",
      what: `${of} keeps no append-only file.`,
      why: "What it has accepted can be lost when it ends.",
      fix: "redis-cli config set appendonly yes ; redis-cli config set appendfsync always   (and in redis.conf)",
    };
  if (appendfsync === "always")
    return ok("redis.durability", `${of} writes each message to its disk at once.`);
  return {
    id: "redis.durability",
    status: "warning",
    what: `${of} has appendfsync ${appendfsync ?? "unknown"}.`,
    why: "A power cut can lose what was accepted last.",
    fix: "redis-cli config set appendfsync always   (and in redis.conf)",
  };
}

function memoryFinding({ usedBytes, maxBytes, systemBytes }: ServerFacts, of: string): Examined {
  const limit = maxBytes > 0 ? maxBytes : systemBytes;
  const share = limit > 0 ? usedBytes / limit : 0;
  const said = `${of} uses ${megabytes(usedBytes)} of ${limit > 0 ? megabytes(limit) : "an unknown limit"}`;
  if (share < scarceShare) return ok("redis.memory", `${said}.`);
  const isFull = maxBytes > 0 && usedBytes >= maxBytes;
  return {
    id: "redis.memory",
    status: isFull ? "broken" : "warning",
    what: isFull ? `${said}: its memory is full.` : `${said}.`,
    why: "When its memory is full, new messages are refused.",
    fix: "Raise maxmemory (redis-cli config set maxmemory 2gb), or shorten retention.history and retention.traces in parley.yaml.",
  };
}

function clockFinding(aheadMs: number, of: string): Examined {
  if (Math.abs(aheadMs) < maxSkewMs)
    return ok("clock.redis", `This machine's clock agrees with that of ${of}.`);
  return {
    id: "clock.redis",
    status: "warning",
    what: `This machine's clock is ${skewText(aheadMs)} that of ${of}.`,
    why: "Parley goes by Redis' clock, but log lines, TLS and tokens go by this one.",
    fix: "timedatectl set-ntp true   (on the machine whose clock is wrong; date shows it)",
  };
}

/** `90 s ahead of`, `90 s behind`. */
export const skewText = (aheadMs: number): string =>
  `${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? "ahead of" : "behind"}`;

const megabytes = (bytes: number): string =>
  `${Math.max(1, Math.round(bytes / 1_048_576)).toLocaleString("en")} MB`;
