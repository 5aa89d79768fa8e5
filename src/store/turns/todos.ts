import { z } from "zod";
import type { Todos } from "../../core/tool.ts";
import { turnOfKey } from "../../core/turn.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { parseStored } from "../stored.ts";

export const todosSchema = z.object({
  v: z.literal(1),
  items: z.array(z.object({ text: z.string(), done: z.boolean() })),
});

export function createTodos(store: Store): Todos {
  const { redis } = store;
  return {
    async read(chat) {
      const key = chatKeys(chat).todos;
      const json = await redis.get(key);
      return json === null ? [] : parseStored(todosSchema, key, json).items;
    },
    async replace(chat, items, key = "") {
      const { todos, state } = chatKeys(chat);
      const list = items.length === 0 ? "" : JSON.stringify({ v: 1, items });
      await store.run("todo", [todos, state], [list, turnOfKey(key) ?? ""]);
    },
  };
}
