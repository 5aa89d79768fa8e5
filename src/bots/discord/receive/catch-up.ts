import { DiscordAPIError, RateLimitError, Routes } from "discord.js";
import type { REST } from "discord.js";
import type { Logger } from "pino";
import { z } from "zod";
import { messageOf } from "../../../core/errors.ts";
import { unlessAborted } from "../../../util/abort.ts";
import { sleep } from "../../../util/sleep.ts";
import type { GatewayMemory, KnownChannel } from "../gateway/memory.ts";
import type { MissedSince } from "../gateway/missed.ts";
import { retried } from "../retry.ts";
import { idSchema } from "./payloads.ts";
import { idBefore, madeAtMs, shardOf } from "./snowflake.ts";

/** Older messages are not fetched if nothing is known of the session before. */
const longestMs = 24 * 3_600_000;
/**
 * Discord may deliver two channels' messages in another order than that of their ids. What is found
 * twice is known by its id.
 */
const marginMs = 60_000;
const pageSize = 100;
/** Per channel: most messages on a server are not for the bot. */
const maxPages = 5;
/** Channels that are fetched at the same time, and the pause after each batch. */
const concurrency = 2;
const pauseMs = 50;
const attempts = 6;

const pageSchema = z.array(z.looseObject({ id: idSchema }));
type Page = z.infer<typeof pageSchema>;

interface CatchUpDeps {
  readonly rest: Pick<REST, "get">;
  readonly memory: Pick<GatewayMemory, "readChannels" | "forgetChannel">;
  /**
   * Fulfils when it is in its channel's queue. Undefined: it isn't for the bot.
   */
  readonly takeMissed: (
    message: unknown,
  ) => Promise<{ readonly isDurable: Promise<boolean> } | undefined>;
  readonly now: () => number;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export interface Gap {
  readonly shard: number;
  readonly shardCount: number;
  readonly since: Promise<MissedSince>;
}

/** One search through the known channels of one shard. */
interface Search {
  /** Fulfils when nothing missed there can still come. Never rejects. */
  channel(id: string): Promise<void>;
}

/**
 * Where a session cannot be resumed Discord does not deliver what was written in between: the
 * channels where the bot has been spoken to are asked for it. Bounded in time, pages and pace. What
 * the gateway delivers in such a channel waits for it; a channel in which someone writes is asked
 * next.
 */
export class CatchUp {
  readonly #deps: CatchUpDeps;
  readonly #running = new Set<Search>();

  constructor(deps: CatchUpDeps) {
    this.#deps = deps;
  }

  /** Work to do before a new message of the channel. Undefined: none. */
  before(channelId: string): Promise<void> | undefined {
    if (this.#running.size === 0) return undefined;
    const searches = [...this.#running].map((each) => each.channel(channelId));
    return Promise.all(searches).then(() => undefined);
  }

  /**
   * Fulfils with true when all that was found is durable, with false when another process has to
   * look again.
   */
  async search(gap: Gap): Promise<boolean> {
    const { log, signal } = this.#deps;
    const found: Promise<boolean>[] = [];
    const jobs = new Map<string, () => Promise<void>>();
    const load = async () => {
      const { channels, sinceMs } = await this.#load(gap);
      for (const channel of channels)
        jobs.set(
          channel.channelId,
          once(() => this.#ask(channel, sinceMs, found)),
        );
    };
    const loading = load();
    const search: Search = {
      channel: (id) =>
        // Failures are reported where the search is made.
        loading.then(() => jobs.get(id)?.()).catch(() => undefined),
    };
    this.#running.add(search);
    try {
      await loading;
      const queue = [...jobs.values()].values();
      const work = async () => {
        for (const job of queue) {
          await job();
          await sleep(pauseMs, signal);
        }
      };
      await Promise.all(Array.from({ length: concurrency }, work));
    } catch (failure) {
      if (signal.aborted) return false;
      const { shard } = gap;
      log.error({ shard, cause: messageOf(failure) }, "catching up failed");
    } finally {
      this.#running.delete(search);
    }
    const isDurable = await Promise.all(found);
    if (jobs.size > 0)
      log.info(
        { shard: gap.shard, channels: jobs.size, messages: found.length },
        "fetched missed messages",
      );
    return isDurable.every(Boolean);
  }

  /** From a known position, no clock but Discord's is asked: ids are compared with ids. */
  async #load({ shard, shardCount, since }: Gap) {
    const { memory, now, signal } = this.#deps;
    const known = await unlessAborted(
      this.#retryUntilAccepted(() => memory.readChannels()),
      signal,
    );
    const { after } = await unlessAborted(since, signal);
    return {
      channels: known.filter(({ guildId }) => shardOf(guildId, shardCount) === shard),
      sinceMs: after === undefined ? now() - longestMs : madeAtMs(after) - marginMs,
    };
  }

  /** @throws the signal's reason only. */
  async #ask(channel: KnownChannel, sinceMs: number, found: Promise<boolean>[]): Promise<void> {
    const { log, signal, memory, takeMissed } = this.#deps;
    const { channelId, guildId } = channel;
    let after = idBefore(Math.max(sinceMs, channel.handledAtMs));
    try {
      for (let pages = 1; ; pages += 1) {
        const page = await this.#page(channelId, after);
        for (const message of page) {
          // Only the gateway says which server a message is in.
          const guild = guildId === undefined ? {} : { guild_id: guildId };
          const taken = await takeMissed({ ...message, ...guild });
          if (taken) found.push(taken.isDurable);
        }
        after = page.at(-1)?.id ?? after;
        if (page.length < pageSize) return;
        if (pages >= maxPages) {
          log.warn({ channelId }, "a channel had more messages than are read");
          return;
        }
      }
    } catch (failure) {
      signal.throwIfAborted();
      const isGone =
        failure instanceof DiscordAPIError && (failure.status === 403 || failure.status === 404);
      if (isGone) await memory.forgetChannel(channel).catch(() => undefined);
      else
        log.error(
          { channelId, cause: messageOf(failure) },
          "could not fetch a channel's missed messages",
        );
    }
  }

  /** Oldest first. */
  async #page(channelId: string, after: string): Promise<Page> {
    const query = new URLSearchParams({ after, limit: String(pageSize) });
    const page = await this.#retryUntilAccepted(async () => {
      try {
        return await this.#deps.rest.get(Routes.channelMessages(channelId), {
          query,
        });
      } catch (failure) {
        if (failure instanceof RateLimitError) await sleep(failure.retryAfter, this.#deps.signal);
        throw failure;
      }
    });
    return pageSchema
      .parse(page)
      .toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1));
  }

  #retryUntilAccepted<T>(work: () => Promise<T>): Promise<T> {
    return retried(work, {
      signal: this.#deps.signal,
      firstDelayMs: 250,
      maxDelayMs: 10_000,
      again: (failure, made) =>
        made < attempts &&
        !(failure instanceof DiscordAPIError && failure.status >= 400 && failure.status < 500),
    });
  }
}

/** However often it is asked for, it is done once. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}
