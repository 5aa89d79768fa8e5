import type { Notes } from "../../core/tool.ts";
import { turnOfKey } from "../../core/turn.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";

/** A chat keeps its newest notes. */
const maxNotes = 200;

export function createNotes(store: Store): Notes {
  return {
    read: (chat) => store.redis.lrange(chatKeys(chat).notes, 0, -1),
    async write(chat, note, key) {
      const { notes, state } = chatKeys(chat);
      await store.run("note", [notes, state], [key, note, maxNotes, turnOfKey(key) ?? ""]);
    },
  };
}
