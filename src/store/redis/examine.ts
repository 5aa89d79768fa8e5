import { Redis } from "ioredis";
import { messageOf } from "../../core/errors.ts";
import { showRedisAddress, type HostAndPort, type RedisAddress } from "../../core/redis-address.ts";
import { checkRedisServer, readSetting, UnsuitableRedisError } from "./check-server.ts";
import { openBriefly, serverOptions, type Connection } from "./connection.ts";
import { connectionError } from "./connection-errors.ts";

const limits = { connectTimeout: 1_000, commandTimeout: 1_000 };
const slotCount = 16_384;

/**
 * The address as it is to be used: a single one may turn out to be a cluster's.
 * @throws UnsuitableRedisError if it isn't what the URL says, lacks its database, or rejects the
 * password.
 * @throws RetryableError when nothing answers.
 */
export async function identify(address: RedisAddress): Promise<RedisAddress> {
  if (address.kind === "cluster") return address;
  const { login, tls, database } = address;
  const isCluster = await ask(openBriefly(address, limits), address, async (client) => {
    const isPart = await isPartOfCluster(client);
    if (!isPart && database !== 0) await checkDatabase(client as Redis, database);
    return isPart;
  });
  if (isCluster && database !== 0)
    throw new UnsuitableRedisError(
      `Redis at ${showRedisAddress(address)} is a Redis Cluster, which has one database: remove /${database} from REDIS_URL.`,
    );
  if (!isCluster || address.kind !== "server") return address;
  return { kind: "cluster", servers: [address.server], login, tls };
}

/** ioredis itself goes on in database 0 when there is no such one. @throws UnsuitableRedisError */
async function checkDatabase(client: Redis, database: number): Promise<void> {
  try {
    await client.select(database);
  } catch (error) {
    if (!/DB index|out of range|not an integer/i.test(messageOf(error))) throw error;
    const count = await readSetting(client, "databases");
    throw new UnsuitableRedisError(
      `REDIS_URL: database ${database} doesn't exist; expected ${count === undefined ? "a lower number" : `0 to ${Number(count) - 1}`}.`,
      { cause: error },
    );
  }
}

/**
 * Checks that every server which may hold conversations is fit for it: the one, the Sentinels'
 * master of now, or all masters of a cluster. @throws as `identify` does.
 */
export async function checkAddress(
  address: RedisAddress,
): Promise<{ readonly warnings: readonly string[] }> {
  if (address.kind !== "cluster")
    return await ask(openBriefly(address, limits), address, (client) =>
      checkRedisServer(client as Redis),
    );
  const masters = await mastersOf(address);
  const warnings = new Set<string>();
  // One after another: a cluster may have hundreds.
  for (const master of masters) {
    const found = await askServer(address, master, checkRedisServer);
    for (const warning of found.warnings) warnings.add(warning);
  }
  return { warnings: [...warnings] };
}

/** Asks the servers that the URL names, until one answers. */
async function mastersOf(
  address: RedisAddress & { kind: "cluster" },
): Promise<readonly HostAndPort[]> {
  const errors: unknown[] = [];
  for (const server of address.servers) {
    try {
      return await askServer(address, server, (client) => readMasters(client, server));
    } catch (error) {
      if (error instanceof UnsuitableRedisError) throw error;
      errors.push(error);
    }
  }
  throw errors[0];
}

async function readMasters(client: Redis, server: HostAndPort): Promise<readonly HostAndPort[]> {
  if (!(await isPartOfCluster(client)))
    throw new UnsuitableRedisError(
      `REDIS_URL names several hosts, which must belong to one Redis Cluster, but ${server.host}:${server.port} is a Redis by itself.`,
    );
  const ranges = await client.cluster("SLOTS");
  const served = ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  if (served < slotCount)
    throw new Error(`nobody serves ${slotCount - served} of the cluster's ${slotCount} slots`);
  const masters = new Map<string, HostAndPort>();
  for (const [, , [host, port] = ["", 0]] of ranges) {
    if (!host)
      throw new Error(
        "a server of the cluster does not know its own address: set its cluster-announce-ip",
      );
    masters.set(`${host}:${port}`, { host, port });
  }
  return [...masters.values()];
}

const isPartOfCluster = async (client: Connection): Promise<boolean> =>
  /^cluster_enabled:1/m.test(await client.info("cluster"));

const askServer = <T>(
  address: RedisAddress,
  server: HostAndPort,
  question: (client: Redis) => Promise<T>,
): Promise<T> => {
  const client = new Redis({
    ...serverOptions(address, server),
    ...limits,
    lazyConnect: true,
    enableReadyCheck: false,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  const { login, tls } = address;
  const shown = { kind: "cluster", servers: [server], login, tls } as const;
  return ask(client, shown, question);
};

/** Asks over a separate connection, which is closed at the end. */
async function ask<Client extends Connection, T>(
  client: Client,
  address: RedisAddress,
  question: (client: Client) => Promise<T>,
): Promise<T> {
  const errors: unknown[] = [];
  for (const event of ["error", "sentinelError"])
    client.on(event, (error: unknown) => errors.push(error));
  try {
    await client.connect();
    return await question(client);
  } catch (error) {
    throw connectionError([...errors, error], showRedisAddress(address));
  } finally {
    client.disconnect();
  }
}
