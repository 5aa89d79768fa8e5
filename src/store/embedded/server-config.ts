export type ServerConfig = {
  /** 0 with a socket: nothing listens on the network. */
  readonly port: number;
  /** Absolute: the server listens there, for its own user only. */
  readonly socket?: string | undefined;
  /** Absolute; the server keeps its data in it. */
  readonly folder: string;
  /** Undefined: none is asked for. With a socket, the folder's permissions decide instead. */
  readonly password: string | undefined;
  /** `always`: no acknowledged write is lost, even on a power failure. `off`: nothing is stored. */
  readonly appendOnly: "always" | "everysec" | "off";
};

/** The text of `redis.conf`. */
export function serverConfigText(config: ServerConfig): string {
  const { port, socket, folder, password, appendOnly } = config;
  return [
    "bind 127.0.0.1",
    `port ${port}`,
    ...(socket === undefined ? [] : [`unixsocket ${quote(socket)}`, "unixsocketperm 700"]),
    "protected-mode yes",
    ...(password === undefined ? [] : [`requirepass ${quote(password)}`]),
    "daemonize no",
    `dir ${quote(folder)}`,
    `pidfile ${quote(`${folder}/redis.pid`)}`,
    `logfile ""`,
    `save ""`,
    `appendonly ${appendOnly === "off" ? "no" : "yes"}`,
    ...(appendOnly === "off" ? [] : [`appendfsync ${appendOnly}`]),
    "maxmemory-policy noeviction",
    // A turn's state and an approval are texts of some hundred bytes: in a packed hash they take
    // two thirds of the memory, and a chat that has ever used a tool goes back to a third of it.
    "hash-max-ziplist-value 1024",
    "",
  ].join("\n");
}

/** Redis reads its configuration like a C string in double quotes (sdssplitargs). */
function quote(text: string): string {
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r");
  return `"${escaped}"`;
}
