import { vi, describe, expect, it } from "vitest";
import { PermanentError } from "../../../src/core/errors.ts";
import type { Inbound } from "../../../src/core/inbound.ts";
import { Scene } from "./support.ts";

const conflict = (times: number) =>
  ({
    method: "getUpdates",
    times,
    kind: {
      type: "status",
      code: 409,
      description:
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
    },
  }) as const;

describe("starting", () => {
  it("refuses a malformed token without repeating it", async () => {
    await using scene = await Scene.open();
    expect(() => scene.createBot({ token: "sesame" })).toThrow(PermanentError);
    expect(() => scene.createBot({ token: "sesame" })).not.toThrow(/sesame/);
  });

  it("refuses a token that Telegram does not know", async () => {
    await using scene = await Scene.open();
    const token = "1234567:AAHnotatokenofanybody_atall12345678";
    const error = await scene
      .createBot({ token })
      .start()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PermanentError);
    expect(String(error)).toMatch(/TELEGRAM_BOT_TOKEN is not accepted/);
    expect(String(error)).not.toContain(token);
  });

  it("names itself after the token's number", async () => {
    await using scene = await Scene.open();
    expect(scene.createBot().id).toBe(`telegram:${scene.telegram.bot.id}`);
  });

  it("deletes a webhook, but only where there is one", async () => {
    await using scene = await Scene.open();
    await scene.start();
    expect(scene.telegram.callsOf("deleteWebhook")).toHaveLength(0);
    await using other = await Scene.open();
    await fetch(
      `${other.telegram.apiRoot}/bot${other.telegram.token}/setWebhook?url=http://127.0.0.1:9/hook`,
    );
    await other.start();
    expect(other.telegram.callsOf("deleteWebhook")).toHaveLength(1);
  });

  it("registers the commands for everybody once", async () => {
    await using scene = await Scene.open();
    const bot = await scene.start();
    expect(scene.telegram.commands()).toEqual([
      { command: "start", description: "Begin" },
      { command: "help", description: "What I can do" },
    ]);
    await bot[Symbol.asyncDispose]();
    await scene.start();
    expect(scene.telegram.callsOf("setMyCommands")).toHaveLength(1);
  });

  it("goes on without a menu that is refused", async () => {
    await using scene = await Scene.open();
    scene.telegram.inject({
      method: "setMyCommands",
      kind: { type: "status", code: 400, description: "Bad Request: no" },
    });
    await scene.start();
    expect(scene.warnings()).toEqual(["the menu of commands was refused"]);
  });

  it("waits for a server that is not there yet, and says so once", async () => {
    await using scene = await Scene.open();
    scene.telegram.inject({
      method: "getMe",
      times: 3,
      kind: { type: "hang-up-before" },
    });
    scene.telegram.inject({
      method: "getMe",
      kind: {
        type: "status",
        code: 502,
        description: "Bad Gateway",
        body: "html",
      },
    });
    await scene.start();
    expect(scene.warnings()).toEqual(["can't reach Telegram; retrying"]);
    expect(scene.log.map(({ msg }) => msg)).toContain("talking to Telegram works again");
    expect(scene.pausesMs).toEqual([375, 750, 1500, 3000]);
  });

  it("gives up when it is told to", async () => {
    await using scene = await Scene.open();
    scene.telegram.inject({
      method: "getMe",
      times: Infinity,
      kind: { type: "hang" },
    });
    const started = scene.createBot().start();
    const outcome = started.catch((error: unknown) => error);
    await scene.telegram.waitFor((server) => server.callsOf("getMe").length);
    scene.stop();
    expect(await outcome).toMatchObject({ name: "AbortError" });
  });

  it("never logs the token", async () => {
    await using scene = await Scene.open();
    scene.telegram.inject({ times: 4, kind: { type: "hang-up-before" } });
    scene.telegram.inject({ times: 4, kind: { type: "garbage" } });
    const bot = await scene.start();
    const anna = scene.telegram.person({ firstName: "Anna" });
    const chat = scene.telegram.privateChat(anna);
    scene.telegram.inject({ times: 4, kind: { type: "garbage" } });
    const address = {
      platform: "telegram",
      bot: String(scene.telegram.bot.id),
      chat: String(chat.id),
    } as const;
    await bot.sender.typing(address);
    const outcome = await bot.sender.send(address, { text: "a" }, { nonce: "1", final: true });
    const secret = scene.telegram.token.split(":")[1];
    expect(scene.rawLog).toContain("cause");
    expect(scene.rawLog + JSON.stringify(outcome)).not.toContain(secret);
  });
});

