import type { Api } from "grammy";
import type { UserFromGetMe } from "grammy/types";
import { messageOf, PermanentError } from "../../core/errors.ts";
import type { Accept } from "../../core/inbound.ts";
import type { PlatformWatch } from "../../core/outage.ts";
import type { Bot, ChatMoves, CommandSpec, Leases, NoteReach, Sender } from "../../core/ports.ts";
import { unlessAborted } from "../../util/abort.ts";
import { sleepUnref } from "../../util/sleep.ts";
import { byName } from "../keyed-queue/priority.ts";
import { connect, removeWebhook, withinReach } from "./connect.ts";
import { keepMenus } from "./menu.ts";
import type { OwnIdentity } from "./receive/addressed.ts";
import { Files } from "./receive/files.ts";
import { underFirstNames } from "./receive/first-names.ts";
import { GroupAdmins } from "./receive/group-admins.ts";
import { NoticeThrottle } from "./receive/notice-throttle.ts";
import type { BackoffDependencies } from "./receive/backoff.ts";
import { Poll } from "./receive/poll.ts";
import { Receiver } from "./receive/receiver.ts";
import { takeTurns, type Term } from "./receive/take-turns.ts";
import { Taps } from "./receive/taps.ts";
import { InFlight } from "./send/in-flight.ts";
import { TelegramSender } from "./send/sender.ts";
import { keepWebhook, type Registration, type WebhookSettings } from "./webhook/keep-webhook.ts";
import { WebhookReceiver } from "./webhook/webhook-receiver.ts";

interface Dependencies extends BackoffDependencies {
  readonly botId: string;
  readonly api: Api;
  /** The same server with a longer time limit, for requests that are held open. */
  readonly pollApi: Api;
  readonly token: string;
  readonly apiRoot: string;
  readonly accept: Accept;
  readonly noteReach: NoteReach;
  readonly now: () => number;
  readonly moves: ChatMoves;
  readonly watch: PlatformWatch;
  readonly nativeDrafts: boolean;
  /** Finished answers of one message are shown by Telegram's own blocks, where it takes them. */
  readonly richMessages: boolean;
  readonly commands: readonly CommandSpec[];
  readonly admins: () => Promise<readonly string[]>;
  readonly asksGroupAdmins?: boolean;
  readonly pollTimeoutSeconds: number;
  /** Milliseconds that messages being sent get after the end was announced. */
  readonly sendingGraceMs: number;
  /**
   * Milliseconds that the process which receives tries to reach Telegram before it lets others try.
   */
  readonly outOfReachMs: number;
  readonly leases: Leases;
  /** Absent: Telegram is polled. */
  readonly webhookSettings?: WebhookSettings;
  readonly registration: Registration;
  /** Milliseconds that a post to the webhook may wait for its answer. */
  readonly answerWithinMs?: number;
}

/** Milliseconds that posts to the webhook, which are being taken, get at the end. */
const farewellMs = 2_000;
/** Milliseconds that a start waits for the menu, which Telegram may put off for an hour. */
const menuTimeoutMs = 2_000;

/**
 * `created → starting → receiving ⇄ standing by → disposed`; the signal stops the receiving as
 * disposing does. Whichever comes first begins the grace of what is being sent, and disposing waits
 * for that. Any process sends; with a webhook any process receives as well, and the receiving
 * process maintains it.
 */
export class TelegramBot implements Bot {
  readonly id: string;
  readonly sender: Sender;
  readonly webhook?: WebhookReceiver;
  profile: Bot["profile"];
  readonly ended = new Promise<void>(() => {});
  readonly #deps: Dependencies;
  /** The state of receiving that outlives one lease. */
  readonly #noticeThrottle = new NoticeThrottle();
  /** Aborts receiving. */
  readonly #stop = new AbortController();
  readonly #inFlight: InFlight;
  #receiving: Promise<void> | undefined;

