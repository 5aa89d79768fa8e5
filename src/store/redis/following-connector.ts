import { Redis, SentinelConnector, type SentinelConnectionOptions } from "ioredis";

type Connect = SentinelConnector["connect"];
type Stream = Awaited<ReturnType<Connect>>;

const retryMs = 2_000;

/**
 * Finds the master through Sentinels, and leaves it when they name another: a master that hangs
 * would keep its connections. It listens for as long as one connection lasts. ioredis' own
 * `failoverDetector` goes on listening while the next one is being made; news of the failover then
 * ends that attempt for ever, with every command that waits for it. And it prints an error for each
 * Sentinel that is away.
 */
export class FollowingConnector extends SentinelConnector {
  /** @param options those of the connection, as ioredis hands them to every connector. */
  constructor(options: unknown) {
    super(options as SentinelConnectionOptions);
  }

  override async connect(...given: Parameters<Connect>): ReturnType<Connect> {
    // Otherwise it asks the Sentinel after the last one that answered, and reports a single one
    // "unreachable" at first.
    this.sentinelIterator.reset(false);
    const stream = await super.connect(...given);
    const watchers = this.#watch(stream);
    stream.once("close", () => {
      for (const watcher of watchers) watcher.disconnect();
    });
    return stream;
  }

  #watch(stream: Stream): readonly Redis[] {
    const { sentinels, name } = this.options;
    return (sentinels ?? []).map((sentinel) => {
      const watcher = this.#openSentinel(sentinel);
      // A Sentinel that is away is replaced by the others, and tried again.
      watcher.on("error", () => undefined);
      watcher.on("message", (_channel, news: string) => {
        if (news.startsWith(`${name} `)) stream.destroy();
      });
      // It fails only after the watching has ended.
      watcher.subscribe("+switch-master").catch(() => undefined);
      return watcher;
    });
  }

  #openSentinel({ host, port }: { host?: string; port?: number }): Redis {
    const { sentinelUsername, sentinelPassword, sentinelTLS } = this.options;
    return new Redis({
      ...(host === undefined ? {} : { host }),
      ...(port === undefined ? {} : { port }),
      ...(sentinelUsername === undefined ? {} : { username: sentinelUsername }),
      ...(sentinelPassword === undefined ? {} : { password: sentinelPassword }),
      ...(sentinelTLS === undefined ? {} : { tls: sentinelTLS }),
      enableReadyCheck: false,
      maxRetriesPerRequest: null,
      retryStrategy: () => retryMs,
    });
  }
}
