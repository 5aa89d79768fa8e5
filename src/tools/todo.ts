import { z } from "zod";
import type { Todo, Todos, Tool } from "../core/tool.ts";
import { defineTool } from "./define-tool.ts";

const maxItems = 50;
const maxLength = 200;

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ");

/** The chat's to-do list, for work that has several steps. */
export function todoTools(todos: Todos): readonly Tool[] {
  return [
    defineTool({
      name: "todo_list",
      description: "This chat's to-do list.",
      parameters: z.strictObject({}),
      effect: "read",
      confirm: "never",
      history: "state",
      run: async (_given, { chat }) => ({
        text: shown(await todos.read(chat)),
      }),
    }),
    defineTool({
      name: "todo_write",
      description:
        "Replaces this chat's whole to-do list; send every item, also those that are done. An empty list clears it.",
      parameters: z.strictObject({
        items: z
          .array(
            z.strictObject({
              text: z.string().trim().min(1).max(maxLength),
              done: z.boolean(),
            }),
          )
          .max(maxItems),
      }),
      effect: "idempotent",
      confirm: "never",
      history: "state",
      run: async ({ items }, { chat, idempotencyKey }) => {
        const list = items.map(({ text, done }) => ({
          text: oneLine(text),
          done,
        }));
        await todos.replace(chat, list, idempotencyKey);
        const done = list.filter((item) => item.done).length;
        return { text: shown(list), display: `${done}/${list.length}` };
      },
    }),
  ];
}

function shown(list: readonly Todo[]): string {
  if (list.length === 0) return "The to-do list is empty.";
  return list
    .map(({ text, done }, index) => `${index + 1}. [${done ? "x" : " "}] ${text}`)
    .join("\n");
}