  constructor(deps: Dependencies) {
    const { botId, api, sendingGraceMs } = deps;
    this.id = `telegram:${botId}`;
    const signal = AbortSignal.any([deps.signal, this.#stop.signal]);
    const accept = underFirstNames(deps.accept, deps.moves);
    this.#deps = { ...deps, signal, accept };
    const inFlight = new InFlight(sendingGraceMs);
    this.#inFlight = inFlight;
    api.config.use((call, method, payload, requestSignal) =>
      inFlight.track(call(method, payload, requestSignal)),
    );
    this.sender = new TelegramSender({
      ...deps,
      signal: inFlight.signal,
    });
    if (deps.webhookSettings)
      this.webhook = new WebhookReceiver({
        ...this.#deps,
        secret: deps.webhookSettings.secret,
      });
    deps.signal.addEventListener("abort", () => inFlight.announceEnd(), {
      once: true,
      signal: this.#stop.signal,
    });
  }

  /**
   * Fulfils when Telegram delivers to this process, or another one receives and this one stands by.
   * @throws PermanentError for a refused token or address; the signal's reason when it aborts
   * before that.
   */
  async start(): Promise<void> {
    const { signal, log } = this.#deps;
    const me = await connect(this.#deps);
    signal.throwIfAborted();
    if (this.webhook) {
      const receiver = this.#receiver(me, signal);
      this.webhook.open((update, ends) => receiver.take(update, ends));
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#receiving = this.#takeTurns(me, { resolve, reject });
    await unlessAborted(promise, signal);
    this.profile = { name: `@${me.username}`, url: `https://t.me/${me.username}` };
    log.info({ bot: this.id, username: me.username }, "connected to Telegram");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#inFlight.announceEnd();
    await this.#receiving;
    await Promise.race([this.webhook?.settled(), sleepUnref(farewellMs)]);
    await this.#inFlight.end();
  }

  /** Never rejects. */
  async #takeTurns(
    me: UserFromGetMe,
    started: {
      readonly resolve: () => void;
      readonly reject: (error: Error) => void;
    },
  ): Promise<void> {
    const { log } = this.#deps;
    try {
      await takeTurns({
        ...this.#deps,
        leaseName: this.id,
        onStandBy: started.resolve,
        withinReach: () => withinReach(this.#deps),
        lead: async (term) => {
          try {
            await this.#lead(me, term, started.resolve);
          } catch (error) {
            // After the start no one listens for it any more.
            if (error instanceof PermanentError) started.reject(error);
            throw error;
          }
        },
      });
    } catch (error) {
      log.fatal({ cause: messageOf(error) }, "receiving from Telegram ended");
    }
  }

  async #lead(me: UserFromGetMe, term: Term, onReceiving: () => void): Promise<void> {
    const { webhookSettings: webhook, pollApi } = this.#deps;
    const deps = { ...this.#deps, ...term };
    const { promise: received, resolve: onReceived } = Promise.withResolvers<void>();
    // Messages don't wait for the menu; a start does, for a while.
    const menu = Promise.race([keepMenus(deps), sleepUnref(menuTimeoutMs)]);
    void Promise.all([received, menu]).then(
      onReceiving,
      () => undefined, // Aborted.
    );
    if (webhook) return await keepWebhook({ ...deps, webhook, onSet: onReceived });
    await removeWebhook(deps);
    const receiver = this.#receiver(me, term.signal);
    const poll = new Poll({
      ...deps,
      api: pollApi,
      take: (update) => receiver.take(update),
      onPolled: onReceived,
    });
    await poll.run();
  }

  #receiver(me: UserFromGetMe, signal: AbortSignal): Receiver {
    const { commands } = this.#deps;
    const commandsByName = byName(commands);
    const bot: OwnIdentity = {
      // The same as Telegram's own word, and known before it: chats' keys are made of it.
      id: Number(this.#deps.botId),
      username: me.username,
      hasCommand: (name) => commandsByName.has(name),
      namesPeople: (name) => {
        const { adminOnly, adminForms } = commandsByName.get(name) ?? {};
        return adminOnly === true || adminForms !== undefined;
      },
    };
    return new Receiver({
      ...this.#deps,
      commandsByName,
      signal,
      context: {
        bot,
        files: new Files({ ...this.#deps, signal }),
        ...(this.#deps.asksGroupAdmins
          ? {
              groupAdmins: new GroupAdmins({
                ...this.#deps,
                signal,
                now: () => performance.now(),
              }),
            }
          : {}),
      },
      noticeThrottle: this.#noticeThrottle,
      // A tap that was decided is answered even when we are about to end.
      taps: new Taps({ ...this.#deps, signal: this.#inFlight.signal }),
      sender: this.sender,
    });
  }
}
