import type { DiscordExamined, DiscordFacts } from "../bots/discord/examine.ts";
import type { DiscordSettings } from "../config/settings.ts";
import { ok, when, type Check, type Examined } from "./check.ts";

export const discordCheck = (settings: DiscordSettings & { readonly enabled: true }): Check => ({
  id: "discord",
  what: "Discord",
  withinMs: 20_000,
  async run() {
    const { examineDiscord, inviteLink } = await import("../bots/discord/examine.ts");
    return discordFindings(await examineDiscord(settings), { settings, inviteLink });
  },
});

interface Known {
  readonly settings: Pick<DiscordSettings & { readonly enabled: true }, "messageContent">;
  readonly inviteLink: (applicationId: string) => string;
}

/** Pure. */
export function discordFindings(examined: DiscordExamined, known: Known): readonly Examined[] {
  switch (examined.type) {
    case "refused":
      return [
        {
          id: "discord.token",
          status: "broken",
          what: "Discord doesn't accept DISCORD_TOKEN.",
          why: "Parley can't start with it.",
          fix: "Open https://discord.com/developers/applications, page Bot, Reset Token, and copy it into .env.",
        },
      ];
    case "unreachable":
      return [
        {
          id: "discord.token",
          status: "broken",
          what: `Discord can't be reached: ${examined.reason}`,
          why: "Nothing is received or sent.",
          fix: "Look whether this machine reaches it: curl -I https://discord.com/api/v10/gateway",
        },
      ];
    case "answered":
      return answered(examined.facts, known);
    default:
      return examined satisfies never;
  }
}

function answered(facts: DiscordFacts, { settings, inviteLink }: Known): readonly Examined[] {
  const { applicationId, username, hasMessageContent, commands, servers } = facts;
  const invite = inviteLink(applicationId);
  const lacking = servers.filter(({ lacks }) => lacks.length > 0);
  return [
    ok("discord.token", `Discord knows the bot: ${username}, in ${servers.length} servers.`),
    ...when(servers.length === 0, {
      id: "discord.servers",
      status: "note",
      what: "The bot is in no server.",
      why: "People can't find it.",
      fix: `Open ${invite}`,
    }),
    ...lacking.map(({ name, lacks }): Examined => ({
      id: "discord.permissions",
      status: "warning",
      what: `In the server "${name}" the bot lacks: ${lacks.join(", ")}.`,
      why: "It can't answer everything there.",
      fix: `Give the bot's role these permissions, or invite it again: ${invite}`,
    })),
    ...when(settings.messageContent && !hasMessageContent, {
      id: "discord.intent",
      status: "broken",
      what: "discord.messageContent is true, but the intent is off in Discord's portal.",
      why: "Discord refuses the connection.",
      fix: `Switch on Message Content Intent: https://discord.com/developers/applications/${applicationId}/bot`,
    }),
    commands > 0
      ? ok("discord.commands", `Discord shows ${commands} commands.`)
      : {
          id: "discord.commands",
          status: "note",
          what: "Discord shows no commands of the bot.",
          why: "They are registered when Parley starts.",
          fix: "npm start",
        },
  ];
}
