import { MessageFlags, MessageType } from "discord-api-types/v10";
import { ApiError } from "../api-error.ts";
import type { Emulation } from "../emulation.ts";
import { objectOf } from "../json.ts";
import type { StoredInteraction, StoredMessage } from "../model.ts";
import { isSnowflake } from "../snowflake.ts";
import { readMessageInput, refuseEmpty, type MessageInput } from "./message-input.ts";
import { patchOf } from "./message-routes.ts";
import { noContent, ok, type RestReply, type RestRequest, type Route } from "./route.ts";

/**
 * `/webhooks/:applicationId/:token`: followups of an interaction and its messages, `@original`
 * included.
 */
export function webhookRoutes(emulation: Emulation): Route[] {
  const base = "/webhooks/:applicationId/:token";
  const one = `${base}/messages/:message`;
  return [
    {
      method: "POST",
      pattern: base,
      credential: "token",
      handle: (request) => followUp(emulation, request),
    },
    {
      method: "GET",
      pattern: one,
      credential: "token",
      handle: (request) => ok(emulation.messages.payload(find(emulation, request).message)),
    },
    {
      method: "PATCH",
      pattern: one,
      credential: "token",
      handle: (request) => edit(emulation, request),
    },
    {
      method: "DELETE",
      pattern: one,
      credential: "token",
      handle: (request) => remove(emulation, request),
    },
  ];
}

/**
 * Writes a message as the answer to an interaction: `type` tells first answers (20, 23) from
 * followups (19).
 */
export function createResponse(
  emulation: Emulation,
  interaction: StoredInteraction,
  {
    input,
    type,
    extraFlags,
  }: { input: MessageInput | undefined; type: MessageType; extraFlags: number },
): StoredMessage {
  const { world, messages, interactions } = emulation;
  const flags = (input?.flags ?? 0) | extraFlags;
  const isEphemeral = (flags & MessageFlags.Ephemeral) !== 0;
  const referenceId = interaction.sourceMessageId ?? interaction.originalId;
  return messages.create({
    channelId: interaction.channelId,
    authorId: world.bot.id,
    webhookId: world.applicationId,
    interactionId: interaction.id,
    interactionMetadata: interactions.metadata(interaction),
    ...(input ? patchOf(emulation, input) : {}),
    flags,
    type,
    ...(isEphemeral ? { ephemeralFor: interaction.userId } : {}),
    ...(type === MessageType.Reply && referenceId !== undefined ? { referenceId } : {}),
    ...(input?.nonce === undefined ? {} : { nonce: input.nonce }),
  });
}

/**
 * Of one interaction of an app that is installed by its person alone (docs: Create Followup
 * Message).
 */
const maxFollowUps = 5;

/**
 * The first followup to a deferred answer becomes that answer, and is as ephemeral as the deferral
 * said.
 */
function followUp(emulation: Emulation, request: RestRequest): RestReply {
  const interaction = interactionOf(emulation, request);
  const input = readMessageInput(emulation, request, {
    body: objectOf(request.body),
  });
  refuseEmpty({ content: "", embeds: [], attachments: [], ...input });
  // A follow-up is sent to no one's channel: what makes channel messages unique or replies has no
  // meaning here.
  if (interaction.visiting !== undefined) {
    if (interaction.visiting.followUps >= maxFollowUps) throw ApiError.of("tooManyFollowUps");
    interaction.visiting.followUps += 1;
  }
  const original = emulation.world.message(interaction.originalId);
  if (original && (original.flags & MessageFlags.Loading) !== 0)
    return ok(emulation.messages.payload(applyEdit(emulation, original, input)));
  const message = createResponse(emulation, interaction, {
    input,
    type: MessageType.Reply,
    extraFlags: 0,
  });
  return ok(emulation.messages.payload(message));
}

function edit(emulation: Emulation, request: RestRequest): RestReply {
  const { message } = find(emulation, request);
  const input = readMessageInput(emulation, request, {
    body: objectOf(request.body),
    existing: message,
  });
  refuseEmpty({ ...message, ...input });
  return ok(emulation.messages.payload(applyEdit(emulation, message, input)));
}

/** Ends the loading state; whether a message is ephemeral never changes. */
export function applyEdit(
  emulation: Emulation,
  message: StoredMessage,
  input: MessageInput,
): StoredMessage {
  const fixed = message.flags & MessageFlags.Ephemeral;
  const flags =
    ((input.flags ?? message.flags) & ~(MessageFlags.Ephemeral | MessageFlags.Loading)) | fixed;
  return emulation.messages.edit(message, {
    ...patchOf(emulation, input),
    flags,
  });
}

function remove(emulation: Emulation, request: RestRequest): RestReply {
  emulation.messages.remove(find(emulation, request).message);
  return noContent;
}

function interactionOf(emulation: Emulation, request: RestRequest): StoredInteraction {
  return emulation.interactions.byToken(
    request.parameter("applicationId"),
    request.parameter("token"),
  );
}

/** `@original`, or a message that this interaction made (or pressed): anything else is 10008. */
function find(
  emulation: Emulation,
  request: RestRequest,
): { interaction: StoredInteraction; message: StoredMessage } {
  const interaction = interactionOf(emulation, request);
  const name = request.parameter("message");
  if (name !== "@original" && !isSnowflake(name)) throw ApiError.of("unknownMessage");
  const message = emulation.world.message(name === "@original" ? interaction.originalId : name);
  const isIts = message?.interactionId === interaction.id || message?.id === interaction.originalId;
  if (!message || !isIts) throw ApiError.of("unknownMessage");
  return { interaction, message };
}
