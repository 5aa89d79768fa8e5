/**
 * A function whose result is kept as long as its argument lives. For pure functions of objects that
 * never change, such as the entries of a history, which every turn passes again.
 */
export function memoised<Key extends object, Value>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const kept = known.get(key);
    if (kept !== undefined) return kept.value;
    const value = compute(key);
    known.set(key, { value });
    return value;
  };
}

/** Members of a piece: where a list grew or changed, as many are read again. */
export const pieceLength = 32;

/**
 * The same for long lists, in pieces of 32 members: what a piece gave is kept as long as its first
 * member lives, and used where the piece holds the very same members. A chat's requests differ at
 * their ends only.
 * @param isLarge members such as pictures: pieces that hold one are computed every time, since all of
 * a piece stays in memory with its first member
 */
export function memoisedInPieces<Member extends object, Value>(
  compute: (piece: readonly Member[]) => Value,
  isLarge: (member: Member) => boolean = () => false,
): (list: readonly Member[]) => Value[] {
  const known = new WeakMap<Member, { readonly piece: readonly Member[]; readonly value: Value }>();
  const valueAt = (list: readonly Member[], start: number, first: Member): Value => {
    const kept = known.get(first);
    if (kept !== undefined && isPieceAt(kept.piece, list, start)) return kept.value;
    const piece = list.slice(start, start + pieceLength);
    const value = compute(piece);
    if (!piece.some(isLarge)) known.set(first, { piece, value });
    return value;
  };
  return (list) => {
    const values: Value[] = [];
    for (let start = 0; start < list.length; start += pieceLength) {
      const first = list[start];
      if (first !== undefined) values.push(valueAt(list, start, first));
    }
    return values;
  };
}

function isPieceAt<Member>(
  piece: readonly Member[],
  list: readonly Member[],
  start: number,
): boolean {
  if (piece.length !== Math.min(pieceLength, list.length - start)) return false;
  for (let index = 0; index < piece.length; index += 1)
    if (piece[index] !== list[start + index]) return false;
  return true;
}
