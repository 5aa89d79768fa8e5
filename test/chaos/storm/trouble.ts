import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";
import type { TelegramServer } from "../../emulators/telegram/telegram-server.ts";
import type { Member } from "./fleet.ts";
import type { Ledger } from "./ledger.ts";
import type { StormEvent } from "./plan-events.ts";
import { Random } from "./random.ts";
import type { RedisServer } from "./redis-server.ts";
import type { Resumptions } from "./resumptions.ts";
import type { ModelTrouble, StormModel } from "./storm-model.ts";
import type { TcpProxy } from "./tcp-proxy.ts";

export interface TroubleOptions {
  readonly seed: number;
  readonly workers: readonly Member[];
  readonly bots: readonly Member[];
  readonly redis: RedisServer;
  readonly proxy: TcpProxy;
  readonly telegram: TelegramServer;
  readonly model: StormModel;
  readonly ledger: Ledger;
  readonly resumptions: Resumptions;
}

const busyWithinMs = 3_000;

/** What was done, for the report. */
export interface Happened {
  readonly kind: string;
  readonly atMs: number;
  readonly endedAtMs: number;
  readonly target: string;
}

/** Carries the plan's events out; each ends by itself, and leaves nothing broken behind. */
export class Trouble {
  readonly happened: Happened[] = [];
  /** How long processes took to end after SIGTERM. Milliseconds. */
  readonly exitsMs: number[] = [];
  readonly #options: TroubleOptions;
  readonly #random: Random;

  constructor(options: TroubleOptions) {
    this.#options = options;
    this.#random = new Random(options.seed + 4);
  }

