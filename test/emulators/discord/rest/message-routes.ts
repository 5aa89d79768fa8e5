import { MessageFlags, MessageType, PermissionFlagsBits } from "discord-api-types/v10";
import { ApiError, FormErrors } from "../api-error.ts";
import type { Emulation } from "../emulation.ts";
import { objectOf } from "../json.ts";
import { findMentions } from "../mentions.ts";
import type { MessagePatch } from "../messages.ts";
import type { StoredChannel, StoredMessage } from "../model.ts";
import { createdAtMs } from "../snowflake.ts";
import { accessibleChannel, isDirect, visibleMessage, writableChannel } from "./access.ts";
import { readMessageInput, refuseEmpty, type MessageInput } from "./message-input.ts";
import { noContent, ok, type RestReply, type RestRequest, type Route } from "./route.ts";

/** `/channels/:channelId/messages` and below, with the bot's token. */
export function messageRoutes(emulation: Emulation): Route[] {
  const list = "/channels/:channelId/messages";
  const one = `${list}/:messageId`;
  return [
    {
      method: "GET",
      pattern: list,
      credential: "bot",
      handle: (request) => listMessages(emulation, request),
    },
    {
      method: "POST",
      pattern: list,
      credential: "bot",
      handle: (request) => createMessage(emulation, request),
    },
    {
      method: "GET",
      pattern: one,
      credential: "bot",
      handle: (request) => getMessage(emulation, request),
    },
    {
      method: "PATCH",
      pattern: one,
      credential: "bot",
      handle: (request) => editMessage(emulation, request),
    },
    {
      method: "DELETE",
      pattern: one,
      credential: "bot",
      handle: (request) => deleteMessage(emulation, request),
    },
  ];
}

/** What an input changes in a message, with the pings that its new text makes. */
export function patchOf(
  { world }: Emulation,
  input: MessageInput,
  repliedUserId?: string,
): MessagePatch {
  const { content, embeds, components, attachments, flags, allowed } = input;
  return {
    ...(content === undefined
      ? {}
      : {
          content,
          ...findMentions(world, content, { allowed, repliedUserId }),
        }),
    ...(embeds ? { embeds } : {}),
    ...(components ? { components } : {}),
    ...(attachments ? { attachments } : {}),
    ...(flags === undefined ? {} : { flags }),
  };
}

function createMessage(emulation: Emulation, request: RestRequest): RestReply {
  const { world, messages, recorder } = emulation;
  const channel = writableChannel(emulation, request);
  if (request.files.size > 0)
    accessibleChannel(emulation, request, PermissionFlagsBits.AttachFiles);
  const input = readMessageInput(emulation, request, {
    body: objectOf(request.body),
  });
  if (((input.flags ?? 0) & MessageFlags.Ephemeral) !== 0)
    recorder.violation(`${request.path}: an ordinary message can't be ephemeral`);
  refuseEmpty({ content: "", embeds: [], attachments: [], ...input });
  const twin = input.enforceNonce ? sameNonce(emulation, input.nonce) : undefined;
  if (twin) return ok(messages.payload(twin));
  const answered = findAnswered(emulation, channel, input);
  refuseBlocked(emulation, channel, input);
  const created = messages.create({
    channelId: channel.id,
    authorId: world.bot.id,
    ...patchOf(emulation, input, answered?.authorId),
    flags: (input.flags ?? 0) & ~MessageFlags.Ephemeral,
    ...(input.nonce === undefined ? {} : { nonce: input.nonce }),
    ...(answered ? { type: MessageType.Reply, referenceId: answered.id } : {}),
  });
  return ok(messages.payload(created));
}

/**
 * "Another message by the same author with the same nonce" (docs: Create Message), whatever its
 * channel.
 */
function sameNonce(
  { world, options }: Emulation,
  nonce: MessageInput["nonce"],
): StoredMessage | undefined {
  if (nonce === undefined) return undefined;
  return [...world.channels.keys()]
    .flatMap((id) => world.messagesOf(id))
    .find(
      (message) =>
        message.authorId === world.bot.id &&
        String(message.nonce) === String(nonce) &&
        Date.now() + options.clockOffMs - createdAtMs(message.id) < options.nonceWindowMs,
    );
}