describe("polling", () => {
  it("takes what came while it was away, and confirms it", async () => {
    await using scene = await Scene.open();
    const anna = scene.telegram.person({ firstName: "Anna" });
    const chat = scene.telegram.privateChat(anna);
    anna.send(chat, "one");
    anna.send(chat, "two");
    await scene.start();
    await scene.allConfirmed();
    expect(scene.script.texts).toEqual(["one", "two"]);
  });

  it("confirms an update only when it is stored", async () => {
    await using scene = await Scene.open();
    let isDown = true;
    scene.script.behave = () => {
      if (isDown) throw new Error("Connection is closed.");
      return { type: "queued" };
    };
    const anna = scene.telegram.person({ firstName: "Anna" });
    const chat = scene.telegram.privateChat(anna);
    await scene.start();
    for (const text of ["one", "two", "three"]) anna.send(chat, text);
    await vi.waitFor(() => {
      expect(scene.script.attempts.length).toBeGreaterThan(5);
    });
    expect(scene.telegram.pendingUpdates).toHaveLength(3);
    expect(scene.script.accepted).toEqual([]);
    isDown = false;
    await scene.allConfirmed();
    expect(scene.script.texts).toEqual(["one", "two", "three"]);
    expect(scene.warnings()).toEqual(["can't store messages; they wait at Telegram until I can"]);
  });

  it("leaves what was not stored to the next process", async () => {
    await using scene = await Scene.open();
    const stored = Promise.withResolvers<void>();
    scene.script.behave = async (inbound) => {
      if (inbound.type !== "message" || inbound.text !== "one") {
        stored.resolve();
        throw new Error("Connection is closed.");
      }
      return { type: "queued" };
    };
    const anna = scene.telegram.person({ firstName: "Anna" });
    const chat = scene.telegram.privateChat(anna);
    anna.send(chat, "one");
    anna.send(chat, "two");
    anna.send(chat, "three");
    const bot = await scene.start();
    await stored.promise;
    await bot[Symbol.asyncDispose]();
    expect(scene.telegram.pendingUpdates).toHaveLength(2);
    scene.script.behave = () => ({ type: "queued" });
    await scene.start();
    await scene.allConfirmed();
    expect(scene.script.texts).toEqual(["one", "two", "three"]);
  });

  it("confirms what was stored when it ends", async () => {
    await using scene = await Scene.open();
    const bot = await scene.start();
    const anna = scene.telegram.person({ firstName: "Anna" });
    const storing = Promise.withResolvers<void>();
    scene.script.behave = async () => {
      void bot[Symbol.asyncDispose]();
      await storing.promise;
      return { type: "queued" };
    };
    anna.send(scene.telegram.privateChat(anna), "last words");
    await vi.waitFor(() => expect(scene.script.attempts).toHaveLength(1));
    storing.resolve();
    await bot[Symbol.asyncDispose]();
    expect(scene.telegram.pendingUpdates).toEqual([]);
  });

  it("keeps a chat's order, and lets no chat wait for another", async () => {
    await using scene = await Scene.open();
    const gate = Promise.withResolvers<void>();
    const anna = scene.telegram.person({ firstName: "Anna" });
    const ben = scene.telegram.person({ firstName: "Ben" });
    const annas = scene.telegram.privateChat(anna);
    const bens = scene.telegram.privateChat(ben);
    scene.script.behave = async (inbound) => {
      if (inbound.person.name === "Anna") await gate.promise;
      return { type: "queued" };
    };
    await scene.start();
    anna.send(annas, "a1");
    anna.send(annas, "a2");
    ben.send(bens, "b1");
    await vi.waitFor(() => expect(scene.script.texts).toEqual(["b1"]));
    ben.send(bens, "b2");
    // The next look for newer updates does not wait for hers.
    await vi.waitFor(() => expect(scene.script.texts).toEqual(["b1", "b2"]), {
      timeout: 5_000,
    });
    // Anna's are held back: hers are still pending, and Ben's are not handed over again.
    expect(scene.script.attempts).toHaveLength(3);
    gate.resolve();
    await scene.allConfirmed();
    expect(scene.script.texts).toEqual(["b1", "b2", "a1", "a2"]);
  });

  it("hands a redelivered update over under the same id", async () => {
    await using scene = await Scene.open();
    await scene.start();
    const anna = scene.telegram.person({ firstName: "Anna" });
    anna.send(scene.telegram.privateChat(anna), "once");
    const update = scene.telegram.pendingUpdates[0];
    await scene.allConfirmed();
    scene.telegram.redeliver(update?.update_id ?? 0);
    await vi.waitFor(() => expect(scene.script.accepted).toHaveLength(2));
    const [first, second] = scene.script.accepted;
    expect(second?.id).toBe(first?.id);
  });

  it("follows ids that restart", async () => {
    await using scene = await Scene.open();
    await scene.start();
    const anna = scene.telegram.person({ firstName: "Anna" });
    const chat = scene.telegram.privateChat(anna);
    anna.send(chat, "one");
    await scene.allConfirmed();
    scene.telegram.restartIds();
    anna.send(chat, "two");
    anna.send(chat, "three");
    await scene.allConfirmed();
    expect(scene.script.texts).toEqual(["one", "two", "three"]);
  });

  it("explains another poller, and takes over when it is gone", async () => {
    await using scene = await Scene.open();
    await scene.start();
    await scene.telegram.waitFor((server) => server.isPolled);
    scene.telegram.inject(conflict(2));
    scene.telegram.conflictPoll();
    await scene.telegram.waitFor(
      (server) =>
        server.isPolled && server.callsOf("getUpdates").filter(({ fault }) => fault).length === 2,
    );
    const anna = scene.telegram.person({ firstName: "Anna" });
    anna.send(scene.telegram.privateChat(anna), "still here");
    await scene.allConfirmed();
    expect(scene.script.texts).toEqual(["still here"]);
    expect(scene.pausesMs).toEqual([15_000, 15_000, 15_000]);
    expect(scene.warnings()).toEqual([
      expect.stringContaining("another process polls with this token"),
    ]);
    expect(scene.log.map(({ msg }) => msg)).toContain("receiving from Telegram works again");
  });

  it("waits as long as Telegram asks", async () => {
    await using scene = await Scene.open();
    scene.telegram.inject({
      method: "getUpdates",
      kind: {
        type: "status",
        code: 429,
        description: "Too Many Requests: retry after 77",
        retryAfterSeconds: 77,
      },
    });
    await scene.start();
    expect(scene.pausesMs).toEqual([77_000]);
  });

  it.each([
    { type: "hang-up-before" },
    { type: "hang-up-after" },
    { type: "garbage" },
    { type: "status", code: 502, description: "Bad Gateway", body: "html" },
    { type: "status", code: 500, description: "Internal Server Error" },
    { type: "status", code: 401, description: "Unauthorized" },
  ] as const)("comes back after $type $code", async (kind) => {
    await using scene = await Scene.open();
    await scene.start();
    const anna = scene.telegram.person({ firstName: "Anna" });
    const chat = scene.telegram.privateChat(anna);
    scene.telegram.inject({ method: "getUpdates", times: 3, kind });
    scene.telegram.conflictPoll();
    anna.send(chat, "hello");
    await scene.allConfirmed();
    expect(scene.script.texts).toEqual(["hello"]);
  });

  it("leaves out an update that it cannot read, and says which", async () => {
    await using scene = await Scene.open();
    await scene.start();
    const update = scene.telegram.push({
      message: { message_id: "a secret", chat: null },
    } as never);
    const anna = scene.telegram.person({ firstName: "Anna" });
    anna.send(scene.telegram.privateChat(anna), "next");
    await scene.allConfirmed();
    expect(scene.script.texts).toEqual(["next"]);
    expect(scene.warnings()).toEqual(["skipped an update that could not be read"]);
    expect(scene.rawLog).toContain(String(update?.update_id));
    expect(scene.rawLog).not.toContain("a secret");
  });

  it("leaves out a message that can never be stored", async () => {
    await using scene = await Scene.open();
    await scene.start();
    scene.script.behave = (inbound) => {
      if (inbound.type === "message" && inbound.text === "one")
        throw new PermanentError("no such shard");
      return { type: "queued" };
    };
    const anna = scene.telegram.person({ firstName: "Anna" });
    const chat = scene.telegram.privateChat(anna);
    anna.send(chat, "one");
    anna.send(chat, "two");
    await scene.allConfirmed();
    expect(scene.script.texts).toEqual(["two"]);
  });

  it.each([
    ["a fault of ours", new TypeError("undefined is not a function")],
    ["a size too big", new RangeError("Invalid array length")],
    ["a name that is none", new ReferenceError("x is not defined")],
    ["for good", new PermanentError("no such shard")],
  ])("tells whose message it had to skip: %s", async (_, fault) => {
    await using scene = await Scene.open();
    await scene.start();
    scene.script.behave = () => {
      throw fault;
    };
    const anna = scene.telegram.person({ firstName: "Anna" });
    const chat = scene.telegram.privateChat(anna);
    anna.send(chat, "one");
    const id = scene.telegram.pendingUpdates[0]?.update_id ?? 0;
    await scene.allConfirmed();
    await scene.telegram.waitForMessage(chat, `Sorry, I couldn't take this message. (error ${id})`);
    expect(scene.script.attempts).toHaveLength(1);
    expect(scene.telegram.botMessages(chat)).toHaveLength(1);
    expect(scene.telegram.violations).toEqual([]);
  });

  it("tells it once, even if that fails, and goes on", async () => {
    await using scene = await Scene.open();
    await scene.start();
    scene.script.behave = (inbound) => {
      if (inbound.type === "message" && inbound.text === "one")
        throw new TypeError("undefined is not a function");
      return { type: "queued" };
    };
    scene.telegram.inject({
      method: "sendMessage",
      kind: { type: "status", code: 403, description: "Forbidden: blocked" },
    });
    const anna = scene.telegram.person({ firstName: "Anna" });
    const chat = scene.telegram.privateChat(anna);
    anna.send(chat, "one");
    anna.send(chat, "two");
    await scene.allConfirmed();
    expect(scene.script.texts).toEqual(["two"]);
    await vi.waitFor(() =>
      expect(scene.warnings()).toEqual([
        "skipped a message that can't be accepted",
        "couldn't notify a person that their message wasn't saved",
      ]),
    );
    expect(scene.telegram.callsOf("sendMessage")).toHaveLength(1);
  });

  it("stops at once, in the middle of a long poll", async () => {
    await using scene = await Scene.open();
    const bot = await scene.start();
    await scene.telegram.waitFor((server) => server.isPolled);
    await bot[Symbol.asyncDispose]();
    await scene.telegram.waitFor((server) => !server.isPolled);
    const polls = scene.telegram.callsOf("getUpdates").length;
    const anna = scene.telegram.person({ firstName: "Anna" });
    anna.send(scene.telegram.privateChat(anna), "too late");
    expect(scene.telegram.callsOf("getUpdates")).toHaveLength(polls);
  });

  it("stops when the signal aborts, too", async () => {
    await using scene = await Scene.open();
    await scene.start();
    await scene.telegram.waitFor((server) => server.isPolled);
    scene.stop();
    await scene.telegram.waitFor((server) => !server.isPolled);
  });
});

