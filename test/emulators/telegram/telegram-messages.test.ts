import { HttpError, InputFile } from "grammy";
import { describe, expect, it } from "vitest";
import { kinds, reason, refusal, setUp } from "./server-scene.ts";

describe("sending", () => {
  it("keeps what was sent", async () => {
    await using setup = await setUp();
    const { telegram, api, ann, chat } = setup;
    const question = ann.send(chat, "question");
    const sent = await api.sendMessage(chat.id, "  answer 😀 ", {
      entities: [{ type: "bold", offset: 2, length: 6 }],
      reply_parameters: { message_id: question.messageId },
      disable_notification: true,
      reply_markup: {
        inline_keyboard: [[{ text: "OK", callback_data: "ok" }]],
      },
    });
    expect(sent.text).toBe("answer 😀");
    expect(sent.from?.id).toBe(telegram.bot.id);
    expect(sent.message_id).toBeGreaterThan(question.messageId);
    expect(telegram.botMessages(chat)).toMatchObject([
      {
        messageId: sent.message_id,
        text: "answer 😀",
        entities: [{ type: "bold", offset: 0, length: 6 }],
        replyTo: question.messageId,
        disableNotification: true,
        editCount: 0,
      },
    ]);
    expect(telegram.calls.map((call) => call.method)).toEqual(["sendMessage"]);
    expect(telegram.violations).toEqual([]);
  });

  it("refuses in the server's words", async () => {
    await using setup = await setUp();
    const { telegram, api, chat } = setup;
    expect(await reason(api.sendMessage(chat.id, ""))).toBe("Bad Request: message text is empty");
    expect(await reason(api.sendMessage(chat.id, " \u200b\n"))).toBe(
      "Bad Request: text must be non-empty",
    );
    expect(await reason(api.sendMessage(1, "x"))).toBe("Bad Request: chat not found");
    expect(
      await reason(api.sendMessage(chat.id, "x", { reply_parameters: { message_id: 77 } })),
    ).toBe("Bad Request: message to be replied not found");
    expect(await reason(api.sendMessage(chat.id, "x", { message_thread_id: 5 }))).toBe(
      "Bad Request: message thread not found",
    );
    expect(telegram.violations).toEqual([]);
    expect(await reason(api.sendMessage(chat.id, "\ud83d"))).toBe(
      "Bad Request: strings must be encoded in UTF-8",
    );
    expect(await reason(api.sendMessage(chat.id, "a".repeat(4097)))).toBe(
      "Bad Request: message is too long",
    );
    expect(await reason(api.sendMessage(chat.id, "*x*", { parse_mode: "HTML" }))).toContain(
      "can't parse entities",
    );
    const button = { text: "b", callback_data: "ü".repeat(33) };
    expect(
      await reason(
        api.sendMessage(chat.id, "x", {
          reply_markup: { inline_keyboard: [[button]] },
        }),
      ),
    ).toBe("Bad Request: BUTTON_DATA_INVALID");
    expect(kinds(telegram)).toEqual(["bad-text", "too-long", "parse-mode", "bad-buttons"]);
    expect(telegram.messages(chat)).toEqual([]);
    await api.sendMessage(chat.id, `${"😀".repeat(2048)}   `);
    await api.sendMessage(chat.id, "x", {
      reply_parameters: { message_id: 77, allow_sending_without_reply: true },
    });
    expect(telegram.botMessages(chat)).toHaveLength(2);
  });

  it("ignores entities after the hundredth, and says so", async () => {
    await using setup = await setUp();
    const { telegram, api, chat } = setup;
    const entities = Array.from({ length: 101 }, (_, index) => ({
      type: "bold" as const,
      offset: index * 2,
      length: 1,
    }));
    await api.sendMessage(chat.id, "a ".repeat(101), { entities });
    expect(telegram.botMessages(chat)[0]?.entities).toHaveLength(100);
    expect(kinds(telegram)).toEqual(["too-many-entities"]);
  });

  it("keeps uploads byte for byte and serves files", async () => {
    await using setup = await setUp();
    const { telegram, api, ann, chat } = setup;
    const bytes = new Uint8Array(256).map((_, index) => index);
    const tricky = new Uint8Array([13, 10, 45, 45, ...bytes, 13, 10]);
    const sent = await api.sendDocument(chat.id, new InputFile(tricky, "whole answer.md"), {
      caption: "all of it",
      reply_parameters: { message_id: 1, allow_sending_without_reply: true },
    });
    expect(sent.document.file_name).toBe("whole answer.md");
    expect(telegram.botMessages(chat)[0]?.file?.bytes).toEqual(tricky);
    const photo = await api.sendPhoto(chat.id, new InputFile(bytes, "p.jpg"));
    expect(photo.photo.at(-1)?.file_size).toBe(256);
    await api.sendPhoto(chat.id, photo.photo.at(-1)?.file_id ?? "");
    const received = ann.sendDocument(chat, bytes, { fileName: "in.bin" });
    const file = await api.getFile(received.file?.fileId ?? "");
    const url = `${telegram.apiRoot}/file/bot${telegram.token}/${file.file_path}`;
    const response = await fetch(url);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
    expect(telegram.violations).toEqual([]);
  });

  it("shows actions and drafts", async () => {
    await using setup = await setUp();
    const { telegram, api, ann, chat } = setup;
    await api.sendChatAction(chat.id, "typing");
    expect(telegram.actions(chat)).toMatchObject([{ action: "typing" }]);
    await api.sendMessageDraft(chat.id, 3, "growing");
    expect(() => ann.stopGeneration(3)).toThrow("Stop button");
    await api.sendMessageDraft(chat.id, 3, "growing on", { can_stop: true });
    expect(telegram.drafts(chat)).toMatchObject([
      { text: "growing", canStop: false },
      { text: "growing on", canStop: true },
    ]);
    ann.stopGeneration(3);
    const [update] = await api.getUpdates();
    expect(update?.stopped_message_generation).toMatchObject({ draft_id: 3 });
  });
});

