import type { Logger } from "pino";
import type { Tool } from "../../core/tool.ts";
import type { CheckedServer } from "./check-server.ts";
import { ServerLink, type ServerLinkDeps } from "./server-link.ts";
import type { McpServerSettings } from "./server-settings.ts";

export interface McpToolsDeps extends Pick<ServerLinkDeps, "sleep" | "random" | "monotonic"> {
  /** By the name that leads the names of their tools. */
  readonly servers: Readonly<Record<string, McpServerSettings>>;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** `tools()` gives another list from now on. */
  readonly onChanged: () => void;
  /** Milliseconds for a server's handshake, and again for its list of tools; default 30 s. */
  readonly connectTimeoutMs?: number;
}

export interface McpTools extends AsyncDisposable {
  /** The present tools of all servers; the same array until `onChanged`. */
  tools(): readonly Tool[];
  /** The names of servers that haven't said yet which tools they have. */
  unlisted(): readonly string[];
  /** Asks one of them on its own connection. @throws Error with the reason in one line. */
  examine(name: string): Promise<CheckedServer>;
  /** Fulfils when every server was reached or has failed; within about a minute. Never rejects. */
  readonly ready: Promise<void>;
}

/**
 * Connects to all servers and keeps them connected. Disposing ends their processes and sessions.
 */
export function createMcpTools(deps: McpToolsDeps): McpTools {
  const { servers, signal, connectTimeoutMs = 30_000 } = deps;
  const ending = new AbortController();
  let tools: readonly Tool[] = [];
  const links: readonly ServerLink[] = Object.entries(servers).map(
    ([name, settings]) =>
      new ServerLink({
        ...deps,
        name,
        settings,
        connectTimeoutMs,
        signal: AbortSignal.any([signal, ending.signal]),
        onChanged() {
          tools = links.flatMap((link) => link.tools());
          deps.onChanged();
        },
      }),
  );
  return {
    tools: () => tools,
    unlisted: () => Object.keys(servers).filter((_, index) => links[index]?.isListed !== true),
    async examine(name) {
      const link = links[Object.keys(servers).indexOf(name)];
      if (link === undefined) throw new Error(`no server is named ${name}`);
      return await link.examine();
    },
    ready: allSettled(links),
    async [Symbol.asyncDispose]() {
      ending.abort();
      await Promise.all(links.map((link) => link.ended));
    },
  };
}

async function allSettled(links: readonly ServerLink[]): Promise<void> {
  await Promise.all(links.map((link) => link.settled));
}
