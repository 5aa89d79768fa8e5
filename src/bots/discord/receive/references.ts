import { ChannelType, MessageReferenceType, MessageType, Routes } from "discord.js";
import type { REST } from "discord.js";
import type { Logger } from "pino";
import { messageOf } from "../../../core/errors.ts";
import type { ThreadOpening } from "../../../core/inbound.ts";
import { unlessAborted } from "../../../util/abort.ts";
import { pointedFilesOf } from "./attachments.ts";
import type { FetchFile } from "./files.ts";
import { pointedSchema } from "./payloads.ts";
import type { MessagePayload, PointedPayload } from "./payloads.ts";
import type { Place } from "./place.ts";
import type { Places, Where } from "./places.ts";
import { quoteOf } from "./quote.ts";

/** The person waits for it. Milliseconds. */
const timeoutMs = 3_000;

interface ReferencesDeps {
  readonly rest: Pick<REST, "get">;
  readonly places: Pick<Places, "of" | "known">;
  readonly botId: string;
  readonly fetchFile: FetchFile;
  readonly log: Logger;
}

/** Where something was asked: in a thread, or not. */
interface Asked {
  readonly place: Place;
  readonly guildId: string | undefined;
  /** The message that asks; absent: an interaction. */
  readonly messageId?: string;
}

/**
 * The messages that something refers to and that its event doesn't have. Each is asked for once, in
 * limited time; one that can't be read is left out.
 */
export class References {
  readonly #deps: ReferencesDeps;

  constructor(deps: ReferencesDeps) {
    this.#deps = deps;
  }

  /** Whether Discord left out the message that this one answers. Pure. */
  lacksAnswered({ type, message_reference: reference, ...message }: MessagePayload): boolean {
    return (
      type === MessageType.Reply &&
      reference?.type !== MessageReferenceType.Forward &&
      reference?.message_id !== undefined &&
      message.referenced_message === undefined
    );
  }

  /** With the message that it answers, if that can be read. Never rejects. */
  async withAnswered(message: MessagePayload): Promise<MessagePayload> {
    const { channel_id: channel, message_reference: reference } = message;
    const { message_id: id, channel_id: where = channel } = reference ?? {};
    if (id === undefined || !this.lacksAnswered(message)) return message;
    const answered = await this.#fetch(where, id);
    return answered === undefined ? message : { ...message, referenced_message: answered };
  }

  /** How the thread began in which something is asked. Undefined: it is in none. */
  opening(asked: Asked): { readonly opening?: () => Promise<ThreadOpening | undefined> } {
    const { thread } = asked.place;
    if (thread === undefined || asked.guildId === undefined) return {};
    return { opening: () => this.#open({ ...asked, thread }) };
  }

  /** Never rejects. */
  async #open({
    thread,
    place,
    guildId,
    messageId,
  }: Asked & { readonly thread: string }): Promise<ThreadOpening | undefined> {
    const { botId, fetchFile, places } = this.#deps;
    const where = await this.#inTime(places.of({ channel_id: thread, guild_id: guildId ?? "" }));
    // The question that a thread of the bot's own was opened for is the first message in it.
    if (where?.ownerId === botId) return undefined;
    const isStarter = messageId === thread || where?.type === ChannelType.PrivateThread;
    const first = isStarter ? undefined : await this.#firstOf(thread, place.chat, guildId);
    const quote = first && quoteOf(first, botId);
    const tags = tagsOf(where, this.#parentOf(place.chat, guildId));
    if (quote === undefined && where?.name === undefined) return undefined;
    return {
      ...(where?.name === undefined ? {} : { title: where.name }),
      ...(tags.length === 0 ? {} : { tags }),
      ...(quote === undefined ? {} : { quote }),
      attachments: first === undefined ? [] : pointedFilesOf(first, fetchFile),
    };
  }

  #parentOf(chat: string, guildId: string | undefined): Where | undefined {
    return this.#deps.places.known({ channel_id: chat, guild_id: guildId });
  }

  /**
   * A thread has the id of the message that it was started from, which stays in the channel; a
   * forum's post has that of its own first message (docs: Threads).
   */
  async #firstOf(
    thread: string,
    chat: string,
    guildId: string | undefined,
  ): Promise<PointedPayload | undefined> {
    const type = this.#parentOf(chat, guildId)?.type;
    const isForum = type === ChannelType.GuildForum || type === ChannelType.GuildMedia;
    const found = isForum ? undefined : await this.#fetch(chat, thread);
    // A parent that isn't known may be either.
    return found ?? (isForum || type === undefined ? await this.#fetch(thread, thread) : undefined);
  }

  async #fetch(channel: string, id: string): Promise<PointedPayload | undefined> {
    return await this.#inTime(
      this.#deps.rest
        .get(Routes.channelMessage(channel, id))
        .then((payload) => pointedSchema.parse(payload)),
    );
  }

  /** Undefined: it failed or took too long. */
  async #inTime<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await unlessAborted(work, AbortSignal.timeout(timeoutMs));
    } catch (failure) {
      this.#deps.log.info(
        { cause: messageOf(failure) },
        "a message that is referred to can't be read",
      );
      return undefined;
    }
  }
}

/** The names of a post's tags, which its forum knows. */
function tagsOf(where: Where | undefined, forum: Where | undefined): string[] {
  const names = new Map(forum?.tags?.map(({ id, name }) => [id, name]));
  return (where?.tagIds ?? []).flatMap((id) => names.get(id) ?? []);
}
