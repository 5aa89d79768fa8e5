import type { DiscordExamined, DiscordFacts } from "../bots/discord/examine.ts";
import type { DiscordSettings } from "../config/settings.ts";
import { ok, when, type Check, type Examined } from "./check.ts";

export const discordCheck = (settings: DiscordSettings & { readonly enabled: true }): Check => ({
  id: "discord",
  what: () => "Discord",
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
        { id: "discord.token", status: "broken", say: ({ findings }) => findings.discord.refused },
      ];
    case "unreachable":
      return [
        {
          id: "discord.token",
          status: "broken",
          say: ({ findings: { discord } }) => ({
            ...discord.unreachable,
            what: discord.unreachable.what(examined.reason),
          }),
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
    ok("discord.token", ({ discord }) => discord.knows(username, servers.length)),
    ...when(servers.length === 0, {
      id: "discord.servers",
      status: "note",
      say: ({ findings: { discord } }) => ({
        ...discord.noServer,
        fix: discord.noServer.fix(invite),
      }),
    }),
    ...lacking.map(({ name, lacks }): Examined => ({
      id: "discord.permissions",
      status: "warning",
      say({ findings: { discord } }) {
        const { what, why, fix } = discord.lacks;
        return { what: what(name, lacks.join(", ")), why, fix: fix(invite) };
      },
    })),
    ...when(settings.messageContent && !hasMessageContent, {
      id: "discord.intent",
      status: "broken",
      say: ({ findings: { discord } }) => ({
        ...discord.noIntent,
        fix: discord.noIntent.fix(
          `https://discord.com/developers/applications/${applicationId}/bot`,
        ),
      }),
    }),
    commands > 0
      ? ok("discord.commands", ({ discord }) => discord.hasCommands(commands))
      : {
          id: "discord.commands",
          status: "note",
          say: ({ findings }) => ({ ...findings.discord.noCommands, fix: "npm start" }),
        },
  ];
}
