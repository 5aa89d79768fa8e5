import {
  ChannelType,
  DiscordAPIError,
  RateLimitError,
  RESTJSONErrorCodes,
  Routes,
} from "discord.js";
import type { REST } from "discord.js";
import type { Logger } from "pino";
import { isBlank } from "../../../text/blank.ts";
import type { ChatAddress, Person } from "../../../core/chat.ts";
import { messageOf } from "../../../core/errors.ts";
import type { Whereabouts } from "../../../core/places.ts";
import { shorten } from "../../markdown/graphemes.ts";
import type { MessagePayload } from "./payloads.ts";
import { personOf } from "./person.ts";
import type { Where } from "./places.ts";
import { eventIdOf, isTypedCommand, namesBot, titleOf } from "./translate-message.ts";
import type { MessageContext } from "./translate-message.ts";

/** Discord takes 100 characters; a title is read in a narrow column. UTF-16 units. */
const maxNameUnits = 80;

/** Who asks waits for no longer than this until a thread may be opened again. */
const timeoutMs = 5_000;

/** Where Discord lets threads be opened from a message. */
const parents: ReadonlySet<number | undefined> = new Set([
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
]);

interface AutoThreadDeps {
  readonly rest: Pick<REST, "post" | "put" | "get">;
  readonly botId: string;
  readonly commands: MessageContext["commands"];
  /** Whether the gateway has reported the channel or thread. */
  readonly isKnown: (channelId: string) => boolean;
  /** Whether the person may talk to the bot; only then a thread is opened. */
  readonly mayAsk: (person: Person, where: Whereabouts) => Promise<boolean>;
  /** Whether the chat has taken this event: it is answered there. */
  readonly hasSeen: (chat: ChatAddress, eventId: string) => Promise<boolean>;
  readonly log: Logger;
}

/**
 * Opens a thread for a question that mentions the bot in a channel. A thread
 * has the id of the message it was opened from, and Discord opens no second
 * one: handling the message again finds the same thread.
 */
export class AutoThreads {
  readonly #deps: AutoThreadDeps;

  constructor(deps: AutoThreadDeps) {
    this.#deps = deps;
  }

  /** Whether a message there is to have one. Pure. */
  wants(message: MessagePayload, { type }: Where): boolean {
    const { botId } = this.#deps;
    return (
      message.guild_id !== undefined &&
      parents.has(type) &&
      namesBot(message, botId) &&
      // A reply goes on where it stands.
      message.referenced_message?.author.id !== botId &&
      !isTypedCommand(message, this.#deps) &&
      (titleOf(message, botId) !== "" || message.attachments.length > 0)
    );
  }

  /** Where the message is answered. @throws what REST throws while Discord cannot be asked. */
  async openFor(message: MessagePayload, where: Where): Promise<Where> {
    const { botId: bot, mayAsk, hasSeen } = this.#deps;
    const person = personOf(message.author, { member: message.member });
    const chat = { platform: "discord", bot, ...where.place } as const;
    const { guild_id: guild } = message;
    const whereabouts = {
      address: chat,
      direct: guild === undefined,
      ...(guild === undefined ? {} : { guild }),
    };
    if (!(await mayAsk(person, whereabouts))) return where;
    if (await hasSeen(chat, eventIdOf(message))) return where;
    return (await this.#isOpen(message, person)) ? this.#threadOf(message) : where;
  }

  #threadOf({ channel_id: chat, id: thread }: MessagePayload): Where {
    return {
      place: { chat, thread },
      type: ChannelType.PublicThread,
      ownerId: this.#deps.botId,
    };
  }

  async #isOpen(message: MessagePayload, person: Person): Promise<boolean> {
    const { rest, log } = this.#deps;
    const { id, channel_id: channel } = message;
    if (this.#deps.isKnown(id)) return true;
    try {
      await rest.post(Routes.threads(channel, id), {
        body: { name: this.#nameOf(message, person) },
      });
    } catch (failure) {
      if (!isRefusal(failure) && !takesLong(failure)) throw failure;
      if (isRefusal(failure) && failure.code === RESTJSONErrorCodes.ThreadAlreadyCreatedForMessage)
        return true;
      const cause = messageOf(failure);
      log.warn({ channel, cause }, "a thread could not be opened");
      return await this.#exists(id);
    }
    // Adds the requester, so that they are notified of messages there; a
    // failure doesn't matter.
    await rest
      .put(Routes.threadMembers(id, message.author.id))
      .catch((failure: unknown) =>
        log.debug({ cause: messageOf(failure) }, "a person was not added to their thread"),
      );
    return true;
  }

  /** It may have been opened before, when the bot was still allowed to. */
  async #exists(threadId: string): Promise<boolean> {
    try {
      await this.#deps.rest.get(Routes.channel(threadId));
      return true;
    } catch (failure) {
      if (isRefusal(failure)) return false;
      throw failure;
    }
  }

  #nameOf(message: MessagePayload, { name }: Person): string {
    const title = titleOf(message, this.#deps.botId);
    return shorten(isBlank(title) ? name : title, maxNameUnits);
  }
}

/** Threads have a rate limit of minutes. */
const takesLong = (failure: unknown): boolean =>
  failure instanceof RateLimitError && failure.retryAfter > timeoutMs;

/** Discord's word on this request; a 401 is about the token, and passes. */
const isRefusal = (failure: unknown): failure is DiscordAPIError =>
  failure instanceof DiscordAPIError && failure.status < 500 && failure.status !== 401;
