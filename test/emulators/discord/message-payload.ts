import { MessageReferenceType, type APIAttachment, type APIMessage } from "discord-api-types/v10";
import type { StoredAttachment, StoredMessage } from "./model.ts";
import { channelPayload, time, userPayload } from "./payloads.ts";
import { createdAtMs } from "./snowflake.ts";
import type { World } from "./world.ts";

/** Who looks: where files are served from, and whether what a person wrote may be seen. */
export interface MessageView {
  readonly origin: string;
  contentVisible(message: StoredMessage): boolean;
}

/**
 * `contentVisible` false empties what a person wrote, as Discord does without the message content
 * intent.
 */
export function messagePayload(
  world: World,
  message: StoredMessage,
  view: MessageView,
): APIMessage {
  const visible = view.contentVisible(message);
  const thread = world.channels.get(message.id);
  return {
    id: message.id,
    channel_id: message.channelId,
    type: message.type,
    author: userPayload(world.user(message.authorId)),
    content: visible ? message.content : "",
    embeds: visible ? message.embeds : [],
    components: visible ? message.components : [],
    attachments: visible
      ? message.attachments.map((file) => attachmentPayload(file, message, view.origin))
      : [],
    timestamp: time(createdAtMs(message.id)),
    edited_timestamp: message.editedAtMs === null ? null : time(message.editedAtMs),
    // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- a set of bits
    flags: message.flags,
    mentions: message.mentions.map((id) => userPayload(world.user(id))),
    mention_roles: message.mentionRoles,
    mention_everyone: message.mentionEveryone,
    pinned: false,
    tts: false,
    ...(message.nonce === undefined ? {} : { nonce: message.nonce }),
    ...(message.reactions.size === 0 ? {} : { reactions: reactionsPayload(world, message) }),
    ...(message.webhookId === undefined ? {} : { webhook_id: message.webhookId }),
    ...interactionFields(world, message),
    ...(thread === undefined ? {} : { thread: channelPayload(world, thread) }),
    ...referenceFields(world, message, view),
    ...(visible ? message.extras : {}),
  };
}

/** The answered message is nested one level deep only, as the real service does. */
function referenceFields(
  world: World,
  message: StoredMessage,
  view: MessageView,
): Partial<APIMessage> {
  if (message.referenceId === undefined) return {};
  const { guildId } = world.channel(message.channelId);
  const answered = world.message(message.referenceId);
  const channelId = answered?.channelId ?? message.channelId;
  const { referenceId: _, ...alone } = answered ?? message;
  return {
    message_reference: {
      type: MessageReferenceType.Default,
      message_id: message.referenceId,
      channel_id: channelId,
      ...(guildId === undefined ? {} : { guild_id: guildId }),
    },
    ...(message.leavesOutAnswered
      ? {}
      : { referenced_message: answered ? messagePayload(world, alone, view) : null }),
  };
}

function interactionFields(world: World, message: StoredMessage): Partial<APIMessage> {
  const { interactionMetadata } = message;
  if (!interactionMetadata) return {};
  const { name, ...metadata } = interactionMetadata;
  const { id, type, user } = metadata;
  return {
    application_id: world.applicationId,
    interaction_metadata: metadata,
    ...(name === undefined ? {} : { interaction: { id, type, user, name } }),
  };
}

function reactionsPayload(world: World, message: StoredMessage) {
  return [...message.reactions].map(([name, userIds]) => ({
    count: userIds.size,
    count_details: { burst: 0, normal: userIds.size },
    me: userIds.has(world.bot.id),
    me_burst: false,
    emoji: { id: null, name },
    burst_colors: [],
  }));
}

/** Addresses are signed; without their query the file is not given out. */
export function attachmentPayload(
  file: StoredAttachment,
  message: { channelId: string; ephemeralFor?: string },
  origin: string,
): APIAttachment {
  const url = `${origin}/attachments/${message.channelId}/${file.id}/${encodeURIComponent(file.filename)}?ex=0&is=0&hm=0`;
  return {
    id: file.id,
    filename: file.filename,
    size: file.bytes.byteLength,
    url,
    proxy_url: url,
    content_type: file.contentType,
    ...(file.description === undefined ? {} : { description: file.description }),
    ...(message.ephemeralFor === undefined ? {} : { ephemeral: true }),
    ...(file.durationSeconds === undefined
      ? {}
      : {
          duration_secs: file.durationSeconds,
          waveform: Buffer.alloc(16).toString("base64"),
        }),
  };
}
