import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import { messageOf } from "../../../core/errors.ts";
import type { GatewayMemory } from "./memory.ts";
import type { Missed } from "./missed.ts";
import type { SessionInfo } from "./shard-connection.ts";

/**
 * An unchanged session is also written, so that its age shows how long no
 * process has been connected.
 */
const refreshEveryMs = 60_000;

interface SessionWriterDeps {
  readonly shard: number;
  readonly shardCount: number;
  readonly memory: Pick<GatewayMemory, "writeSession">;
  /** Of the lease on whose strength it is written. */
  readonly fence: () => number;
  readonly onFollowable: () => void;
  readonly log: Logger;
}

interface Progress {
  readonly session: SessionInfo;
  /** Every event up to it is durable. */
  readonly sequence: number;
  /** The newest snowflake among those events. */
  readonly position: string | undefined;
  readonly missed: Missed | undefined;
  /** How long ago everything that had arrived was durable. */
  readonly ageMs: number;
  readonly isUp: boolean;
}

interface Written {
  readonly sequence: number;
  readonly atMs: number;
  readonly missed?: Missed | undefined;
}
const nothing: Written = { sequence: 0, atMs: 0 };

/** Writes down how far one shard's session is durable, where that is news. */
export class SessionWriter {
  readonly #deps: SessionWriterDeps;
  #followable: SessionInfo | undefined;
  #written = nothing;
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: SessionWriterDeps) {
    this.#deps = deps;
  }

  /** The stored session, which the shard's next owner can resume. */
  get followable(): SessionInfo | undefined {
    return this.#followable;
  }

  /** Fulfils when nothing is being written. */
  get idle(): Promise<void> {
    return this.#writing;
  }

  /** A session was read. */
  follow(session: SessionInfo): void {
    this.#followable = session;
  }

  /** The stored session is another one. */
  restart(): void {
    this.#written = nothing;
  }

  /** At most one at a time; a failure is followed by the next one. */
  write(progress: Progress): void {
    const { session, sequence, position, missed, ageMs, isUp } = progress;
    const now = performance.now();
    const isNews = sequence > this.#written.sequence || missed !== this.#written.missed;
    const isDue = isUp && now - this.#written.atMs >= refreshEveryMs;
    if (sequence < 1 || !(isNews || isDue)) return;
    this.#written = { sequence, atMs: now, missed };
    const { memory, shard, shardCount, fence, log } = this.#deps;
    const { sessionId, resumeURL: resumeUrl } = session;
    const record = {
      sessionId,
      resumeUrl,
      sequence,
      shardCount,
      fence: fence(),
      position,
      ageMs,
      ...(missed ? { missedMs: missed.ageMs, missedAfter: missed.after } : {}),
    };
    const write = async () => {
      const isWritten = await memory.writeSession(shard, record);
      if (!isWritten || this.#followable === session) return;
      this.#followable = session;
      this.#deps.onFollowable();
    };
    this.#writing = this.#writing.then(write).catch((failure: unknown) => {
      const cause = messageOf(failure);
      log.warn({ shard, cause }, "Discord's session was not written");
      this.restart();
    });
  }
}