/** A message on its way, which the server treats like this. */
const sending = async (
  scene: Scene,
  kind: { type: "delay"; ms: number } | { type: "hang" },
  sendingGraceMs?: number,
) => {
  const bot = scene.createBot(sendingGraceMs === undefined ? {} : { sendingGraceMs });
  await bot.start();
  const anna = scene.telegram.person({ firstName: "Anna" });
  const chat = scene.telegram.privateChat(anna);
  scene.telegram.inject({ method: "sendMessage", kind });
  const outcome = bot.sender.send(
    {
      platform: "telegram",
      bot: String(scene.telegram.bot.id),
      chat: String(chat.id),
    },
    { text: "on its way" },
    { nonce: "1", final: true },
  );
  await scene.telegram.waitFor((server) => server.callsOf("sendMessage").length);
  return { bot, chat, outcome };
};

describe("messages being sent when the end comes", () => {
  it.each([
    ["disposed", false],
    ["stopped, then disposed", true],
  ])("arrive: %s", async (_, stop) => {
    await using scene = await Scene.open();
    const { bot, outcome } = await sending(scene, { type: "delay", ms: 600 });
    if (stop) scene.stop();
    await bot[Symbol.asyncDispose]();
    expect(await outcome).toMatchObject({ type: "sent" });
  });

  it.each([
    ["disposed", false],
    ["stopped, then disposed", true],
  ])("are cut off after the grace: %s", async (_, stop) => {
    await using scene = await Scene.open();
    const { bot, outcome } = await sending(scene, { type: "hang" }, 300);
    const startedAtMs = Date.now();
    if (stop) scene.stop();
    await bot[Symbol.asyncDispose]();
    expect(Date.now() - startedAtMs).toBeGreaterThanOrEqual(290);
    expect(Date.now() - startedAtMs).toBeLessThan(3_000);
    expect(await outcome).toMatchObject({ type: "unknown" });
  });

  it("have one grace, from the signal on", async () => {
    await using scene = await Scene.open();
    const { bot, outcome } = await sending(scene, { type: "hang" }, 300);
    scene.stop();
    expect(await outcome).toMatchObject({ type: "unknown" });
    const startedAtMs = Date.now();
    await bot[Symbol.asyncDispose]();
    expect(Date.now() - startedAtMs).toBeLessThan(250);
  });
});

