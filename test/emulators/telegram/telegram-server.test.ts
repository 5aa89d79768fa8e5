import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Bot, HttpError } from "grammy";
import { describe, expect, it } from "vitest";
import { kinds, refusal, setUp } from "./server-scene.ts";

describe("HTTP", () => {
  it("tells tokens and methods apart", async () => {
    await using setup = await setUp();
    const { telegram } = setup;
    const status = async (path: string): Promise<number> =>
      (await fetch(`${telegram.apiRoot}${path}`)).status;
    expect(await status("/bot123:wrong/getMe")).toBe(401);
    expect(await status("/botnonsense/getMe")).toBe(404);
    expect(await status(`/bot${telegram.token}/GETME`)).toBe(200);
    expect(telegram.violations).toEqual([]);
    expect(await status(`/bot${telegram.token}/sendNothing`)).toBe(404);
    expect(kinds(telegram)).toEqual(["unknown-method"]);
  });

  it("takes urlencoded bodies and query strings", async () => {
    await using setup = await setUp();
    const { telegram, chat } = setup;
    const body = new URLSearchParams({ chat_id: `${chat.id}`, text: "form" });
    const url = `${telegram.apiRoot}/bot${telegram.token}/sendMessage`;
    expect((await fetch(url, { method: "POST", body })).status).toBe(200);
    const query = `?chat_id=${chat.id}&text=query`;
    expect((await fetch(url + query)).status).toBe(200);
    const texts = telegram.messages(chat).map((message) => message.text);
    expect(texts).toEqual(["form", "query"]);
  });

  it("closes waiting polls and hanging calls on dispose", async () => {
    const { telegram, api, chat } = await setUp();
    telegram.inject({ method: "sendMessage", kind: { type: "hang" } });
    const poll = expect(api.getUpdates({ timeout: 50 })).rejects.toThrow(HttpError);
    const send = expect(api.sendMessage(chat.id, "x")).rejects.toThrow(HttpError);
    await telegram.waitFor(() => telegram.isPolled && telegram.callsOf("sendMessage").length === 1);
    await telegram[Symbol.asyncDispose]();
    await Promise.all([poll, send]);
  });
});

