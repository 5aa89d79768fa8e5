import { describe, expect, it } from "vitest";
import type { Todos } from "../../src/core/tool.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { openStore } from "../../src/store/redis/redis.ts";
import { createTodos } from "../../src/store/turns/todos.ts";
import { todoTools } from "../../src/tools/todo.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { contextIn, elsewhere, here, named, textOf } from "./support/context.ts";

const redis = await testDatabase();

const toolsOver = (todos: Todos) => {
  const tools = todoTools(todos);
  return { list: named(tools, "todo_list"), write: named(tools, "todo_write") };
};

const { list, write } = toolsOver({
  read: () => Promise.resolve([]),
  replace: () => Promise.resolve(),
});

const item = { text: "Buy milk", done: false };

describe("the to-do list", () => {
  it("is replaced as a whole, per chat, and outlives the process", async () => {
    await using held = new AsyncDisposableStack();
    const open = () => {
      const store = openStore(redis.url, () => undefined);
      held.defer(() => store.redis.disconnect());
      return { store, ...toolsOver(createTodos(store)) };
    };
    const first = open();
    expect(await textOf(first.list, {})).toBe("The to-do list is empty.");
    const items = [item, { text: "  Boil\n it 😀 ", done: true }];
    const shown = "1. [ ] Buy milk\n2. [x] Boil it 😀";
    expect(await textOf(first.write, { items })).toBe(shown);
    expect(await textOf(first.write, { items })).toBe(shown);
    const second = open();
    expect(await textOf(second.list, {})).toBe(shown);
    expect(await textOf(second.list, {}, contextIn(elsewhere))).toBe("The to-do list is empty.");
    await textOf(second.write, { items: [{ ...item, done: true }] });
    expect(await textOf(first.list, {})).toBe("1. [x] Buy milk");
    expect(await textOf(first.write, { items: [] })).toBe("The to-do list is empty.");
    expect(await textOf(second.list, {})).toBe("The to-do list is empty.");
    expect(await first.store.redis.keys("*")).toEqual([]);
  });

  it("that another hand has broken is an error that names the key, not the value", async () => {
    const store = openStore(redis.url, () => undefined);
    try {
      const key = chatKeys(here).todos;
      await store.redis.set(key, '{"v":1,"items":[{"text":"secret"}]}');
      const { list } = toolsOver(createTodos(store));
      const failed = textOf(list, {});
      await expect(failed).rejects.toThrow(key);
      await expect(failed).rejects.not.toThrow("secret");
      await store.redis.del(key);
    } finally {
      store.redis.disconnect();
    }
  });

  it.each([
    {},
    { items: "Buy milk" },
    { items: ["Buy milk"] },
    { items: [{ text: "", done: false }] },
    { items: [{ text: " \n ", done: false }] },
    { items: [{ text: "x".repeat(201), done: false }] },
    { items: [{ text: "Buy milk" }] },
    { items: [{ text: "Buy milk", done: "no" }] },
    { items: [{ ...item, id: 1 }] },
    { items: Array.from({ length: 51 }, () => item) },
    { items: [], chat: "telegram:b:2" },
  ])("is not written from %.60j", (given) => {
    expect(write.parameters.safeParse(given).success).toBe(false);
  });

  it("may have fifty items of 200 characters", () => {
    const items = Array.from({ length: 50 }, () => ({
      text: "x".repeat(200),
      done: true,
    }));
    expect(write.parameters.safeParse({ items }).success).toBe(true);
  });

  it("tells people how far it is when it changes", async () => {
    const items = [item, { text: "Boil it", done: true }];
    const { display } = await write.run({ items }, contextIn(here));
    expect(display).toBe("1/2");
  });

  it("is read and written without asking, and only its newest state stays whole", () => {
    expect(list).toMatchObject({ effect: "read", history: "state" });
    expect(write).toMatchObject({ effect: "idempotent", history: "state" });
    expect(list.confirm({})).toBe(false);
    expect(write.confirm({ items: [] })).toBe(false);
  });
});