describe("messages that cannot be kept", () => {
  it("are forgotten by Telegram, and their writers are told once, past the store", async () => {
    await using scene = await Scene.open();
    const { telegram } = scene;
    await scene.start();
    const text = "Sorry, my memory is full. Please send it again later.";
    scene.script.behave = () => ({ type: "not-kept", text });
    const anna = telegram.person({ firstName: "Anna" });
    const ben = telegram.person({ firstName: "Ben" });
    const group = telegram.group({
      title: "Team",
      members: [ben],
      kind: "group",
    });
    telegram.inject({
      method: "sendMessage",
      chatId: group.id,
      kind: { type: "status", code: 403, description: "Forbidden: kicked" },
    });
    const asked = anna.send(telegram.privateChat(anna), "hello");
    ben.send(group, "/help");
    await scene.allConfirmed();
    await telegram.waitForMessage(anna, text);
    await vi.waitFor(() =>
      expect(scene.warnings()).toEqual([
        "couldn't notify a person that their message wasn't saved",
      ]),
    );
    expect(telegram.botMessages(anna)).toMatchObject([{ text, replyTo: asked.messageId }]);
    expect(scene.script.attempts).toHaveLength(2);
  });
});

const isForUs = (inbound: Inbound): boolean =>
  inbound.type !== "message" || inbound.isAddressed !== false;

