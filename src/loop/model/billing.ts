import type { TurnCaps } from "../../core/limits.ts";
import type { ChatTierName } from "../../core/model.ts";
import type { Counters } from "../../core/turn.ts";

/** What people's limits leave for one session's model calls. */
export class Billing {
  /** Of the whole turn. */
  caps: TurnCaps = {};
  /** Whether model calls have to be reserved before they are made. */
  isMetered = false;
  /** For the next answer, within the turn's own limits. Tokens. */
  answerRoom = Infinity;
  /** The tier to ask, because the one that routing chose costs more than a limit allows. */
  affordable: ChatTierName | undefined;

  /** What the caps leave after what the turn has used. */
  leftAfter({ inputTokens, outputTokens, costUsd }: Counters): {
    readonly tokens: number;
    readonly costUsd: number;
  } {
    const { maxTokens = Infinity, maxCostUsd = Infinity } = this.caps;
    return {
      tokens: maxTokens - inputTokens - outputTokens,
      costUsd: maxCostUsd - costUsd,
    };
  }
}