describe("getUpdates", () => {
  it("redelivers until an offset confirms", async () => {
    await using setup = await setUp();
    const { api, ann, chat } = setup;
    ann.send(chat, "one");
    ann.send(chat, "two");
    const first = await api.getUpdates();
    expect(first.map((update) => update.message?.text)).toEqual(["one", "two"]);
    expect(await api.getUpdates()).toEqual(first);
    expect(await api.getUpdates({ limit: 1 })).toEqual([first[0]]);
    const offset = first[1]?.update_id ?? 0;
    expect(offset).toBe((first[0]?.update_id ?? 0) + 1);
    expect(await api.getUpdates({ offset })).toEqual([first[1]]);
    expect(await api.getUpdates({ offset: 0 })).toEqual([first[1]]);
    expect(await api.getUpdates({ offset: offset + 1 })).toEqual([]);
    expect(await api.getUpdates()).toEqual([]);
  });

  it("forgets all but the last ones for a negative offset", async () => {
    await using setup = await setUp();
    const { api, ann, chat } = setup;
    for (const text of ["one", "two", "three"]) ann.send(chat, text);
    const last = await api.getUpdates({ offset: -1 });
    expect(last.map((update) => update.message?.text)).toEqual(["three"]);
    expect(await api.getUpdates()).toEqual(last);
  });

  it("waits for news, and gives a vanished poller's updates to the next", async () => {
    await using setup = await setUp();
    const { telegram, api, ann, chat } = setup;
    const gone = new AbortController();
    const abandoned = expect(api.getUpdates({ timeout: 50 }, gone.signal as never)).rejects.toThrow(
      HttpError,
    );
    await telegram.waitFor(() => telegram.isPolled);
    gone.abort();
    await abandoned;
    await telegram.waitFor(() => !telegram.isPolled);
    const poll = api.getUpdates({ timeout: 50 });
    await telegram.waitFor(() => telegram.isPolled);
    const sent = ann.send(chat, "news");
    const [update] = await poll;
    expect(update?.message).toMatchObject({
      message_id: sent.messageId,
      from: { id: ann.id, is_bot: false, first_name: "Ann" },
      chat: { id: ann.id, type: "private", first_name: "Ann" },
      text: "news",
    });
  });

  it("ends the older of two polls with 409, and polls under a webhook too", async () => {
    await using setup = await setUp();
    const { telegram, api, ann, chat } = setup;
    const older = refusal(api.getUpdates({ timeout: 50 }));
    await telegram.waitFor(() => telegram.isPolled);
    const newer = api.getUpdates({ timeout: 50 });
    expect(await older).toMatchObject({
      error_code: 409,
      description:
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
    });
    ann.send(chat, "for the newer");
    expect(await newer).toHaveLength(1);
    await api.setWebhook("http://127.0.0.1:9/hook");
    expect((await refusal(api.getUpdates())).error_code).toBe(409);
    await api.deleteWebhook({ drop_pending_updates: true });
    expect(await api.getUpdates()).toEqual([]);
  });

  it("remembers allowed_updates", async () => {
    await using setup = await setUp();
    const { api, ann, chat } = setup;
    await api.getUpdates({ allowed_updates: ["callback_query"] });
    ann.send(chat, "unseen");
    expect(await api.getUpdates()).toEqual([]);
    await api.getUpdates({ allowed_updates: [] });
    ann.send(chat, "seen");
    expect(await api.getUpdates()).toHaveLength(1);
  });

  it("redelivers a confirmed update on demand, even to a later offset", async () => {
    await using setup = await setUp();
    const { telegram, api, ann, chat } = setup;
    ann.send(chat, "again");
    const [update] = await api.getUpdates();
    const offset = (update?.update_id ?? 0) + 1;
    expect(await api.getUpdates({ offset })).toEqual([]);
    telegram.redeliver(offset - 1);
    expect(await api.getUpdates({ offset })).toEqual([update]);
    expect(await api.getUpdates({ offset })).toEqual([]);
  });

  it("delivers updates whose ids restarted lower to a poller with an old offset", async () => {
    await using setup = await setUp();
    const { telegram, api, ann, chat } = setup;
    ann.send(chat, "before");
    const [before] = await api.getUpdates();
    const offset = (before?.update_id ?? 0) + 1;
    telegram.restartIds();
    ann.send(chat, "after");
    const [after, ...rest] = await api.getUpdates({ offset });
    expect(rest).toEqual([]);
    expect(after?.message?.text).toBe("after");
    expect(after?.update_id).toBeLessThan(before?.update_id ?? 0);
    const next = (after?.update_id ?? 0) + 1;
    expect(await api.getUpdates({ offset: next })).toEqual([]);
  });

  it("feeds a grammY bot that polls, once per update", async () => {
    await using setup = await setUp();
    const { telegram, ann, chat } = setup;
    const bot = new Bot(telegram.token, {
      client: { apiRoot: telegram.apiRoot },
    });
    bot.on("message:text", (ctx) => ctx.reply(`echo ${ctx.message.text}`));
    const running = bot.start();
    ann.send(chat, "hello");
    await telegram.waitForMessage(chat, "echo hello");
    ann.send(chat, "again");
    await telegram.waitForMessage(chat, "echo again");
    await telegram.waitFor(() => telegram.pendingUpdates.length === 0);
    await bot.stop();
    await running;
    expect(telegram.botMessages(chat)).toHaveLength(2);
    expect(telegram.violations).toEqual([]);
  });
});

describe("webhooks", () => {
  it("delivers with the secret until 2xx, in order, and carries out a reply", async () => {
    await using setup = await setUp();
    const { telegram, api, ann, chat } = setup;
    const seen: { text: string; secret: unknown }[] = [];
    const hook = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const update = JSON.parse(Buffer.concat(chunks).toString()) as {
          message: { text: string };
        };
        const secret = request.headers["x-telegram-bot-api-secret-token"];
        seen.push({ text: update.message.text, secret });
        if (seen.length === 1) {
          response.writeHead(500).end();
          return;
        }
        const reply = { method: "sendMessage", chat_id: chat.id, text: "hook" };
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify(reply));
      });
    }).listen(0, "127.0.0.1");
    await once(hook, "listening");
    const { port } = hook.address() as AddressInfo;
    await api.setWebhook(`http://127.0.0.1:${port}/hook`, {
      secret_token: "s3cret",
    });
    ann.send(chat, "one");
    ann.send(chat, "two");
    await telegram.waitFor(() => telegram.pendingUpdates.length === 0);
    await telegram.waitFor(() => telegram.botMessages(chat).length === 2);
    const texts = seen.map(({ text }) => text);
    expect(texts).toEqual(["one", "one", "two"]);
    expect(seen.every(({ secret }) => secret === "s3cret")).toBe(true);
    const statuses = telegram.webhookAttempts.map(({ status }) => status);
    expect(statuses).toEqual([500, 200, 200]);
    hook.close();
    hook.closeAllConnections();
  });

  it("refuses a bad secret", async () => {
    await using setup = await setUp();
    const { api } = setup;
    const url = "http://127.0.0.1:9/";
    const error = await refusal(api.setWebhook(url, { secret_token: "not ok" }));
    expect(error.description).toContain("unallowed characters");
  });
});

