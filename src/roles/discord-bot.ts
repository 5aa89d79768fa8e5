import { createDiscordBot } from "../bots/discord/create-discord-bot.ts";
import { botIdOf } from "../bots/discord/identity.ts";
import { allCommands } from "../commands/all-commands.ts";
import { chatLeaves } from "../config/file.ts";
import type { DiscordSettings } from "../config/settings.ts";
import { chatKey } from "../core/chat.ts";
import type { Accept } from "../core/inbound.ts";
import type { PlatformWatch } from "../core/outage.ts";
import type { Bot } from "../core/ports.ts";
import { isAtLeast } from "../core/roles.ts";
import type { ModelCatalogue } from "../models/create-models.ts";
import { createGatewaySessions } from "../store/operations/gateway-sessions.ts";
import { createRegistration } from "../store/operations/registration.ts";
import { createSkillReviews } from "../store/operations/skill-reviews.ts";
import { createUserInstalls } from "../store/people/user-installs.ts";
import { createCompletion } from "./completion.ts";
import { createPersonaStore } from "../store/personas/personas.ts";
import type { Services } from "../services.ts";

export function discordBot(
  { store, leases, access, people, approvals, schedules, deadChats, inbox, log }: Services,
  accept: Accept,
  options: {
    readonly settings: DiscordSettings & { readonly enabled: true };
    readonly models: Pick<ModelCatalogue, "keys">;
    readonly watchOf: (bot: string) => PlatformWatch;
    readonly signal: AbortSignal;
  },
): Bot {
  const { token, apiRoot, messageContent, shards, autoThread, presence } = options.settings;
  const { userInstall } = options.settings;
  return createDiscordBot({
    token,
    apiRoot,
    accept,
    noteReach: (change) => deadChats.note(change),
    watchOf: options.watchOf,
    commands: allCommands.map(({ spec }) => spec),
    log: log.child({ platform: "discord" }),
    signal: options.signal,
    settings: {
      messageContent,
      shards,
      autoThread,
      userInstall,
      ...(presence === undefined ? {} : { presence }),
    },
    async mayAsk(person, where) {
      const { role } = await access.profileOf(person, where);
      return isAtLeast(role, "guest");
    },
    hasSeen: (chat, eventId) => inbox.hasSeen(chatKey(chat), eventId),
    completion: createCompletion({
      access,
      people,
      approvals,
      personas: createPersonaStore(store),
      models: options.models,
      skillReviews: createSkillReviews(store),
      schedules,
      limits: chatLeaves,
    }),
    registration: createRegistration(store, "discord"),
    now: () => store.clock.now(),
    leases,
    memory: createGatewaySessions(store, botIdOf(token)),
    userInstalls: createUserInstalls(store, botIdOf(token)),
  });
}