describe("groups", () => {
  it("tells what is said to it from everything else", async () => {
    await using scene = await Scene.open({ privacyMode: false });
    const { telegram } = scene;
    const bot = await scene.start();
    const anna = telegram.person({ firstName: "Anna" });
    const other = telegram.person({ firstName: "Robot", isBot: true });
    const group = telegram.group({
      title: "Team",
      members: [anna, other],
      kind: "supergroup",
    });
    const address = {
      platform: "telegram",
      bot: String(telegram.bot.id),
      chat: String(group.id),
    } as const;
    await bot.sender.send(address, { text: "Hello, team" }, { nonce: "1", final: true });
    const ours = await telegram.waitForMessage(group, "Hello, team");
    const name = telegram.bot.username;
    anna.send(group, "just talking");
    anna.send(group, `@${name}, what time is it?`);
    anna.send(group, "and here", { replyTo: ours });
    anna.send(group, `/help@${name} me`);
    anna.send(group, "/help@other_bot");
    anna.send(group, "/dance");
    anna.send(group, "/start");
    other.send(group, `@${name} hi`);
    const last = anna.send(group, `thanks @${name}`);
    anna.send(group, "bye", { replyTo: last });
    await scene.allConfirmed();
    expect(scene.script.accepted.filter(isForUs)).toMatchObject([
      { type: "message", text: "what time is it?", direct: false },
      { type: "message", text: "and here" },
      { type: "command", name: "help", argument: "me" },
      { type: "command", name: "start", argument: "" },
      { type: "message", text: "thanks" },
    ]);
    const others = scene.script.accepted.filter((inbound) => !isForUs(inbound));
    expect(others).toMatchObject([
      { text: "just talking" },
      { text: "/help@other_bot", looksLikeCommand: true },
      { text: "/dance", looksLikeCommand: true },
      { text: "bye" },
    ]);
  });

  it("answers in the topic that it was asked in", async () => {
    await using scene = await Scene.open();
    const { telegram } = scene;
    const bot = await scene.start();
    const anna = telegram.person({ firstName: "Anna" });
    const group = telegram.group({
      title: "Forum",
      members: [anna],
      kind: "supergroup",
      isForum: true,
    });
    const topic = group.topic("Plans", anna);
    anna.send(group, `@${telegram.bot.username} a`, { threadId: topic });
    anna.send(group, `@${telegram.bot.username} b`);
    await scene.allConfirmed();
    const [first, second] = scene.script.accepted;
    expect(first?.address.thread).toBe(String(topic));
    expect(second?.address.thread).toBe("1");
    for (const inbound of scene.script.accepted) {
      await bot.sender.typing(inbound.address);
      const outcome = await bot.sender.send(
        inbound.address,
        { text: "here" },
        { nonce: "1", final: true },
      );
      expect(outcome.type).toBe("sent");
    }
    expect(telegram.botMessages(group).map(({ threadId }) => threadId)).toEqual([topic, undefined]);
    expect(telegram.actions(group).map(({ threadId }) => threadId)).toEqual([topic, 1]);
  });
});