describe("faults", () => {
  it("refuses with retry_after as GrammyError parameters, and watches that it is obeyed", async () => {
    await using setup = await setUp();
    const { telegram, api, chat } = setup;
    const fault = telegram.inject({
      method: "sendMessage",
      chatId: chat.id,
      times: 1,
      kind: {
        type: "status",
        code: 429,
        description: "Too Many Requests: retry after 30",
        retryAfterSeconds: 30,
      },
    });
    const error = await refusal(api.sendMessage(chat.id, "x"));
    expect(error.error_code).toBe(429);
    expect(error.parameters.retry_after).toBe(30);
    expect(fault.hits).toHaveLength(1);
    expect(telegram.messages(chat)).toEqual([]);
    await api.sendMessage(chat.id, "too soon");
    expect(kinds(telegram)).toEqual(["called-during-retry-after"]);
  });

  it("hangs up before or after carrying a call out, and answers garbage", async () => {
    await using setup = await setUp();
    const { telegram, api, chat } = setup;
    for (const type of ["hang-up-before", "hang-up-after", "garbage"] as const) {
      telegram.inject({ method: "sendMessage", kind: { type } });
      await expect(api.sendMessage(chat.id, type)).rejects.toThrow(HttpError);
    }
    telegram.inject({
      method: "sendMessage",
      kind: {
        type: "status",
        code: 502,
        description: "Bad Gateway",
        body: "html",
      },
    });
    await expect(api.sendMessage(chat.id, "502")).rejects.toThrow(HttpError);
    const texts = telegram.messages(chat).map((message) => message.text);
    expect(texts).toEqual(["hang-up-after"]);
    const outcomes = telegram.calls.map((call) => call.outcome);
    expect(outcomes.slice(0, 2)).toEqual(["dropped", "dropped"]);
  });

  it("hangs until released", async () => {
    await using setup = await setUp();
    const { telegram, api, chat } = setup;
    const fault = telegram.inject({
      method: "sendMessage",
      match: (call) => call.payload["text"] === "slow",
      kind: { type: "hang" },
    });
    await api.sendMessage(chat.id, "fast");
    const slow = api.sendMessage(chat.id, "slow");
    await telegram.waitFor(() => fault.hits.length === 1);
    await api.sendMessage(chat.id, "faster");
    fault.release();
    await slow;
    const texts = telegram.messages(chat).map((message) => message.text);
    expect(texts).toEqual(["fast", "faster", "slow"]);
  });

  it("limits floods per chat", async () => {
    await using setup = await setUp({ floodLimit: { perChatPerSecond: 2 } });
    const { telegram, api, chat } = setup;
    const other = telegram.privateChat(telegram.person({ firstName: "Bo" }));
    await api.sendMessage(chat.id, "1");
    await api.sendMessage(chat.id, "2");
    const error = await refusal(api.sendMessage(chat.id, "3"));
    expect(error.parameters.retry_after).toBe(1);
    await api.sendMessage(other.id, "1");
  });
});

describe("main.ts", () => {
  it("serves as a process of its own, and ends with its stdin", async () => {
    const path = fileURLToPath(new URL("main.ts", import.meta.url));
    const child = spawn(process.execPath, [path], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = createInterface({ input: child.stdout });
    const answers = lines[Symbol.asyncIterator]();
    const next = async (): Promise<Record<string, unknown>> =>
      JSON.parse(String((await answers.next()).value)) as never;
    const ask = (request: unknown) => {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      return next();
    };
    const { apiRoot, token } = await next();
    const { api } = new Bot(String(token), {
      client: { apiRoot: String(apiRoot) },
    });
    const { result: ann } = await ask({
      id: 1,
      do: "person",
      firstName: "Ann",
    });
    await ask({ id: 2, do: "send", person: ann, text: "hi" });
    const [update] = await api.getUpdates({ timeout: 20 });
    expect(update?.message).toMatchObject({ text: "hi", chat: { id: ann } });
    await api.sendMessage(Number(ann), "hello");
    expect(await ask({ id: 3, do: "messages", chat: ann })).toMatchObject({
      id: 3,
      result: [{ text: "hi" }, { text: "hello", fromBot: true }],
    });
    expect(await ask({ id: 4, do: "dance" })).toMatchObject({ id: 4 });
    child.stdin.end();
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});

describe("waitFor", () => {
  it("fails with what happened", async () => {
    await using setup = await setUp();
    const { telegram, api, ann, chat } = setup;
    ann.send(chat, "hello bot");
    await api.sendMessage(chat.id, "hello Ann");
    const wait = telegram.waitForMessage(chat, "goodbye", { timeoutMs: 10 });
    await expect(wait).rejects.toThrow(
      /in vain for a message with "goodbye"[^]*Ann: hello bot[^]*bot: hello Ann[^]*sendMessage/,
    );
  });

  it("rejects when the server is disposed", async () => {
    const { telegram } = await setUp();
    const wait = expect(telegram.waitFor(() => false)).rejects.toThrow();
    await telegram[Symbol.asyncDispose]();
    await wait;
  });
});
