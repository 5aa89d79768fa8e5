import type { Accept, Inbound } from "../../../core/inbound.ts";
import type { ChatMoves } from "../../../core/ports.ts";
import { afterMove } from "../moved-ids.ts";

/**
 * A supergroup that was a group stays the same chat: it keeps its key. Its
 * messages are numbered from the start, so they and their events must be
 * distinguished from the earlier ones.
 */
export const underFirstNames =
  (accept: Accept, moves: Pick<ChatMoves, "nameOf">): Accept =>
  async (inbound) => {
    const { address, direct } = inbound;
    const chat = direct ? address.chat : await moves.nameOf(address.chat);
    return await accept(chat === address.chat ? inbound : underName(inbound, chat));
  };

function underName(inbound: Inbound, chat: string): Inbound {
  const { id, address, messageId } = inbound;
  const names = {
    id: afterMove(id),
    address: { ...address, chat },
    ...(messageId === undefined ? {} : { messageId: afterMove(messageId) }),
  };
  if (inbound.type !== "message") return { ...inbound, ...names };
  const { replyToId } = inbound;
  return {
    ...inbound,
    ...names,
    ...(replyToId === undefined ? {} : { replyToId: afterMove(replyToId) }),
  };
}
