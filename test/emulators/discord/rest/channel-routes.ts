import {
  ChannelType,
  GatewayDispatchEvents,
  GatewayIntentBits,
  PermissionFlagsBits,
} from "discord-api-types/v10";
import { ApiError, FormErrors } from "../api-error.ts";
import type { Emulation } from "../emulation.ts";
import { objectOf } from "../json.ts";
import type { StoredChannel } from "../model.ts";
import { channelPayload, userPayload } from "../payloads.ts";
import { accessibleChannel, isDirect, visibleMessage, writableChannel } from "./access.ts";
import { noContent, ok, type RestReply, type RestRequest, type Route } from "./route.ts";

/** `/channels/:channelId` without its messages: the channel itself, typing, threads, reactions. */
export function channelRoutes(emulation: Emulation): Route[] {
  const channel = "/channels/:channelId";
  return [
    {
      method: "GET",
      pattern: channel,
      credential: "bot",
      handle: (request) => getChannel(emulation, request),
    },
    {
      method: "PATCH",
      pattern: channel,
      credential: "bot",
      handle: (request) => editThread(emulation, request),
    },
    {
      method: "POST",
      pattern: `${channel}/typing`,
      credential: "bot",
      handle(request) {
        emulation.recorder.typed(writableChannel(emulation, request).id);
        return noContent;
      },
    },
    {
      method: "POST",
      pattern: `${channel}/threads`,
      credential: "bot",
      handle: (request) => startThread(emulation, request, false),
    },
    {
      method: "POST",
      pattern: `${channel}/messages/:messageId/threads`,
      credential: "bot",
      handle: (request) => startThread(emulation, request, true),
    },
    {
      method: "PUT",
      pattern: `${channel}/thread-members/@me`,
      credential: "bot",
      handle(request) {
        accessibleChannel(emulation, request);
        return noContent;
      },
    },
    {
      method: "PUT",
      pattern: `${channel}/thread-members/:userId`,
      credential: "bot",
      handle: (request) => addToThread(emulation, request),
    },
    ...reactionRoutes(emulation, `${channel}/messages/:messageId/reactions/:emoji`),
  ];
}

function getChannel(emulation: Emulation, request: RestRequest): RestReply {
  return ok(channelPayload(emulation.world, accessibleChannel(emulation, request)));
}

/** Name, archived and locked of a thread; nothing else of a channel is the bot's business. */
function editThread(emulation: Emulation, request: RestRequest): RestReply {
  const channel = accessibleChannel(emulation, request);
  const { thread } = channel;
  if (!thread) throw ApiError.of("missingPermissions");
  const { name, archived, locked } = objectOf(request.body);
  if (name !== undefined) channel.name = threadName(name);
  if (typeof archived === "boolean") thread.archived = archived;
  if (typeof locked === "boolean") thread.locked = locked;
  announce(emulation, channel, GatewayDispatchEvents.ThreadUpdate);
  return ok(channelPayload(emulation.world, channel));
}

/** A thread from a message has the message's id (docs: Start Thread from Message). */
function startThread(emulation: Emulation, request: RestRequest, fromMessage: boolean): RestReply {
  const { world } = emulation;
  const parent = accessibleChannel(emulation, request, PermissionFlagsBits.CreatePublicThreads);
  const body = objectOf(request.body);
  const errors = new FormErrors();
  if (isDirect(parent) || parent.thread)
    errors.add("type", "CHANNEL_TYPE_INVALID", "Threads can't be started here");
  errors.throwIfAny();
  const message = fromMessage ? visibleMessage(emulation, request, parent) : undefined;
  if (message && world.channels.has(message.id)) throw ApiError.of("threadExists");
  const name = threadName(body["name"]);
  const isPublic = message !== undefined || body["type"] === ChannelType.PublicThread;
  const channel = world.addChannel({
    ...(message ? { id: message.id } : {}),
    ...(parent.guildId === undefined ? {} : { guildId: parent.guildId }),
    parentId: parent.id,
    // Without a type the real service makes a private thread.
    type: isPublic ? ChannelType.PublicThread : ChannelType.PrivateThread,
    name,
    thread: {
      ownerId: world.bot.id,
      createdAtMs: Date.now(),
      autoArchiveMinutes: Number(body["auto_archive_duration"] ?? 4_320),
      archived: false,
      locked: false,
      memberIds: new Set([world.bot.id]),
    },
  });
  announce(emulation, channel, GatewayDispatchEvents.ThreadCreate);
  if (message) emulation.messages.markThread(message);
  return { status: 201, body: channelPayload(world, channel) };
}

/** Only who is in the server can be in a thread of it. */
function addToThread(emulation: Emulation, request: RestRequest): RestReply {
  const { world } = emulation;
  const { thread, ...channel } = accessibleChannel(
    emulation,
    request,
    PermissionFlagsBits.SendMessagesInThreads,
  );
  const userId = request.parameter("userId");
  if (!world.users.has(userId)) throw ApiError.of("unknownUser");
  const isMember = world.guildOf(channel)?.members.has(userId) === true;
  if (!thread || !isMember) throw ApiError.of("missingAccess");
  thread.memberIds.add(userId);
  emulation.changes.notify();
  return noContent;
}

function threadName(name: unknown): string {
  const errors = new FormErrors();
  errors.length("name", name, { min: 1, max: 100 });
  errors.throwIfAny();
  return String(name);
}

function announce(
  { world, gateway }: Emulation,
  channel: StoredChannel,
  name: GatewayDispatchEvents,
): void {
  gateway.dispatch({
    name,
    guildId: channel.guildId,
    intents: GatewayIntentBits.Guilds,
    payload: () => channelPayload(world, channel),
  });
}

function reactionRoutes(emulation: Emulation, one: string): Route[] {
  const { world, messages } = emulation;
  const find = (request: RestRequest, needed = PermissionFlagsBits.ReadMessageHistory) =>
    visibleMessage(emulation, request, accessibleChannel(emulation, request, needed));
  return [
    {
      method: "PUT",
      pattern: `${one}/@me`,
      credential: "bot",
      handle(request) {
        const message = find(request);
        // Only the first one to react with an emoji needs the permission for it.
        if (!message.reactions.has(emojiOf(request)))
          find(request, PermissionFlagsBits.AddReactions);
        messages.react(message, emojiOf(request), world.bot.id);
        return noContent;
      },
    },
    {
      method: "DELETE",
      pattern: `${one}/@me`,
      credential: "bot",
      handle(request) {
        messages.unreact(find(request), emojiOf(request), world.bot.id);
        return noContent;
      },
    },
    {
      method: "GET",
      pattern: one,
      credential: "bot",
      handle(request) {
        const users = find(request).reactions.get(emojiOf(request)) ?? new Set<string>();
        return ok([...users].map((id) => userPayload(world.user(id))));
      },
    },
  ];
}

/** A Unicode emoji, or `name:id` of a custom one; anything else is 10014. */
function emojiOf(request: RestRequest): string {
  const emoji = request.parameter("emoji");
  if (!/^(?:\p{RGI_Emoji}|\p{Emoji}|\w+:\d+)$/v.test(emoji)) throw ApiError.of("unknownEmoji");
  return emoji;
}
