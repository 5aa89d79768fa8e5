const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
  ["ms", 1],
] as const;

/** Milliseconds as people write them: `1h 30m`. */
export function duration(totalMs: number): string {
  let leftMs = totalMs;
  const parts: string[] = [];
  for (const [unit, unitMs] of units) {
    const count = Math.floor(leftMs / unitMs);
    leftMs -= count * unitMs;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.join(" ") || "0s";
}

/** US dollars: cents, and below one dollar the first three digits that are not zero. */
export function usd(amount: number): string {
  if (amount === 0) return "$0";
  if (amount < 0.000_001) return "<$0.000001";
  const digits = amount >= 1 ? 2 : 2 - Math.floor(Math.log10(amount));
  const text = amount.toFixed(Math.min(digits, 6));
  return `$${text.replace(/(\.\d\d\d*?)0+$/, "$1")}`;
}
