/**
 * What the parent wants. `chats` are the numbers of the chats that are written to, one after the
 * other.
 */
export type Order =
  | {
      readonly type: "load";
      readonly chats: readonly number[];
      readonly turns: number;
      readonly concurrency: number;
      /** Between an answer and the same user's next message, in ms. */
      readonly pauseMs: number;
      /** The users begin spread over this long, in ms; absent: all at once. */
      readonly rampMs?: number;
      /** After this long an answer counts as lost, in ms. */
      readonly limitMs: number;
    }
  /** One message to each chat at once; the answers are counted until `report`. */
  | { readonly type: "pour"; readonly chats: readonly number[] }
  | { readonly type: "report" }
  /** Forgets what no one has fetched: another system polls next. */
  | { readonly type: "reset" };

export type Told =
  | { readonly type: "listening"; readonly port: number }
  | { readonly type: "polled" }
  | {
      readonly type: "loaded";
      /** Of each answered message, in ms, in no order. */
      readonly latenciesMs: readonly number[];
      readonly lost: number;
      readonly wallMs: number;
      /**
       * From when the last user has begun until the first one ends: how long that was, and the
       * answers in it.
       */
      readonly steady: { readonly answers: number; readonly ms: number };
    }
  | { readonly type: "poured" }
  | {
      readonly type: "reported";
      /** How many different messages held a whole answer, by chat. */
      readonly answers: readonly (readonly [chat: number, count: number])[];
      /**
       * When the last of them came, by this machine's clock that never goes back
       * (`performance.timeOrigin` added).
       */
      readonly lastAtMs: number;
    };
