import { expect, it } from "vitest";
import { openWorld } from "../support/parley/open-world.ts";
import { jpeg, pdf, zip } from "../support/files/samples.ts";

const world = await openWorld({
  transcriber: ({ fileName, mediaType, bytes }) =>
    `I said ${bytes.toString()} in ${fileName}, ${mediaType}`,
});
world.start({
  environment: { ...world.services, ...world.telegram.environment },
  config: [
    "models: { openai/gpt-4o-mini: { vision: true } }",
    "transcription: { provider: openai }",
  ].join("\n"),
});
await world.telegram.connected();

const { server } = world.telegram;
const timeoutMs = 20_000;

const someone = (firstName: string) => {
  const person = server.person({ firstName });
  const chat = server.privateChat(person);
  const answered = (match: RegExp) =>
    server.waitFor(() => server.botMessages(chat).find(({ text }) => match.test(text)), {
      what: `an answer like ${match}`,
      chatId: chat.id,
      timeoutMs,
    });
  return { person, chat, answered };
};

it("a photo on Telegram reaches a model that sees, with its caption", async () => {
  const { person, chat, answered } = someone("Ann");
  person.sendPhoto(chat, jpeg, { caption: "What is this?" });
  await answered(/What is this/);
  const request = world.model.requests.find(({ lastUserText }) =>
    lastUserText.startsWith("What is this?"),
  );
  expect(request?.messages.at(-1)).toMatchObject({
    text: "What is this?",
    images: 1,
  });
  expect(JSON.stringify(request?.body)).toContain(
    `data:image/jpeg;base64,${jpeg.toString("base64")}`,
  );
});

it("a PDF on Telegram reaches the model as its text", async () => {
  const { person, chat, answered } = someone("Ben");
  person.sendDocument(chat, pdf("The meeting is on Monday."), {
    fileName: "plan.pdf",
    mimeType: "application/pdf",
    caption: "When is it?",
  });
  await answered(/Monday/);
  expect(
    world.model.requests.filter(({ lastUserText }) =>
      /^When is it\?\n\n\[file plan\.pdf;.*\n> \[page 1\]\n> The meeting is on Monday\.$/.test(
        lastUserText,
      ),
    ),
  ).toHaveLength(1);
});

it("a voice note on Telegram reaches the model as words", async () => {
  const { person, chat, answered } = someone("Cleo");
  person.sendMedia(chat, "voice", Buffer.from("hello"), {
    mimeType: "audio/ogg",
  });
  await answered(/I said hello in voice\.ogg, audio\/ogg/);
});

it("an archive on Telegram gets a specific refusal, and no model call", async () => {
  const { person, chat, answered } = someone("Dora");
  const before = world.model.received;
  person.sendDocument(chat, zip, {
    fileName: "all.zip",
    mimeType: "application/zip",
  });
  await answered(/"all\.zip".*PDF/);
  expect(world.model.received).toBe(before);
});

it("a message that is edited while it waits is answered once, as it reads then", async () => {
  const { person, chat, answered } = someone("Eve");
  const gate = world.model.hold(/^first$/);
  person.send(chat, "first");
  await gate.waitUntilHeld();
  const waiting = person.send(chat, "secnod");
  person.edit(waiting, "second");
  await server.waitFor(() => server.pendingUpdates.length === 0, {
    what: "the edit to be taken",
    timeoutMs,
  });
  gate.release();
  await answered(/second/);
  expect(world.model.requests.at(-1)?.lastUserText).toMatch(/^second\n/);
  expect(server.botMessages(chat)).toHaveLength(2);
});
