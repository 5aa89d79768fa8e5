/** A pure function of short texts that remembers up to `most` results. */
export function remembered<Key extends string>(
  most: number,
  compute: (key: Key) => string,
): (key: Key) => string {
  const known = new Map<Key, string>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= most) known.clear();
    const computed = compute(key);
    known.set(key, computed);
    return computed;
  };
}
