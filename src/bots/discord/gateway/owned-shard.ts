import { GatewayDispatchEvents } from "discord.js";
import type { APIGatewayBotInfo, GatewayDispatchPayload, GatewayIntentBits } from "discord.js";
import type { Logger } from "pino";
import { z } from "zod";
import { messageOf, PermanentError } from "../../../core/errors.ts";
import type { PlatformWatch } from "../../../core/outage.ts";
import type { HeldLease } from "../../../core/ports.ts";
import { unlessAborted } from "../../../util/abort.ts";
import { backoffMs, equalJitter } from "../../../util/backoff.ts";
import { sleep } from "../../../util/sleep.ts";
import { idSchema } from "../receive/payloads.ts";
import { atMost } from "../retry.ts";
import type { Identifying } from "./identifying.ts";
import { KeptLease } from "./kept-lease.ts";
import { endOf, refusedKind } from "./login-failure.ts";
import type { DurableSession, GatewayMemory, SessionAge } from "./memory.ts";
import { Missed, type MissedSince } from "./missed.ts";
import { SequenceTracker } from "./sequence.ts";
import { SessionWriter } from "./session-writer.ts";
import { ShardConnection, type SessionInfo } from "./shard-connection.ts";

const writeEveryMs = 1_000;
const backoff = { firstMs: 1_000, maxMs: 60_000 };
/**
 * Even a refused token is tried again: an operator may undo what made it invalid. 288 a day of
 * 1,000.
 */
const refusedDelayMs = 5 * 60_000;
/** After as many tries in a row another process may have more luck. */
const triesWhenCutOff = 3;
/** Received events may still become durable while the shard is released. */
const drainMs = 2_000;
const lastWriteMs = 500;

export interface ShardDeps {
  readonly token: string;
  /** A bit set; the type names single bits. */
  readonly intents: GatewayIntentBits;
  /** Shown below the bot's name. */
  readonly presence?: string;
  readonly memory: GatewayMemory;
  readonly identifying: Identifying;
  /** @throws PermanentError when the token is refused, else why Discord could not be asked. */
  readonly information: () => Promise<APIGatewayBotInfo>;
  /**
   * Fulfils with true when the event is durable, with false when another process has to take it.
   * Undefined: not ours.
   */
  readonly handle: (event: GatewayDispatchPayload) => Promise<boolean> | undefined;
  /** Looks for what was missed before this session. */
  readonly catchUp: (gap: {
    readonly shard: number;
    readonly shardCount: number;
    readonly since: Promise<MissedSince>;
  }) => Promise<boolean>;
  readonly watch: PlatformWatch;
  readonly log: Logger;
}

/** The events whose ids say where Discord's clock stood when they were sent. */
const positioned = z.object({
  t: z.enum([GatewayDispatchEvents.MessageCreate, GatewayDispatchEvents.InteractionCreate]),
  d: z.object({ id: idSchema }),
});

interface Ownership {
  readonly shard: number;
  readonly shardCount: number;
  readonly lease: HeldLease;
  /** Takes the lease again after it was lost, if no other process has it. */
  readonly retake: () => Promise<HeldLease | undefined>;
  readonly onChange: () => void;
}

/**
 * A shard while this process holds its lease: `connecting ⇄ up`, then `lost`
 * (another process has it) or disposed. A lease that expires because the store
 * is away doesn't end the connection: events are held until it returns. But the
 * connection isn't reopened before the lease is back, or two processes would
 * take the session from each other.
 */
export class OwnedShard implements AsyncDisposable {
  readonly shard: number;
  readonly shardCount: number;
  readonly #deps: ShardDeps;
  readonly #given: Ownership;
  readonly #closing = new AbortController();
  readonly #beat: NodeJS.Timeout;
  readonly #writer: SessionWriter;
  readonly #lease: KeptLease;
  #connection: ShardConnection | undefined;
  #session: SessionInfo | undefined;
  #tracker: SequenceTracker | undefined;
  #missed: Missed | undefined;
  #searched: Promise<void> = Promise.resolve();
  #refusal: PermanentError | undefined;
  #failures = 0;

