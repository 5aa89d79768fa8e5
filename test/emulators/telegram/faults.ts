import type { Call, World } from "./world.ts";

type FaultKind =
  /**
   * Refused with this HTTP status, and not carried out. `html` is the body of a proxy in front of
   * Telegram.
   */
  | {
      readonly type: "status";
      readonly code: number;
      readonly description: string;
      readonly retryAfterSeconds?: number;
      readonly body?: "json" | "html";
    }
  /** Never answered, and not carried out, until `release()`; then as if nothing had been. */
  | { readonly type: "hang" }
  /** Connection destroyed, call not carried out. */
  | { readonly type: "hang-up-before" }
  /** Call carried out, then the connection destroyed without a response. */
  | { readonly type: "hang-up-after" }
  /** Carried out and answered after this pause. */
  | { readonly type: "delay"; readonly ms: number }
  /** 200 with a body that is no JSON, call not carried out. */
  | { readonly type: "garbage" };

export interface FaultRule {
  readonly method?: string;
  readonly chatId?: number;
  readonly match?: (call: Call) => boolean;
  /** How many calls it hits; 1 by default, `Infinity` for all. */
  readonly times?: number;
  readonly kind: FaultKind;
}

/** A rule and its hits: `armed → spent | removed`. */
export class Fault {
  readonly rule: FaultRule;
  readonly #world: World;
  readonly #released = Promise.withResolvers<void>();
  /** The calls that it hit. */
  readonly hits: Call[] = [];
  #removed = false;

  constructor(rule: FaultRule, world: World) {
    this.rule = rule;
    this.#world = world;
  }

  /** Lets hanging calls go on. */
  release(): void {
    this.#released.resolve();
  }

  get released(): Promise<void> {
    return this.#released.promise;
  }

  /** Hits nothing from now on; calls that hang go on hanging. */
  remove(): void {
    this.#removed = true;
  }

  /** Marks the call as hit when the rule covers it. */
  takes(call: Call): boolean {
    const { method, chatId, match, times = 1 } = this.rule;
    if (this.#removed || this.hits.length >= times) return false;
    if (method?.toLowerCase() !== call.method.toLowerCase() && method) return false;
    if (chatId !== undefined && Number(call.payload["chat_id"]) !== chatId) return false;
    if (match !== undefined && !match(call)) return false;
    this.hits.push(call);
    call.fault = this.rule.kind.type;
    this.#limitChat(call);
    this.#world.changed();
    return true;
  }

  /**
   * After a 429 a chat's next sends have to wait; see the violation "called-during-retry-after".
   */
  #limitChat(call: Call): void {
    const { kind } = this.rule;
    if (kind.type !== "status" || kind.retryAfterSeconds === undefined) return;
    const state = this.#world.chats.get(Number(call.payload["chat_id"]));
    if (state !== undefined && /^(send|edit)/i.test(call.method))
      state.limitedUntilMs = Date.now() + kind.retryAfterSeconds * 1000;
  }
}
