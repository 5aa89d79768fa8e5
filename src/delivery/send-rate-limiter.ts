import type { ChatAddress } from "../core/chat.ts";
import { messageOf } from "../core/errors.ts";
import type { SendOutcome } from "../core/ports.ts";
import type { Pace, PaceRequest } from "../store/limits/pace.ts";
import type { DeliveryDeps } from "./deps.ts";

type Refused = Pick<SendOutcome & { type: "retry" }, "retryAfterMs" | "wholeBot" | "throttled">;

/**
 * One session's access to its platform: every request passes here first. A slot
 * that will probably be needed is requested in the same pipeline as other
 * writes to Redis, so that an idle bot needs no extra round trip; an unused
 * slot is released.
 */
export class SendRateLimiter {
  readonly #pace: Pace | undefined;
  readonly #address: ChatAddress;
  readonly #deps: Pick<DeliveryDeps, "metrics" | "log">;
  /** Whether the slot that was asked for ahead was granted; undefined: none was asked for. */
  #ahead: Promise<boolean> | undefined;

  constructor(deps: Pick<DeliveryDeps, "pace" | "metrics" | "log">, address: ChatAddress) {
    this.#deps = deps;
    this.#pace = deps.pace;
    this.#address = address;
  }

  /** Asks for a slot that may be needed. Never rejects. */
  prepare(): void {
    this.#ahead ??= this.#ask("spare").then((waitMs) => waitMs === 0);
  }

  /**
   * 0: a request may be made. Else after how many milliseconds to try again, then with `hasWaited`.
   * @param request a `preview` gives way to every `final`.
   * @param of.person who has caused it: the finals of one person, in however many chats, give way
   * to others'.
   */
  async pass(
    request: "preview" | "final",
    of: {
      readonly hasWaited?: boolean;
      readonly person?: string | undefined;
    } = {},
  ): Promise<number> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (await ahead) return 0;
    const hasWaited = request === "final" && of.hasWaited === true;
    return await this.#ask(hasWaited ? "waited" : request, of.person);
  }

  /** The platform did not take a request; for a while perhaps none of this bot. */
  async refused({ retryAfterMs, wholeBot, throttled }: Refused): Promise<void> {
    if (throttled) this.#deps.metrics.throttled(this.#address.platform);
    if (wholeBot) await this.#try(() => this.#pace?.hold(this.#address, retryAfterMs));
  }

  /** Releases the slot that was requested ahead. */
  async close(): Promise<void> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (this.#pace && (await ahead)) await this.#try(() => this.#pace?.release(this.#address));
  }

  async #ask(request: PaceRequest, person?: string): Promise<number> {
    const waitMs = await this.#try(() => this.#pace?.ask(this.#address, request, person));
    return waitMs ?? 0;
  }

  /**
   * Without a granted slot the platform's own rate limit still applies: sending doesn't depend on
   * this one.
   */
  async #try<T>(request: () => Promise<T> | undefined): Promise<T | undefined> {
    try {
      return await request();
    } catch (error) {
      this.#deps.log.warn({ cause: messageOf(error) }, "can't pace sending");
      return undefined;
    }
  }
}
