import { Readable } from "node:stream";
import type { Logger } from "pino";
import { messageOf } from "../core/errors.ts";
import { sleepUnref } from "../util/sleep.ts";

/** A view that a session has open, perhaps in several tabs. */
export interface LiveView {
  readonly sessionId: string;
  /** The view's address and language: tabs with the same one share a rendering. */
  readonly name: string;
  /** Undefined: the session has ended. `isLast`: it won't change any more. */
  readonly render: () => Promise<{ readonly markup: string; readonly isLast: boolean } | undefined>;
}

interface LiveViewsDeps {
  readonly log: Pick<Logger, "warn">;
  /** Between two renderings of a view. */
  readonly intervalMs?: number;
}

interface Stream {
  readonly sessionId: string;
  readonly body: Readable;
  /** The markup that it has sent last. */
  shown: string | undefined;
  /** Rounds since something was sent. */
  quiet: number;
}

/** Browsers open six connections to one host. */
const maxPerSession = 6;
const maxStreams = 100;
const usualIntervalMs = 1_000;
/** Proxies end a connection on which nothing comes, usually after a minute. */
const heartbeatRounds = 15;

/**
 * The open streams of server-sent events: a view is rendered again every second while someone has
 * it open, and sent when its markup has changed. A stream begins with what the view shows then,
 * and ends when that won't change any more, with its session, with the browser's connection, or with
 * the process.
 */
export class LiveViews implements Disposable {
  readonly #groups = new Map<string, Set<Stream>>();
  readonly #log: LiveViewsDeps["log"];
  readonly #intervalMs: number;
  readonly #over = new AbortController();

  constructor({ log, intervalMs = usualIntervalMs }: LiveViewsDeps) {
    this.#log = log;
    this.#intervalMs = intervalMs;
  }

  /** Undefined: too many are open. */
  open(view: LiveView): Readable | undefined {
    const { sessionId } = view;
    const all = [...this.#groups.values()].flatMap((streams) => [...streams]);
    const mine = all.filter((stream) => stream.sessionId === sessionId);
    if (this.#over.signal.aborted || mine.length >= maxPerSession || all.length >= maxStreams)
      return undefined;
    const body = new Readable({ read: () => undefined });
    const stream: Stream = { sessionId, body, shown: undefined, quiet: 0 };
    const key = keyOf(view);
    const known = this.#groups.get(key);
    const streams = known ?? new Set();
    streams.add(stream);
    body.once("close", () => streams.delete(stream));
    if (known === undefined) {
      this.#groups.set(key, streams);
      void this.#run(view, streams);
    }
    return body;
  }

  [Symbol.dispose](): void {
    this.#over.abort();
  }

  /** Until no one looks any more, or the view or the session has ended. Never rejects. */
  async #run(view: LiveView, streams: ReadonlySet<Stream>): Promise<void> {
    const { signal } = this.#over;
    while (streams.size > 0 && !signal.aborted) {
      try {
        const rendering = await view.render();
        for (const stream of streams) send(stream, rendering);
        if (rendering?.isLast !== false) break;
      } catch (error) {
        // The view stays as it was, and is tried again.
        this.#log.warn({ error: messageOf(error) }, "a live view could not be read");
      }
      await sleepUnref(this.#intervalMs, signal).catch(() => undefined);
    }
    this.#groups.delete(keyOf(view));
    for (const { body } of streams) body.push(null);
  }
}

const keyOf = ({ sessionId, name }: LiveView): string => `${sessionId} ${name}`;

/** A browser that hasn't taken what it was sent gets nothing more until it has. */
function send(stream: Stream, rendering: Awaited<ReturnType<LiveView["render"]>>): void {
  const { markup, isLast } = rendering ?? { markup: undefined, isLast: true };
  const { body } = stream;
  if (!isLast && body.readableLength > 0) return;
  if (markup !== undefined && markup !== stream.shown) {
    body.push(eventOf(markup));
    stream.shown = markup;
    stream.quiet = 0;
  } else if ((stream.quiet += 1) >= heartbeatRounds) {
    body.push(":\n\n");
    stream.quiet = 0;
  }
  if (isLast) body.push(`event: ${endedEvent}\ndata: ${rendering ? "view" : "session"}\n\n`);
}

/** Closes the browser's connection for good; the end of a session has it reload the page. */
export const endedEvent = "parley:ended";

/** Pure. */
const eventOf = (markup: string): string =>
  `data: ${markup.replaceAll(/\r\n?|\n/g, "\ndata: ")}\n\n`;
