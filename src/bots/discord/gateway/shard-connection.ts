import { performance } from "node:perf_hooks";
import {
  CloseCodes,
  DefaultWebSocketManagerOptions,
  WebSocketShard,
  WebSocketShardEvents,
  WebSocketShardStatus,
} from "@discordjs/ws";
import type { SessionInfo } from "@discordjs/ws";
import { ActivityType, GatewayCloseCodes, GatewayOpcodes, PresenceUpdateStatus } from "discord.js";
import type {
  APIGatewayBotInfo,
  GatewayDispatchPayload,
  GatewayIntentBits,
  GatewayPresenceUpdateData,
} from "discord.js";
import type { Logger } from "pino";
import { messageOf } from "../../../core/errors.ts";
import { atMost } from "../retry.ts";

export type { SessionInfo };

/**
 * After these Discord will not let the same connection in again (docs: Gateway Close Event Codes,
 * "Reconnect: false").
 */
const finalCodes: ReadonlySet<number> = new Set([
  GatewayCloseCodes.AuthenticationFailed,
  GatewayCloseCodes.InvalidShard,
  GatewayCloseCodes.ShardingRequired,
  GatewayCloseCodes.InvalidAPIVersion,
  GatewayCloseCodes.InvalidIntents,
  GatewayCloseCodes.DisallowedIntents,
]);
/** The connection was lost without a close frame. */
const cutCode = 1006;
/**
 * How long a session is kept while nothing can be reached; Discord does not say how long it keeps
 * one.
 */
const keepSessionMs = 5 * 60_000;
const closingMs = 2_000;

interface ConnectionDeps {
  readonly token: string;
  /** A bit set; the type names single bits. */
  readonly intents: GatewayIntentBits;
  /** Shown below the bot's name. */
  readonly presence: string | undefined;
  readonly shard: number;
  readonly shardCount: number;
  readonly information: APIGatewayBotInfo;
  /** To be resumed. */
  readonly session: SessionInfo | undefined;
  /** Fulfils when an IDENTIFY may be sent; rejects only for the signal. */
  readonly identify: (signal: AbortSignal) => Promise<void>;
  /** Fulfils when this process may open the connection. */
  readonly mayConnect: () => Promise<void>;
  /** A session began that is not the one before. Called ahead of its events. */
  readonly onFresh: (session: SessionInfo) => void;
  readonly onEvent: (event: GatewayDispatchPayload) => void;
  readonly onChange: () => void;
  readonly log: Logger;
}

/**
 * One shard's connection: `down → up → down …`, until `ended` (Discord will not let it in again) or
 * `closed` (by us). Short breaks are @discordjs/ws' business: it resumes. Its `WebSocketShard` is
 * used without its manager, since shards come and go here one by one.
 */
export class ShardConnection {
  /** Fulfils with the close code when Discord has ended it for good. */
  readonly ended: Promise<number>;
  readonly #deps: ConnectionDeps;
  readonly #shard: WebSocketShard;
  readonly #end: (code: number) => void;
  #session: SessionInfo | undefined;
  #isUp = false;
  #wasUp = false;
  #isClosed = false;
  #hasHello = false;
  #failedTries = 0;
  #lastClose: number | undefined;
  #downSince = performance.now();

  constructor(deps: ConnectionDeps) {
    this.#deps = deps;
    this.#session = deps.session;
    const ended = Promise.withResolvers<number>();
    this.ended = ended.promise;
    this.#end = ended.resolve;
    this.#shard = new WebSocketShard(
      {
        options: {
          ...DefaultWebSocketManagerOptions,
          token: deps.token,
          intents: deps.intents,
          initialPresence: presenceOf(deps.presence),
          gatewayInformation: deps.information,
          shardCount: deps.shardCount,
        },
        retrieveSessionInfo: () => this.#retrieve(),
        updateSessionInfo: (_, session) => this.#update(session),
        waitForIdentify: (_, signal) =>
          this.#isClosed ? new Promise(() => undefined) : deps.identify(signal),
      },
      deps.shard,
    );
    this.#listen();
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  get wasUp(): boolean {
    return this.#wasUp;
  }

  /** For how long nothing could arrive. */
  get downMs(): number {
    return this.#isUp ? 0 : performance.now() - this.#downSince;
  }

