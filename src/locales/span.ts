import type { Locale } from "./locale.ts";

/** A time span in its largest unit that says enough: `90 s`, `5 min`, `24 h`, `3 days`. Pure. */
export function span(ms: number, { lasts }: Locale["cards"]): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return lasts.seconds(seconds);
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return lasts.minutes(minutes);
  const hours = Math.round(minutes / 60);
  return hours < 48 ? lasts.hours(hours) : lasts.days(Math.round(hours / 24));
}

/** The same for a span that somebody has chosen: whole hours are said in hours. Pure. */
export const chosenSpan = (ms: number, words: Locale["cards"]): string =>
  ms % 3_600_000 === 0 && ms < 172_800_000 ? words.lasts.hours(ms / 3_600_000) : span(ms, words);

const unitsMs = [
  ["days", 86_400_000],
  ["hours", 3_600_000],
  ["minutes", 60_000],
  ["seconds", 1_000],
] as const;

/** A time span to the second: `1 day 3 h`, `2 min 30 s`. Pure. */
export function exactSpan(ms: number, { lasts }: Locale["cards"]): string {
  let leftMs = ms;
  const parts = unitsMs.flatMap(([unit, sizeMs]) => {
    const count = Math.floor(leftMs / sizeMs);
    leftMs -= count * sizeMs;
    return count === 0 ? [] : [lasts[unit](count)];
  });
  return parts.join(" ") || lasts.seconds(0);
}
