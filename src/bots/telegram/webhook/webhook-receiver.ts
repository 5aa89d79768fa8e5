import type { Logger } from "pino";
import { messageOf } from "../../../core/errors.ts";
import type { Webhook, WebhookAnswer } from "../../../core/ports.ts";
import { isSecret } from "./webhook-secret.ts";

/** Fulfils once the update is safe with us; rejects when it was stopped before that. */
export type TakeUpdate = (
  update: { readonly update_id: number },
  signal: AbortSignal,
) => Promise<void>;

export interface WebhookReceiverDependencies {
  readonly secret: string;
  readonly log: Logger;
  /** From then on nothing is taken any more. */
  readonly signal: AbortSignal;
  /** How long Telegram waits for an answer at most. */
  readonly answerWithinMs?: number;
}

/** https://core.telegram.org/bots/api#setwebhook */
const secretHeader = "x-telegram-bot-api-secret-token";
/**
 * Milliseconds. Telegram hangs up after 50 s of silence (WebhookActor.cpp in
 * tdlib/telegram-bot-api); an answer before that keeps the connection, and tells when to come
 * again.
 */
const answerWithinMs = 20_000;
/**
 * Seconds after which Telegram repeats a refused update; without this header it would wait up to
 * two minutes.
 */
const againAfterSeconds = 2;
/** Updates that are being taken at the same time; more are sent away until there is room. */
const maxRunning = 1_000;

/** Milliseconds; Telegram's longest pause, unless it goes to another process next time. */
const rememberMs = 120_000;

interface Running {
  readonly taken: Promise<void>;
  /** Telegram's request was refused, and it will retry. */
  comesAgain: boolean;
}

const taken: WebhookAnswer = { status: 200 };
const comeAgain: WebhookAnswer = {
  status: 503,
  retryAfterSeconds: againAfterSeconds,
};

/**
 * Where Telegram posts its updates. Only 200 makes it forget one, so that is said once it is safe;
 * and of what can never be read, since it would come again for ever. `closed → open`, the latter
 * once it is known who we are.
 */
export class WebhookReceiver implements Webhook {
  readonly path = "/telegram";
  readonly #deps: WebhookReceiverDependencies;
  /**
   * By update id: what is sent again while it is still being taken, or soon afterwards, is taken
   * once.
   */
  readonly #running = new Map<number, Running>();
  /** Of those, how many are not safe yet. */
  #unsettled = 0;
  #take: TakeUpdate | undefined;

  constructor(deps: WebhookReceiverDependencies) {
    this.#deps = deps;
  }

  open(take: TakeUpdate): void {
    this.#take = take;
  }

  allows(headers: Parameters<Webhook["allows"]>[0]): boolean {
    return isSecret(this.#deps.secret, headers[secretHeader]);
  }

  async handle(body: string): Promise<WebhookAnswer> {
    const { log, signal } = this.#deps;
    const take = this.#take;
    if (take === undefined || signal.aborted) return comeAgain;
    let update: unknown;
    try {
      update = JSON.parse(body);
    } catch {
      log.error("refused a post to the webhook: expected JSON");
      return { status: 400 };
    }
    if (!isUpdate(update)) {
      log.error("skipped a post to the webhook: expected an update with an update_id");
      return taken;
    }
    return await this.#answer(update.update_id, (ends) => take(update, ends));
  }

  async #answer(id: number, take: (signal: AbortSignal) => Promise<void>): Promise<WebhookAnswer> {
    const { log, signal, answerWithinMs: limitMs = answerWithinMs } = this.#deps;
    if (!this.#running.has(id) && this.#unsettled >= maxRunning) return comeAgain;
    const late = Promise.withResolvers<"late">();
    const limit = new AbortController();
    const timer = setTimeout(() => {
      limit.abort();
      late.resolve("late");
    }, limitMs);
    const running =
      this.#running.get(id) ?? this.#start(id, () => take(AbortSignal.any([signal, limit.signal])));
    try {
      const first = await Promise.race([running.taken, late.promise]);
      running.comesAgain = first === "late";
      if (running.comesAgain) return comeAgain;
      this.#running.delete(id);
      return taken;
    } catch (error) {
      log.debug({ updateId: id, cause: messageOf(error) }, "not taken yet");
      return comeAgain;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Fulfils when nothing is being taken any more. */
  async settled(): Promise<void> {
    const all = [...this.#running.values()].map((running) => running.taken);
    await Promise.allSettled(all);
  }

  #start(id: number, take: () => Promise<void>): Running {
    const running: Running = { taken: take(), comesAgain: false };
    this.#running.set(id, running);
    this.#unsettled += 1;
    const forget = (): void => void this.#running.delete(id);
    const settle = (keepForMs: number): void => {
      this.#unsettled -= 1;
      if (keepForMs === 0) forget();
      else setTimeout(forget, keepForMs).unref();
    };
    running.taken.then(
      () => settle(running.comesAgain ? rememberMs : 0),
      () => settle(0),
    );
    return running;
  }
}

const isUpdate = (value: unknown): value is { readonly update_id: number } =>
  typeof value === "object" &&
  value !== null &&
  "update_id" in value &&
  Number.isSafeInteger(value.update_id);