const keyboard = (text: string) => ({
  inline_keyboard: [[{ text, callback_data: text }]],
});

describe("editing", () => {
  it("changes text and buttons, and takes buttons away when they are left out", async () => {
    await using setup = await setUp();
    const { telegram, api, chat } = setup;
    const { message_id: id } = await api.sendMessage(chat.id, "one", {
      reply_markup: keyboard("a"),
    });
    await api.editMessageReplyMarkup(chat.id, id, {
      reply_markup: keyboard("b"),
    });
    await api.editMessageText(chat.id, id, "two");
    expect(telegram.messages(chat)).toMatchObject([
      { text: "two", replyMarkup: undefined, editCount: 2 },
    ]);
    const history = telegram.messages(chat)[0]?.history;
    expect(history?.map((entry) => entry.text)).toEqual(["one", "two"]);
    await api.deleteMessage(chat.id, id);
    expect(telegram.messages(chat)).toEqual([]);
    expect((await refusal(api.editMessageText(chat.id, id, "x"))).description).toBe(
      "Bad Request: message to edit not found",
    );
    expect(telegram.violations).toEqual([]);
  });

  it("refuses unchanged content, and holds it against the bot", async () => {
    await using setup = await setUp();
    const { telegram, api, ann, chat } = setup;
    const { message_id: id } = await api.sendMessage(chat.id, "same");
    const error = await refusal(api.editMessageText(chat.id, id, "same "));
    expect(error.description).toMatch(/^Bad Request: message is not modified:/);
    expect(kinds(telegram)).toEqual(["edit-unchanged"]);
    const theirs = ann.send(chat, "mine");
    expect((await refusal(api.editMessageText(chat.id, theirs.messageId, "x"))).description).toBe(
      "Bad Request: message can't be edited",
    );
  });

  it("forgives a repeated edit whose first response was lost", async () => {
    await using setup = await setUp();
    const { telegram, api, chat } = setup;
    const { message_id: id } = await api.sendMessage(chat.id, "one");
    telegram.inject({
      method: "editMessageText",
      kind: { type: "hang-up-after" },
    });
    await expect(api.editMessageText(chat.id, id, "two")).rejects.toThrow(HttpError);
    expect(telegram.messages(chat)[0]?.text).toBe("two");
    await refusal(api.editMessageText(chat.id, id, "two"));
    expect(telegram.violations).toEqual([]);
  });

  it("notices two edits of one message in flight", async () => {
    await using setup = await setUp();
    const { telegram, api, chat } = setup;
    const { message_id: id } = await api.sendMessage(chat.id, "one");
    const method = "editMessageText";
    const slow = telegram.inject({ method, kind: { type: "hang" } });
    const first = api.editMessageText(chat.id, id, "two");
    await telegram.waitFor(() => slow.hits.length > 0);
    await api.editMessageText(chat.id, id, "three");
    slow.release();
    await first;
    expect(kinds(telegram)).toEqual(["edits-in-flight"]);
    await api.editMessageText(chat.id, id, "four");
    expect(kinds(telegram)).toHaveLength(1);
  });
});

