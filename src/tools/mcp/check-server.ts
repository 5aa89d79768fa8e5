import type { Logger } from "pino";
import { declareTools } from "./declare-tool.ts";
import { httpStatusOf, reasonOf } from "./errors.ts";
import type { McpServerSettings } from "./server-settings.ts";
import { Session } from "./session.ts";

export interface CheckedServer {
  /** How many of its tools can be offered. */
  readonly tools: number;
  /** Why others can't. */
  readonly problems: readonly string[];
}

/** The message is the reason in one line. */
export class UnusableServer extends Error {
  override readonly name = "UnusableServer";
  /** Of the answer that was the reason, if it was one. */
  readonly httpStatus: number | undefined;

  constructor(reason: string, httpStatus: number | undefined) {
    super(reason);
    this.httpStatus = httpStatus;
  }
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
 * @throws UnusableServer
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
  try {
    await using session = await Session.open({
      ...options,
      settings,
      negotiation: "legacy",
      onListChanged: () => undefined,
    });
    return await examineSession(name, settings, session);
  } catch (error) {
    throw new UnusableServer(reasonOf(error), httpStatusOf(error));
  }
}
