import type { ChatKey } from "../../core/chat.ts";
import { currentFacts, type Facts } from "../../core/facts.ts";
import type { Notes } from "../../core/tool.ts";
import { turnOfKey } from "../../core/turn.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";

/** A chat keeps its newest notes. */
const maxNotes = 200;

/** The notes alone, as people manage them. */
export interface NoteStore extends Notes {
  list(chat: ChatKey): Promise<readonly string[]>;
  /** False: there is no such note. */
  remove(chat: ChatKey, note: string): Promise<boolean>;
}

/**
 * A chat's notes. They stay a list of their own, which workers of earlier versions read and write;
 * who reads notes reads the chat's facts with them.
 */
export function createNotes(store: Store, facts?: Pick<Facts, "list">): NoteStore {
  const list = (chat: ChatKey) => store.redis.lrange(chatKeys(chat).notes, 0, -1);
  return {
    list,
    async read(chat) {
      const [notes, kept = []] = await Promise.all([list(chat), facts?.list({ chat })]);
      return [...notes, ...currentFacts(kept).map(({ text }) => text)];
    },
    async write(chat, note, key) {
      const { notes, state } = chatKeys(chat);
      await store.run("note", [notes, state], [key, note, maxNotes, turnOfKey(key) ?? ""]);
    },
    async remove(chat, note) {
      return (await store.redis.lrem(chatKeys(chat).notes, 1, note)) > 0;
    },
  };
}
