import {
  Client,
  ProtocolError,
  SdkHttpError,
  type CallToolResult,
  type RequestOptions,
  type Tool as ToolDeclaration,
} from "@modelcontextprotocol/client";
import type { Logger } from "pino";
import { z } from "zod";
import manifest from "../../../package.json" with { type: "json" };
import { messageOf } from "../../core/errors.ts";
import { aborted, unlessAborted } from "../../util/abort.ts";
import { answerForms, formCapabilities } from "./elicitation.ts";
import { listTools, maxPages, type ListedTool } from "./list-tools.ts";
import { openTransport, slowStart, type OpenTransport } from "./open-transport.ts";
import type { McpServerSettings } from "./server-settings.ts";
import { reasonOf, SessionLost, sessionState } from "./errors.ts";

/** A change is announced often, and by several notifications at a time. Milliseconds. */
const debounceMs = 300;
/** How long a server that broke off an answer may take to show that it lives. Milliseconds. */
const pingMs = 5_000;
const farewellMs = 1_000;
/** How long a server may take to say which revision it speaks. Milliseconds. */
const probeMs = 5_000;

/** In a call's `_meta`. */
const keyField = "parley/idempotency-key";

/** `legacy`: the `initialize` handshake; `auto`: asks first which revision the server speaks. */
export type Negotiation = "legacy" | "auto";

export interface SessionDeps {
  readonly settings: McpServerSettings;
  /** Tried first. */
  readonly negotiation: Negotiation;
  /** Milliseconds for the handshake, and again for the list of tools. */
  readonly connectTimeoutMs: number;
  readonly onListChanged: (session: Session) => void;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** The server answered, and the answer was no: perhaps it speaks another revision. */
class HandshakeRefused extends Error {
  override readonly name = "HandshakeRefused";
}

/** One connection to one server: `open → lost`. Disposing ends its process or its session. */
export class Session implements AsyncDisposable {
  readonly #deps: SessionDeps;
  readonly #client: Client;
  readonly #open: OpenTransport;
  readonly #ended = new AbortController();

  private constructor(deps: SessionDeps) {
    this.#deps = deps;
    const { settings, negotiation, log, onListChanged } = deps;
    const answersForms = settings.elicitation === "defaults";
    this.#client = new Client(
      { name: "parley", version: manifest.version },
      {
        capabilities: answersForms ? formCapabilities : {},
        versionNegotiation: {
          mode: negotiation,
          probe: { timeoutMs: Math.min(probeMs, deps.connectTimeoutMs) },
        },
        // The newer revision asks in its answer to a call.
        inputRequired: { autoFulfill: answersForms },
        listChanged: {
          tools: {
            autoRefresh: false,
            debounceMs,
            onChanged: () => onListChanged(this),
          },
        },
      },
    );
    if (answersForms) answerForms(this.#client, log);
    const lost = (reason: string) => this.lose(reason);
    const interrupted = () => void this.#checkLife();
    this.#open = openTransport(settings, { lost, interrupted }, log);
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the library knows no other way
    this.#client.onclose = () =>
      // Not at once: a refused handshake closes the connection, too, and then says why.
      setImmediate(() => lost("its connection was closed"));
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the library knows no other way
    this.#client.onerror = (error) => {
      log.debug({ error: reasonOf(error) }, "an MCP server's connection failed");
      // The library reports a line larger than its buffer; it then ends the process.
      if (/exceeded maximum size/.test(error.message)) lost(reasonOf(error));
    };
  }

  /**
   * A server that refuses the handshake may speak another revision only, and is asked once more.
   * @throws Error whose message is the reason in one line.
   */
  static async open(deps: SessionDeps): Promise<Session> {
    try {
      return await Session.#tryOpen(deps);
    } catch (error) {
      if (!(error instanceof HandshakeRefused)) throw error;
      const negotiation = deps.negotiation === "legacy" ? "auto" : "legacy";
      // The first reason is the plainer one.
      return await Session.#tryOpen({ ...deps, negotiation }).catch(() => Promise.reject(error));
    }
  }

