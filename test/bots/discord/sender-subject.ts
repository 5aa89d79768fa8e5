import { PermissionFlagsBits } from "discord.js";
import { pino } from "pino";
import { createSender } from "../../../src/bots/discord/send/sender.ts";
import type { UserInstalls } from "../../../src/bots/discord/user-installs.ts";
import { createRest } from "../../../src/bots/discord/rest.ts";
import { DiscordServer } from "../../emulators/discord/discord-server.ts";
import type { MessageView } from "../../emulators/discord/message-view.ts";
import type { Injection } from "../../emulators/discord/rest/faults.ts";
import { scene } from "../../emulators/discord/scene.ts";
import type { SenderSubject } from "../../contracts/sender-contract.ts";

const faults: Record<"retry" | "unknown" | "refused", Injection["kind"]> = {
  retry: { type: "status", code: 429, retryAfterSeconds: 1 },
  unknown: { type: "hang-up-after" },
  refused: {
    type: "status",
    code: 403,
    body: { code: 50_013, message: "Missing Permissions" },
  },
};

const noVisits: UserInstalls = {
  begin: () => Promise.reject(new Error("nobody visits")),
  remember: () => Promise.reject(new Error("nobody visits")),
  find: () => Promise.reject(new Error("nobody visits")),
};

const fileOf = ([file]: MessageView["attachments"]) => (file ? { file } : {});

/** From now on a field is refused as Discord refuses what it can't read. */
const invalid = (
  discord: DiscordServer,
  field: string,
  match: NonNullable<Injection["match"]>,
): void =>
  void discord.inject({
    times: Infinity,
    match: (body) => field in body && match(body),
    kind: {
      type: "status",
      code: 400,
      body: {
        code: 50_035,
        message: "Invalid Form Body",
        errors: { [field]: { _errors: [{ code: "INVALID", message: "Not here" }] } },
      },
    },
  });

/** The sender of a bot in a channel. */
export async function discordSubject(): Promise<SenderSubject> {
  const discord = await DiscordServer.start();
  const { channel, guild } = scene(discord);
  const { token, apiRoot } = discord;
  const connection = createRest({ token, apiRoot });
  const log = pino({ level: "silent" });
  return {
    sender: createSender({ connection, log, userInstalls: noVisits }),
    address: { platform: "discord", bot: discord.botUserId, chat: channel.id },
    maxUnits: 2_000,
    visible: () =>
      discord.messages(channel).map(({ id, content, components, attachments }) => ({
        id,
        text: content,
        buttons: components.flatMap((row) =>
          row.components.map((button) => ("label" in button ? (button.label ?? "") : "")),
        ),
        ...fileOf(attachments),
      })),
    remote: {
      injectFailure: (kind) => void discord.inject({ times: 1, kind: faults[kind] }),
      refuses: {
        // Files are refused as words are that may not be written: the code says no more.
        file: () =>
          guild.denyBot(
            channel,
            PermissionFlagsBits.AttachFiles | PermissionFlagsBits.ReadMessageHistory,
          ),
        reply: () =>
          guild.denyBot(
            channel,
            PermissionFlagsBits.AttachFiles | PermissionFlagsBits.ReadMessageHistory,
          ),
        flags: () => invalid(discord, "flags", ({ flags }) => flags !== undefined),
        buttons: () =>
          invalid(discord, "components", ({ components }) => [components].flat().length > 0),
      },
      missingMessageId: "123456789012345678",
      secrets: [token],
    },
    async [Symbol.asyncDispose]() {
      connection[Symbol.dispose]();
      await discord[Symbol.asyncDispose]();
    },
  };
}