/** A reply needs the history, whatever it answers. */
function findAnswered(
  { world }: Emulation,
  channel: StoredChannel,
  { reference }: MessageInput,
): StoredMessage | undefined {
  if (!reference) return undefined;
  const history = PermissionFlagsBits.ReadMessageHistory;
  if ((world.botPermissions(channel) & history) !== history)
    throw ApiError.of("replyWithoutHistory");
  const answered = world.message(reference.messageId);
  const isHere = answered?.channelId === channel.id && answered.ephemeralFor === undefined;
  if (isHere && isAnswerable(answered)) return answered;
  if (!isHere && !reference.failIfNotExists) return undefined;
  const errors = new FormErrors();
  if (isHere)
    errors.add(
      "message_reference",
      "REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE",
      "Cannot reply to a system message",
    );
  else errors.add("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message");
  errors.throwIfAny();
  return undefined;
}

const isAnswerable = ({ type }: StoredMessage): boolean =>
  [
    MessageType.Default,
    MessageType.Reply,
    MessageType.ChatInputCommand,
    MessageType.ContextMenuCommand,
  ].includes(type);

function refuseBlocked(
  { world }: Emulation,
  { guildId = "" }: StoredChannel,
  { content = "" }: MessageInput,
): void {
  const words = world.guilds.get(guildId)?.blockedWords ?? [];
  if (words.some((word) => content.includes(word))) throw ApiError.of("automaticModeration");
}

function editMessage(emulation: Emulation, request: RestRequest): RestReply {
  const channel = accessibleChannel(emulation, request);
  const message = visibleMessage(emulation, request, channel);
  if (message.authorId !== emulation.world.bot.id) throw ApiError.of("notTheAuthor");
  const input = readMessageInput(emulation, request, {
    body: objectOf(request.body),
    existing: message,
  });
  refuseEmpty({ ...message, ...input });
  return ok(
    emulation.messages.payload(emulation.messages.edit(message, patchOf(emulation, input))),
  );
}

function deleteMessage(emulation: Emulation, request: RestRequest): RestReply {
  const channel = accessibleChannel(emulation, request);
  const message = visibleMessage(emulation, request, channel);
  if (message.authorId !== emulation.world.bot.id) {
    if (isDirect(channel)) throw ApiError.of("directMessageAction");
    accessibleChannel(emulation, request, PermissionFlagsBits.ManageMessages);
  }
  emulation.messages.remove(message);
  return noContent;
}

function getMessage(emulation: Emulation, request: RestRequest): RestReply {
  const channel = accessibleChannel(emulation, request, PermissionFlagsBits.ReadMessageHistory);
  return ok(emulation.messages.payload(visibleMessage(emulation, request, channel)));
}

/**
 * Newest first; `around`, `before` and `after` exclude each other; 1 to 100, 50 without `limit`.
 */
function listMessages(emulation: Emulation, request: RestRequest): RestReply {
  const channel = accessibleChannel(emulation, request, PermissionFlagsBits.ReadMessageHistory);
  const limit = Number(request.query.get("limit") ?? 50);
  const errors = new FormErrors();
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= 100))
    errors.add("limit", "NUMBER_TYPE_MAX", "int value should be between 1 and 100.");
  errors.throwIfAny();
  const newestFirst = emulation.world
    .messagesOf(channel.id)
    .filter((message) => message.ephemeralFor === undefined)
    .toReversed();
  const page = pageOf(newestFirst, request.query, limit);
  return ok(page.map((message) => emulation.messages.payload(message)));
}

function pageOf(
  newestFirst: StoredMessage[],
  query: URLSearchParams,
  limit: number,
): StoredMessage[] {
  const [before, after, around] = ["before", "after", "around"].map((key) => query.get(key));
  if (before) return newestFirst.filter(({ id }) => BigInt(id) < BigInt(before)).slice(0, limit);
  // The oldest ones after it, still newest first.
  if (after) return newestFirst.filter(({ id }) => BigInt(id) > BigInt(after)).slice(-limit);
  if (!around) return newestFirst.slice(0, limit);
  const older = newestFirst.filter(({ id }) => BigInt(id) <= BigInt(around));
  const newer = newestFirst.filter(({ id }) => BigInt(id) > BigInt(around));
  const half = Math.floor(limit / 2);
  return [...newer.slice(-half || newer.length), ...older.slice(0, limit - half)];
}
