import { Bot, InputFile } from "grammy";
import type { Message } from "@grammyjs/types";
import { expect, it } from "vitest";
import { jpeg } from "../support/files/samples.ts";
import { openWorld } from "../support/parley/open-world.ts";

const world = await openWorld();
world.start({
  environment: { ...world.services, ...world.telegram.environment },
  config: "models: { openai/gpt-4o-mini: { vision: true } }",
});
await world.telegram.connected();

const { server } = world.telegram;
const { api } = new Bot(server.token, { client: { apiRoot: server.apiRoot } });
const timeoutMs = 20_000;

const someone = (firstName: string) => {
  const person = server.person({ firstName });
  const chat = server.privateChat(person);
  return { person, chat };
};

/** The request that this brings to the model. */
async function asked(send: () => unknown) {
  const before = world.model.received;
  send();
  await server.waitFor(() => world.model.received > before, { what: "a request", timeoutMs });
  const request = world.model.requests.at(-1);
  await world.delivered();
  return request;
}

/** The bot's answer to something that reaches no model. */
async function answered(chat: { readonly id: number }, send: () => unknown): Promise<string> {
  const before = server.botMessages(chat).length;
  send();
  await server.waitFor(() => server.botMessages(chat).length > before, {
    what: "an answer",
    chatId: chat.id,
    timeoutMs,
  });
  return server.botMessages(chat).at(-1)?.text ?? "";
}

const url = "https://news.example/a?id=7";
const text = "😀 Summarise this article please";
const link = (said = text) =>
  [{ type: "text_link", offset: said.indexOf("this"), length: 12, url }] as const;
const shown = `😀 Summarise [this article](${url}) please`;

it("a hidden link reaches the model wherever a person points at it", async () => {
  const { person, chat } = someone("Ann");
  const own = await asked(() => person.send(chat, text, { entities: link() }));
  expect(own?.lastUserText).toContain(shown);

  const picture = await asked(() =>
    person.sendPhoto(chat, jpeg, { caption: text, entities: link() }),
  );
  expect(picture?.lastUserText).toContain(shown);

  const { person: ben, chat: bens } = someone("Ben");
  const post = ben.send(bens, text, {
    entities: link(),
    extra: {
      reply_markup: { inline_keyboard: [[{ text: "Read more", url: "https://b.example/" }]] },
      link_preview_options: { url: "https://preview.example/" },
    },
  });
  await server.waitFor(() => server.botMessages(bens).length > 0, { what: "it", timeoutMs });
  await world.delivered();
  const forward = await asked(() => person.forward(chat, post));
  expect(forward?.lastUserText).toContain(`> ${shown}`);
  expect(forward?.lastUserText).toContain("[Read more](https://b.example/)");
  expect(forward?.lastUserText).toContain("[Link preview](https://preview.example/)");

  const old = person.send(chat, `${text} again`, { entities: link() });
  await server.waitFor(() => server.pendingUpdates.length === 0, { what: "it", timeoutMs });
  await world.delivered();
  const reply = await asked(() => person.send(chat, "so?", { replyTo: old }));
  expect(reply?.lastUserText).toContain(`> Ann wrote: ${shown}`);
  const part = await asked(() =>
    person.send(chat, "and?", { replyTo: old, quote: "this article please" }),
  );
  expect(part?.lastUserText).toContain(`> Ann wrote: [this article](${url}) please`);

  const group = server.group({ title: "Friends", kind: "supergroup", members: [person, ben] });
  const mention = `@${server.bot.username}`;
  const addressed = `${mention} ${text}`;
  const named = await asked(() =>
    person.send(group, addressed, {
      entities: [{ type: "mention", offset: 0, length: mention.length }, ...link(addressed)],
    }),
  );
  expect(named?.lastUserText).toContain(shown);
});

