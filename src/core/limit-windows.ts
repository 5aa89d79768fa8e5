import { windows, type Window } from "./limits.ts";

/**
 * One window, by the calendar in UTC: `startMs` belongs to it, `endMs` to the next. Milliseconds
 * since the epoch.
 */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

const lengthsMs = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
} as const satisfies Record<Exclude<Window, "month">, number>;

/** The window that contains a moment. Unix time has no leap seconds. Pure. */
export function spanOf(window: Window, atMs: number): Span {
  if (window === "month") {
    const at = new Date(atMs);
    const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
    return { startMs: Date.UTC(year, month), endMs: Date.UTC(year, month + 1) };
  }
  const lengthMs = lengthsMs[window];
  const startMs = Math.floor(atMs / lengthMs) * lengthMs;
  return { startMs, endMs: startMs + lengthMs };
}

/** The windows that contain a moment, the shortest first. They are the same for a whole minute. */
export const spansAt = (atMs: number): Readonly<Record<Window, Span>> =>
  Object.fromEntries(windows.map((window) => [window, spanOf(window, atMs)])) as Record<
    Window,
    Span
  >;

export const isWindow = (per: string): per is Window => windows.some((each) => each === per);