  constructor(deps: ShardDeps, given: Ownership) {
    this.#deps = deps;
    this.#given = given;
    this.shard = given.shard;
    this.shardCount = given.shardCount;
    this.#lease = new KeptLease(given.lease, {
      retake: given.retake,
      isInUse: () => this.isUp,
      onGone: () => {
        deps.log.warn({ shard: given.shard }, "another process has this shard");
        given.onChange();
      },
      log: deps.log,
      signal: this.#closing.signal,
    });
    this.#writer = new SessionWriter({
      shard: given.shard,
      shardCount: given.shardCount,
      memory: deps.memory,
      fence: () => this.#lease.fence,
      onFollowable: given.onChange,
      log: deps.log,
    });
    this.#beat = setInterval(() => this.#write(), writeEveryMs).unref();
    void this.#run();
  }

  get isUp(): boolean {
    return this.#connection?.isUp ?? false;
  }

  /** Its session is stored, so the next owner of the shard can resume it. */
  get isFollowable(): boolean {
    const { followable } = this.#writer;
    return followable !== undefined && followable === this.#session;
  }

  /** Another process has it: to be disposed. */
  get isLost(): boolean {
    return this.#lease.isGone;
  }

  /** Why Discord refuses these settings. */
  get refusal(): PermanentError | undefined {
    return this.#refusal;
  }

  /** Discord cannot be reached from here, or does not let this process in. */
  get isCutOff(): boolean {
    if (this.isUp) return false;
    const { wasUp = false, failedTries = 0 } = this.#connection ?? {};
    const tries = (wasUp ? 0 : this.#failures) + failedTries;
    return this.#refusal !== undefined || tries >= triesWhenCutOff;
  }

  /** Leaves the session to the shard's next owner. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#beat);
    await this.#connection?.close();
    const drained = Promise.all([this.#tracker?.idle(), this.#searched]);
    await atMost(drained, drainMs);
    this.#write();
    await atMost(this.#writer.idle, lastWriteMs);
    await this.#lease[Symbol.asyncDispose]();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const { log } = this.#deps;
    while (!signal.aborted) {
      try {
        const { ended } = await this.#connect();
        throw endOf(await unlessAborted(ended, signal));
      } catch (failure) {
        if (signal.aborted) return;
        const wasUp = this.#connection?.wasUp ?? false;
        this.#failures = wasUp ? 0 : this.#failures + 1;
        await this.#connection?.close();
        this.#connection = undefined;
        this.#session = undefined;
        this.#refusal = failure instanceof PermanentError ? failure : undefined;
        const cause = messageOf(failure);
        const { shard } = this;
        // An end of a session proves little: it is begun again at once.
        if (this.#refusal && !wasUp)
          this.#deps.watch.failed({ kind: refusedKind(this.#refusal), cause });
        if (wasUp) log.error({ shard, cause }, "Discord ended the connection for good");
        else if (this.#refusal) log.error({ shard, cause }, "Discord does not let us in");
        else log.warn({ shard, cause }, "can't reach Discord; retrying");
        this.#tracker = undefined;
        this.#given.onChange();
        await this.#pause(this.#failures).catch(() => undefined);
      }
    }
  }

  /** Ends early only with the shard. */
  async #pause(failures: number): Promise<void> {
    if (failures === 0) return;
    const delayMs = this.#refusal
      ? refusedDelayMs
      : equalJitter(backoffMs(failures, backoff), Math.random());
    await sleep(delayMs, this.#closing.signal);
  }

  async #connect(): Promise<ShardConnection> {
    const { token, intents, presence, memory, identifying, log } = this.#deps;
    const { shard, shardCount } = this;
    const { signal } = this.#closing;
    const stored = await unlessAborted(memory.readSession(shard), signal);
    const information = await unlessAborted(this.#deps.information(), signal);
    if (stored?.shardCount === shardCount) {
      const { sessionId, sequence, resumeUrl: resumeURL } = stored;
      this.#session = {
        sessionId,
        sequence,
        resumeURL,
        shardCount,
        shardId: shard,
      };
      this.#tracker = new SequenceTracker(sequence, stored.position);
      this.#writer.follow(this.#session);
      // The owner that began the session did not finish the search.
      if (stored.missedMs !== undefined && !this.#missed)
        this.#search(Promise.resolve(missedSince(stored)));
    }
    this.#connection = new ShardConnection({
      token,
      intents,
      presence,
      shard,
      shardCount,
      information,
      session: this.#session,
      identify: (over) => identifying.wait({ shard, shardCount }, AbortSignal.any([over, signal])),
      mayConnect: () => this.#lease.held(),
      onFresh: (session) => this.#begin(session),
      onEvent: (event) => this.#arrived(event),
      onChange: this.#given.onChange,
      log,
    });
    this.#connection.connect();
    return this.#connection;
  }

  /**
   * Stored as soon as possible, because only the session delivers what is
   * written in an unknown channel. The pending search for missed messages is
   * stored with it, so that a new owner doesn't forget it.
   */
  #begin(session: SessionInfo): void {
    const { shard, shardCount } = this;
    this.#deps.log.info({ shard, shardCount }, "a new session with Discord");
    this.#session = session;
    const tracker = new SequenceTracker(0);
    this.#tracker = tracker;
    this.#writer.restart();
    const since = this.#deps.memory.readSession(shard).then(
      (before): MissedSince => (before?.shardCount === shardCount ? missedSince(before) : {}),
      // Not known: the longest time is looked through.
      (): MissedSince => ({}),
    );
    const { isDated } = this.#search(since);
    tracker.arrived(session.sequence, isDated);
    // Until something arrives, the position before is this session's, too.
    void since.then(({ after }) => tracker.arrived(session.sequence, undefined, after));
    // Not only at the next beat: who dies before cannot be followed.
    void isDated.then(() => this.#write());
  }

  #search(since: Promise<MissedSince>): Missed {
    const { shard, shardCount } = this;
    const missed = new Missed(since);
    this.#missed = missed;
    const search = this.#deps.catchUp({ shard, shardCount, since });
    this.#searched = this.#finish(missed, search);
    return missed;
  }

  async #finish(missed: Missed, search: Promise<boolean>): Promise<void> {
    if (!(await search) || this.#missed !== missed) return;
    this.#missed = undefined;
    this.#write();
  }

  #arrived(event: GatewayDispatchPayload): void {
    const { log, handle } = this.#deps;
    const id = positioned.safeParse(event).data?.d.id;
    try {
      this.#tracker?.arrived(event.s, handle(event), id);
    } catch (failure) {
      const cause = messageOf(failure);
      log.error({ event: event.t, cause }, "a packet of Discord's could not be handled");
      this.#tracker?.arrived(event.s);
    }
  }

  #write(): void {
    if (this.isUp) this.#deps.watch.served();
    const tracker = this.#tracker;
    const session = this.#session;
    if (!tracker || !session) return;
    this.#writer.write({
      session,
      sequence: tracker.durable,
      position: tracker.position,
      missed: this.#missed,
      ageMs: Math.max(tracker.waitingMs, this.#connection?.downMs ?? 0),
      isUp: this.isUp,
    });
  }
}

/**
 * A stored session without a position, from an earlier version, leaves it unknown: its age is by
 * another clock than Discord's.
 */
function missedSince({
  position,
  missedAfter,
  ageMs,
  missedMs,
}: DurableSession & SessionAge): MissedSince {
  return missedMs === undefined
    ? { after: position, gapMs: ageMs }
    : { after: missedAfter, gapMs: Math.max(ageMs, missedMs) };
}
