/** Reads something that many show at once. @param maxAgeMs of a reading that will do. */
export type SharedReading<T> = (maxAgeMs: number) => Promise<T>;

/** The newest reading is kept for everyone that a slightly older one will do. */
export function sharedReading<T>(
  read: () => Promise<T>,
  now: () => number = () => performance.now(),
): SharedReading<T> {
  let newest: { readonly atMs: number; readonly value: Promise<T> } | undefined;
  return (maxAgeMs) => {
    const atMs = now();
    if (newest === undefined || atMs - newest.atMs >= maxAgeMs) newest = { atMs, value: read() };
    return newest.value;
  };
}
