/**
 * Makes the pictures of the documentation: `npm run pictures`. Starts Parley with a Redis of its
 * own, the emulated platforms and a scripted model, plays short conversations, and draws what the
 * emulators received. Needs Chromium and tmux; pngquant, where it is installed, makes the files
 * smaller.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { OpenAiServer } from "../../emulators/model/openai-server.ts";
import { DiscordStage, type DiscordChat } from "../parley/discord-stage.ts";
import { ParleyProcess } from "../parley/parley-process.ts";
import type { Shown, TestChat } from "../parley/stage.ts";
import { TelegramStage } from "../parley/telegram-stage.ts";
import { startTestRedis } from "../redis/start-test-redis.ts";
import { picture } from "./browser.ts";
import { discordFormPage, discordPage } from "./discord-page.ts";
import {
  changedNote,
  note,
  packing,
  password,
  routerServer,
  split,
  talkingModel,
  wifi,
} from "./talks.ts";
import { telegramPage } from "./telegram-page.ts";
import { Terminal } from "./terminal.ts";
import { playCrash } from "../tracing/crash-scene.ts";
import { OtlpReceiver } from "../tracing/otlp-receiver.ts";
import { waterfall } from "../tracing/waterfall.ts";
import { drawPage } from "./operator-page.ts";
import { isInstalled, writePicture } from "./write-picture.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const widths = { terminal: 700, telegram: 420, discord: 560 };

const missing = ["chromium", "tmux"].filter((each) => !isInstalled(each));
if (missing.length > 0) {
  console.error(
    `The pictures need ${missing.join(" and ")}. On Debian: apt-get install ${missing.join(" ")} fonts-roboto fonts-inter fonts-noto-color-emoji`,
  );
  process.exit(2);
}

await using openai = await OpenAiServer.start({ model: talkingModel() });
const model = { OPENAI_BASE_URL: openai.baseUrl, OPENAI_MODEL: "gpt-4o-mini" };
const only = process.argv[2];
if (only === undefined || only === "terminal") await drawTerminal();
if (only === undefined || only === "chats") await drawChats();
if (only === undefined || only === "trace") await drawTrace();
if (only === undefined || only === "page") await drawPage();

function draw(platform: keyof typeof widths, scene: string, html: string): void {
  const file = scene === "" ? `${platform}.png` : `${platform}-${scene}.png`;
  writePicture(file, picture(html, widths[platform]));
}

async function drawTerminal(): Promise<void> {
  await using redis = await startTestRedis();
  const command = [process.execPath, join(root, "src/main.ts")];
  using terminal = new Terminal(command, { REDIS_URL: redis.url, ...model });
  await terminal.shows(/\n>/);
  await terminal.type(split.question, /ways: €31\.68\s+⚙ Calculate ✓\s+>/);
  await terminal.type(note.question, /\[y\/n\/e\]/);
  await terminal.type("y", /Noted: [^]*Write note ✓\s+>/);
  draw("terminal", "", terminal.picture());
}

async function drawChats(): Promise<void> {
  await using redis = await startTestRedis();
  await using telegram = await TelegramStage.start();
  await using discord = await DiscordStage.start();
  await using router = await routerServer();
  const ana = telegram.direct("Ana");
  const [asking, deciding] = discord.group("Ana", "Ben");
  if (asking === undefined || deciding === undefined) throw new Error("expected a group of two");
  await using parley = new ParleyProcess({
    environment: {
      ...model,
      ...telegram.environment,
      ...discord.environment,
      REDIS_URL: redis.url,
      PARLEY_ACCESS: "open",
      PARLEY_ADMINS: deciding.personId,
    },
    config: `mcp: { servers: { router: { url: "${router.settings.url}" } } }`,
  });
  await parley.ready();
  await Promise.all([telegram.connected(), discord.connected()]);
  await drawTelegram(telegram, ana);
  await drawDiscord(discord, { asking, deciding });
}

/** A turn with an approval and a worker that is killed. The person and the model take their time. */
async function drawTrace(): Promise<void> {
  await using redis = await startTestRedis();
  await using telegram = await TelegramStage.start();
  await using receiver = await OtlpReceiver.start();
  await using processes = new AsyncDisposableStack();
  const spans = await playCrash({
    start: (options) => processes.use(new ParleyProcess(options)),
    environment: {
      ...model,
      ...telegram.environment,
      REDIS_URL: redis.url,
      PARLEY_ACCESS: "open",
    },
    receiver,
    connected: () => telegram.connected(),
    chat: telegram.direct("Ana"),
    question: wifi.question,
    answer: "has a new password",
    beforeTap: () => sleep(2_000),
  });
  writeFileSync(join(root, "docs/pictures/trace.svg"), waterfall(spans));
  console.log(`trace.svg  ${spans.length} spans`);
}

