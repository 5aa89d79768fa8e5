import type { ChatAddress } from "../../core/chat.ts";
import type { PaceLimit, SendLimits } from "../../core/ports.ts";
import { paceKey } from "../keys.ts";
import { number, type Store } from "../redis/redis.ts";

/**
 * `spare`: possibly not needed; granted only when capacity is plentiful, and
 * delays no one. `preview`: may be left out; half of the burst is withheld from
 * it. `final`: must arrive. `waited`: the same, after a wait that this script
 * requested.
 */
export type PaceRequest = "spare" | "preview" | "final" | "waited";

/** One bot's requests over all processes, each allowed before it is made. */
export interface Pace {
  /**
   * 0: one request may be made now. Otherwise the number of milliseconds after
   * which to ask again.
   * @param person who caused it; absent: unknown, so that its chat counts as
   * one person.
   */
  ask(address: ChatAddress, request: PaceRequest, person?: string): Promise<number>;
  /** Returns a granted slot that is not needed. */
  release(address: ChatAddress): Promise<void>;
  /** Grants nothing for this long, as the platform has required. */
  hold(address: ChatAddress, forMs: number): Promise<void>;
}

export function createPace(store: Pick<Store, "run">, bot: string, limits: SendLimits): Pace {
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
 * A person's guaranteed share, however many others write: a tenth of the bot's
 * rate, with a third of the burst. Beyond that they get the remaining capacity.
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
