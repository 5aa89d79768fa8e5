import type { Logger } from "pino";
import type { Tool, ToolContext, ToolResult } from "../../core/tool.ts";
import { untilAborted } from "../../util/abort.ts";
import { backoffMs, equalJitter } from "../../util/backoff.ts";
import type { Sleep } from "../../util/sleep.ts";
import { CallRefused, callTool } from "./call-tool.ts";
import { examineSession, type CheckedServer } from "./check-server.ts";
import { declareTools, type DeclaredTool } from "./declare-tool.ts";
import type { McpServerSettings } from "./server-settings.ts";
import { Session, type Negotiation } from "./session.ts";
import { callFailure, mayHaveRun, reasonOf, sessionState } from "./errors.ts";

/** A connection that held this long was no accident: the next wait is short again. Milliseconds. */
const steadyMs = 60_000;
/** A list can be wrong in thousands of places. */
const maxLoggedProblems = 5;

const backoff = { firstMs: 1_000, maxMs: 60_000 };

export interface ServerLinkDeps {
  readonly name: string;
  readonly settings: McpServerSettings;
  readonly connectTimeoutMs: number;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly sleep: Sleep;
  /** In `[0, 1)`. */
  readonly random: () => number;
  /** Milliseconds, never going back. */
  readonly monotonic: () => number;
  readonly onChanged: () => void;
}

type State =
  | { readonly type: "connecting" }
  | { readonly type: "ready"; readonly session: Session }
  | { readonly type: "waiting"; readonly reason: string }
  | { readonly type: "ended" };

/**
 * One configured server, for as long as we run.
 *
 *     connecting → ready      the handshake and the first list of tools worked
 *     connecting → waiting    they did not, in time
 *     ready → waiting         the connection was lost: calls in flight fail, tools stay listed and say that it is down
 *     ready → connecting      the server no longer knows our session; a call that met this runs when we are ready again
 *     waiting → connecting    after 1 s, doubling to 60 s, with jitter
 *     any → ended             our signal was aborted; the child process or session was ended
 */
export class ServerLink {
  readonly #deps: ServerLinkDeps;
  #state: State = { type: "connecting" };
  #declared: ReadonlyMap<string, DeclaredTool> = new Map();
  #negotiation: Negotiation = "legacy";
  #failures = 0;
  /** The next attempt follows at once. */
  #replacing = false;
  #loggedReason: string | undefined;
  #refreshing: Promise<void> = Promise.resolve();
  #refreshQueued = false;
  #isListed = false;
  #stateChanged = Promise.withResolvers<void>();
  readonly #settled = Promise.withResolvers<void>();
  /** Fulfils when the first attempt ended, well or not. */
  readonly settled: Promise<void> = this.#settled.promise;
  /** Fulfils when the link ended; never rejects. */
  readonly ended: Promise<void>;

  constructor(deps: ServerLinkDeps) {
    this.#deps = deps;
    this.ended = this.#live();
  }

  /** Whether it has said which tools it has; true from then on. */
  get isListed(): boolean {
    return this.#isListed;
  }

