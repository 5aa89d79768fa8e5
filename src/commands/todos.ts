import { answer, type Command } from "./command.ts";
import { described } from "./menu.ts";

/** `/todos`: the chat's to-do list, as the model keeps it. */
export const todosCommand: Command = {
  spec: described("todos", ({ todos }) => todos.description),
  role: "guest",
  isPrivate: false,
  async run({ chat, locale }, { todos }) {
    const list = await todos.read(chat);
    if (list.length === 0) return answer(locale.todos.none);
    const done = list.filter((item) => item.done).length;
    return answer(
      locale.todos.heading(done, list.length),
      ...list.map((item, index) => `${index + 1}. ${item.done ? "☑" : "☐"} ${item.text}`),
    );
  },
};