  /** Fulfils when all events are over. */
  async storm(
    events: readonly StormEvent[],
    { beganMs, signal }: { beganMs: number; signal: AbortSignal },
  ): Promise<void> {
    const under: Promise<void>[] = [];
    for (const event of events) {
      const waitMs = beganMs + event.atMs - Date.now();
      if (waitMs > 0) await pause(waitMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
      under.push(this.#happen(event));
    }
    await Promise.all(under);
  }

  /** One after the other, each when the one before is back. */
  async restartAll(
    members: readonly Member[],
    change: (member: Member) => void = () => undefined,
  ): Promise<void> {
    for (const member of members) {
      if (member.state !== "up") continue;
      await this.#replace(member, "SIGTERM", { awayMs: 0, change });
    }
  }

  async #happen(event: StormEvent): Promise<void> {
    const atMs = Date.now();
    const target = await this.#carryOut(event);
    this.happened.push({
      kind: target === undefined ? `${event.kind} (nobody there)` : event.kind,
      atMs,
      endedAtMs: Date.now(),
      target: target ?? "",
    });
  }

  /** Names what was hit; undefined: nothing was there to be hit. */
  async #carryOut(event: StormEvent): Promise<string | undefined> {
    const { workers, bots, redis, proxy } = this.#options;
    const { forMs, share } = event;
    switch (event.kind) {
      case "worker-kill":
        return await this.#end(workers, event, "SIGKILL");
      case "worker-term":
        return await this.#end(workers, event, "SIGTERM");
      case "bots-kill":
        return await this.#end(bots, event, "SIGKILL");
      case "bots-term":
        return await this.#end(bots, event, "SIGTERM");
      case "worker-stop":
        return await freeze(workers, event);
      case "bots-stop":
        return await freeze(bots, event);
      case "rolling-restart":
        await this.restartAll(workers);
        return "workers";
      case "redis-restart":
        await redis.kill();
        await pause(forMs);
        await redis.start();
        return "redis";
      case "client-kill":
        await ask(redis.url, (client) => client.call("CLIENT", "KILL", "TYPE", "normal"));
        return "redis";
      case "client-pause":
        await ask(redis.url, (client) =>
          client.call("CLIENT", "PAUSE", String(Math.round(forMs)), "ALL"),
        );
        await pause(forMs);
        return "redis";
      case "network-cut":
        return await this.#weather(forMs, () => proxy.cut());
      case "network-stall":
        return await this.#weather(forMs, () => proxy.stall());
      case "network-reset":
        return await this.#weather(forMs, () => proxy.reset(share / 10));
      case "network-latency":
        return await this.#weather(forMs, () => proxy.delay(share * 300));
      case "platform-429":
      case "platform-5xx":
      case "platform-hang-up":
        return await this.#platform(event);
      case "model-5xx":
        return await this.#model(forMs, { share, failure: { status: 503 } });
      case "model-429":
        return await this.#model(forMs, {
          share,
          failure: { status: 429, retryAfterSeconds: 1 },
        });
      case "model-cut":
        return await this.#model(forMs, { share, failure: "cut" });
      default:
        return event.kind satisfies never;
    }
  }

  async #end(
    members: readonly Member[],
    { target, forMs }: StormEvent,
    signal: "SIGKILL" | "SIGTERM",
  ): Promise<string | undefined> {
    const member = (await this.#oneBusy(members, target)) ?? oneUp(members, target);
    if (member === undefined) return undefined;
    await this.#replace(member, signal, { awayMs: forMs });
    return member.name;
  }

  /** Who dies idle shows little: of workers one that holds a turn, if that can be had soon. */
  async #oneBusy(members: readonly Member[], target: number): Promise<Member | undefined> {
    const endMs = Date.now() + busyWithinMs;
    while (members[0]?.role === "worker" && Date.now() < endMs) {
      const busy = members.filter(({ key }) => this.#heldBy(key).size > 0);
      const found = oneUp(busy, target);
      if (found !== undefined) return found;
      await pause(20);
    }
    return undefined;
  }

  async #replace(
    member: Member,
    signal: "SIGKILL" | "SIGTERM",
    { awayMs, change }: { awayMs: number; change?: (member: Member) => void },
  ): Promise<void> {
    const { resumptions } = this.#options;
    const { key, name } = member;
    const kind = signal === "SIGKILL" ? "kill" : "term";
    if (member.role === "worker") resumptions.begin({ kind, member: name, key }, this.#heldBy(key));
    const tookMs = await member.end(signal);
    if (signal === "SIGTERM") this.exitsMs.push(tookMs);
    change?.(member);
    await pause(awayMs);
    await member.start();
  }

  /** Marks of turns for which this process waits for a model or a tool. */
  #heldBy(key: string): Set<string> {
    const { model, ledger } = this.#options;
    const calls = [...model.open.values()].filter(({ caller }) => caller === key);
    const effects = ledger.effects.filter(
      ({ caller, endedAtMs }) => caller === key && endedAtMs === undefined,
    );
    return new Set([...calls, ...effects].map(({ mark }) => mark));
  }

  async #weather(forMs: number, change: () => void): Promise<string> {
    change();
    await pause(forMs);
    this.#options.proxy.heal();
    return "network";
  }

  async #platform({ kind, forMs, share }: StormEvent): Promise<string> {
    const { telegram } = this.#options;
    const isLimit = kind === "platform-429";
    const retryAfterSeconds = this.#random.whole(1, 3);
    const fault = telegram.inject({
      times: Infinity,
      match: ({ method }) =>
        (isLimit ? /^(send|edit)Message/i : /^(send|edit|get|answer)/i).test(method) &&
        this.#random.chance(share),
      kind: isLimit
        ? {
            type: "status",
            code: 429,
            description: `Too Many Requests: retry after ${retryAfterSeconds}`,
            retryAfterSeconds,
          }
        : kind === "platform-5xx"
          ? {
              type: "status",
              code: 502,
              description: "Bad Gateway",
              body: "html",
            }
          : {
              type: this.#random.chance(0.5) ? "hang-up-after" : "hang-up-before",
            },
    });
    await pause(forMs);
    fault.remove();
    return "telegram";
  }

  async #model(forMs: number, trouble: ModelTrouble): Promise<string> {
    const { model } = this.#options;
    model.trouble = trouble;
    await pause(forMs);
    model.trouble = undefined;
    return "model";
  }
}

/** This one, or the next that runs. */
function oneUp(members: readonly Member[], target: number): Member | undefined {
  const order = members.map((_, index) => members[(index + target) % members.length]);
  return order.find((member) => member?.state === "up");
}

/** SIGSTOP, and SIGCONT a while later. */
async function freeze(
  members: readonly Member[],
  { target, forMs }: StormEvent,
): Promise<string | undefined> {
  const member = oneUp(members, target);
  if (member === undefined) return undefined;
  member.stop();
  await pause(forMs);
  member.goOn();
  return member.name;
}

async function ask(url: string, question: (client: Redis) => Promise<unknown>): Promise<void> {
  const client = new Redis(url, {
    maxRetriesPerRequest: 1,
    retryStrategy: () => null,
  });
  client.on("error", () => undefined);
  try {
    await question(client);
  } catch {
    // It is down just now: no one to kill or to pause.
  } finally {
    client.disconnect();
  }
}
