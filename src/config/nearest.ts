/**
 * How many letters must be added, removed, changed or swapped with their neighbour ("optimal string
 * alignment").
 */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  let before: readonly number[] = [];
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const change = left[i - 1] === right[j - 1] ? 0 : 1;
      const isSwap = left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + change,
        i > 1 && j > 1 && isSwap ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    before = row;
    row = next;
  }
  return row[right.length] ?? 0;
}

/**
 * The candidate that differs least from `word`, if at most a third of it (or `atMost` letters)
 * differ.
 */
export function nearest(
  word: string,
  candidates: readonly string[],
  atMost = Math.max(2, Math.floor(word.length / 3)),
): string | undefined {
  if (word.length > 64) return undefined;
  const ranked = candidates
    .map((candidate) => ({
      candidate,
      differs: distance(word.toLowerCase(), candidate.toLowerCase()),
    }))
    .sort((left, right) => left.differs - right.differs);
  const [best] = ranked;
  return best !== undefined && best.differs <= atMost ? best.candidate : undefined;
}
