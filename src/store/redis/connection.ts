import { Cluster, Redis, type ClusterOptions, type RedisOptions } from "ioredis";
import type { HostAndPort, RedisAddress } from "../../core/redis-address.ts";
import { backoffMs } from "../../util/backoff.ts";
import { FollowingConnector } from "./following-connector.ts";

/** One server, the master that Sentinels name, or all of a cluster. */
export type Connection = Redis | Cluster;

const retryStrategy = (attempt: number): number =>
  backoffMs(attempt, { firstMs: 100, maxMs: 2_000 });

/** Of a connection that lives as long as the process. */
const connectionOptions = {
  // Commands wait for a reconnection instead of failing after some tries: an accepted message must
  // not be lost to a short outage. Callers that must answer in time put their own limit around.
  maxRetriesPerRequest: null,
  enableReadyCheck: true,
  retryStrategy,
  // A server that became a replica keeps its connections and refuses every
  // write; reconnecting leads to the current master. The refused command itself
  // fails, so a server that stays a replica is noticed.
  reconnectOnError: (error: Error): boolean => error.message.startsWith("READONLY"),
} as const satisfies RedisOptions;

/**
 * A connection that stays silent this long while a reply is expected is closed
 * and reopened: it may hang without being closed. Longer than an ordinary
 * server pause and than the 5 s that BullMQ waits for a job. Milliseconds.
 */
const silenceLimitMs = 8_000;

const clusterOptions = {
  clusterRetryStrategy: retryStrategy,
  // A command waits for as long as its master is away or changes, as it does on one server: the
  // default of 16 tries is over after two seconds, sooner than any failover.
  maxRedirections: Number.POSITIVE_INFINITY,
  // Without a pause, two servers that send us to each other in the middle of a failover would keep
  // us busy.
  retryDelayOnMoved: 20,
  // Notices a master that no longer answers, once a replica has taken its place: its connections
  // would hang.
  slotsRefreshInterval: 5_000,
  slotsRefreshTimeout: 2_000,
  // The connecting code resolves names. If they were resolved up front, one
  // unknown name would block all the others, and certificates are issued for
  // names.
  dnsLookup: (address, callback) => callback(null, address),
} as const satisfies ClusterOptions;

const sentinelOptions = {
  Connector: FollowingConnector,
  sentinelRetryStrategy: retryStrategy,
  sentinelCommandTimeout: 2_000,
} as const satisfies RedisOptions;

/**
 * Opens a connection that reconnects for ever; it connects in the background, and needs a listener
 * for `error`.
 */
export function openConnection(address: RedisAddress, socketTimeout = silenceLimitMs): Connection {
  switch (address.kind) {
    case "server":
      return new Redis(address.url, { ...connectionOptions, socketTimeout });
    case "socket":
      return new Redis({
        ...connectionOptions,
        socketTimeout,
        ...socketOptions(address),
      });
    case "sentinel":
      return new Redis({
        ...connectionOptions,
        ...sentinelOptions,
        socketTimeout,
        ...optionsOf(address),
      });
    case "cluster":
      return openCluster(
        address,
        { maxRetriesPerRequest: null, enableReadyCheck: true, socketTimeout },
        clusterOptions,
      );
    default:
      return address satisfies never;
  }
}

/**
 * Opens a connection that gives up at the first error. It connects with its first command, or
 * `connect()`.
 */
export function openBriefly(
  address: RedisAddress,
  limits: {
    readonly connectTimeout: number;
    readonly commandTimeout: number;
  },
): Connection {
  const options = {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    ...limits,
  };
  switch (address.kind) {
    case "server":
      return new Redis(address.url, options);
    case "socket":
      return new Redis({ ...options, ...socketOptions(address) });
    case "sentinel":
      return new Redis({
        ...options,
        ...optionsOf(address),
        sentinelRetryStrategy: () => null,
        sentinelCommandTimeout: limits.connectTimeout,
      });
    case "cluster":
      return openCluster(
        address,
        { maxRetriesPerRequest: 0, ...limits },
        {
          ...clusterOptions,
          lazyConnect: true,
          clusterRetryStrategy: () => null,
          maxRedirections: 3,
          slotsRefreshTimeout: limits.connectTimeout,
        },
      );
    default:
      return address satisfies never;
  }
}

/** One more connection to where this one leads. */
export const duplicateOf = (connection: Connection): Connection =>
  connection instanceof Cluster ? connection.duplicate() : connection.duplicate();

/** Closes a connection in any state; pending commands reject. */
export function abandon(connection: Connection): void {
  // Between two attempts ioredis' own would leave them waiting for ever.
  if (connection.status === "reconnecting") connection.connect().catch(() => undefined); // It is ended right away.
  connection.disconnect();
}

/** The connection's password, so that callers can redact it. */
export const passwordOf = (connection: Connection): string | undefined =>
  (connection instanceof Cluster
    ? connection.options.redisOptions?.password
    : connection.options.password) ?? undefined;

/** A connection to one of the servers behind an address. */
export const serverOptions = ({ login, tls }: RedisAddress, { host, port }: HostAndPort) => ({
  host,
  port,
  ...loginOptions(login),
  ...tlsOptions(tls),
});

const socketOptions = ({ path, login, database }: RedisAddress & { kind: "socket" }) => ({
  path,
  db: database,
  ...loginOptions(login),
});

function optionsOf(address: RedisAddress & { kind: "sentinel" }) {
  const { sentinels, master, login, sentinelLogin, tls, database } = address;
  const { username, password } = sentinelLogin;
  return {
    sentinels: sentinels.map(({ host, port }) => ({ host, port })),
    name: master,
    db: database,
    ...loginOptions(login),
    ...(username === undefined ? {} : { sentinelUsername: username }),
    ...(password === undefined ? {} : { sentinelPassword: password }),
    ...(tls ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
  };
}

function openCluster(
  { servers, login, tls }: RedisAddress & { kind: "cluster" },
  server: Pick<
    RedisOptions,
    | "maxRetriesPerRequest"
    | "enableReadyCheck"
    | "connectTimeout"
    | "commandTimeout"
    | "socketTimeout"
  >,
  options: ClusterOptions,
): Cluster {
  return new Cluster(
    servers.map(({ host, port }) => ({ host, port })),
    {
      ...options,
      redisOptions: {
        ...server,
        ...loginOptions(login),
        ...tlsOptions(tls),
      },
    },
  );
}

const loginOptions = ({ username, password }: RedisAddress["login"]) => ({
  ...(username === undefined ? {} : { username }),
  ...(password === undefined ? {} : { password }),
});

const tlsOptions = (tls: boolean) => (tls ? { tls: {} } : {});
