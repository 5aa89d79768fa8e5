import { DiscordAPIError, MessageFlags, Routes } from "discord.js";
import type { REST, RESTPostAPIChannelMessageJSONBody } from "discord.js";
import type { Logger } from "pino";
import { z } from "zod";
import { userInstallPerson, type ChatAddress } from "../../../core/chat.ts";
import { messageOf } from "../../../core/errors.ts";
import type { SendOptions } from "../../../core/ports.ts";
import { isOver } from "../receive/interaction-reply.ts";
import type { InteractionHandle, UserInstalls } from "../user-installs.ts";

interface Deps {
  readonly rest: Pick<REST, "post" | "patch">;
  readonly userInstalls: UserInstalls;
  readonly log: Logger;
}

interface Posted {
  readonly body: RESTPostAPIChannelMessageJSONBody;
  readonly files?: readonly {
    readonly name: string;
    readonly data: Uint8Array;
    readonly contentType: string;
  }[];
}

const sentSchema = z.object({ id: z.string() });
/** A message that Discord does not know any more, or never knew by this token. */
const gone = 10_008;

/**
 * Messages of a user-installed app: follow-ups of the interaction, visible to
 * its person only. Discord accepts five of them, for 15 minutes; later or
 * further ones go to that person's direct messages.
 */
export function userInstallRoutes({ rest, userInstalls, log }: Deps) {
  const handleOf = async (...names: readonly (string | undefined)[]) => {
    for (const name of names) {
      const handle = name === undefined ? undefined : await userInstalls.find(name);
      if (handle) return handle;
    }
    return undefined;
  };
  const remember = async (sent: unknown, handle: InteractionHandle): Promise<void> => {
    const id = sentSchema.safeParse(sent).data?.id;
    if (id === undefined) return;
    await userInstalls.remember([id], handle).catch((failure: unknown) => {
      // It cannot be changed then: another one comes in its place.
      log.warn({ cause: messageOf(failure) }, "a user-installed app's chat was not stored");
    });
  };
  const postDirect = async (
    address: ChatAddress,
    { body: { message_reference: _dropped, ...body }, files }: Posted,
  ): Promise<unknown> => {
    const opened = await rest.post(Routes.userChannels(), {
      body: { recipient_id: userInstallPerson(address) },
    });
    const { id } = sentSchema.parse(opened);
    return await rest.post(Routes.channelMessages(id), {
      body,
      ...(files === undefined ? {} : { files: [...files] }),
    });
  };
  /** A growing answer could not be changed there: its end alone comes. */
  const otherwise = (address: ChatAddress, posted: Posted, isWhole: boolean): Promise<unknown> =>
    isWhole ? postDirect(address, posted) : Promise.reject(unknownMessage());
  return {
    /** @throws what REST throws, and what the store throws. */
    async post(
      address: ChatAddress,
      posted: Posted,
      { replyTo, final }: Pick<SendOptions, "replyTo" | "final">,
    ): Promise<unknown> {
      const handle = await handleOf(replyTo, address.chat);
      if (!handle) return await otherwise(address, posted, final);
      try {
        const sent = await rest.post(Routes.webhook(handle.applicationId, handle.token), {
          auth: false,
          ...followUp(posted),
        });
        await remember(sent, handle);
        return sent;
      } catch (failure) {
        const isFinal = isOver(failure) || isTooMany(failure);
        if (!isFinal) throw failure;
        return await otherwise(address, posted, final);
      }
    },
    /** @throws as `post`; a message that cannot be changed any more is unknown to Discord. */
    async patch(
      address: ChatAddress,
      messageId: string,
      given: { readonly body: unknown },
    ): Promise<unknown> {
      const handle = await handleOf(messageId, address.chat);
      if (!handle) throw unknownMessage();
      try {
        return await rest.patch(
          Routes.webhookMessage(handle.applicationId, handle.token, messageId),
          { auth: false, ...given },
        );
      } catch (failure) {
        throw isOver(failure) ? unknownMessage() : failure;
      }
    },
  };
}

/** Nonces and replies are for channels. */
function followUp({ body, files }: Posted) {
  const { message_reference: _reference, nonce: _nonce, enforce_nonce: _enforced, ...rest } = body;
  return {
    body: {
      ...rest,
      flags: (rest.flags ?? MessageFlags.SuppressEmbeds) | MessageFlags.Ephemeral,
    },
    ...(files === undefined ? {} : { files: [...files] }),
  };
}

/** "This interaction has hit the maximum number of follow-up messages". */
const tooMany = 40_094;

const isTooMany = (failure: unknown): boolean =>
  failure instanceof DiscordAPIError && failure.code === tooMany;

/** As Discord itself would say it. */
const unknownMessage = (): DiscordAPIError =>
  new DiscordAPIError(
    { code: gone, message: "the interaction has expired" },
    gone,
    404,
    "PATCH",
    "",
    { body: undefined, files: undefined },
  );
