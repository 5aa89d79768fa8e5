import { performance } from "node:perf_hooks";
import { GatewayIntentBits, Routes } from "discord.js";
import type { APIGatewayBotInfo } from "discord.js";
import { messageOf, PermanentError } from "../../../core/errors.ts";
import type { HeldLease, Leases } from "../../../core/ports.ts";
import { unlessAborted } from "../../../util/abort.ts";
import { backoffMs } from "../../../util/backoff.ts";
import { sleep } from "../../../util/sleep.ts";
import { createRest, type DiscordRest } from "../rest.ts";
import { atMost } from "../retry.ts";
import { Identifying } from "./identifying.ts";
import { requestFailure } from "./login-failure.ts";
import { OwnedShard, type ShardDeps } from "./owned-shard.ts";
import { Sharing } from "./sharing.ts";

/**
 * Between two looks at who is there and which shards are free, with up to half as much again by
 * chance.
 */
const lookEvery = { firstMs: 1_000, maxMs: 60_000 };
/** Leases looked at in one pass: more than one process takes in it. */
const triesPerPass = 16;
/**
 * A dead owner's lease has run out by then: who has found nothing free so far has living
 * neighbours.
 */
const defaultStandByAfterMs = 10_000;
const leavingMs = 500;

export interface GatewayDeps extends Pick<
  ShardDeps,
  "token" | "memory" | "handle" | "catchUp" | "watch" | "log"
> {
  readonly apiRoot: string;
  readonly botId: string;
  readonly messageContent: boolean;
  readonly shards: number | "auto";
  readonly leases: Leases;
  readonly signal: AbortSignal;
  readonly standByAfterMs?: number;
  /** Shown below the bot's name. */
  readonly presence?: string;
}

/**
 * This process' part of the bot's shards: `idle → looking → ready`, and it goes
 * on looking. Each shard belongs to one process, by a lease. A process takes
 * its share of the free shards one by one, and releases one when others have
 * come and it has more than its share. A process that can't reach Discord
 * releases its shards for others and doesn't count for a while.
 */
export class Gateway implements AsyncDisposable {
  readonly #deps: GatewayDeps;
  readonly #shardDeps: ShardDeps;
  readonly #rest: DiscordRest;
  readonly #sharing: Sharing;
  readonly #closing = new AbortController();
  readonly #signal: AbortSignal;
  readonly #held = new Map<number, OwnedShard>();
  readonly #ready = Promise.withResolvers<void>();
  #looking: Promise<void> = Promise.resolve();
  #nudged = Promise.withResolvers<void>();
  #isReady = false;
  #emptySince: number | undefined;
  #nextTry = 0;
  #closed: Promise<void> | undefined;

