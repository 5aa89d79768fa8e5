/**
 * A daily period in which no phone should ring. `silent`: cards are sent
 * without a sound; `deny`: calls that need an approval are denied without
 * asking.
 */
export interface QuietHours {
  /** Minutes since midnight; a later `from` than `to` goes over midnight. Never equal. */
  readonly fromMinute: number;
  readonly toMinute: number;
  /** IANA, e.g. `Europe/Berlin`. */
  readonly timezone: string;
  readonly mode: "silent" | "deny";
}

const dayMinutes = 24 * 60;

/**
 * Milliseconds until the current quiet hours end; undefined: there are none at this moment. Pure.
 */
export function quietForMs(
  { fromMinute, toMinute, timezone }: QuietHours,
  atMs: number,
): number | undefined {
  const now = minuteOfDay(timezone, atMs);
  const since = (now - fromMinute + dayMinutes) % dayMinutes;
  const lasts = (toMinute - fromMinute + dayMinutes) % dayMinutes;
  if (since >= lasts) return undefined;
  // All time zones of today differ by whole minutes. Where clocks change that night, it is an hour
  // off once.
  return (lasts - since) * 60_000 - (atMs % 60_000);
}

/** `22:00`. Pure. */
export function clockTime(minute: number): string {
  const [hours, minutes] = [Math.floor(minute / 60), minute % 60];
  return [hours, minutes].map((part) => String(part).padStart(2, "0")).join(":");
}

/** @throws RangeError for a time zone that there is not. */
export function minuteOfDay(timezone: string, atMs: number): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: timezone,
    hourCycle: "h23",
    hour: "2-digit",
    minute: "2-digit",
  }).formatToParts(atMs);
  const part = (type: string): number => Number(parts.find((each) => each.type === type)?.value);
  return part("hour") * 60 + part("minute");
}