  /** How many sockets in a row were closed before Discord said anything. */
  get failedTries(): number {
    return this.#failedTries;
  }

  get session(): SessionInfo | undefined {
    return this.#session;
  }

  connect(): void {
    // Its rejection was reported as `error`, and it keeps trying.
    this.#shard.connect().catch(() => undefined);
  }

  /** Leaves the session open, to be resumed by the next owner. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isUp = false;
    const destroy = () => this.#shard.destroy({ code: CloseCodes.Resuming });
    // While it waits to connect again it has no socket, and will not get one any more.
    if (this.#shard.status === WebSocketShardStatus.Idle) return;
    if (this.#hasHello) return atMost(destroy(), closingMs);
    // A socket that is still being opened cannot be closed: it would stay, and its errors end the
    // process.
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#shard.once(WebSocketShardEvents.Hello, () => resolve(destroy()));
    this.#shard.once(WebSocketShardEvents.Closed, () => resolve());
    await atMost(promise, closingMs);
  }

  /** Never fulfils after closing, so that the library doesn't connect again. */
  async #retrieve(): Promise<SessionInfo | null> {
    if (this.#shard.status === WebSocketShardStatus.Idle) {
      this.#hasHello = false;
      await this.#deps.mayConnect();
    }
    if (this.#isClosed) return new Promise(() => undefined);
    return this.#session ?? null;
  }

  #update(session: SessionInfo | null): void {
    if (this.#isClosed) return;
    if (session === null) {
      // @discordjs/ws gives a session up when a connection is refused. The network may only be
      // away.
      const isCut = this.#lastClose === cutCode;
      if (!isCut || this.downMs > keepSessionMs) this.#session = undefined;
      return;
    }
    const isFresh = session.sessionId !== this.#session?.sessionId;
    this.#session = session;
    if (isFresh) this.#deps.onFresh(session);
  }

  #listen(): void {
    const { log, shard, onEvent, onChange } = this.#deps;
    const isUp = () => {
      this.#isUp = true;
      this.#wasUp = true;
      onChange();
    };
    this.#shard.on(WebSocketShardEvents.Ready, isUp);
    this.#shard.on(WebSocketShardEvents.Resumed, () => {
      log.info({ shard }, "resumed Discord's session");
      this.#present();
      isUp();
    });
    this.#shard.on(WebSocketShardEvents.Hello, () => {
      this.#hasHello = true;
      this.#failedTries = 0;
      this.#lastClose = undefined;
    });
    this.#shard.on(WebSocketShardEvents.Closed, ({ code }) => this.#closed(code));
    this.#shard.on(WebSocketShardEvents.Error, ({ error }) => {
      const cause = messageOf(error);
      if (!this.#isClosed) log.warn({ shard, cause }, "Discord's connection had an error");
    });
    this.#shard.on(WebSocketShardEvents.Dispatch, ({ data }) => {
      if (!this.#isClosed) onEvent(data);
    });
  }

  /**
   * A session that goes on shows what it was begun with, and the settings may say something else by
   * now.
   */
  #present(): void {
    const { presence, log, shard } = this.#deps;
    this.#shard
      .send({
        op: GatewayOpcodes.PresenceUpdate,
        d: presenceOf(presence),
      })
      .catch((failure: unknown) =>
        log.debug({ shard, cause: messageOf(failure) }, "the presence was not shown"),
      );
  }

  #closed(code: number): void {
    const { log, shard, onChange } = this.#deps;
    this.#lastClose = code;
    if (this.#isClosed) return;
    if (!this.#hasHello) this.#failedTries += 1;
    if (this.#isUp) {
      this.#isUp = false;
      this.#downSince = performance.now();
      if (!finalCodes.has(code))
        log.info({ shard, code }, "Discord's connection was lost; reconnecting");
      onChange();
    }
    if (finalCodes.has(code)) this.#end(code);
  }
}

/** A custom status; without words there is none. */
const presenceOf = (words: string | undefined): GatewayPresenceUpdateData => ({
  activities:
    words === undefined ? [] : [{ type: ActivityType.Custom, name: "Custom Status", state: words }],
  status: PresenceUpdateStatus.Online,
  since: null,
  afk: false,
});
