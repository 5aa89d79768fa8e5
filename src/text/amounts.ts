const factors = { "": 1, k: 1_000, m: 1_000_000 } as const;

/**
 * Reads `200`, `32k`, `1.5m`, `1_000`: a whole number (k is 1,000 and m is 1,000,000), or
 * undefined.
 */
export function parseCount(text: string): number | undefined {
  const match = /^(\d[\d_]*(?:\.\d+)?)\s*([km]?)$/i.exec(text.trim());
  if (match === null) return undefined;
  const [, digits = "", suffix = ""] = match;
  const factor = factors[suffix.toLowerCase() as keyof typeof factors];
  const count = Number(digits.replaceAll("_", "")) * factor;
  const rounded = Math.round(count);
  return Number.isSafeInteger(rounded) && Math.abs(count - rounded) < 1e-6 ? rounded : undefined;
}

/** Reads `5usd`, `$5`, `0.50 usd`, `5`: US dollars, or undefined. */
export function parseUsd(text: string): number | undefined {
  const match = /^(\$?)\s*(\d+(?:\.\d+)?)\s*(usd)?$/i.exec(text.trim());
  const usd = Number(match?.[2]);
  return match === null || !Number.isFinite(usd) ? undefined : usd;
}
