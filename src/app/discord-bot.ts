import { createDiscordBot } from "../bots/discord/create-discord-bot.ts";
import { botIdOf } from "../bots/discord/identity.ts";
import { allCommands } from "../commands/all-commands.ts";
import type { DiscordSettings } from "../config/settings.ts";
import type { Accept } from "../core/inbound.ts";
import type { Bot } from "../core/ports.ts";
import { createGatewaySessions } from "../store/gateway-sessions.ts";
import { createRegistration } from "../store/registration.ts";
import type { Services } from "./services.ts";

export function discordBot(
  { store, leases, log }: Services,
  accept: Accept,
  options: {
    readonly settings: DiscordSettings & { readonly enabled: true };
    readonly signal: AbortSignal;
  },
): Bot {
  const { token, apiRoot, messageContent, shards } = options.settings;
  return createDiscordBot({
    token,
    apiRoot,
    accept,
    commands: allCommands.map(({ spec }) => spec),
    log: log.child({ bot: "discord" }),
    signal: options.signal,
    settings: { messageContent, shards },
    registration: createRegistration(store, "discord"),
    leases,
    memory: createGatewaySessions(store, botIdOf(token)),
  });
}
