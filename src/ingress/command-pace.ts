import { findCommand } from "../commands/all-commands.ts";
import type { CommandDeps } from "../commands/command.ts";
import type { Person } from "../core/chat.ts";
import type { InboundCommand, InboundMessage, InboundTap } from "../core/inbound.ts";
import { isAtLeast, type Role } from "../core/roles.ts";
import { limitPhrase } from "../locales/limit-sentence.ts";
import type { Locale } from "../locales/locale.ts";
import type { Outcome } from "./outcome.ts";

/** Answers without a turn, per person, minute and process: more than a person types. */
const maxPerMinute = 60;
/**
 * The same for answers in a group: Telegram allows 20 messages a minute there, and others ask
 * questions, too.
 */
const maxPerMinuteInGroup = 15;
/** Reactions to refused messages, per person, minute and process: each is a request. */
const maxMarksPerMinute = 5;
const minuteMs = 60_000;

interface Paced {
  readonly inbound: InboundCommand | InboundMessage | InboundTap;
  readonly role: Role;
  readonly locale: Locale;
}

/**
 * Limits answers without a turn per person: commands, taps that choose, and refused messages, which
 * no other limit counts. Admins are exempt, and everyone can always stop something.
 */
export class CommandPace {
  readonly #deps: Pick<CommandDeps, "commands" | "now">;
  /**
   * By person and limit, since the minute began: private answers don't count towards a group's
   * limit.
   */
  readonly #counts = new Map<string, number>();
  #minute = 0;

  constructor(deps: Pick<CommandDeps, "commands" | "now">) {
    this.#deps = deps;
  }

  /**
   * Undefined: the person may go on. The refusal is sent once a minute, or every time to a person
   * who waits for an answer.
   */
  refusalOf({ inbound, role, locale }: Paced): Outcome | undefined {
    if (this.#isStop(inbound) || isAtLeast(role, "admin")) return undefined;
    const most = mostFor(inbound);
    const over = this.#count(`${most} ${inbound.person.id}`) - most;
    if (over <= 0) return undefined;
    const text = locale.limits.slowDown(
      limitPhrase({ metric: "messages", per: "minute", max: most }, locale),
    );
    if (inbound.type === "tap") return { type: "refused", text };
    // A person who may not use the bot was notified before.
    const isKnown = isAtLeast(role, "guest");
    if (inbound.answersItself === true || (over === 1 && isKnown))
      return { type: "reply", text, refuses: true };
    return isKnown ? this.marked(inbound.person) : { type: "refused" };
  }

  /** A refusal after a notice: a reaction shows it, to a person who writes on and on a few times. */
  marked({ id }: Pick<Person, "id">): Outcome {
    return this.#count(`mark ${id}`) <= maxMarksPerMinute
      ? { type: "refused", isMarked: true }
      : { type: "refused" };
  }

  /** By any of its names. */
  #isStop(inbound: Paced["inbound"]): boolean {
    if (inbound.type !== "command") return false;
    const { commands } = this.#deps;
    return findCommand(commands, inbound.name)?.spec.name === "stop";
  }

  #count(counted: string): number {
    const minute = Math.floor(this.#deps.now() / minuteMs);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#counts.clear();
    }
    const count = (this.#counts.get(counted) ?? 0) + 1;
    this.#counts.set(counted, count);
    return count;
  }
}

/** A tap, and an answer that the adapter shows itself, writes nothing into the group. */
function mostFor(inbound: Paced["inbound"]): number {
  const isWritten = inbound.type !== "tap" && inbound.answersItself !== true;
  return isWritten && !inbound.direct ? maxPerMinuteInGroup : maxPerMinute;
}