describe("callback queries", () => {
  it("can be answered once", async () => {
    await using setup = await setUp();
    const { telegram, api, ann, chat } = setup;
    const { message_id: id } = await api.sendMessage(chat.id, "sure?", {
      reply_markup: {
        inline_keyboard: [[{ text: "Approve", callback_data: "a:1" }]],
      },
    });
    expect(() => ann.tap(id, "Deny")).toThrow(/only \[Approve\]/);
    const tap = ann.tap(id, "Approve");
    const [update] = await api.getUpdates();
    expect(update?.callback_query).toMatchObject({
      id: tap.queryId,
      data: "a:1",
      from: { id: ann.id },
      message: { message_id: id, text: "sure?", chat: { id: chat.id } },
    });
    expect(telegram.unansweredCallbacks).toHaveLength(1);
    const long = await refusal(api.answerCallbackQuery(tap.queryId, { text: "x".repeat(201) }));
    expect(long.description).toBe("Bad Request: MESSAGE_TOO_LONG");
    const answered = tap.answered();
    await api.answerCallbackQuery(tap.queryId, {
      text: "done",
      show_alert: true,
    });
    expect(await answered).toMatchObject({ text: "done", showAlert: true });
    const again = await refusal(api.answerCallbackQuery(tap.queryId));
    expect(again.description).toContain("query is too old");
    expect(kinds(telegram)).toEqual(["too-long", "callback-answered-twice"]);
  });

  it("can be too late, forged, or without their message", async () => {
    await using setup = await setUp({ callbackLifetimeMs: -1 });
    const { telegram, api, ann, chat } = setup;
    const tap = ann.tapForged(chat, 999, "evil");
    const late = await refusal(api.answerCallbackQuery(tap.queryId));
    expect(late.description).toContain("query is too old");
    expect(kinds(telegram)).toEqual(["callback-answered-late"]);
    const { message_id: id } = await api.sendMessage(chat.id, "old", {
      reply_markup: {
        inline_keyboard: [[{ text: "A", callback_data: "a" }]],
      },
    });
    ann.tap(id, "a", { message: "none" });
    const queries = await api.getUpdates();
    const [forged, bare] = queries.map((update) => update.callback_query);
    expect(forged?.message).toMatchObject({ message_id: 999, date: 0 });
    expect(forged?.data).toBe("evil");
    expect(bare?.message).toBeUndefined();
  });
});

