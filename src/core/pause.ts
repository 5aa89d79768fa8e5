import { platforms, type Platform } from "./chat.ts";

/** What can be paused; `all` applies in addition to a platform's own pause. */
export const pauseScopes = ["all", ...platforms] as const;
export type PauseScope = (typeof pauseScopes)[number];

export interface Pause {
  /** Milliseconds since the epoch, which also names it. */
  readonly sinceMs: number;
  /** Turns that ran were stopped, too. */
  readonly isNow: boolean;
}

/** The active pause; empty: none. */
export type Pauses = Readonly<Partial<Record<PauseScope, Pause>>>;

/**
 * What a worker leaves alone. `new`: it opens no turn, and goes on with open ones. `all`: nor does
 * it go on with one; those that it is at, it stops.
 */
export type Hold = "new" | "all";

/** Whether a pause of this scope, or, for `all`, any pause is active. Pure. */
export const isPaused = (pauses: Pauses, scope: PauseScope): boolean =>
  scope === "all" ? Object.keys(pauses).length > 0 : pauses[scope] !== undefined;

/** The effective pause of a platform: the earlier and stricter of the two. Pure. */
export function pauseOf(pauses: Pauses, platform: Platform): Pause | undefined {
  const both = [pauses.all, pauses[platform]].filter((each) => each !== undefined);
  if (both.length === 0) return undefined;
  return {
    sinceMs: Math.min(...both.map(({ sinceMs }) => sinceMs)),
    isNow: both.some(({ isNow }) => isNow),
  };
}

export const holdOf = (pause: Pause | undefined): Hold | undefined =>
  pause && (pause.isNow ? "all" : "new");
