import { createTelegramBot } from "../bots/telegram/create-telegram-bot.ts";
import { allCommands } from "../commands/all-commands.ts";
import type { TelegramSettings } from "../config/settings.ts";
import type { Accept } from "../core/inbound.ts";
import type { PlatformWatch } from "../core/outage.ts";
import type { Bot } from "../core/ports.ts";
import { createChatMoves } from "../store/turns/chat-moves.ts";
import { createRegistration } from "../store/operations/registration.ts";
import type { Services } from "../services.ts";

export function telegramBot(
  { settings, store, people, deadChats, leases, log }: Services,
  accept: Accept,
  options: {
    readonly settings: TelegramSettings & { readonly enabled: true };
    readonly watchOf: (bot: string) => PlatformWatch;
    readonly signal: AbortSignal;
  },
): Bot {
  const { token, apiRoot, receiving, nativeDrafts, richMessages } = options.settings;
  return createTelegramBot({
    token,
    apiRoot,
    accept,
    noteReach: (change) => deadChats.note(change),
    watchOf: options.watchOf,
    movesOf: (bot) => createChatMoves(store, bot),
    commands: allCommands.map(({ spec }) => spec),
    admins: async () => [...settings.access.admins, ...(await people.withRole("admin"))],
    asksGroupAdmins: settings.access.trustGroupAdmins,
    nativeDrafts,
    richMessages,
    receiving,
    now: () => store.clock.now(),
    leases,
    registration: createRegistration(store, "telegram"),
    log: log.child({ platform: "telegram" }),
    signal: options.signal,
  });
}
