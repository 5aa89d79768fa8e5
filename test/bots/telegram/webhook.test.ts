import { pino } from "pino";
import { describe, expect, it, vi } from "vitest";
import { PermanentError } from "../../../src/core/errors.ts";
import type { Bot } from "../../../src/core/ports.ts";
import { WebhookReceiver } from "../../../src/bots/telegram/webhook/webhook-receiver.ts";
import { createMetrics } from "../../../src/http/metrics.ts";
import { startHttp } from "../../../src/http/server.ts";
import { Scene } from "./support.ts";

/** Processes behind one address: posts go to them in turn. */
async function openHook() {
  const scene = await Scene.open();
  const bots: Bot[] = [];
  let posts = 0;
  const http = await startHttp({
    host: "127.0.0.1",
    port: 0,
    unready: () => Promise.resolve(undefined),
    paused: () => Promise.resolve([]),
    webhook: (path) => {
      const webhooks = bots.flatMap(({ webhook }) => webhook ?? []);
      posts += 1;
      return path === "/telegram" ? webhooks[posts % webhooks.length] : undefined;
    },
    registry: createMetrics().registry,
    gauges: [],
    log: pino({ level: "silent" }),
  });
  const url = `${http.url}/telegram`;
  const createBot = (changes: { secret?: string; answerWithinMs?: number } = {}): Bot => {
    const { secret, ...others } = changes;
    const receiving = { mode: "webhook", url, secret } as const;
    const bot = scene.createBot({ ...others, receiving });
    bots.push(bot);
    return bot;
  };
  return {
    scene,
    url,
    createBot,
    async start(changes?: Parameters<typeof createBot>[0]): Promise<Bot> {
      const bot = createBot(changes);
      await bot.start();
      return bot;
    },
    secret: (): string => {
      const call = scene.telegram.callsOf("setWebhook").at(-1);
      return String(call?.payload["secret_token"]);
    },
    async post(body: string, secret?: string) {
      const response = await fetch(url, {
        method: "POST",
        body,
        headers: {
          "content-type": "application/json",
          ...(secret === undefined ? {} : { "x-telegram-bot-api-secret-token": secret }),
        },
      });
      const { status, headers } = response;
      return {
        status,
        body: await response.text(),
        again: headers.get("retry-after"),
      };
    },
    async call(method: string): Promise<unknown> {
      const { apiRoot, token } = scene.telegram;
      const response = await fetch(`${apiRoot}/bot${token}/${method}`);
      return ((await response.json()) as { result: unknown }).result;
    },
    async [Symbol.asyncDispose]() {
      await scene[Symbol.asyncDispose]();
      await http[Symbol.asyncDispose]();
    },
  };
}

const statusesOf = (scene: Scene): readonly number[] =>
  scene.telegram.webhookAttempts.map(({ status }) => status);

describe("telling Telegram where to post", () => {
  it("happens once for all processes and starts, and is left when they end", async () => {
    await using hook = await openHook();
    const { scene, url } = hook;
    const first = await hook.start();
    await hook.start();
    await first[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(scene.telegram.callsOf("getWebhookInfo")).toHaveLength(2));
    await hook.start();
    const calls = scene.telegram.callsOf("setWebhook");
    expect(calls.map(({ payload }) => payload)).toMatchObject([
      { url, max_connections: 100, drop_pending_updates: false },
    ]);
    expect(hook.secret()).toMatch(/^[\w-]{43}$/);
    expect(scene.rawLog).not.toContain(hook.secret());
    expect(await hook.call("getWebhookInfo")).toMatchObject({
      url,
      allowed_updates: [
        "message",
        "edited_message",
        "callback_query",
        "stopped_message_generation",
        "my_chat_member",
      ],
    });
    expect(scene.telegram.callsOf("getUpdates")).toEqual([]);
  });

  it("happens again for another secret, which Telegram does not show", async () => {
    await using hook = await openHook();
    const first = await hook.start({ secret: "one" });
    await first[Symbol.asyncDispose]();
    await hook.start({ secret: "two" });
    expect(hook.scene.telegram.callsOf("setWebhook")).toHaveLength(2);
    expect(hook.secret()).toBe("two");
  });

  it("happens again when someone has deleted it", async () => {
    await using hook = await openHook();
    await hook.start();
    await hook.call("deleteWebhook");
    hook.scene.lookAgain();
    await hook.scene.telegram.waitFor((server) => server.callsOf("setWebhook").length === 2);
  });

  it("ends the start with a sentence when Telegram refuses the address", async () => {
    await using hook = await openHook();
    hook.scene.telegram.inject({
      method: "setWebhook",
      kind: {
        type: "status",
        code: 400,
        description: "Bad Request: bad webhook: Failed to resolve host",
      },
    });
    const error = await hook.start().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PermanentError);
    expect(String(error)).toMatch(/telegram\.webhook\.url is http.*Failed to resolve host/);
  });

  it("is followed by a line when Telegram cannot post", async () => {
    await using hook = await openHook();
    const { scene } = hook;
    await hook.start({ answerWithinMs: 20 });
    await vi.waitFor(() =>
      expect(scene.log.map(({ msg }) => msg)).toContain("set Telegram's webhook"),
    );
    const stored = Promise.withResolvers<void>();
    scene.script.behave = async () => {
      await stored.promise;
      return { type: "queued" };
    };
    const anna = scene.telegram.person({ firstName: "Anna" });
    anna.send(scene.telegram.privateChat(anna), "hello");
    await scene.telegram.waitFor(() => statusesOf(scene).includes(503));
    scene.lookAgain();
    await vi.waitFor(() =>
      expect(scene.warnings()).toContain("Telegram could not post to telegram.webhook.url"),
    );
    stored.resolve();
  });
});

