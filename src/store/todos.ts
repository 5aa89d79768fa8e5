import { z } from "zod";
import type { Todos } from "../core/tool.ts";
import { chatKeys } from "./keys.ts";
import type { Store } from "./redis.ts";
import { parseStored } from "./stored.ts";

export const todosSchema = z.object({
  v: z.literal(1),
  items: z.array(z.object({ text: z.string(), done: z.boolean() })),
});

export function createTodos({ redis }: Store): Todos {
  return {
    async read(chat) {
      const key = chatKeys(chat).todos;
      const json = await redis.get(key);
      return json === null ? [] : parseStored(todosSchema, key, json).items;
    },
    async replace(chat, items) {
      const key = chatKeys(chat).todos;
      if (items.length === 0) await redis.del(key);
      else await redis.set(key, JSON.stringify({ v: 1, items }));
    },
  };
}
