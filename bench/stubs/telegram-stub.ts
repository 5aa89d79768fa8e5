/**
 * The Bot API's far end and the people who write to it, in a process of its own: hands out updates
 * to each bot that polls, notes when each answer's last word arrives, and measures the time
 * between. Takes orders from its parent, see `Order`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Order, Told } from "./orders.ts";

const tell = (told: Told): void => void process.send?.(told);

interface Update {
  readonly update_id: number;
  readonly message: object;
}

const bot = {
  id: 100000001,
  is_bot: true,
  first_name: "Bench",
  username: "bench_bot",
  can_join_groups: true,
  can_read_all_group_messages: false,
  supports_inline_queries: false,
};
const lastWord = "word19";

let nextUpdate = 1_000;
let nextMessage = 1;
let waiting: Update[] = [];
let poll:
  | {
      readonly offset: number;
      readonly answer: (updates: readonly Update[]) => void;
    }
  | undefined;
let polled = false;
const heard = new Map<number, (messageId: number) => void>();
const answers = new Map<number, Set<number>>();
let lastAtMs = 0;

const personOf = (chat: number) => ({
  id: chat,
  is_bot: false,
  first_name: `Person ${chat}`,
  language_code: "en",
});
const chatOf = (chat: number) => ({
  id: chat,
  type: "private",
  first_name: `Person ${chat}`,
});

function write(chat: number, text: string): void {
  const message = {
    message_id: nextMessage++,
    date: Math.floor(Date.now() / 1_000),
    chat: chatOf(chat),
    from: personOf(chat),
    text,
  };
  waiting.push({ update_id: nextUpdate++, message });
  hand();
}

function hand(): void {
  if (poll === undefined) return;
  const { offset, answer } = poll;
  const ready = waiting.filter(({ update_id: id }) => id >= offset).slice(0, 100);
  if (ready.length > 0) answer(ready);
}

const ok = (response: ServerResponse, result: unknown): void => {
  const body = JSON.stringify({ ok: true, result });
  response
    .writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    })
    .end(body);
};

function getUpdates(
  { offset = 0, timeout = 0 }: { readonly offset?: number; readonly timeout?: number },
  response: ServerResponse,
): void {
  if (!polled) tell({ type: "polled" });
  polled = true;
  waiting = waiting.filter(({ update_id: id }) => id >= offset);
  poll?.answer([]);
  const timer = setTimeout(() => mine.answer([]), timeout * 1_000 + 1);
  const mine = {
    offset,
    answer(updates: readonly Update[]) {
      clearTimeout(timer);
      if (poll === mine) poll = undefined;
      ok(response, updates);
    },
  };
  poll = mine;
  response.on("close", () => {
    clearTimeout(timer);
    if (poll === mine) poll = undefined;
  });
  hand();
}

function sent(body: Readonly<Record<string, unknown>>, response: ServerResponse): void {
  const chat = Number(body["chat_id"]);
  const messageId = body["message_id"] === undefined ? nextMessage++ : Number(body["message_id"]);
  const text = String(body["text"]);
  if (text.includes(lastWord)) {
    lastAtMs = performance.timeOrigin + performance.now();
    const known = answers.get(chat) ?? new Set();
    answers.set(chat, known.add(messageId));
    heard.get(chat)?.(messageId);
  }
  ok(response, {
    message_id: messageId,
    date: Math.floor(Date.now() / 1_000),
    chat: chatOf(chat),
    from: bot,
    text,
  });
}

function bodyOf(request: IncomingMessage, raw: string): Record<string, unknown> {
  const { searchParams } = new URL(request.url ?? "", "http://stub");
  const query = Object.fromEntries(searchParams);
  const type = request.headers["content-type"] ?? "";
  if (type.includes("json")) return { ...query, ...(JSON.parse(raw || "{}") as object) };
  return { ...query, ...Object.fromEntries(new URLSearchParams(raw)) };
}

function handle(request: IncomingMessage, response: ServerResponse): void {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const method = (request.url ?? "").split("?", 1)[0]?.split("/").at(-1) ?? "";
    const body = bodyOf(request, Buffer.concat(parts).toString());
    switch (method) {
      case "getMe":
        ok(response, bot);
        return;
      case "getUpdates":
        getUpdates(
          {
            offset: Number(body["offset"] ?? 0),
            timeout: Number(body["timeout"] ?? 0),
          },
          response,
        );
        return;
      case "sendMessage":
      case "editMessageText":
        sent(body, response);
        return;
      case "getWebhookInfo":
        ok(response, {
          url: "",
          has_custom_certificate: false,
          pending_update_count: 0,
        });
        return;
      case "getMyCommands":
        ok(response, []);
        return;
      case "getChat":
        ok(response, {
          ...chatOf(Number(body["chat_id"])),
          accent_color_id: 0,
          max_reaction_count: 0,
        });
        return;
      default:
        // setWebhook, deleteWebhook, sendChatAction, setMyCommands and the like.
        ok(response, true);
    }
  });
}

/** One message and the time until its whole answer stands in the chat; undefined: it never came. */
async function ask(chat: number, text: string, limitMs: number): Promise<number | undefined> {
  const startedMs = performance.now();
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  heard.set(chat, () => resolve(performance.now() - startedMs));
  const timer = setTimeout(() => resolve(undefined), limitMs);
  write(chat, text);
  const tookMs = await promise;
  clearTimeout(timer);
  heard.delete(chat);
  return tookMs;
}

async function load(order: Order & { type: "load" }): Promise<void> {
  const latenciesMs: number[] = [];
  let lost = 0;
  let next = 0;
  const rampMs = order.rampMs ?? 0;
  const startedMs = performance.now();
  let steadyAnswers = 0;
  let endingMs: number | undefined;
  const user = async (_: unknown, number: number): Promise<void> => {
    if (rampMs > 0) await sleep((number * rampMs) / order.concurrency);
    for (let round = 0; next < order.turns; round += 1) {
      next += 1;
      if (next === order.turns) endingMs = performance.now();
      const chat = order.chats[(number + round * order.concurrency) % order.chats.length] ?? 0;
      const tookMs = await ask(chat, `hello ${next}`, order.limitMs);
      if (tookMs === undefined) lost += 1;
      else {
        latenciesMs.push(tookMs);
        if (endingMs === undefined && performance.now() >= startedMs + rampMs) steadyAnswers += 1;
      }
      if (order.pauseMs > 0) await sleep(order.pauseMs);
    }
  };
  await Promise.all(Array.from({ length: order.concurrency }, user));
  tell({
    type: "loaded",
    latenciesMs,
    lost,
    wallMs: performance.now() - startedMs,
    steady: {
      answers: steadyAnswers,
      ms: Math.max(0, (endingMs ?? startedMs) - startedMs - rampMs),
    },
  });
}

process.on("message", (order: Order) => {
  switch (order.type) {
    case "load":
      void load(order);
      break;
    case "pour":
      answers.clear();
      for (const chat of order.chats) write(chat, "hello");
      tell({ type: "poured" });
      break;
    case "report":
      tell({
        type: "reported",
        answers: [...answers].map(([chat, ids]) => [chat, ids.size]),
        lastAtMs,
      });
      break;
    case "reset":
      waiting = [];
      polled = false;
      answers.clear();
      break;
  }
});
process.once("disconnect", () => process.exit());
const server = createServer(handle).listen(0, "127.0.0.1", () => {
  tell({ type: "listening", port: (server.address() as AddressInfo).port });
});
