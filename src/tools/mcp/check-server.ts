import type { Logger } from "pino";
import { declareTools } from "./declare-tool.ts";
import { reasonOf } from "./errors.ts";
import type { McpServerSettings } from "./server-settings.ts";
import { HandshakeRefused, Session, type SessionDeps } from "./session.ts";

export interface CheckedServer {
  /** How many of its tools can be offered. */
  readonly tools: number;
  /** Why others can't. */
  readonly problems: readonly string[];
}

/** Asks a connected server for its tools. @throws what `list` throws. */
export async function examineSession(
  name: string,
  settings: McpServerSettings,
  session: Session,
): Promise<CheckedServer> {
  const { tools, problems } = declareTools(await session.list(), {
    server: name,
    settings,
    run: () => Promise.reject(new Error("nothing is called here")),
  });
  return { tools: tools.size, problems };
}

/**
 * Starts a server, or connects to it, lists its tools, and ends that again.
 * @throws Error whose message is the reason in one line.
 */
export async function checkServer(
  name: string,
  settings: McpServerSettings,
  options: {
    readonly connectTimeoutMs: number;
    readonly log: Logger;
    readonly signal: AbortSignal;
  },
): Promise<CheckedServer> {
  const open = (negotiation: SessionDeps["negotiation"]) =>
    Session.open({ ...options, settings, negotiation, onListChanged: () => undefined });
  try {
    await using session = await open("legacy").catch((error: unknown) => {
      if (error instanceof HandshakeRefused) return open("auto");
      throw error;
    });
    return await examineSession(name, settings, session);
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  }
}
