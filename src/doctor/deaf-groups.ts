import { chatName } from "../access/place-name.ts";
import { chatKey, parseChatKey } from "../core/chat.ts";
import type { Services } from "../services.ts";
import { alwaysActiveChats } from "../store/turns/always-active.ts";
import { createChatMoves } from "../store/turns/chat-moves.ts";

/** Groups that are asked about, all together and at once; Telegram limits requests. */
const maxAsked = 20;
const atOnce = 4;

/** Names of groups that should have every message answered. */
export interface DeafGroups {
  /** Telegram withholds messages there. */
  readonly deafIn: readonly string[];
  /** It may: Telegram wasn't asked, or didn't say. */
  readonly uncheckedIn: readonly string[];
}

interface DeafGroupsDeps {
  readonly store: Services["store"];
  readonly people: Pick<Services["people"], "knownPeople">;
  /** Undefined: Telegram didn't say. Never rejects. */
  readonly isPlainMember: (chatId: string) => Promise<boolean | undefined>;
}

/** @param bot whose privacy mode is on, `platform:bot`. @returns none where Redis fails. */
export async function findDeafGroups(
  { store, people, isPlainMember }: DeafGroupsDeps,
  bot: string,
): Promise<DeafGroups> {
  const deafIn: string[] = [];
  const uncheckedIn: string[] = [];
  const moves = createChatMoves(store, bot);
  try {
    const addresses = (await alwaysActiveChats(store, bot)).map(parseChatKey);
    // Topics share their group.
    const groups = [...new Map(addresses.map((address) => [address.chat, address])).values()];
    const look = async (address: (typeof groups)[number], index: number): Promise<void> => {
      const isDeaf =
        index < maxAsked ? await isPlainMember(await moves.idOf(address.chat)) : undefined;
      if (isDeaf === false) return;
      (isDeaf ? deafIn : uncheckedIn).push(await chatName(people, chatKey(address)));
    };
    for (let next = 0; next < groups.length; next += atOnce)
      await Promise.all(
        groups.slice(next, next + atOnce).map((each, index) => look(each, next + index)),
      );
  } catch {
    // Redis has findings of its own; what Telegram has said is still worth reading.
  }
  return { deafIn, uncheckedIn };
}
