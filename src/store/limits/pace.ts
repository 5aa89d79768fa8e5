import type { ChatAddress } from "../../core/chat.ts";
import type { PaceLimit, SendLimits } from "../../core/ports.ts";
import { paceKey } from "../keys.ts";
import { number, type Store } from "../redis/redis.ts";

/**
 * `spare`: perhaps it is not needed; granted only where there is plenty, and nobody is made to wait by it.
 * `preview`: what may be left out; half of what may come at once is kept from it. `final`: what must arrive.
 * `waited`: the same, by somebody who was told to ask again, and did.
 */
export type PaceRequest = "spare" | "preview" | "final" | "waited";

/** One bot's requests over all processes, each allowed before it is made. */
export interface Pace {
  /**
   * 0: one request may be made now. Else after how many milliseconds to ask again.
   * @param person who has caused it; absent: nobody knows, so that its chat counts as one.
   */
  ask(
    address: ChatAddress,
    request: PaceRequest,
    person?: string,
  ): Promise<number>;
  /** What was granted is not needed. */
  release(address: ChatAddress): Promise<void>;
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
    what: PaceRequest | "back" | "hold",
    { person = address.chat, holdMs = 0 } = {},
  ): Promise<number> => {
    const limit = limits.chat(address);
    return number(
      await store.run(
        "pace",
        [
          botKey,
          limit ? paceKey(bot, `chat:${address.chat}`) : botKey,
          paceKey(bot, `share:${person}`),
        ],
        [
          what,
          ...spacing(limits.bot),
          ...(limit ? spacing(limit) : ["", ""]),
          holdMs,
          ...shareOf(limits.bot),
        ],
      ),
    );
  };
  return {
    ask: (address, request, person) =>
      run(address, request, person === undefined ? {} : { person }),
    async release(address) {
      await run(address, "back");
    },
    async hold(address, forMs) {
      await run(address, "hold", { holdMs: forMs });
    },
  };
}

/**
 * What nobody takes from a person, however many others write: a tenth of the bot's pace, of which a third of what may come at
 * once comes at once. Beyond it they have what is left.
 */
function shareOf(bot: PaceLimit): [number, number] {
  const [everyMs, burst] = spacing(bot);
  return [10 * everyMs, Math.max(1, Math.floor(burst / 3))];
}

/** In any `perMs` there are then at most `burst + perMs / everyMs = count`. */
const spacing = ({ count, perMs, burst }: PaceLimit): [number, number] => [
  perMs / (count - burst),
  burst,
];
