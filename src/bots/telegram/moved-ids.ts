/** Marks what a group has had since it became a supergroup, which numbers its messages anew. */
const mark = "moved-";

/** Our id for an event or a message of the supergroup. Pure. */
export const afterMove = (id: string): string => mark + id;

/**
 * Telegram's number of a message by our id; undefined: it stands in the group that was, and nobody can reach it. Pure.
 * @param isMoved it is looked for in the supergroup.
 */
export function messageNumber(
  id: string,
  isMoved: boolean,
): number | undefined {
  if (id.startsWith(mark)) return Number(id.slice(mark.length));
  return isMoved ? undefined : Number(id);
}
