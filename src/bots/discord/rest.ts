import { DefaultRestOptions, REST } from "discord.js";
import { withMentions, withoutMarks } from "./format/commands.ts";
import { formBytes } from "../../util/pooled-fetch.ts";

/**
 * Unmodified discord.js' REST, configured to report instead of wait: a rate
 * limit rejects at once, and nothing is retried automatically. The caller
 * decides.
 */
const restOptions = (apiRoot: string) =>
  ({
    api: apiRoot.replace(/\/+$/, ""),
    rejectOnRateLimit: () => true,
    retries: 0,
    timeout: 15_000,
  }) as const;

/** The largest file that is sent, 8 MiB, at a quarter of a megabit per second. */
const uploadTimeoutMs = 300_000;

/** A message that is cut off has an unknown fate; a process that ends has 10 s in all. */
const defaultGraceMs = 5_000;

/**
 * The bot's own connection for messages and interactions; the gateway's client has another. `open →
 * ending → closed`: once the end is announced requests in flight get a grace, then all are aborted,
 * those that come later at once.
 */
export interface DiscordRest extends Disposable {
  readonly rest: REST;
  /**
   * After a 401 the REST client forgets its token for ever, though one may be an error of
   * Discord's.
   */
  restoreToken(): void;
  /** The grace begins, unless it has begun before. */
  announceEnd(): void;
  /**
   * Announces it, and fulfils when no request is in flight, at the latest at the end of the grace
   * period.
   */
  end(): Promise<void>;
}

export function createRest({
  token,
  apiRoot,
  graceMs = defaultGraceMs,
  commandIds = new Map(),
}: {
  readonly token: string;
  readonly apiRoot: string;
  readonly graceMs?: number;
  /** By the names of the registered commands, as far as they are known. */
  readonly commandIds?: ReadonlyMap<string, string>;
}): DiscordRest {
  const over = new AbortController();
  const rest = new EndingRest(apiRoot, { over: over.signal, commandIds }).setToken(token);
  let grace: NodeJS.Timeout | undefined;
  const announceEnd = () => {
    if (over.signal.aborted) return;
    grace ??= setTimeout(() => over.abort(), graceMs).unref();
  };
  return {
    rest,
    restoreToken: () => void rest.setToken(token),
    announceEnd,
    async end() {
      announceEnd();
      await rest.idle();
      over.abort();
    },
    [Symbol.dispose]() {
      over.abort();
      clearTimeout(grace);
      rest.clearHashSweeper();
      rest.clearHandlerSweeper();
    },
  };
}

/**
 * The client's way to send a request, but forms as bytes: it may be given the dispatcher of another
 * undici, which doesn't know its forms.
 */
export const requestWithBytes: (typeof DefaultRestOptions)["makeRequest"] = async (url, init) => {
  if (!(init.body instanceof FormData)) return await DefaultRestOptions.makeRequest(url, init);
  const { type, bytes } = await formBytes(init.body);
  const headers = { ...(init.headers as Record<string, string>), "content-type": type };
  return await DefaultRestOptions.makeRequest(url, { ...init, headers, body: bytes });
};

/** Knows which of its requests are running or queued, and aborts them all with the signal. */
class EndingRest extends REST {
  readonly #running = new Set<Promise<unknown>>();

  readonly #commandIds: ReadonlyMap<string, string>;

  constructor(
    apiRoot: string,
    {
      over,
      commandIds,
    }: { readonly over: AbortSignal; readonly commandIds: ReadonlyMap<string, string> },
  ) {
    super({
      ...restOptions(apiRoot),
      makeRequest: async (url, init) => {
        // The client's own limit is made for words.
        const own =
          init.body instanceof FormData ? AbortSignal.timeout(uploadTimeoutMs) : init.signal;
        const signal = AbortSignal.any(own ? [over, own] : [over]);
        return await requestWithBytes(url, { ...init, signal });
      },
    });
    this.#commandIds = commandIds;
  }

  override request(options: Parameters<REST["request"]>[0]): ReturnType<REST["request"]> {
    const body = named(options.body, (name) => this.#commandIds.get(name));
    const request = super.request(body === undefined ? options : { ...options, body });
    const running = request.then(
      () => void this.#running.delete(running),
      () => void this.#running.delete(running),
    );
    this.#running.add(running);
    return request;
  }

  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}

/** A request's body, in which commands are mentioned in messages and only named elsewhere. */
function named(body: unknown, idOf: (name: string) => string | undefined, key = ""): unknown {
  if (typeof body === "string")
    return key === "content" ? withMentions(body, idOf) : withoutMarks(body);
  if (Array.isArray(body)) return body.map((each) => named(each, idOf));
  if (typeof body !== "object" || body === null) return body;
  if (Object.getPrototypeOf(body) !== Object.prototype) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, named(value, idOf, name)]),
  );
}
