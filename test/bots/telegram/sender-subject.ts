import { pino } from "pino";
import { createTelegramBot } from "../../../src/bots/telegram/create-telegram-bot.ts";
import type { ChatMoves } from "../../../src/core/ports.ts";
import type { SenderSubject, VisibleMessage } from "../../contracts/sender-contract.ts";
import type { FaultRule } from "../../emulators/telegram/faults.ts";
import { TelegramServer } from "../../emulators/telegram/telegram-server.ts";
import { unwatched } from "../unwatched.ts";
import type { StoredMessage } from "../../emulators/telegram/chat-state.ts";

const faults: Readonly<Record<"retry" | "unknown" | "refused", FaultRule["kind"]>> = {
  retry: {
    type: "status",
    code: 429,
    description: "Too Many Requests: retry after 1",
    retryAfterSeconds: 1,
  },
  unknown: { type: "hang-up-after" },
  refused: {
    type: "status",
    code: 403,
    description: "Forbidden: bot was blocked by the user",
  },
};

export const labelsOf = (message: StoredMessage): readonly string[] =>
  message.replyMarkup?.inline_keyboard.flat().map(({ text }) => text) ?? [];

const fileOf = ({ file }: StoredMessage) =>
  file ? { file: { name: file.fileName ?? "", bytes: file.bytes } } : {};

const nobodyMoved: ChatMoves = {
  record: () => Promise.reject(new Error("nobody moves")),
  idOf: (chat) => Promise.resolve(chat),
  nameOf: (id) => Promise.resolve(id),
};

const textOf = (given: unknown): string | undefined =>
  typeof given === "string" ? given : JSON.stringify(given);

/** From now on requests with this parameter are refused. */
const refuse = (telegram: TelegramServer, description: string, parameter: string): void =>
  void telegram.inject({
    times: Infinity,
    match: ({ payload }) => ![undefined, "", "[]"].includes(textOf(payload[parameter])),
    kind: { type: "status", code: 400, description: `Bad Request: ${description}` },
  });

/** The sender of a bot in a private chat. */
export async function telegramSubject({ nativeDrafts = false, richMessages = false } = {}): Promise<
  SenderSubject & { readonly telegram: TelegramServer }
> {
  const telegram = await TelegramServer.start();
  const chat = telegram.privateChat(telegram.person({ firstName: "Anna" }));
  const bot = createTelegramBot({
    token: telegram.token,
    apiRoot: telegram.apiRoot,
    accept: () => Promise.reject(new Error("nobody listens")),
    noteReach: () => Promise.reject(new Error("nobody listens")),
    now: Date.now,
    commands: [],
    movesOf: () => nobodyMoved,
    watchOf: () => unwatched,
    admins: () => Promise.resolve([]),
    nativeDrafts,
    richMessages,
    receiving: { mode: "polling" },
    leases: { take: () => Promise.reject(new Error("nobody polls")) },
    registration: {
      read: () => Promise.reject(new Error("nobody registers")),
      write: () => Promise.reject(new Error("nobody registers")),
    },
    log: pino({ level: "silent" }),
    signal: new AbortController().signal,
  });
  return {
    telegram,
    sender: bot.sender,
    address: {
      platform: "telegram",
      bot: String(telegram.bot.id),
      chat: String(chat.id),
    },
    maxUnits: 4096,
    visible: (): readonly VisibleMessage[] =>
      telegram.botMessages(chat).map((message) => ({
        id: String(message.messageId),
        text: message.text,
        buttons: labelsOf(message),
        ...fileOf(message),
      })),
    remote: {
      injectFailure(kind) {
        telegram.inject({ kind: faults[kind] });
      },
      refuses: {
        ...(richMessages
          ? { blocks: () => refuse(telegram, "can't parse rich message", "rich_message") }
          : {}),
        markup: () => refuse(telegram, "ENTITY_BOUNDS_INVALID", "entities"),
        reply: () => refuse(telegram, "message to be replied not found", "reply_parameters"),
        flags: () =>
          refuse(telegram, "wrong link preview options specified", "link_preview_options"),
        buttons: () => refuse(telegram, "BUTTON_DATA_INVALID", "reply_markup"),
        file: () => refuse(telegram, "not enough rights to send documents to the chat", "document"),
      },
      missingMessageId: "999999999",
      secrets: [telegram.token, telegram.token.split(":")[1] ?? ""],
    },
    async [Symbol.asyncDispose]() {
      await bot[Symbol.asyncDispose]();
      await telegram[Symbol.asyncDispose]();
    },
  };
}