describe("groups", () => {
  it("deliver only what a bot in privacy mode is sent", async () => {
    await using setup = await setUp({ botUsername: "parley_bot" });
    const { telegram, api, ann } = setup;
    const group = telegram.group({
      title: "Team",
      members: [ann],
      kind: "supergroup",
    });
    const question = await api.sendMessage(group.id, "anyone?");
    const texts = [
      "hello all",
      "/usage",
      "/usage@other_bot",
      "/usage@Parley_Bot now",
      "mail@parley_bot.com",
      "hey @parley_bot!",
    ];
    for (const text of texts) ann.send(group, text);
    ann.send(group, "a reply", { replyTo: question.message_id });
    group.join(telegram.person({ firstName: "Bo" }));
    const updates = await api.getUpdates();
    expect(updates.map((update) => update.message?.text)).toEqual([
      "/usage",
      "/usage@Parley_Bot now",
      "hey @parley_bot!",
      "a reply",
      undefined,
    ]);
    expect(updates[0]?.message?.entities).toEqual([{ type: "bot_command", offset: 0, length: 6 }]);
    expect(updates[3]?.message).toMatchObject({
      reply_to_message: { message_id: question.message_id },
      message_thread_id: question.message_id,
    });
    expect(updates[3]?.message?.is_topic_message).toBeUndefined();
    expect(updates[4]?.message?.new_chat_members).toHaveLength(1);
  });

  it("deliver everything without privacy mode", async () => {
    await using setup = await setUp({ privacyMode: false });
    const { telegram, api, ann } = setup;
    const group = telegram.group({
      title: "Team",
      members: [ann],
      kind: "group",
    });
    ann.send(group, "hello all", { anonymous: true });
    const [update] = await api.getUpdates();
    expect(update?.message).toMatchObject({
      text: "hello all",
      from: { username: "GroupAnonymousBot" },
      sender_chat: { id: group.id },
    });
    expect((await api.getMe()).can_read_all_group_messages).toBe(true);
  });

  it("have topics", async () => {
    await using setup = await setUp();
    const { telegram, api, ann } = setup;
    const group = telegram.group({
      title: "Forum",
      members: [ann],
      kind: "supergroup",
      isForum: true,
    });
    const threadId = group.topic("Ideas", ann);
    ann.send(group, "/help", { threadId });
    const updates = await api.getUpdates();
    expect(updates.at(-1)?.message).toMatchObject({
      message_thread_id: threadId,
      is_topic_message: true,
      reply_to_message: { forum_topic_created: { name: "Ideas" } },
    });
    const sent = await api.sendMessage(group.id, "in the topic", {
      message_thread_id: threadId,
    });
    expect(sent.message_thread_id).toBe(threadId);
    await api.sendChatAction(group.id, "typing", { message_thread_id: 1 });
    for (const message_thread_id of [1, 9_999])
      expect(
        (await refusal(api.sendMessage(group.id, "x", { message_thread_id }))).description,
      ).toBe("Bad Request: message thread not found");
    group.deleteTopic(threadId);
    await refusal(api.sendMessage(group.id, "x", { message_thread_id: threadId }));
  });

  it("migrate", async () => {
    await using setup = await setUp();
    const { telegram, api, ann } = setup;
    const group = telegram.group({ title: "G", members: [ann], kind: "group" });
    const next = group.migrate(ann);
    const error = await refusal(api.sendMessage(group.id, "x"));
    expect(error.parameters.migrate_to_chat_id).toBe(next.id);
    const updates = await api.getUpdates();
    expect(updates[0]?.message).toMatchObject({
      chat: { id: group.id },
      migrate_to_chat_id: next.id,
    });
    expect(updates[1]?.message).toMatchObject({
      chat: { id: next.id, type: "supergroup" },
      migrate_from_chat_id: group.id,
    });
    await api.sendMessage(next.id, "here");
    ann.send(next, "/help");
    expect(await api.getUpdates()).toHaveLength(3);
  });

  it("can throw the bot out, and people can block it", async () => {
    await using setup = await setUp();
    const { telegram, api, ann, chat } = setup;
    const group = telegram.group({ title: "G", members: [ann], kind: "group" });
    group.setBotStatus("kicked", ann);
    expect((await refusal(api.sendMessage(group.id, "x"))).description).toBe(
      "Forbidden: bot was kicked from the group chat",
    );
    ann.block();
    expect((await refusal(api.sendMessage(chat.id, "x"))).description).toBe(
      "Forbidden: bot was blocked by the user",
    );
    ann.unblock();
    await api.sendMessage(chat.id, "back");
    const statuses = (await api.getUpdates()).map(
      (update) => update.my_chat_member?.new_chat_member.status,
    );
    expect(statuses).toEqual(["kicked", "kicked", "member"]);
  });
});

describe("commands", () => {
  it("are kept by scope and language, and checked", async () => {
    await using setup = await setUp();
    const { telegram, api, chat } = setup;
    const help = { command: "help", description: "What I can do" };
    await api.setMyCommands([help]);
    const scope = { type: "chat" as const, chat_id: chat.id };
    await api.setMyCommands([help, { ...help, command: "ban" }], { scope });
    expect(await api.getMyCommands()).toEqual([help]);
    expect(telegram.commands(scope)).toHaveLength(2);
    expect(await api.getMyCommands({ language_code: "de" })).toEqual([]);
    await api.deleteMyCommands();
    expect(telegram.commands()).toBeUndefined();
    const bad = [
      [{ ...help, command: "He-lp" }],
      [{ ...help, description: "" }],
      Array.from({ length: 101 }, () => help),
    ];
    for (const commands of bad) await refusal(api.setMyCommands(commands));
    expect(kinds(telegram)).toEqual(Array(3).fill("bad-commands"));
  });
});
