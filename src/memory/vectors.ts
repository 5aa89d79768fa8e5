/** Bytes of a vector's scale, before one signed byte for each dimension. */
const headLength = 4;

/** A vector of length 1 as bytes: its scale, then each number as a signed byte. Pure. */
export function packVector(vector: readonly number[]): Buffer {
  const length = Math.hypot(...vector) || 1;
  const most = Math.max(...vector.map(Math.abs)) / length || 1;
  const bytes = Buffer.alloc(headLength + vector.length);
  bytes.writeFloatLE(most / 127);
  for (const [index, value] of vector.entries())
    bytes.writeInt8(Math.round((value / length / most) * 127), headLength + index);
  return bytes;
}

/** The cosine of two packed vectors; 0 for those of different dimensions. Pure. */
export function likeness(one: Buffer, other: Buffer): number {
  if (one.length !== other.length || one.length <= headLength) return 0;
  const a = new Int8Array(one.buffer, one.byteOffset + headLength, one.length - headLength);
  const b = new Int8Array(other.buffer, other.byteOffset + headLength, a.length);
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum * one.readFloatLE() * other.readFloatLE();
}

/** How much a rank counts less than the one before it: 60 is the usual choice. */
const k = 60;

/** Merges rankings of ids by reciprocal rank; of equally good ones the first to come is first. Pure. */
export function mergeRanks(rankings: readonly (readonly number[])[]): readonly number[] {
  const scores = new Map<number, number>();
  for (const ranking of rankings)
    for (const [rank, id] of ranking.entries())
      scores.set(id, (scores.get(id) ?? 0) + 1 / (k + rank + 1));
  return [...scores].toSorted(([, one], [, other]) => other - one).map(([id]) => id);
}
