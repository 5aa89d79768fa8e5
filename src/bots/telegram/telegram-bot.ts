import type { Api } from "grammy";
import type { UserFromGetMe } from "grammy/types";
import type { Accept } from "../../core/inbound.ts";
import { messageOf } from "../../core/errors.ts";
import type { Bot, CommandSpec, Sender } from "../../core/ports.ts";
import { connect } from "./connect.ts";
import type { OwnIdentity } from "./receive/addressed.ts";
import type { PatienceDependencies } from "./receive/patience.ts";
import { Poll } from "./receive/poll.ts";
import { Receiver } from "./receive/receiver.ts";
import { Taps } from "./receive/taps.ts";
import { WordlessReply } from "./receive/wordless-reply.ts";
import { InFlight } from "./send/in-flight.ts";
import { TelegramSender } from "./send/sender.ts";

interface Dependencies extends PatienceDependencies {
  readonly botId: string;
  readonly api: Api;
  /** The same server with a longer time limit, for requests that are held open. */
  readonly pollApi: Api;
  readonly accept: Accept;
  readonly commands: readonly CommandSpec[];
  readonly pollTimeoutSeconds: number;
  /** Milliseconds that messages being sent get after the end was announced. */
  readonly sendingGraceMs: number;
}

/**
 * `created → starting → polling → disposed`; the signal stops the polling as disposing does. Whichever comes first
 * begins the grace of what is being sent, and disposing waits for that.
 */
export class TelegramBot implements Bot {
  readonly id: string;
  readonly sender: Sender;
  readonly ended = new Promise<void>(() => {});
  readonly #deps: Dependencies;
  /** Aborts receiving. */
  readonly #stop = new AbortController();
  readonly #inFlight: InFlight;
  #polling: Promise<void> | undefined;

  constructor(deps: Dependencies) {
    const { botId, api, log, sendingGraceMs } = deps;
    this.id = `telegram:${botId}`;
    const signal = AbortSignal.any([deps.signal, this.#stop.signal]);
    this.#deps = { ...deps, signal };
    const inFlight = new InFlight(sendingGraceMs);
    this.#inFlight = inFlight;
    api.config.use((call, method, payload, requestSignal) =>
      inFlight.track(call(method, payload, requestSignal)),
    );
    this.sender = new TelegramSender({ api, log, signal: inFlight.signal });
    deps.signal.addEventListener("abort", () => inFlight.announceEnd(), {
      once: true,
      signal: this.#stop.signal,
    });
  }

  /** Fulfils with the first answer to a poll. @throws the signal's reason when it aborts before that. */
  async start(): Promise<void> {
    const { signal } = this.#deps;
    const me = await connect(this.#deps);
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => reject(signal.reason as Error), {
      once: true,
    });
    this.#polling = this.#poll(me, resolve);
    await promise;
    this.#deps.log.info(
      { bot: this.id, username: me.username },
      "Telegram delivers to us",
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#inFlight.announceEnd();
    await this.#polling;
    await this.#inFlight.end();
  }

  async #poll(me: UserFromGetMe, onPolled: () => void): Promise<void> {
    const { pollApi, log } = this.#deps;
    const receiver = this.#receiver(me);
    const poll = new Poll({
      ...this.#deps,
      api: pollApi,
      take: (update) => receiver.take(update),
      onPolled,
    });
    try {
      await poll.run();
    } catch (error) {
      log.fatal({ cause: messageOf(error) }, "polling Telegram ended");
    }
  }

  #receiver(me: UserFromGetMe): Receiver {
    const { commands } = this.#deps;
    const names = new Set(
      commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]),
    );
    const bot: OwnIdentity = {
      // The same as Telegram's own word, and known before it: chats' keys are made of it.
      id: Number(this.#deps.botId),
      username: me.username,
      hasCommand: (name) => names.has(name),
    };
    return new Receiver({
      ...this.#deps,
      bot,
      // A tap that was decided is answered even when we are about to end.
      taps: new Taps({ ...this.#deps, signal: this.#inFlight.signal }),
      wordless: new WordlessReply(this.sender),
      sender: this.sender,
    });
  }
}