describe("updates that Telegram posts", () => {
  it("are taken by any process, in order, and forgotten once they are stored", async () => {
    await using hook = await openHook();
    const { scene } = hook;
    let isDown = true;
    scene.script.behave = () => {
      if (isDown) throw new Error("Connection is closed.");
      return { type: "queued" };
    };
    await hook.start({ answerWithinMs: 50 });
    await hook.start({ answerWithinMs: 50 });
    const anna = scene.telegram.person({ firstName: "Anna" });
    const chat = scene.telegram.privateChat(anna);
    const texts = ["one", "two", "three", "four"];
    for (const text of texts) anna.send(chat, text);
    await scene.telegram.waitFor(() => statusesOf(scene).includes(503));
    expect(scene.telegram.pendingUpdates).toHaveLength(4);
    isDown = false;
    await scene.allConfirmed();
    expect(scene.script.texts).toEqual(texts);
    expect(new Set(statusesOf(scene))).toEqual(new Set([503, 200]));
  });

  it("are answered in time when the store hangs, and not handed over a second time meanwhile", async () => {
    await using hook = await openHook();
    const { scene } = hook;
    const bot = await hook.start({ answerWithinMs: 20 });
    const anna = scene.telegram.person({ firstName: "Anna" });
    const chat = scene.telegram.privateChat(anna);
    const outcome = await bot.sender.send(
      {
        platform: "telegram",
        bot: String(scene.telegram.bot.id),
        chat: String(chat.id),
      },
      { text: "Delete it?" },
      { nonce: "1", final: true, buttons: [{ label: "Yes", data: "a:1" }] },
    );
    if (outcome.type !== "sent") throw new Error(outcome.cause);
    const stored = Promise.withResolvers<void>();
    scene.script.behave = async () => {
      await stored.promise;
      return { type: "answered", text: "Approved", isPrivate: true };
    };
    anna.send(chat, "slow");
    const tap = anna.tap(Number(outcome.messageId), "Yes");
    await scene.telegram.waitFor(
      () => statusesOf(scene).filter((status) => status === 503).length >= 4,
    );
    expect(scene.script.attempts).toHaveLength(2);
    stored.resolve();
    expect((await tap.answered()).text).toBe("Approved");
    await scene.allConfirmed();
    expect(scene.script.texts.toSorted()).toEqual(["slow", "tap"]);
    expect(scene.telegram.violations).toEqual([]);
  });

  it("do not keep their chat for ever where a file cannot be had in the time that Telegram waits", async () => {
    await using hook = await openHook();
    const { scene } = hook;
    const sentences: string[] = [];
    scene.script.behave = async (inbound) => {
      const files = inbound.type === "message" ? inbound.attachments : [];
      for (const { fetch } of files ?? [])
        try {
          await fetch({ maxBytes: 100, signal: AbortSignal.timeout(40) });
        } catch (error) {
          if (!(error instanceof PermanentError)) throw error;
          sentences.push(error.message);
        }
      return { type: "queued" };
    };
    scene.telegram.inject({
      method: "downloadFile",
      times: Infinity,
      kind: { type: "hang" },
    });
    await hook.start({ answerWithinMs: 20 });
    const anna = scene.telegram.person({ firstName: "Anna" });
    const chat = scene.telegram.privateChat(anna);
    anna.sendPhoto(chat, new Uint8Array([1]));
    anna.send(chat, "next");
    await scene.allConfirmed();
    expect(sentences).toEqual([expect.stringContaining("couldn't download that file")]);
    expect(scene.script.texts).toEqual(["", "next"]);
    expect(scene.script.attempts).toHaveLength(5);
  });

  it("are sent away while a process starts and when it ends, to come again soon", async () => {
    await using hook = await openHook();
    const bot = hook.createBot({ secret: "sesame" });
    const body = JSON.stringify({ update_id: 5 });
    const away = { status: 503, body: "", again: "2" };
    expect(await hook.post(body, "sesame")).toEqual(away);
    await bot.start();
    expect(await hook.post(body, "sesame")).toMatchObject({ status: 200 });
    hook.scene.stop();
    expect(await hook.post(body, "sesame")).toEqual(away);
  });
});