  static async #tryOpen(deps: SessionDeps): Promise<Session> {
    const session = new Session(deps);
    try {
      await session.#connect();
      return session;
    } catch (error) {
      // First: what the server said last may still be on its way.
      await session[Symbol.asyncDispose]();
      const reason = session.#withLastLine(reasonOf(error));
      throw isRefusal(error)
        ? new HandshakeRefused(reason, { cause: error })
        : new Error(reason, { cause: error });
    }
  }

  /** The handshake that the server took. */
  get negotiation(): Negotiation {
    return this.#deps.negotiation;
  }

  /** Why the connection is of no more use; undefined while it is. */
  get lostReason(): string | undefined {
    const { aborted, reason } = this.#ended.signal;
    return aborted ? this.#withLastLine(messageOf(reason)) : undefined;
  }

  /** Fulfils when the connection is of no more use, or when the signal aborts. */
  async lost(signal: AbortSignal): Promise<void> {
    await aborted(AbortSignal.any([this.#ended.signal, signal]));
    // The server's last output may not have arrived yet.
    await new Promise(setImmediate);
  }

  /** Ends it with a reason; its calls fail at once. */
  lose(reason: string): void {
    if (!this.#ended.signal.aborted) this.#ended.abort(new Error(reason));
  }

  /** All of its tools, read within `connectTimeoutMs`. @throws as `call` does. */
  list(): Promise<readonly unknown[]> {
    const { connectTimeoutMs: timeout, signal, log } = this.#deps;
    const late = AbortSignal.timeout(timeout);
    return this.#whileOpen((ended) =>
      listTools(this.#client, { timeout, signal: AbortSignal.any([signal, ended, late]) }, () =>
        log.warn({ maxPages }, "the MCP server's list has more pages than are read"),
      ),
    );
  }

  /** @throws SessionLost, or the library's errors, which `callFailure` classifies. */
  call(
    { name, inputSchema }: ListedTool,
    given: Record<string, unknown>,
    {
      key,
      ...options
    }: Pick<RequestOptions, "onprogress" | "timeout" | "maxTotalTimeout"> & {
      readonly signal: AbortSignal;
      /** The same for every attempt at the same call; absent: none is sent. */
      readonly key?: string;
    },
  ): Promise<CallToolResult> {
    const meta = key === undefined ? {} : { _meta: { [keyField]: key } };
    return this.#whileOpen((ended) =>
      this.#client.callTool(
        { name, arguments: given, ...meta },
        {
          ...options,
          signal: AbortSignal.any([options.signal, ended]),
          resetTimeoutOnProgress: true,
          // Without its output schema: nothing of a stranger's is compiled, and the server vouches
          // for its own results.
          toolDefinition: { name, inputSchema } as ToolDeclaration,
        },
      ),
    );
  }

  /** Asks for something harmless. @returns whether the server still knows our session */
  async isKnown(): Promise<boolean> {
    try {
      const signal = this.#ended.signal;
      await this.#client.request({ method: "tools/list" }, z.unknown(), {
        timeout: pingMs,
        signal,
      });
      return true;
    } catch (error) {
      return this.lostReason === undefined && sessionState(error) === "known";
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { log } = this.#deps;
    const wasOpen = !this.#ended.signal.aborted;
    this.lose("we ended it");
    try {
      if (wasOpen)
        await inTime(
          this.#open.farewell().catch(() => {}),
          farewellMs,
        );
      await this.#client.close();
      await this.#open.transport.close();
    } catch (error) {
      log.debug({ error: reasonOf(error) }, "an MCP server was left in anger");
    }
  }

  async #connect(): Promise<void> {
    const { connectTimeoutMs: timeout, settings, signal } = this.#deps;
    const late = setTimeout(
      () => this.lose(`it did not answer within ${timeout / 1_000} s${slowStart(settings)}`),
      timeout,
    );
    try {
      // The library waits for each request, but not for the notification between them.
      await unlessAborted(
        this.#client.connect(this.#open.transport, { timeout, signal }),
        this.#ended.signal,
      );
    } finally {
      clearTimeout(late);
    }
    void this.#watchSubscription();
  }

  /** A server with the newer revision reports changes on a separate stream. */
  async #watchSubscription(): Promise<void> {
    const how = await this.#client.autoOpenedSubscription?.closed;
    if (how !== undefined && how !== "local") this.lose("its subscription ended");
  }

  /**
   * An answer was cut off. A server that still lives may go on with it; one that is gone never
   * will.
   */
  async #checkLife(): Promise<void> {
    if (this.#ended.signal.aborted) return;
    if (this.#client.getProtocolEra() !== "legacy") return;
    try {
      await this.#client.ping({ timeout: pingMs, signal: this.#ended.signal });
    } catch (error) {
      this.lose(`it broke off an answer (${reasonOf(error)})`);
    }
  }

  async #whileOpen<Result>(work: (ended: AbortSignal) => Promise<Result>): Promise<Result> {
    try {
      return await work(this.#ended.signal);
    } catch (error) {
      throw this.lostReason === undefined
        ? error
        : new SessionLost(this.lostReason, { cause: error });
    }
  }

  #withLastLine(reason: string): string {
    const line = this.#open.lastLine();
    return line === undefined ? reason : `${reason}; it said: ${line}`;
  }
}

/** Statuses that no other revision would change: who asks, or how often, is what is refused. */
const otherRefusals: ReadonlySet<number> = new Set([401, 402, 403, 407, 408, 429]);

const isRefusal = (error: unknown): boolean =>
  error instanceof ProtocolError ||
  // `initialize` was answered with a revision that has no such handshake.
  (error instanceof Error && /protocol version is not supported/.test(error.message)) ||
  (error instanceof SdkHttpError &&
    error.status >= 400 &&
    error.status < 500 &&
    !otherRefusals.has(error.status));

async function inTime(work: Promise<void>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