async function drawTelegram(
  { server }: TelegramStage,
  chat: ReturnType<TelegramStage["direct"]>,
): Promise<void> {
  let from = 0;
  const scene = (name: string) => {
    const messages = server.messages(chat.handle).slice(from);
    const page = telegramPage(messages, { title: "Parley", viewer: "Ana" });
    draw("telegram", name, page);
  };
  const next = () => (from = server.messages(chat.handle).length);
  chat.say(split.question);
  await chat.wait(endsWith("Calculate ✓"));
  scene("answer");
  next();
  chat.say(note.question);
  const card = await cardIn(chat);
  scene("card");
  await chat.tap(card, "Approve");
  await chat.wait(endsWith("Write note ✓"));
  scene("approved");
  next();
  chat.say(note.question);
  const edited = await newCard(chat, card);
  await chat.tap(edited, "Edit");
  const question = await chat.wait("new value of note");
  chat.say(changedNote, { replyTo: question });
  await chat.wait(({ text, buttons }) => buttons.length > 0 && text.includes(changedNote));
  await chat.wait(({ id, text }) => id === edited.id && text.includes("changed by Ana"));
  scene("edit");
  next();
  chat.say(packing.question);
  await chat.wait(({ text }) => text.includes("Rain jacket"));
  scene("streaming");
  await chat.wait(endsWith("Tell the time ✓"));
  next();
  chat.say(wifi.question);
  await chat.tap(await cardIn(chat), "Show hidden values");
  await chat.wait(password);
  scene("hidden");
}

async function drawDiscord(
  { server }: DiscordStage,
  { asking, deciding }: Readonly<Record<"asking" | "deciding", DiscordChat>>,
): Promise<void> {
  const names = new Map([asking, deciding].map((each) => [idOf(each), each.personName]));
  names.set(server.botUserId, "Parley");
  const view = { channel: "general", botId: server.botUserId, names };
  let from = 0;
  const scene = (name: string, viewer: DiscordChat) => {
    const id = idOf(viewer);
    const messages = server
      .messages(asking.channel)
      .slice(from)
      .filter(({ ephemeralFor = id }) => ephemeralFor === id);
    draw("discord", name, discordPage(messages, view));
  };
  asking.say(split.question, { mention: true });
  await asking.wait(endsWith("Calculate ✓"));
  scene("answer", asking);
  from = server.messages(asking.channel).length;
  asking.say(wifi.question, { mention: true });
  const card = await cardIn(asking);
  scene("card", asking);
  draw("discord", "edit", discordFormPage(await deciding.form(card, "Edit")));
  await deciding.tap(card, "Show hidden values");
  scene("hidden", deciding);
  await deciding.tap(card, "Approve");
  await asking.wait(endsWith("Set guest wifi ✓"));
  scene("approved", asking);
}

function idOf({ personId }: TestChat): string {
  return personId.slice(personId.indexOf(":") + 1);
}

/** The line of tools is the last of a whole answer; while it grows, the first. */
function endsWith(tools: string) {
  return ({ text }: Shown): boolean =>
    text.includes("\n") && text.replaceAll(/[\\*]/g, "").endsWith(tools);
}

function cardIn(chat: TestChat): Promise<Shown> {
  return chat.wait(({ buttons }) => buttons.includes("Approve"));
}

function newCard(chat: TestChat, last: Shown): Promise<Shown> {
  return chat.wait(({ id, buttons }) => id !== last.id && buttons.includes("Approve"));
}
