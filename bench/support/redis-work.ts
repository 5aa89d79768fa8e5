import { Redis } from "ioredis";

/** What a Redis has done since it was started. */
export interface RedisWork {
  /** Of its one process, kernel included, in ms. */
  readonly cpuMs: number;
  /** Those inside scripts included, as Redis counts them. */
  readonly commands: number;
  /** How often it read from a connection: commands that arrive together count once. */
  readonly reads: number;
}

/**
 * Looks at a Redis from a connection of its own, whose own few commands are part of what it sees.
 */
export class RedisWatch implements AsyncDisposable {
  readonly #redis: Redis;

  constructor(url: string) {
    this.#redis = new Redis(url, { lazyConnect: true });
  }

  /** The client itself, for other questions. */
  get client(): Redis {
    return this.#redis;
  }

  async work(): Promise<RedisWork> {
    const info = await this.#redis.info();
    const numberOf = (name: string): number => {
      const [, value] = new RegExp(`^${name}:(\\S+)`, "m").exec(info) ?? [];
      if (value === undefined) throw new Error(`INFO says nothing of ${name}`);
      return Number(value);
    };
    return {
      cpuMs: (numberOf("used_cpu_user") + numberOf("used_cpu_sys")) * 1_000,
      commands: numberOf("total_commands_processed"),
      reads: numberOf("total_reads_processed"),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#redis.disconnect();
    await Promise.resolve();
  }
}

/** Per turn, between two looks. Pure. @param turns at least one */
export function redisPerTurn(
  before: RedisWork,
  after: RedisWork,
  turns: number,
): Readonly<Record<string, number>> {
  return {
    redisCpuMsPerTurn: (after.cpuMs - before.cpuMs) / turns,
    redisCommandsPerTurn: (after.commands - before.commands) / turns,
    redisReadsPerTurn: (after.reads - before.reads) / turns,
  };
}
