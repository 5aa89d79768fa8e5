import { DiscordAPIError, Routes } from "discord.js";
import type { Logger } from "pino";
import { z } from "zod";
import { isUserInstall, type ChatAddress } from "../../../core/chat.ts";
import { messageOf } from "../../../core/errors.ts";
import type { Sender, SendLimits, SendOutcome } from "../../../core/ports.ts";
import type { Decoration } from "../../../core/refusal.ts";
import { inSlices } from "../../markdown/in-slices.ts";
import { plain } from "../format/plain.ts";
import { renderSteps } from "../format/render.ts";
import { channelIdOf } from "../receive/place.ts";
import type { DiscordRest } from "../rest.ts";
import { decorationsOf, editedMessage, newMessage } from "./message-body.ts";
import type { UserInstalls } from "../user-installs.ts";
import { outcomeOf } from "./outcome.ts";
import { userInstallRoutes } from "./user-install-routes.ts";
import type { Operation } from "./outcome.ts";

/** Edits of one message faster than this earn rate limits. */
const editIntervalMs = 1_500;

/** "Unique in the past few minutes", says Discord (docs: Create Message, `enforce_nonce`). */
const deduplicatesForMs = 120_000;

/**
 * Discord's own is 50 a second over everything (docs: Rate Limits); some is left for what does not
 * go through the outbox.
 */
const limits: SendLimits = {
  bot: { count: 45, perMs: 1_000, burst: 10 },
  // Every response contains the channel's limit, and discord.js tracks it.
  chat: () => undefined,
};

const sentSchema = z.object({ id: z.string() });

interface Performed {
  readonly request: () => Promise<unknown>;
  /** Its parts next to the words. */
  readonly has: ReadonlySet<Decoration>;
  readonly final?: boolean;
}

interface SenderDeps {
  readonly connection: Pick<DiscordRest, "rest" | "restoreToken">;
  readonly log: Logger;
  readonly userInstalls: UserInstalls;
}

/**
 * Ordinary messages by the bot's token, to channels, threads and direct messages alike. It never
 * waits and never throws.
 */
export function createSender({ connection, log, userInstalls }: SenderDeps): Sender {
  const { rest } = connection;
  const routes = userInstallRoutes({ rest, userInstalls, log });
  const perform = async (
    operation: Operation,
    { request, has, final: isWhole = true }: Performed,
  ): Promise<SendOutcome> => {
    try {
      const sent = sentSchema.safeParse(await request());
      if (sent.success) return { type: "sent", messageId: sent.data.id };
      return outcomeOf(new Error("Discord's answer could not be read"), operation);
    } catch (failure) {
      if (failure instanceof DiscordAPIError && failure.status === 401) connection.restoreToken();
      const outcome = outcomeOf(failure, operation, has);
      // Of a growing answer it is tried again with its next words.
      if (outcome.type === "refused")
        log[isWhole ? "warn" : "debug"]({ cause: outcome.cause }, "Discord refused a message");
      return outcome;
    }
  };
  return {
    platform: "discord",
    deduplicates: true,
    deduplicatesForMs,
    // A message by an interaction's token has no nonce.
    deduplicatesIn: (chat) => !isUserInstall(chat),
    limits,
    editIntervalMs: () => editIntervalMs,
    render: (markdown, note) => inSlices(renderSteps(markdown, note)),
    plain,
    hasForms: true,
    moment: (atMs) => `<t:${Math.floor(atMs / 1_000)}:R>`,
    send(chat, chunk, options) {
      const body = newMessage(chunk, options);
      return perform("send", {
        request: () =>
          isUserInstall(chat)
            ? routes.post(chat, { body }, options)
            : rest.post(Routes.channelMessages(channelIdOf(chat)), { body }),
        has: decorationsOf(body, { isFile: false, canReply: !isUserInstall(chat) }),
        final: options.final,
      });
    },
    sendFile(chat, { name, mediaType, bytes, caption }, options) {
      const body = newMessage(caption ?? { text: "" }, options);
      const files = [{ name, data: bytes, contentType: mediaType }];
      return perform("send", {
        request: () =>
          isUserInstall(chat)
            ? routes.post(chat, { body, files }, options)
            : rest.post(Routes.channelMessages(channelIdOf(chat)), { body, files }),
        has: decorationsOf(body, { isFile: true, canReply: !isUserInstall(chat) }),
      });
    },
    edit(chat, messageId, chunk, options) {
      const body = editedMessage(chunk, options);
      const { components = [] } = body;
      return perform("edit", {
        request: () =>
          isUserInstall(chat)
            ? routes.patch(chat, messageId, { body })
            : rest.patch(Routes.channelMessage(channelIdOf(chat), messageId), { body }),
        has: decorationsOf({ components: components ?? [] }, { isFile: false, canReply: false }),
      });
    },
    async typing(chat: ChatAddress): Promise<void> {
      // Where the bot is not, "thinking …" shows it.
      if (isUserInstall(chat)) return;
      try {
        await rest.post(Routes.channelTyping(channelIdOf(chat)));
      } catch (failure) {
        log.debug({ cause: messageOf(failure) }, "typing could not be shown");
      }
    },
  };
}