it("what came late and is safe by now keeps no room from what is new", async () => {
  const stored = Promise.withResolvers<void>();
  const receiver = new WebhookReceiver({
    secret: "sesame",
    log: pino({ level: "silent" }),
    signal: new AbortController().signal,
    answerWithinMs: 50,
  });
  receiver.open(() => stored.promise);
  const post = async (id: number): Promise<number> =>
    (await receiver.handle(JSON.stringify({ update_id: id }))).status;
  const ids = Array.from({ length: 1_000 }, (_, index) => index);
  expect(new Set(await Promise.all(ids.map(post)))).toEqual(new Set([503]));
  // Nothing new while all of those are being taken.
  expect(await post(1_000)).toBe(503);
  stored.resolve();
  await receiver.settled();
  expect(await post(1_000)).toBe(200);
  expect(await post(0)).toBe(200);
});

describe("what others post", () => {
  it.each([
    ["no secret", undefined],
    ["a wrong secret", "sesame2"],
    ["a part of the secret", "sesam"],
    ["an empty secret", ""],
  ])("with %s is refused, and goes no further", async (_, secret) => {
    await using hook = await openHook();
    await hook.start({ secret: "sesame" });
    const message = {
      message_id: 1,
      date: 1,
      text: "let me in",
      chat: { id: 7, type: "private", first_name: "Eve" },
      from: { id: 7, is_bot: false, first_name: "Eve" },
    };
    const body = JSON.stringify({ update_id: 5, message });
    expect(await hook.post(body, secret)).toEqual({
      status: 401,
      body: "",
      again: null,
    });
    expect(hook.scene.script.attempts).toEqual([]);
    expect(await hook.post(body, "sesame")).toMatchObject({ status: 200 });
    expect(hook.scene.script.texts).toEqual(["let me in"]);
  });

  it.each([
    ["what is no JSON", "{", 400, /expected JSON/],
    ["nothing", "", 400, /expected JSON/],
    ["a number", "7", 200, /expected an update with an update_id/],
    ["an object of another kind", "{}", 200, /update with an update_id/],
    ["half an id", `{"update_id":1.5}`, 200, /update with an update_id/],
    [
      "an update that cannot be read",
      `{"update_id":1,"message":{"chat":"secret words"}}`,
      200,
      /could not be read/,
    ],
  ])("with the secret, but %s, is logged and never comes again", async (_, body, status, line) => {
    await using hook = await openHook();
    await hook.start({ secret: "sesame" });
    expect(await hook.post(body, "sesame")).toMatchObject({
      status,
      again: null,
    });
    expect(hook.scene.warnings()).toEqual([expect.stringMatching(line)]);
    expect(hook.scene.rawLog).not.toContain("secret words");
    expect(hook.scene.script.attempts).toEqual([]);
  });
});

describe("polling and a webhook", () => {
  it("follow each other in both directions without losing an update", async () => {
    await using hook = await openHook();
    const { scene } = hook;
    const anna = scene.telegram.person({ firstName: "Anna" });
    const chat = scene.telegram.privateChat(anna);
    const polling = await scene.start();
    anna.send(chat, "one");
    await scene.allConfirmed();
    await polling[Symbol.asyncDispose]();
    anna.send(chat, "two");
    const posted = await hook.start();
    await scene.allConfirmed();
    anna.send(chat, "three");
    await scene.allConfirmed();
    await posted[Symbol.asyncDispose]();
    await scene.start();
    anna.send(chat, "four");
    await scene.allConfirmed();
    expect(scene.script.texts).toEqual(["one", "two", "three", "four"]);
    expect(scene.telegram.callsOf("deleteWebhook")).toHaveLength(1);
  });

  it("do not fight while a deployment changes from one to the other", async () => {
    await using hook = await openHook();
    const { scene } = hook;
    const polling = await scene.start();
    await hook.start();
    expect(scene.telegram.callsOf("setWebhook")).toEqual([]);
    await polling[Symbol.asyncDispose]();
    await scene.telegram.waitFor((server) => server.callsOf("setWebhook").length === 1);
    expect(scene.warnings()).toEqual([]);
  });
});
