import { chatKey, parseChatKey, type ChatKey } from "../../core/chat.ts";
import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { approvalAfterlifeMs } from "./approval-view.ts";

interface RelayedTo {
  readonly chat: ChatKey;
  /** BCP 47; undefined: unknown. */
  readonly language: string | undefined;
}

/** The chats that got a copy of a card, by the id of its first approval. */
export interface RelayedCards {
  note(approvalId: string, to: RelayedTo): Promise<void>;
  list(approvalId: string): Promise<readonly RelayedTo[]>;
}

const keyOf = (approvalId: string): string => configKey(`relayed:${approvalId}`);

export const createRelayedCards = ({ redis }: Pick<Store, "redis">): RelayedCards => ({
  async note(approvalId, { chat, language = "" }) {
    const key = keyOf(approvalId);
    await redis.multi().hset(key, chat, language).pexpire(key, approvalAfterlifeMs).exec();
  },
  async list(approvalId) {
    const stored = Object.entries(await redis.hgetall(keyOf(approvalId)));
    return stored.map(([chat, language]) => ({
      chat: chatKey(parseChatKey(chat)),
      language: language === "" ? undefined : language,
    }));
  },
});
