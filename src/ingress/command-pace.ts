import { findCommand } from "../commands/all-commands.ts";
import type {
  Acceptance,
  InboundCommand,
  InboundMessage,
  InboundTap,
} from "../core/inbound.ts";
import { isAtLeast } from "../core/roles.ts";
import { answerOnce } from "./answers.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";

/** What one person is answered without a turn in a minute of this process: more is nobody's typing. */
const maxPerMinute = 60;
/** The same for what a group reads: Telegram takes 20 messages a minute for one, and others there have questions, too. */
const maxPerMinuteInGroup = 15;
const minuteMs = 60_000;

/**
 * Keeps somebody from making the bot write without end: commands, taps that choose, and messages that are only refused cost
 * nothing else, and are counted here alone. Admins are trusted, and nobody is kept from stopping something.
 */
export class CommandPace {
  readonly #deps: AcceptDeps;
  /** By person and limit, since the minute began: what is written in private takes nothing of what a group allows. */
  readonly #counts = new Map<string, number>();
  #minute = 0;

  constructor(deps: AcceptDeps) {
    this.#deps = deps;
  }

  /** Undefined: the person may go on. Whoever waits for an answer gets it every time, everybody else once a minute. */
  async refusalOf(
    arrived: Arrived<InboundCommand | InboundMessage | InboundTap>,
  ): Promise<Acceptance | undefined> {
    const { inbound, role, locale } = arrived;
    const most = mostFor(inbound);
    const over = this.#over(arrived, most);
    if (over === 0) return undefined;
    const text = locale.limits.slowDown(`${most}/min`);
    if (inbound.type === "tap") return { type: "refused", text };
    // Who may not use the bot has been told that, and is told no more.
    const isKnown = isAtLeast(role, "guest");
    const mayNotify = inbound.answersItself === true || (over === 1 && isKnown);
    if (!mayNotify) return { type: "refused" };
    await answerOnce(this.#deps, arrived, { text });
    return { type: "refused", text };
  }

  /** How many more this makes than a minute has room for. */
  #over(
    { inbound, role }: Pick<Arrived, "inbound" | "role">,
    most: number,
  ): number {
    if (this.#isStop(inbound) || isAtLeast(role, "admin")) return 0;
    return Math.max(0, this.#count(`${most} ${inbound.person.id}`) - most);
  }

  /** By whichever of its names. */
  #isStop(inbound: Arrived["inbound"]): boolean {
    if (inbound.type !== "command") return false;
    const { commands } = this.#deps.commandDeps;
    return findCommand(commands, inbound.name)?.spec.name === "stop";
  }

  #count(counted: string): number {
    const minute = Math.floor(this.#deps.commandDeps.now() / minuteMs);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#counts.clear();
    }
    const count = (this.#counts.get(counted) ?? 0) + 1;
    this.#counts.set(counted, count);
    return count;
  }
}

/** A tap, and what an adapter answers by itself, is not written into the group. */
function mostFor(
  inbound: InboundCommand | InboundMessage | InboundTap,
): number {
  const isWritten = inbound.type !== "tap" && inbound.answersItself !== true;
  return isWritten && !inbound.direct ? maxPerMinuteInGroup : maxPerMinute;
}
