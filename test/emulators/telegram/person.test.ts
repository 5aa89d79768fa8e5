import { expect, it } from "vitest";
import { setUp } from "./server-scene.ts";

const url = "https://a.example/b";
const text = "😀 see this now";
const link = { type: "text_link", offset: 7, length: 4, url } as const;

it("finds addresses, but no mention or command within them", async () => {
  await using setup = await setUp();
  const { ann, chat } = setup;
  const said = ann.send(chat, "https://a.example/@ann/x, /help");
  expect(said.raw.entities).toEqual([
    { type: "url", offset: 0, length: 24 },
    { type: "bot_command", offset: 26, length: 5 },
  ]);
});

it("refuses entities that the server refuses, in texts, captions and edits", async () => {
  await using setup = await setUp();
  const { ann, chat } = setup;
  const sent = ann.send(chat, text, { entities: [link] });
  for (const [entity, problem] of [
    [{ ...link, offset: 1 }, /middle of a UTF-16 symbol/],
    [{ ...link, length: 40 }, /after the end of the text/],
    [{ ...link, offset: -1 }, /incorrect offset/],
  ] as const) {
    expect(() => ann.send(chat, text, { entities: [entity] })).toThrow(problem);
    expect(() => ann.edit(sent, text, [entity])).toThrow(problem);
    const photo = { caption: text, entities: [entity] };
    expect(() => ann.sendPhoto(chat, new Uint8Array([1]), photo)).toThrow(problem);
  }
});

it("quotes exact parts alone, with the entities that quotes keep", async () => {
  await using setup = await setUp();
  const { ann, chat } = setup;
  const bold = { type: "bold", offset: 3, length: 8 } as const;
  const sent = ann.send(chat, text, { entities: [bold, link] });
  const reply = ann.send(chat, "why?", { replyTo: sent, quote: "this" });
  expect(reply.raw.quote).toEqual({
    text: "this",
    position: 7,
    is_manual: true,
    entities: [{ type: "bold", offset: 0, length: 4 }],
  });
  expect(() => ann.send(chat, "why?", { replyTo: sent, quote: "that" })).toThrow(/QUOTE/);
});

it("names the origin of a forward, and keeps its buttons with addresses", async () => {
  await using setup = await setUp();
  const { ann, chat } = setup;
  const keyboard = [
    [
      { text: "Read", url },
      { text: "Like", callback_data: "1" },
    ],
  ];
  const extra = { reply_markup: { inline_keyboard: keyboard } };
  const sent = ann.send(chat, text, { entities: [link], extra });
  expect(ann.forward(chat, sent).raw).toMatchObject({
    text,
    entities: [link],
    forward_origin: { type: "user", sender_user: { id: ann.id } },
    reply_markup: { inline_keyboard: [[{ text: "Read", url }]] },
  });
});

it("refuses messages to a deleted group, of which no update tells", async () => {
  await using setup = await setUp();
  const { telegram, ann, api } = setup;
  const group = telegram.group({ kind: "group", title: "Home", members: [ann] });
  await expect(api.sendMessage(group.id, "hello")).resolves.toMatchObject({ text: "hello" });
  group.delete();
  for (const call of [api.sendMessage(group.id, "hello"), api.sendChatAction(group.id, "typing")])
    await expect(call).rejects.toMatchObject({
      error_code: 403,
      description: "Forbidden: the group chat was deleted",
    });
  const since = await api.getUpdates();
  expect(since.filter((update) => update.my_chat_member !== undefined)).toEqual([]);
});

it("refuses messages to a deleted account, of which no update tells", async () => {
  await using setup = await setUp();
  const { ann, chat, api } = setup;
  ann.deleteAccount();
  await expect(api.sendMessage(chat.id, "hello")).rejects.toMatchObject({
    error_code: 403,
    description: "Forbidden: user is deactivated",
  });
});
