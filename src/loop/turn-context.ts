import type { LoopDeps } from "./deps.ts";
import type { Billing } from "./model/billing.ts";
import type { TurnSession } from "./session/turn-session.ts";

/** What every step of a turn works with. */
export interface TurnContext {
  readonly deps: LoopDeps;
  readonly session: TurnSession;
  readonly billing: Billing;
}
