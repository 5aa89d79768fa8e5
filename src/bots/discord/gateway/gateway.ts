import { setTimeout as sleep } from "node:timers/promises";
import { Events } from "discord.js";
import type { Client } from "discord.js";
import type { Logger } from "pino";
import { messageOf, PermanentError } from "../../../core/errors.ts";
import { retried, unlessAborted } from "../retry.ts";
import { createClient } from "./client.ts";
import { permanentLoginFailure } from "./login-failure.ts";
import { takePackets } from "./take-packets.ts";
import type { PacketHandlers } from "./take-packets.ts";

/** What tells a thread from a channel. */
export interface KnownChannel {
  readonly id: string;
  readonly type: number;
  readonly parentId?: string;
}

interface GatewayDeps {
  readonly token: string;
  readonly apiRoot: string;
  readonly messageContent: boolean;
  readonly handlers: PacketHandlers;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

const backoff = { firstDelayMs: 1_000, maxDelayMs: 60_000 };
/** Once it has run, even a refused token is tried again: an operator may undo what made it invalid. 288 a day of 1,000. */
const refusedDelayMs = 5 * 60_000;
/** How long closing waits for a connection that is just being made: discord.js cannot close it before. */
const closingMs = 2_000;

/**
 * `idle → connecting → connected`, and `connected → connecting` when Discord ends the session for good (a token that
 * was reset). Short breaks are discord.js' own business: it resumes, and here the state stays `connected`. Disposing leads
 * from any of them to `closed`.
 */
export class Gateway implements AsyncDisposable {
  readonly #deps: GatewayDeps;
  readonly #closing = new AbortController();
  readonly #signal: AbortSignal;
  #client: Client | undefined;
  #connected = false;
  #closed = false;
  #attempt: Promise<unknown> = Promise.resolve();
  #break: PromiseWithResolvers<void> | undefined;

  constructor(deps: GatewayDeps) {
    this.#deps = deps;
    this.#signal = AbortSignal.any([deps.signal, this.#closing.signal]);
  }

  /** Fulfils when events are delivered. @throws PermanentError when Discord refuses the token or the intents. */
  async connect(): Promise<void> {
    await retried(() => this.#login(), {
      ...backoff,
      signal: this.#signal,
      again: (failure) => !(failure instanceof PermanentError),
    });
  }

  /** From what the gateway has told: no request. */
  channel(id: string): KnownChannel | undefined {
    const channel = this.#client?.channels.cache.get(id);
    if (channel === undefined) return undefined;
    const parentId = "parentId" in channel ? channel.parentId : null;
    return {
      id,
      type: channel.type,
      ...(parentId === null ? {} : { parentId }),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#connected = false;
    this.#closing.abort();
    const inTime = new AbortController();
    await Promise.race([
      Promise.allSettled([this.#attempt, this.#break?.promise]),
      sleep(closingMs, undefined, { signal: inTime.signal }).catch(() => {}),
    ]);
    inTime.abort();
    this.#closed = true;
    await this.#client?.destroy();
  }

  /** A client that failed to log in is destroyed and can't be used again, so every attempt makes one. */
  async #login(): Promise<void> {
    const { token, apiRoot, messageContent, log, handlers } = this.#deps;
    this.#signal.throwIfAborted();
    const isClosed = () => this.#closed;
    const buildStrategy = takePackets({ handlers, log, isClosed });
    const client = createClient({ apiRoot, messageContent, buildStrategy });
    this.#listen(client);
    this.#client = client;
    try {
      const attempt = client.login(token);
      this.#attempt = attempt;
      await unlessAborted(attempt, this.#signal);
      this.#connected = true;
    } catch (failure) {
      const permanent = permanentLoginFailure(failure);
      if (permanent) throw permanent;
      this.#signal.throwIfAborted();
      const cause = messageOf(failure);
      log.warn({ cause }, "Discord cannot be reached; trying again");
      throw failure;
    }
  }

  #listen(client: Client): void {
    const { log } = this.#deps;
    client.on(Events.Error, (failure) => {
      log.error({ cause: messageOf(failure) }, "discord.js reported an error");
    });
    client.on(Events.ShardError, (failure, shard) => {
      const cause = messageOf(failure);
      log.warn({ shard, cause }, "Discord's connection had an error");
    });
    client.on(Events.ShardReconnecting, (shard) => {
      this.#break ??= Promise.withResolvers();
      log.info({ shard }, "Discord's connection was lost; reconnecting");
    });
    const isBack = () => {
      this.#break?.resolve();
      this.#break = undefined;
    };
    client.on(Events.ShardReady, isBack);
    client.on(Events.ShardResume, (shard, replayed) => {
      isBack();
      log.info({ shard, replayed }, "Discord's connection is back");
    });
    client.on(Events.ShardDisconnect, ({ code }, shard) => {
      if (!this.#connected || client !== this.#client) return;
      this.#connected = false;
      log.error({ shard, code }, "Discord ended the connection for good");
      void this.#reconnect(client);
    });
  }

  async #reconnect(ended: Client): Promise<void> {
    const { log } = this.#deps;
    await ended.destroy();
    await retried(() => this.#login(), {
      signal: this.#signal,
      firstDelayMs: refusedDelayMs,
      maxDelayMs: refusedDelayMs,
      again(failure) {
        log.error({ cause: messageOf(failure) }, "Discord does not let us in");
        return true;
      },
    }).catch(() => undefined);
  }
}
