export { durationText as duration } from "../text/durations.ts";

/** US dollars: cents, and below one dollar the first three digits that are not zero. */
export function usd(amount: number): string {
  if (amount === 0) return "$0";
  if (amount < 0.000_001) return "<$0.000001";
  const digits = amount >= 1 ? 2 : 2 - Math.floor(Math.log10(amount));
  const text = amount.toFixed(Math.min(digits, 6));
  return `$${text.replace(/(\.\d\d\d*?)0+$/, "$1")}`;
}
