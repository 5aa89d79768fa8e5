import { Routes, type REST } from "discord.js";
import type { Logger } from "pino";
import { messageOf } from "../../../core/errors.ts";

const refusedEmoji = "⏳";

/** Adds the bot's reaction to a message; without the permission nothing is shown. Never rejects. */
export const reactionTo =
  ({ rest, log }: { readonly rest: Pick<REST, "put">; readonly log: Logger }) =>
  async ({
    channelId,
    messageId,
  }: {
    readonly channelId: string;
    readonly messageId: string;
  }): Promise<void> => {
    const emoji = encodeURIComponent(refusedEmoji);
    try {
      await rest.put(Routes.channelMessageOwnReaction(channelId, messageId, emoji));
    } catch (failure) {
      log.debug({ channelId, cause: messageOf(failure) }, "a reaction was not shown");
    }
  };
