import { createTelegramBot } from "../bots/telegram/create-telegram-bot.ts";
import { allCommands } from "../commands/all-commands.ts";
import type { TelegramSettings } from "../config/settings.ts";
import type { Accept } from "../core/inbound.ts";
import type { Bot } from "../core/ports.ts";
import { createRegistration } from "../store/registration.ts";
import type { Services } from "./services.ts";

export function telegramBot(
  { store, leases, log }: Services,
  accept: Accept,
  options: {
    readonly settings: TelegramSettings & { readonly enabled: true };
    readonly signal: AbortSignal;
  },
): Bot {
  const { token, apiRoot, receiving } = options.settings;
  return createTelegramBot({
    token,
    apiRoot,
    accept,
    commands: allCommands.map(({ spec }) => spec),
    receiving,
    leases,
    registration: createRegistration(store, "telegram"),
    log: log.child({ bot: "telegram" }),
    signal: options.signal,
  });
}
