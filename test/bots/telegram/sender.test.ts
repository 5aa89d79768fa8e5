import { createServer } from "node:net";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import type { ChatAddress } from "../../../src/core/chat.ts";
import type { Chunk, Sender } from "../../../src/core/ports.ts";
import type { FaultRule } from "../../support/telegram/faults.ts";
import { labelsOf, telegramSubject } from "./sender-subject.ts";
import { Scene } from "./support.ts";

const hello: Chunk = { text: "Hello" };
const options = { nonce: "1", final: true };

async function groupScene(isForum = false) {
  const scene = await Scene.open();
  const bot = scene.createBot();
  const anna = scene.telegram.person({ firstName: "Anna" });
  const kind = isForum ? "supergroup" : "group";
  const group = scene.telegram.group({
    title: "Team",
    members: [anna],
    kind,
    isForum,
  });
  const address: ChatAddress = {
    platform: "telegram",
    bot: String(scene.telegram.bot.id),
    chat: String(group.id),
  };
  return {
    sender: bot.sender,
    anna,
    group,
    address,
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

describe("what is sent", () => {
  it("has entities, no parse mode and no preview", async () => {
    await using subject = await telegramSubject();
    const { sender, address, telegram } = subject;
    const [chunk] = sender.render("See **this** [page](https://example.com)");
    await sender.send(address, chunk as Chunk, options);
    expect(telegram.callsOf("sendMessage")[0]?.payload).toEqual({
      chat_id: address.chat,
      text: "See this page",
      entities: [
        { type: "bold", offset: 4, length: 4 },
        {
          type: "text_link",
          offset: 9,
          length: 4,
          url: "https://example.com/",
        },
      ],
      link_preview_options: { is_disabled: true },
      disable_notification: false,
    });
    expect(telegram.violations).toEqual([]);
  });

  it("rings or not, replies, and has its buttons in one row", async () => {
    await using subject = await telegramSubject();
    const { sender, address, telegram } = subject;
    const first = await sender.send(address, hello, options);
    if (first.type !== "sent") throw new Error(first.cause);
    await sender.send(address, hello, {
      ...options,
      silent: true,
      replyTo: first.messageId,
      buttons: [
        { label: "Yes", data: "y" },
        { label: "No", data: "n" },
      ],
    });
    const [plain, reply] = telegram.botMessages(Number(address.chat));
    expect(plain).toMatchObject({ disableNotification: false });
    expect(reply).toMatchObject({
      disableNotification: true,
      replyTo: Number(first.messageId),
    });
    expect(reply?.replyMarkup?.inline_keyboard).toHaveLength(1);
    expect(reply && labelsOf(reply)).toEqual(["Yes", "No"]);
  });

  it("comes without its formatting where Telegram refuses that", async () => {
    await using subject = await telegramSubject();
    const { sender, address, telegram } = subject;
    const broken: Chunk = {
      text: "Hello",
      markup: [{ type: "bold", offset: 0, length: 99 }],
    };
    const sent = await sender.send(address, broken, options);
    expect(sent.type).toBe("sent");
    if (sent.type !== "sent") return;
    const edited = await sender.edit(
      address,
      sent.messageId,
      { ...broken, text: "Bye" },
      options,
    );
    expect(edited).toEqual(sent);
    expect(telegram.botMessages(Number(address.chat))).toMatchObject([
      { text: "Bye", entities: [] },
    ]);
    expect(telegram.callsOf("sendMessage")).toHaveLength(2);
  });

  it("is not tried without formatting for any other reason", async () => {
    await using subject = await telegramSubject();
    const { sender, address, telegram } = subject;
    const chunk: Chunk = {
      text: "Hello",
      markup: [{ type: "bold", offset: 0, length: 5 }],
    };
    const nowhere = { ...address, chat: "42" };
    expect((await sender.send(nowhere, chunk, options)).type).toBe("refused");
    expect(telegram.callsOf("sendMessage")).toHaveLength(1);
  });

  it("knows no unchanged edit as a failure", async () => {
    await using subject = await telegramSubject();
    const { sender, address } = subject;
    const sent = await sender.send(address, hello, options);
    if (sent.type !== "sent") throw new Error(sent.cause);
    expect(await sender.edit(address, sent.messageId, hello, options)).toEqual(
      sent,
    );
  });

  it("paces edits by the kind of chat", async () => {
    await using subject = await telegramSubject();
    const { sender, address } = subject;
    expect(sender.editIntervalMs(address)).toBe(1_200);
    expect(sender.editIntervalMs({ ...address, chat: "-100" })).toBe(3_500);
  });
});

const outcome = async (
  kind: FaultRule["kind"],
  operation: "send" | "edit",
): Promise<string> => {
  await using subject = await telegramSubject();
  const { sender, address, telegram } = subject;
  const sent = await sender.send(address, hello, options);
  if (sent.type !== "sent") throw new Error(sent.cause);
  telegram.inject({ kind });
  const chunk = { text: "More" };
  const result =
    operation === "send"
      ? await sender.send(address, chunk, options)
      : await sender.edit(address, sent.messageId, chunk, options);
  expect(JSON.stringify(result)).not.toContain(telegram.token);
  return result.type;
};

describe("what goes wrong", () => {
  it.each<[string, FaultRule["kind"], string, string]>([
    ["a lost request", { type: "hang-up-before" }, "unknown", "retry"],
    ["a lost answer", { type: "hang-up-after" }, "unknown", "retry"],
    ["a broken answer", { type: "garbage" }, "unknown", "retry"],
    [
      "a proxy's page",
      { type: "status", code: 502, description: "Bad Gateway", body: "html" },
      "unknown",
      "retry",
    ],
    [
      "trouble at Telegram",
      { type: "status", code: 500, description: "Internal Server Error" },
      "unknown",
      "retry",
    ],
    [
      "a flood limit",
      {
        type: "status",
        code: 429,
        description: "Too Many Requests",
        retryAfterSeconds: 9,
      },
      "retry",
      "retry",
    ],
  ])("%s", async (_, kind, sending, editing) => {
    expect(await outcome(kind, "send")).toBe(sending);
    expect(await outcome(kind, "edit")).toBe(editing);
  });

  it("a server that is not there", async () => {
    await using scene = await Scene.open();
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, "close");
    const bot = scene.createBot({ apiRoot: `http://127.0.0.1:${port}/` });
    const address = { platform: "telegram", bot: "1", chat: "2" } as const;
    const result = await bot.sender.send(address, hello, options);
    expect(result).toMatchObject({
      type: "retry",
      cause: expect.stringContaining("ECONNREFUSED") as string,
    });
  });

  const refusals: Record<
    string,
    (parts: Awaited<ReturnType<typeof groupScene>>) => void
  > = {
    "a kick": ({ group, anna }) => group.setBotStatus("kicked", anna),
    "a group that it left": ({ group, anna }) =>
      group.setBotStatus("left", anna),
    "a migration": ({ group, anna }) => group.migrate(anna),
  };

  it.each(Object.keys(refusals))("%s", async (name) => {
    await using parts = await groupScene();
    refusals[name]?.(parts);
    const { sender, address } = parts;
    expect((await sender.send(address, hello, options)).type).toBe("refused");
    await sender.typing(address);
  });

  it("a block", async () => {
    await using subject = await telegramSubject();
    const { sender, telegram } = subject;
    const ben = telegram.person({ firstName: "Ben" });
    const address = {
      ...subject.address,
      chat: String(telegram.privateChat(ben).id),
    };
    ben.block();
    expect((await sender.send(address, hello, options)).type).toBe("refused");
    ben.unblock();
    expect((await sender.send(address, hello, options)).type).toBe("sent");
  });

  it("a topic that was deleted", async () => {
    await using parts = await groupScene(true);
    const { sender, group, anna, address } = parts;
    const thread = group.topic("Plans", anna);
    group.deleteTopic(thread);
    const inTopic = { ...address, thread: String(thread) };
    expect((await sender.send(inTopic, hello, options)).type).toBe("refused");
  });

  it("a message of somebody else's", async () => {
    await using subject = await telegramSubject();
    const { sender, telegram } = subject;
    const ben = telegram.person({ firstName: "Ben" });
    const chat = telegram.privateChat(ben);
    const message = ben.send(chat, "mine");
    const address = { ...subject.address, chat: String(chat.id) };
    const result = await sender.edit(
      address,
      String(message.messageId),
      hello,
      options,
    );
    expect(result.type).toBe("gone");
  });

  it("the end of the process: what is being sent may be out", async () => {
    await using scene = await Scene.open();
    const bot = scene.createBot();
    const anna = scene.telegram.person({ firstName: "Anna" });
    const chat = scene.telegram.privateChat(anna);
    scene.telegram.inject({ method: "sendMessage", kind: { type: "hang" } });
    const address = {
      platform: "telegram",
      bot: String(scene.telegram.bot.id),
      chat: String(chat.id),
    } as const;
    const sending = send(bot.sender, address);
    await scene.telegram.waitFor(
      (server) => server.callsOf("sendMessage").length,
    );
    await bot[Symbol.asyncDispose]();
    expect(await sending).toBe("unknown");
  });
});

const send = async (sender: Sender, address: ChatAddress): Promise<string> =>
  (await sender.send(address, hello, options)).type;
