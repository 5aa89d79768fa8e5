import { expect, test } from "vitest";
import { start } from "./support/harness.ts";
import { httpServer } from "./support/http-server.ts";

const tools = [
  {
    name: "book",
    inputSchema: { type: "object" },
    annotations: { destructiveHint: false, idempotentHint: true },
    _meta: { "parley/effect": "keyed" },
  },
  {
    name: "pay",
    inputSchema: { type: "object" },
    _meta: { "parley/effect": "something else" },
  },
];

/** A server whose tool `book` takes keys, and what came in `_meta` with each call. */
async function keyedServer() {
  const given: unknown[] = [];
  const server = await httpServer(
    ({ rpc, answer }) => {
      given.push(rpc.params?.["_meta"]);
      answer({ content: [{ type: "text", text: "done" }] });
    },
    { tools },
  );
  return {
    settings: server.settings,
    given,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const keyOf = (meta: unknown): unknown =>
  (meta as Record<string, unknown> | undefined)?.["parley/idempotency-key"];

test("a tool that takes keys is `keyed`, and every attempt at one call brings the same", async () => {
  await using server = await keyedServer();
  const { given } = server;
  await using started = await start({ shop: server.settings });
  const book = started.tool("shop.book");
  expect([book.effect, book.confirm({})]).toEqual(["keyed", false]);
  for (const idempotencyKey of ["chat/1.1.0", "chat/1.1.0", "chat/2.1.0"])
    await started.call("shop.book", {}, { idempotencyKey });
  const [first, again, other] = given.map(keyOf);
  // 256 bits, and nothing of the chat's name.
  expect(first).toMatch(/^[\w-]{43}$/);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});

test("another tool is told no key", async () => {
  await using server = await keyedServer();
  const { given } = server;
  await using started = await start({ shop: server.settings });
  expect(started.tool("shop.pay").effect).toBe("once");
  await started.call("shop.pay");
  expect(given.map(keyOf)).toEqual([undefined]);
});

test("without trust no one's word counts", async () => {
  await using server = await keyedServer();
  const { given } = server;
  const shop = { ...server.settings, trusted: false };
  await using started = await start({ shop });
  expect(started.tool("shop.book").effect).toBe("once");
  await started.call("shop.book");
  expect(given.map(keyOf)).toEqual([undefined]);
});
