import { askServer, untilServers } from "./ask-server.ts";
import { startTestRedis, type TestRedis, type TestRedisOptions } from "./start-test-redis.ts";

/**
 * A master, a replica and the Sentinel that watches them. Master and replica together are killed,
 * restarted (each as what it was at first), paused and resumed: the Sentinel finds no one to
 * promote. `port` and `pid` are the first master's.
 */
export type TestSentinel = TestRedis & {
  readonly sentinel: TestRedis;
  /** The one that is the master now. */
  master(): Promise<TestRedis>;
  /** Fulfils when the replica has everything that the master has accepted so far. */
  replicated(): Promise<void>;
  /**
   * Kills the master; fulfils when the replica has taken its place. There is no replica afterwards.
   */
  failOver(): Promise<void>;
  /** As an operator asks for it: nothing is killed, and the roles are exchanged. */
  switchOver(): Promise<void>;
};

const masterName = "parley-test";
/** A master that says nothing for so long is taken for dead. */
const downAfterMs = 700;

export async function startTestSentinel(options: TestRedisOptions = {}): Promise<TestSentinel> {
  await using parts = new AsyncDisposableStack();
  const { password, args = [] } = options;
  // Both take part in both roles; the default would wait 5 s for more replicas before the first
  // copy.
  const common = [
    "--repl-diskless-sync-delay",
    "0",
    ...(password === undefined ? [] : ["--masterauth", password]),
    ...args,
  ];
  const start = async (more: readonly string[]): Promise<TestRedis> =>
    parts.use(await startTestRedis({ ...options, args: [...common, ...more] }));
  const first = await start([]);
  const second = await start(["--replicaof", "127.0.0.1", String(first.port)]);
  const servers = [first, second];
  await copying(second);
  const sentinel = parts.use(await startTestRedis({ args: ["--sentinel"] }));
  await watch(sentinel, first, password);

  const named = async (): Promise<TestRedis> => {
    const address = await askServer(sentinel, (client) =>
      client.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", masterName),
    );
    const port = Array.isArray(address) ? Number(address[1]) : 0;
    const server = servers.find((each) => each.port === port);
    if (!server) throw new Error(`the Sentinel names port ${port}`);
    return server;
  };
  const taken = (from: TestRedis) =>
    untilServers("another master", async () => {
      const now = await named();
      return now !== from && (await roleOf(now)) === "master";
    });
  const held = parts.move();
  return {
    sentinel,
    url: [
      "redis+sentinel://",
      password === undefined ? "" : `:${encodeURIComponent(password)}@`,
      `127.0.0.1:${sentinel.port}/${masterName}`,
    ].join(""),
    port: first.port,
    folders: first.folders,
    get pid() {
      return first.pid;
    },
    master: named,
    replicated: () =>
      untilServers("a replica that has everything", async () =>
        askServer(await named(), async (client) => {
          // Published words go the way of every write, behind all before them.
          await client.publish("parley:test", "");
          return (await client.wait(1, 900)) > 0;
        }),
      ),
    async failOver() {
      const dead = await named();
      await dead.kill();
      await taken(dead);
    },
    async switchOver() {
      const old = await named();
      await askServer(sentinel, (client) => client.call("SENTINEL", "FAILOVER", masterName));
      await taken(old);
    },
    async kill() {
      await Promise.all(servers.map((server) => server.kill()));
    },
    async restart() {
      await Promise.all(servers.map((server) => server.kill()));
      await first.restart();
      await second.restart();
      await copying(second);
    },
    pause: () => servers.forEach((server) => server.pause()),
    resume: () => servers.forEach((server) => server.resume()),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** Has the Sentinel watch the master; fulfils when it knows the replica, which it could promote. */
async function watch(
  sentinel: TestRedis,
  master: TestRedis,
  password: string | undefined,
): Promise<void> {
  await askServer(sentinel, async (client) => {
    await client.call("SENTINEL", "MONITOR", masterName, "127.0.0.1", master.port, 1);
    // Redis 7 can look more often than every 10 s; before that, the tests only take longer.
    await client.call("SENTINEL", "DEBUG", "INFO-PERIOD", 100).catch(() => undefined);
    const settings = {
      "down-after-milliseconds": downAfterMs,
      "failover-timeout": 5_000,
      ...(password === undefined ? {} : { "auth-pass": password }),
    };
    for (const [name, value] of Object.entries(settings))
      await client.call("SENTINEL", "SET", masterName, name, value);
  });
  await knowsReplica(sentinel);
}

/** It could promote the replica now. */
const knowsReplica = (sentinel: TestRedis): Promise<void> =>
  untilServers("a Sentinel that knows the replica", async () => {
    const replicas = await askServer(sentinel, (client) =>
      client.call("SENTINEL", "REPLICAS", masterName),
    );
    return JSON.stringify(replicas).includes('"master-link-status","ok"');
  });

const roleOf = (server: TestRedis): Promise<string | undefined> =>
  askServer(server, async (client) => /^role:(\w+)/m.exec(await client.info("replication"))?.[1]);

const copying = (replica: TestRedis): Promise<void> =>
  untilServers("a replica that follows", async () =>
    (await askServer(replica, (client) => client.info("replication"))).includes(
      "master_link_status:up",
    ),
  );