describe("messages that no one can read", () => {
  it("are refused once for an album, and each kind for itself", async () => {
    await using scene = await Scene.open();
    const { telegram } = scene;
    await scene.start();
    const anna = telegram.person({ firstName: "Anna" });
    const chat = telegram.privateChat(anna);
    const bytes = new Uint8Array([1]);
    for (let index = 0; index < 3; index += 1)
      anna.sendMedia(chat, "video", bytes, { mediaGroupId: "album" });
    anna.sendSticker(chat);
    anna.sendPhoto(chat, bytes, { caption: "What is this?" });
    await scene.allConfirmed();
    expect(scene.script.texts).toEqual(["", "", "What is this?"]);
    // The caller that knows whether they may talk to the bot tells them.
    expect(telegram.botMessages(chat)).toEqual([]);
  });

  it("are refused to no one where they are only overheard, even if they cannot be kept", async () => {
    await using scene = await Scene.open({ privacyMode: false });
    const { telegram } = scene;
    await scene.start();
    const anna = telegram.person({ firstName: "Anna" });
    const group = telegram.group({
      title: "Team",
      members: [anna],
      kind: "supergroup",
    });
    scene.script.behave = () => {
      throw new PermanentError("no such shard");
    };
    anna.sendSticker(group);
    const said = anna.send(group, "just talking");
    anna.edit(said, "still just talking");
    await scene.allConfirmed();
    expect(scene.script.attempts).toHaveLength(2);
    expect(telegram.botMessages(group)).toEqual([]);
  });
});

describe("what a person replies to", () => {
  it("is left out where the bot has just said it", async () => {
    await using scene = await Scene.open();
    const { telegram } = scene;
    const bot = await scene.start();
    const anna = telegram.person({ firstName: "Anna" });
    const chat = telegram.privateChat(anna);
    const address = {
      platform: "telegram",
      bot: String(telegram.bot.id),
      chat: String(chat.id),
    } as const;
    const say = async (text: string) => {
      await bot.sender.send(address, { text }, { nonce: "1", final: true });
      return await telegram.waitForMessage(chat, text);
    };
    const first = await say("Tea is best");
    const second = await say("Coffee, too");
    anna.send(chat, "why?", { replyTo: second });
    anna.send(chat, "and this?", { replyTo: first });
    await scene.allConfirmed();
    expect(
      scene.script.accepted.map((inbound) =>
        inbound.type === "message" ? inbound.quote : inbound.type,
      ),
    ).toEqual([undefined, { own: true, text: "Tea is best" }]);
  });
});

describe("edits", () => {
  it("are handed over behind the message that they change", async () => {
    await using scene = await Scene.open();
    const { telegram } = scene;
    await scene.start();
    const anna = telegram.person({ firstName: "Anna" });
    const said = anna.send(telegram.privateChat(anna), "teh");
    anna.edit(said, "the");
    await scene.allConfirmed();
    expect(scene.script.accepted).toMatchObject([
      { type: "message", text: "teh", messageId: String(said.messageId) },
      { type: "edit", text: "the", messageId: String(said.messageId) },
    ]);
  });
});
