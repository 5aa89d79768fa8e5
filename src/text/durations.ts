const unitMs = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
} as const;

const part = /(\d+(?:\.\d+)?)\s*(ms|s|m|h|d|w)/g;
const whole = /^(?:\d+(?:\.\d+)?\s*(?:ms|s|m|h|d|w)\s*)+$/;

/**
 * Reads `700ms`, `15m`, `1h 30m`, `90d`: milliseconds, or undefined for anything else (a bare
 * number has no unit).
 */
export function parseDuration(text: string): number | undefined {
  if (!whole.test(text.trim())) return undefined;
  let totalMs = 0;
  for (const [, amount, unit] of text.matchAll(part))
    totalMs += Number(amount) * unitMs[unit as keyof typeof unitMs];
  return Number.isFinite(totalMs) ? Math.round(totalMs) : undefined;
}

const descending = (["d", "h", "m", "s", "ms"] as const).map(
  (unit) => [unit, unitMs[unit]] as const,
);

/** Milliseconds as people write them: `1h 30m`. `parseDuration` reads it back. */
export function durationText(totalMs: number): string {
  let leftMs = totalMs;
  const parts: string[] = [];
  for (const [unit, sizeMs] of descending) {
    const count = Math.floor(leftMs / sizeMs);
    leftMs -= count * sizeMs;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.join(" ") || "0s";
}
