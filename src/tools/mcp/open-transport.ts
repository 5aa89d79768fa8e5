import { existsSync } from "node:fs";
import type { Readable } from "node:stream";
import { StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import {
  DEFAULT_INHERITED_ENV_VARS,
  StdioClientTransport,
} from "@modelcontextprotocol/client/stdio";
import type { Logger } from "pino";
import { boundedFetch, maxMessageBytes, type Watch } from "./bounded-fetch.ts";
import { logOutput } from "./server-output.ts";
import type { HttpSettings, McpServerSettings, StdioSettings } from "./server-settings.ts";

export interface OpenTransport {
  readonly transport: Transport;
  /** The last output of a server on stderr. */
  readonly lastLine: () => string | undefined;
  /** Ends a session politely, where the server keeps one. */
  readonly farewell: () => Promise<void>;
}

/** Makes the transport of one connection; nothing is started yet. */
export function openTransport(
  settings: McpServerSettings,
  watch: Watch,
  log: Logger,
): OpenTransport {
  return settings.transport === "stdio"
    ? childProcess(settings, log)
    : streamableHttp(settings, watch);
}

/** Why a program may be slow to answer for the first time; empty: no known reason. Pure. */
export function slowStart(settings: McpServerSettings): string {
  if (settings.transport !== "stdio") return "";
  const name = downloaders.exec(settings.command)?.[1];
  return name === undefined
    ? ""
    : `; ${name} may be downloading it, which needs your network's proxy and certificates: install it first`;
}

const downloaders = /(?:^|[\\/])(npx|bunx|pnpx|uvx|pipx|docker)(?:\.cmd|\.exe)?$/;

function childProcess(settings: StdioSettings, log: Logger): OpenTransport {
  const transport = new StdioClientTransport({
    ...commandOf(settings),
    env: environmentOf(settings),
    stderr: "pipe",
    maxBufferSize: maxMessageBytes,
  });
  // With "pipe" it is there before the process is.
  const { lastLine } = logOutput(transport.stderr as Readable, log);
  return { transport, lastLine, farewell: () => Promise.resolve() };
}

/**
 * `setpriv` becomes the program, as the other user: without root's rights and groups, and with no
 * way to get them back. The library's own spawn knows no users.
 */
function commandOf({ command, arguments: given, user }: StdioSettings) {
  if (user === undefined) return { command, args: [...given] };
  const identity = [`--reuid=${user.uid}`, `--regid=${user.gid}`];
  const limits = ["--clear-groups", "--no-new-privs", "--"];
  return {
    command: "setpriv",
    args: [...identity, ...limits, command, ...given],
    // Parley's own folder need not be open to them.
    cwd: existsSync(user.home) ? user.home : "/",
  };
}

/**
 * PATH, HOME and the settings' variables only: the library would add more, and
 * our environment must not leak to a server.
 */
function environmentOf({ environment, user }: StdioSettings): Record<string, string> {
  if (process.platform === "win32") return { ...environment };
  const withheld = DEFAULT_INHERITED_ENV_VARS.filter(
    (name) => name !== "PATH" && name !== "HOME",
  ).map((name) => [name, undefined]);
  // `spawn` ignores undefined values, but the library's type excludes them.
  const own = user && { HOME: user.home, USER: user.name, LOGNAME: user.name };
  return { ...Object.fromEntries(withheld), ...own, ...environment } as Record<string, string>;
}

function streamableHttp(settings: HttpSettings, watch: Watch): OpenTransport {
  const transport = new StreamableHTTPClientTransport(new URL(settings.url), {
    requestInit: { headers: { ...settings.headers } },
    fetch: boundedFetch(watch),
  });
  return {
    transport,
    lastLine: () => undefined,
    farewell: () => transport.terminateSession(),
  };
}
