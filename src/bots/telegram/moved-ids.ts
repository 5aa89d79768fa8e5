/**
 * Marks ids from after the upgrade to a supergroup, which restarts message
 * numbers.
 */
const mark = "moved-";

/** Our id for an event or a message of the supergroup. Pure. */
export const afterMove = (id: string): string => mark + id;

/**
 * Telegram's number of a message by our id; undefined: it is in the former
 * group and can't be reached. Pure.
 * @param isMoved whether to look in the supergroup.
 */
export function messageNumber(id: string, isMoved: boolean): number | undefined {
  if (id.startsWith(mark)) return Number(id.slice(mark.length));
  return isMoved ? undefined : Number(id);
}