  tools(): readonly Tool[] {
    return [...this.#declared.values()].map(({ tool }) => tool);
  }

  /**
   * Asks the server on the connection that calls use; waits for the first attempt to connect.
   * @throws Error whose message is the reason in one line.
   */
  async examine(): Promise<CheckedServer> {
    await this.settled;
    const { name, settings } = this.#deps;
    try {
      return await examineSession(name, settings, this.#session());
    } catch (error) {
      throw new Error(reasonOf(error), { cause: error });
    }
  }

  async #live(): Promise<void> {
    const { signal, sleep, random } = this.#deps;
    while (!signal.aborted) {
      this.#enter({ type: "connecting" });
      const reason = await this.#connection();
      this.#settled.resolve();
      if (signal.aborted) break;
      if (this.#replacing) {
        this.#replacing = false;
        continue;
      }
      this.#failures += 1;
      this.#enter({ type: "waiting", reason });
      const waitMs = equalJitter(backoffMs(this.#failures, backoff), random());
      this.#notify(reason, waitMs);
      // Rejects when we end, which the loop sees by itself.
      await sleep(waitMs, signal).catch(() => {});
    }
    this.#enter({ type: "ended" });
    this.#settled.resolve();
  }

  /** One connection from its beginning to its end. Gives the reason for the end; never rejects. */
  async #connection(): Promise<string> {
    const { name, signal, log, monotonic } = this.#deps;
    try {
      await using session = await this.#openSession();
      this.#negotiation = session.negotiation;
      const readySinceMs = monotonic();
      await this.#refresh(session);
      this.#enter({ type: "ready", session });
      this.#settled.resolve();
      const tools = this.#declared.size;
      log.info({ server: name, tools }, "an MCP server is ready");
      this.#loggedReason = undefined;
      await session.lost(signal);
      if (monotonic() - readySinceMs >= steadyMs) this.#failures = 0;
      const reason = session.lostReason ?? "we ended it";
      // Closing takes a while; its tools are down from now on.
      if (!this.#replacing) this.#enter({ type: "waiting", reason });
      return reason;
    } catch (error) {
      return reasonOf(error);
    }
  }

  #openSession(): Promise<Session> {
    const { name, settings, connectTimeoutMs, log, signal } = this.#deps;
    return Session.open({
      settings,
      negotiation: this.#negotiation,
      connectTimeoutMs,
      onListChanged: (session) => void this.#refreshQuietly(session),
      log: log.child({ server: name }),
      signal,
    });
  }

  /** However often a server says so: one list is being read, and one more will be. */
  async #refreshQuietly(session: Session): Promise<void> {
    if (this.#refreshQueued) return;
    this.#refreshQueued = true;
    try {
      await this.#refresh(session);
    } catch (error) {
      if (session.lostReason !== undefined) return;
      this.#deps.log.warn(
        { server: this.#deps.name, reason: reasonOf(error) },
        "an MCP server's changed tools could not be read; the old ones stay",
      );
    }
  }

  /** One after the other: an older list never replaces a newer one. */
  #refresh(session: Session): Promise<void> {
    const before = this.#refreshing;
    const work = (async () => {
      await before;
      this.#refreshQueued = false;
      if (session.lostReason === undefined) this.#take(await session.list());
    })();
    this.#refreshing = work.catch(() => {});
    return work;
  }

  #take(list: readonly unknown[]): void {
    const { name, settings, log, onChanged } = this.#deps;
    this.#isListed = true;
    const { tools, problems } = declareTools(list, {
      server: name,
      settings,
      run: (declared, given, context) => this.#run(declared, given, context),
    });
    if (problems.length > 0)
      log.warn(
        {
          server: name,
          problems: problems.slice(0, maxLoggedProblems),
          count: problems.length,
        },
        "tools of an MCP server are left out",
      );
    const same =
      tools.size === this.#declared.size &&
      [...tools.values()].every((declared) => this.#isCurrent(declared));
    if (same) return;
    this.#declared = tools;
    log.debug({ server: name, tools: [...tools.keys()] }, "an MCP server's tools");
    onChanged();
  }

  #isCurrent({ tool }: DeclaredTool): boolean {
    return this.#declared.get(tool.name)?.tool.version === tool.version;
  }

  async #run(
    declared: DeclaredTool,
    given: Record<string, unknown>,
    context: ToolContext,
  ): Promise<ToolResult> {
    const { name, settings } = this.#deps;
    const attempt = async (session: Session): Promise<ToolResult> => {
      if (!this.#isCurrent(declared))
        throw new CallRefused(
          `server "${name}" has changed or removed this tool since it was offered`,
        );
      return callTool(session, declared, given, {
        ...context,
        timeoutMs: settings.timeoutMs,
      });
    };
    try {
      const session = this.#session();
      try {
        return await attempt(session);
      } catch (error) {
        const state = sessionState(error);
        if (state === "known" || (state === "doubtful" && (await session.isKnown()))) throw error;
        // The server has lost the session: a new one for this and later calls. This one is made
        // again, once, unless it would be the second time that it changes something.
        await this.#replace(session, context.signal);
        if (mayHaveRun(error) && declared.tool.effect === "once") throw error;
        return await attempt(this.#session());
      }
    } catch (error) {
      throw error instanceof CallRefused
        ? error
        : callFailure(error, {
            server: name,
            timeoutMs: settings.timeoutMs,
            signal: context.signal,
          });
    }
  }

  /** @throws CallRefused when the server is down. */
  #session(): Session {
    const state = this.#state;
    const reason =
      state.type === "ready"
        ? state.session.lostReason
        : state.type === "waiting"
          ? state.reason
          : "we are about to connect to it";
    if (state.type === "ready" && reason === undefined) return state.session;
    throw new CallRefused(
      `server "${this.#deps.name}" is down just now (${reason}); try again later, or do without it`,
    );
  }

  /** Ends a session that the server no longer knows, and waits for what the next attempt brings. */
  async #replace(session: Session, signal: AbortSignal): Promise<void> {
    if (this.#state.type === "ready" && this.#state.session === session) {
      this.#replacing = true;
      session.lose("it no longer knows our session");
      this.#enter({ type: "connecting" });
    }
    const ending = AbortSignal.any([signal, this.#deps.signal]);
    while (this.#state.type === "connecting" && !ending.aborted)
      await untilAborted(this.#stateChanged.promise, ending);
  }

  #enter(state: State): void {
    this.#state = state;
    this.#stateChanged.resolve();
    this.#stateChanged = Promise.withResolvers();
  }

  /** Said once per reason: a server can be down for weeks. */
  #notify(reason: string, waitMs: number): void {
    const { name, log } = this.#deps;
    const line = { server: name, reason, nextAttemptInMs: Math.round(waitMs) };
    if (this.#loggedReason === reason) log.debug(line, "an MCP server is down");
    else log.warn(line, "an MCP server is down");
    this.#loggedReason = reason;
  }
}
