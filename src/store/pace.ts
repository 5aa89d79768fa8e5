import type { ChatAddress } from "../core/chat.ts";
import type { PaceLimit, SendLimits } from "../core/ports.ts";
import { paceKey } from "./keys.ts";
import { number, type Store } from "./redis.ts";

/**
 * `spare`: perhaps it is not needed; granted only where there is plenty, and nobody is made to wait by it.
 * `preview`: what may be left out; half of what may come at once is kept from it. `final`: what must arrive.
 * `waited`: the same, by somebody who was told to ask again, and did.
 */
export type PaceWish = "spare" | "preview" | "final" | "waited";

/** One bot's requests over all processes, each allowed before it is made. */
export interface Pace {
  /** 0: one request may be made now. Else after how many milliseconds to ask again. */
  ask(address: ChatAddress, wish: PaceWish): Promise<number>;
  /** What was granted is not needed. */
  giveBack(address: ChatAddress): Promise<void>;
  /** Nothing is granted for this long: the platform has said so. */
  hold(address: ChatAddress, forMs: number): Promise<void>;
}

export function createPace(
  store: Pick<Store, "run">,
  bot: string,
  limits: SendLimits,
): Pace {
  const botKey = paceKey(bot, "bot");
  const run = async (
    address: ChatAddress,
    what: PaceWish | "back" | "hold",
    holdMs = 0,
  ): Promise<number> => {
    const limit = limits.chat(address);
    return number(
      await store.run(
        "pace",
        [botKey, limit ? paceKey(bot, `chat:${address.chat}`) : botKey],
        [
          what,
          ...spacing(limits.bot),
          ...(limit ? spacing(limit) : ["", ""]),
          holdMs,
        ],
      ),
    );
  };
  return {
    ask: run,
    async giveBack(address) {
      await run(address, "back");
    },
    async hold(address, forMs) {
      await run(address, "hold", forMs);
    },
  };
}

/** In any `perMs` there are then at most `burst + perMs / everyMs = count`. */
const spacing = ({ count, perMs, burst }: PaceLimit): [number, number] => [
  perMs / (count - burst),
  burst,
];