  constructor(deps: GatewayDeps) {
    this.#deps = deps;
    const { token, apiRoot, memory, handle, catchUp, log } = deps;
    this.#signal = AbortSignal.any([deps.signal, this.#closing.signal]);
    this.#rest = createRest({ token, apiRoot });
    this.#sharing = new Sharing({ memory, log, signal: this.#closing.signal });
    const information = () => this.#information();
    this.#shardDeps = {
      token,
      ...(deps.presence === undefined ? {} : { presence: deps.presence }),
      // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- a bit set; the type names single bits
      intents:
        GatewayIntentBits.Guilds |
        GatewayIntentBits.GuildMessages |
        GatewayIntentBits.DirectMessages |
        (deps.messageContent ? GatewayIntentBits.MessageContent : 0),
      memory,
      identifying: new Identifying({
        limit: async () => (await information()).session_start_limit,
        memory,
        log,
      }),
      information,
      handle,
      catchUp,
      watch: {
        // At the start the operator reads it.
        failed: (failure) => this.#isReady && deps.watch.failed(failure),
        served: () => deps.watch.served(),
      },
      log,
    };
  }

  /**
   * Fulfils when every shard that this process has taken delivers and its session is stored, or
   * when others have them all and it stands by.
   * @throws PermanentError when Discord refuses the token or the settings.
   */
  async connect(): Promise<void> {
    this.#looking = this.#look();
    await unlessAborted(this.#ready.promise, this.#signal);
  }

  /** However often it is called, it is done once. */
  [Symbol.asyncDispose](): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    // A lease that is just being taken is held or released before the end,
    // unless the store is away.
    await atMost(this.#looking, leavingMs);
    await Promise.all([...this.#held.values()].map((shard) => shard[Symbol.asyncDispose]()));
    this.#held.clear();
    // It is forgotten after a while anyway.
    await atMost(this.#deps.memory.leave(), leavingMs).catch(() => undefined);
    await this.#rest.end();
    this.#rest[Symbol.dispose]();
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    let failures = 0;
    while (!this.#closing.signal.aborted) {
      this.#nudged = Promise.withResolvers();
      try {
        const hasTaken = await this.#pass();
        failures = 0;
        this.#judge(hasTaken);
      } catch (failure) {
        if (this.#closing.signal.aborted) return;
        failures += 1;
        const cause = messageOf(failure);
        if (failure instanceof PermanentError) this.#refuse(failure);
        this.#deps.log.warn({ cause }, "can't reach Discord; retrying");
      }
      const pauseMs = backoffMs(failures + 1, lookEvery);
      await this.#pause(pauseMs * (1 + Math.random() / 2));
    }
  }

  /** Ends early when something has changed. */
  async #pause(ms: number): Promise<void> {
    const over = AbortSignal.any([this.#closing.signal]);
    const inTime = new AbortController();
    const signal = AbortSignal.any([over, inTime.signal]);
    await Promise.race([this.#nudged.promise, sleep(ms, signal).catch(() => undefined)]);
    inTime.abort();
  }

  /** @returns whether a shard was taken. */
  async #pass(): Promise<boolean> {
    const { memory, shards } = this.#deps;
    const { signal } = this.#closing;
    const others = await this.#sharing.others();
    const agreed =
      shards === "auto" ? await unlessAborted(memory.readShardCount(), signal) : shards;
    const isOld = ({ isLost, shardCount }: OwnedShard) =>
      isLost || (agreed !== undefined && shardCount !== agreed);
    await this.#give([...this.#held.values()].filter(isOld));
    if (others > 0) await this.#yield();
    if (this.#sharing.isPausing(others)) return false;
    const share = Math.ceil((agreed ?? 1) / (others + 1));
    const owned = [...this.#held.values()];
    const surplus = owned.slice(share).slice(-1);
    await this.#give(surplus);
    const isBusy = owned.some(({ isUp }) => !isUp);
    if (isBusy || surplus.length > 0 || owned.length >= share) return false;
    return this.#takeOne(agreed ?? 1);
  }

  /**
   * Releases shards that can't connect from here. A refusal of the first
   * connection ends the start instead.
   */
  async #yield(): Promise<void> {
    const owned = [...this.#held.values()];
    if (owned.some(({ isUp }) => isUp)) this.#sharing.reached();
    const cutOff = owned.filter((shard) => shard.isCutOff && (this.#isReady || !shard.refusal));
    if (cutOff.length === 0) return;
    const isRefused = cutOff.some(({ refusal }) => refusal !== undefined);
    this.#sharing.pause({ isRefused });
    const shards = cutOff.map(({ shard }) => shard);
    this.#deps.log.warn({ shards }, "can't reach Discord from here; another process may try");
    await this.#give(cutOff);
  }

  async #give(shards: readonly OwnedShard[]): Promise<void> {
    for (const shard of shards) {
      this.#deps.log.info({ shard: shard.shard }, "released a shard");
      await shard[Symbol.asyncDispose]();
      this.#held.delete(shard.shard);
    }
  }

  async #takeOne(agreed: number): Promise<boolean> {
    const tries = Math.min(agreed, triesPerPass);
    for (let count = 0; count < tries; count += 1) {
      const shard = this.#nextTry % agreed;
      this.#nextTry = shard + 1;
      if (this.#held.has(shard)) continue;
      const retake = () => this.#deps.leases.take(this.#leaseName(shard));
      const lease = await retake();
      if (lease === undefined) continue;
      const shardCount = await this.#planned(shard, agreed, lease);
      if (this.#closing.signal.aborted) {
        await lease[Symbol.asyncDispose]();
        return false;
      }
      this.#deps.log.info({ shard, shardCount }, "a shard was taken");
      const onChange = () => this.#nudged.resolve();
      const owned = { shard, shardCount, lease, retake, onChange };
      this.#held.set(shard, new OwnedShard(this.#shardDeps, owned));
      return true;
    }
    return false;
  }

  /**
   * With `auto`, the process that takes the first shard asks Discord for the
   * number, and all others follow. The number only grows: a smaller one would
   * end every session for no gain.
   */
  async #planned(shard: number, agreed: number, lease: HeldLease): Promise<number> {
    const { memory, shards, log } = this.#deps;
    if (shard !== 0 || shards !== "auto") return agreed;
    try {
      const recommended = (await this.#information()).shards;
      const count = Math.max(recommended, agreed);
      await unlessAborted(memory.writeShardCount(count), this.#closing.signal);
      if (count !== agreed) log.info({ shards: count }, "shards as recommended");
      return count;
    } catch (failure) {
      await lease[Symbol.asyncDispose]();
      throw failure;
    }
  }

  #leaseName(shard: number): string {
    return `discord:${this.#deps.botId}:${shard}`;
  }

  #judge(hasTaken: boolean): void {
    if (this.#isReady) return;
    const owned = [...this.#held.values()];
    const refusal = owned.find((each) => each.refusal)?.refusal;
    if (refusal) return this.#refuse(refusal);
    const isSettled = owned.every((each) => each.isUp && each.isFollowable);
    if (hasTaken || !isSettled) return;
    if (owned.length === 0) {
      const { log, standByAfterMs = defaultStandByAfterMs } = this.#deps;
      this.#emptySince ??= performance.now();
      if (performance.now() - this.#emptySince < standByAfterMs) return;
      log.info("other processes have Discord's shards; this one is on standby");
    }
    this.#isReady = true;
    this.#ready.resolve();
  }

  #refuse(refusal: PermanentError): void {
    this.#ready.reject(refusal);
  }

  async #information(): Promise<APIGatewayBotInfo> {
    try {
      // Everything in it is Discord's own; what is missing shows where it is used.
      return (await this.#rest.rest.get(Routes.gatewayBot())) as APIGatewayBotInfo;
    } catch (failure) {
      this.#rest.restoreToken();
      throw requestFailure(failure);
    }
  }
}
