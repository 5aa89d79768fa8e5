const firstMs = 1_000;
const longestMs = 60_000;

/**
 * Milliseconds to wait after `failures` failures in a row: 1 s, doubling to 60 s, of which a random half is left out,
 * so that servers that went down together do not come back together. Pure.
 * @param random in `[0, 1)`.
 */
export function backoffMs(failures: number, random: number): number {
  const limit = Math.min(
    longestMs,
    firstMs * 2 ** Math.min(Math.max(failures - 1, 0), 20),
  );
  return limit * (0.5 + random / 2);
}
