export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

interface RedisLogin {
  readonly username: string | undefined;
  readonly password: string | undefined;
}

/** Address and topology of Redis. Passwords are stored decoded, not URL-encoded. */
export type RedisAddress =
  | {
      readonly kind: "server";
      /** As it was given. */
      readonly url: string;
      readonly server: HostAndPort;
      readonly login: RedisLogin;
      readonly tls: boolean;
      readonly database: number;
    }
  | {
      readonly kind: "socket";
      /** Absolute. */
      readonly path: string;
      readonly login: RedisLogin;
      readonly tls: false;
      readonly database: number;
    }
  | {
      readonly kind: "cluster";
      /** Some of its servers; they name the others. */
      readonly servers: readonly HostAndPort[];
      readonly login: RedisLogin;
      readonly tls: boolean;
    }
  | {
      readonly kind: "sentinel";
      readonly sentinels: readonly HostAndPort[];
      /** The master's name in the Sentinels' configuration. */
      readonly master: string;
      /** For the master and its replicas. */
      readonly login: RedisLogin;
      readonly sentinelLogin: RedisLogin;
      /** Of the Sentinels as well as of the servers. */
      readonly tls: boolean;
      readonly database: number;
    };

/**
 * The address, or the expected format, to be read after "expected". Repeats nothing of the text.
 */
export type RedisUrlReading = { readonly address: RedisAddress } | { readonly expected: string };

const serverPort = 6_379;
const sentinelPort = 26_379;
const shapes =
  "a URL such as redis://:password@127.0.0.1:6379/0 (rediss:// for TLS), unix:///run/redis/redis.sock for a Unix socket, redis://host-1:6379,host-2:6379 for a Redis Cluster, " +
  "or redis+sentinel://host-1:26379,host-2:26379/name-of-the-master for Sentinel (percent-encode special characters in passwords)";

// scheme, login, hosts, path, query
const urlShape =
  /^(rediss?(?:\+sentinel)?):\/\/(?:([^/?#]*)@)?([^@/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/;
const hostShape = /^(?:\[([\dA-Fa-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/;

// login, path, database
const socketShape = /^(?:unix:\/\/(?:([^/?#@]*)@)?)?(\/(?!\/)[^?#]+)(?:\?db=(\d+))?$/;

/**
 * Reads `REDIS_URL`: one server, its Unix socket, several of a cluster, or the Sentinels that know
 * the master.
 */
export function parseRedisUrl(text: string): RedisUrlReading {
  const socket = socketShape.exec(text);
  if (socket !== null) return parseSocket(text, socket);
  const [, scheme = "", userInfo, hosts = "", path = "", query = ""] = urlShape.exec(text) ?? [];
  const isSentinel = scheme.endsWith("+sentinel");
  const servers = parseHosts(hosts, isSentinel ? sentinelPort : serverPort);
  const login = parseLogin(userInfo);
  if (scheme === "" || !servers || !login) return { expected: shapes };
  const [server] = servers;
  const tls = scheme.startsWith("rediss");
  if (isSentinel) return parseSentinel({ sentinels: servers, login, tls, path, query });
  if (!/^\/?\d*$/.test(path)) return { expected: shapes };
  const database = Number(path.slice(1));
  if (servers.length > 1) {
    if (database !== 0)
      return {
        expected: `no /${database} behind several hosts: a Redis Cluster has one database`,
      };
    if (query !== "") return { expected: "no ? after the hosts of a Redis Cluster" };
    return { address: { kind: "cluster", servers, login, tls } };
  }
  // An empty list of hosts was refused above.
  if (!server || !URL.canParse(text)) return { expected: shapes };
  return {
    address: { kind: "server", url: text, server, login, tls, database },
  };
}

function parseSocket(
  text: string,
  [, userInfo, given = "", database = "0"]: readonly string[],
): RedisUrlReading {
  const login = parseLogin(userInfo);
  // A bare path is taken literally; in a URL it may be encoded.
  const path = text.startsWith("/") ? given : decode(given);
  if (!login || path === undefined) return { expected: shapes };
  return {
    address: {
      kind: "socket",
      path,
      login,
      tls: false,
      database: Number(database),
    },
  };
}

/** To be read after "expected"; lists all formats for a text that resembles none. */
function parseSentinel(parts: {
  readonly sentinels: readonly HostAndPort[];
  readonly login: RedisLogin;
  readonly tls: boolean;
  readonly path: string;
  readonly query: string;
}): RedisUrlReading {
  const { sentinels, login, tls, path, query } = parts;
  const [, name = "", database = "0"] = /^\/([^/]+)(?:\/(\d*))?$/.exec(path) ?? [];
  const master = decode(name);
  if (master === undefined || master === "")
    return {
      expected:
        "the master's name as the Sentinels know it, and its database if that is not 0, behind the hosts: redis+sentinel://host-1:26379,host-2:26379/mymaster/0",
    };
  const given = new URLSearchParams(query);
  const known = ["sentinelPassword", "sentinelUsername"];
  if ([...given.keys()].some((key) => !known.includes(key)))
    return {
      expected: `nothing but ${known.join(" and ")} behind the ? of a redis+sentinel:// URL`,
    };
  return {
    address: {
      kind: "sentinel",
      sentinels,
      master,
      login,
      sentinelLogin: {
        username: given.get("sentinelUsername") ?? undefined,
        password: given.get("sentinelPassword") ?? undefined,
      },
      tls,
      database: Number(database),
    },
  };
}

function parseHosts(text: string, defaultPort: number): readonly HostAndPort[] | undefined {
  const hosts = text.split(",").map((each) => {
    const [, bracketed, plain, digits] = hostShape.exec(each.trim()) ?? [];
    const host = bracketed ?? plain;
    const port = digits === undefined ? defaultPort : Number(digits);
    return host === undefined || port < 1 || port > 65_535 ? undefined : { host, port };
  });
  return hosts.every((each) => each !== undefined) ? hosts : undefined;
}

function parseLogin(userInfo: string | undefined): RedisLogin | undefined {
  const [, user = "", secret] = /^([^:]*)(?::(.*))?$/s.exec(userInfo ?? "") ?? [""];
  const username = decode(user);
  const password = decode(secret ?? "");
  if (username === undefined || password === undefined) return undefined;
  return { username: username || undefined, password: password || undefined };
}

/** Undefined: it contains a literal per cent sign, which no URL allows. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Every password and user name in an address, so that logs can omit them. */
export const secretsOfRedis = (address: RedisAddress): string[] =>
  [address.login, ...(address.kind === "sentinel" ? [address.sentinelLogin] : [])]
    .flatMap(({ username, password }) => [username, password])
    .filter((each) => each !== undefined);

const list = (hosts: readonly HostAndPort[]): string =>
  hosts.map(({ host, port }) => `${host}:${port}`).join(",");

/** The address for people, without any login: `redis://host-1:6379,host-2:6379`. */
export function showRedisAddress(address: RedisAddress): string {
  const scheme = address.tls ? "rediss" : "redis";
  switch (address.kind) {
    case "server": {
      // As it was typed, without the login.
      const { protocol, host, pathname } = new URL(address.url);
      return `${protocol}//${host}${pathname}`;
    }
    case "socket":
      return `unix://${address.path}`;
    case "cluster":
      return `${scheme}://${list(address.servers)}`;
    case "sentinel":
      return `${scheme}+sentinel://${list(address.sentinels)}/${encodeURIComponent(address.master)}`;
    default:
      return address satisfies never;
  }
}