it("an edit, code and struck words read as they are shown", async () => {
  const { person, chat } = someone("Cleo");
  const gate = world.model.hold(/^first$/);
  person.send(chat, "first");
  await gate.waitUntilHeld();
  const waiting = person.send(chat, "fix let a;");
  person.edit(waiting, "fix let a; not b", [
    { type: "code", offset: 4, length: 6 },
    { type: "strikethrough", offset: 15, length: 1 },
  ]);
  await server.waitFor(() => server.pendingUpdates.length === 0, { what: "the edit", timeoutMs });
  gate.release();
  await server.waitFor(() => world.model.requests.at(-1)?.lastUserText.startsWith("fix") === true, {
    what: "the edited message",
    timeoutMs,
  });
  expect(world.model.requests.at(-1)?.lastUserText).toContain("fix `let a;` not ~~b~~");
  await world.delivered();
});

it("commands read what was typed, whatever its formatting", async () => {
  const { person, chat } = someone("Dora");
  const said = await answered(chat, () =>
    person.send(chat, "/whoami", {
      entities: [
        { type: "bold", offset: 0, length: 7 },
        { type: "bot_command", offset: 0, length: 7 },
      ],
    }),
  );
  expect(said).toContain(String(person.id));
});

it("a reply to an old picture or file brings it once the conversation no longer shows it", async () => {
  const { person, chat } = someone("Eve");
  const photo = person.sendPhoto(chat, jpeg, { caption: "look" });
  await server.waitFor(() => server.botMessages(chat).length > 0, { what: "it", timeoutMs });
  await world.delivered();
  const inside = await asked(() => person.send(chat, "what animal is that?", { replyTo: photo }));
  expect(inside?.messages.map(({ images }) => images).filter((count) => count > 0)).toEqual([1]);

  await answered(chat, () => person.send(chat, "/new"));
  const after = await asked(() => person.send(chat, "what animal was that?", { replyTo: photo }));
  expect(after?.messages.at(-1)).toMatchObject({ images: 1 });

  const file = await api.sendDocument(
    chat.id,
    new InputFile(Buffer.from("Tea is at nine."), "answer.md"),
  );
  await answered(chat, () => person.send(chat, "/new"));
  const own = await asked(() => person.send(chat, "when?", { replyTo: file.message_id }));
  expect(own?.lastUserText).toContain("> Tea is at nine.");

  const elsewhere = await asked(() =>
    person.send(chat, "and this?", {
      extra: {
        external_reply: {
          origin: { type: "hidden_user", sender_user_name: "Zoe", date: 1 },
          photo: photo.raw.photo ?? [],
        },
      },
    }),
  );
  expect(elsewhere?.messages.at(-1)).toMatchObject({ images: 1 });
  expect(elsewhere?.lastUserText).toContain("Zoe wrote: [photo]");
});

it("what isn't text is read as words, and no kind is met with silence", async () => {
  const { person, chat } = someone("Fay");
  const giveaway = {
    chats: [{ id: -1001, type: "channel" as const, title: "News" }],
    winners_selection_date: 1,
    winner_count: 3,
  };
  const invoice = {
    title: "T-shirt",
    description: "Blue",
    start_parameter: "x",
    currency: "EUR",
    total_amount: 1000,
  };
  const kinds: readonly (readonly [Partial<Message>, string])[] = [
    [{ giveaway }, "> [giveaway] 3 winners"],
    [{ invoice }, "> [invoice] T-shirt, 10.00 EUR"],
    [{ contact: { phone_number: "+49", first_name: "Ben" } }, "> [contact] Ben, +49"],
  ];
  for (const [content, words] of kinds) {
    const request = await asked(() => person.sendContent(chat, content));
    expect(request?.lastUserText).toContain(words);
  }
  const odd = await answered(chat, () => person.sendContent(chat, { hologram: {} } as object));
  expect(odd).toMatch(/can't read this kind of message/);
  const story = person.sendContent(chat, { story: { chat: giveaway.chats[0], id: 1 } } as object);
  await server.waitFor(() => server.pendingUpdates.length === 0, { what: "it", timeoutMs });
  const about = await asked(() => person.send(chat, "what is it?", { replyTo: story }));
  expect(about?.lastUserText).toContain("> Fay wrote: [story]");
});
