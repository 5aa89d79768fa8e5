import type { Api } from "grammy";
import type { Logger } from "pino";
import { chatKey, type ChatAddress } from "../../../core/chat.ts";
import { messageOf, PermanentError, unreachable } from "../../../core/errors.ts";
import type { Accept, Acceptance } from "../../../core/inbound.ts";
import type { ChatMoves, NoteReach, Sender } from "../../../core/ports.ts";
import { sendUndecorated } from "../../../core/send-undecorated.ts";
import { localeFor } from "../../../locales/locale-for.ts";
import { unlessAborted } from "../../../util/abort.ts";
import { queueEntryOf, type Commands } from "../../keyed-queue/priority.ts";
import { KeyedQueue, type Queued } from "../../keyed-queue/keyed-queue.ts";
import { describe } from "../send/describe.ts";
import { requestSignal } from "../send/request-signal.ts";
import { FileFetchError } from "./files.ts";
import type { NoticeThrottle } from "./notice-throttle.ts";
import { Backoff, type BackoffDependencies, type Failure } from "./backoff.ts";
import type { Taps } from "./taps.ts";
import type { Arriving, MessageContext } from "./translate-message.ts";
import { translate, type Translation } from "./translate.ts";

/** One of those that bots may use. https://core.telegram.org/bots/api#reactiontypeemoji */
const refusedEmoji = "😴";

/** `settled`: see `Acceptance`. */
type Taken = Pick<Acceptance & { readonly type: "ignored" }, "settled">;

export interface ReceiverDependencies extends BackoffDependencies {
  /** The dependencies for reading updates. */
  readonly context: Omit<MessageContext, "nowMs">;
  readonly accept: Accept;
  /** Milliseconds since the epoch, by the clock that all processes share. */
  readonly now: () => number;
  readonly commandsByName: Commands;
  readonly taps: Taps;
  readonly api: Pick<Api, "setMessageReaction">;
  readonly moves: ChatMoves;
  readonly noteReach: NoteReach;
  readonly noticeThrottle: NoticeThrottle;
  readonly sender: Sender;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Passes each update to its handlers. A chat's messages are processed one by
 * one in order, each retried until it is durable; different chats, and all
 * taps, wait for nothing, and most commands don't wait for files.
 */
export class Receiver {
  readonly #deps: ReceiverDependencies;
  readonly #backoff: Backoff;
  readonly #queue = new KeyedQueue();

  constructor(deps: ReceiverDependencies) {
    this.#deps = deps;
    this.#backoff = new Backoff(deps, "handing messages over");
  }

  /**
   * Fulfils once the update may be forgotten by Telegram; rejects only when the signal aborted
   * before that.
   */
  async take(
    update: { readonly update_id: number },
    signal: AbortSignal = this.#deps.signal,
  ): Promise<void> {
    const { log } = this.#deps;
    try {
      await this.#route(this.#translate(update), update.update_id, signal);
    } catch (error) {
      signal.throwIfAborted();
      log.error(
        { updateId: update.update_id, cause: messageOf(error) },
        "skipped an update that could not be handled",
      );
    }
  }

  async #route(translation: Translation, updateId: number, signal: AbortSignal): Promise<void> {
    const { taps, commandsByName } = this.#deps;
    switch (translation.type) {
      case "nothing":
        return;
      case "reach":
        return await this.#queue.run(chatKey(translation.address), () =>
          this.#noteReach(translation.address, translation.isReachable, signal),
        );
      case "moved":
        return await this.#queue.run(chatKey(translation.address), () =>
          this.#move(translation, signal),
        );
      case "tap":
        return await taps.decide(translation);
      case "stray-tap":
        return await taps.decline(translation.queryId, translation.person.language);
      case "arrival": {
        const { inbound, refusal } = translation;
        const arrive = (queued: Queued) =>
          this.#arrive(
            {
              ...(refusal === undefined ? {} : { refusal }),
              inbound: { ...inbound, ...queued },
            },
            updateId,
            signal,
          );
        const { settled } = await this.#queue.run(
          chatKey(inbound.address),
          arrive,
          queueEntryOf(inbound, commandsByName),
        );
        // Telegram delivers it again until then.
        if (settled) await unlessAborted(settled, signal);
        return;
      }
      default:
        return unreachable(translation);
    }
  }

  /** An unreadable update stays unreadable: it is skipped, not retried for ever. */
  #translate(update: { readonly update_id: number }): Translation {
    const { context, now, log } = this.#deps;
    try {
      return translate(update, { ...context, nowMs: now() });
    } catch (error) {
      log.error(
        { updateId: update.update_id, cause: messageOf(error) },
        "skipped an update that could not be read",
      );
      return { type: "nothing" };
    }
  }

  /** Repeated refusals are sent only once in a while. */
  async #arrive(
    { inbound, refusal }: Arriving,
    updateId: number,
    signal: AbortSignal,
  ): Promise<Taken> {
    const { noticeThrottle } = this.#deps;
    if (inbound.type === "join") await this.#noteReach(inbound.address, true, signal);
    if (refusal === undefined) return await this.#releaseOutbox(inbound, updateId, signal);
    if (noticeThrottle.has(inbound.address, refusal)) return {};
    const taken = await this.#releaseOutbox(inbound, updateId, signal);
    noticeThrottle.note(inbound.address, refusal);
    return taken;
  }

  /** Later messages of this chat wait until it is stored. */
  async #move(
    { address, from, to }: Translation & { readonly type: "moved" },
    signal: AbortSignal,
  ): Promise<void> {
    const { moves, log } = this.#deps;
    await this.#untilStored(() => moves.record(from, to), signal);
    log.info({ from, to }, "a group has become a supergroup");
    // The bot may have been told that it has left the group before.
    await this.#noteReach({ ...address, chat: from }, true, signal);
  }

  /** A chat keeps its first id; events of that one mean nothing once it has moved. */
  async #noteReach(
    { platform, bot, chat }: ChatAddress,
    isReachable: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { moves, noteReach } = this.#deps;
    await this.#untilStored(async () => {
      if (!isReachable && (await moves.idOf(chat)) !== chat) return;
      const name = await moves.nameOf(chat);
      await noteReach({ bot: `${platform}:${bot}`, chats: [name], isReachable });
    }, signal);
  }

  async #untilStored(store: () => Promise<void>, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      signal.throwIfAborted();
      try {
        await store();
        this.#backoff.itWorks();
        return;
      } catch (error) {
        await this.#backoff.wait(storeFailure(error), attempt, signal);
      }
    }
  }

  async #releaseOutbox(
    inbound: Arriving["inbound"],
    updateId: number,
    signal: AbortSignal,
  ): Promise<Taken> {
    const { accept, log } = this.#deps;
    for (let attempt = 1; ; attempt += 1) {
      signal.throwIfAborted();
      try {
        const acceptance = await accept(inbound);
        this.#backoff.itWorks();
        // The outbox is full with the store: these words go straight to the person.
        if (acceptance.type === "not-kept") void this.#notify(inbound, updateId, acceptance.text);
        if (acceptance.type === "refused" && acceptance.isMarked) void this.#mark(inbound);
        return acceptance.type === "ignored" ? acceptance : {};
      } catch (error) {
        const cause = messageOf(error);
        if (isHopeless(error)) {
          log.error({ updateId, cause }, "skipped a message that can't be accepted");
          // The chat does not wait for it.
          const { notTaken } = localeFor(inbound.person.language, inbound.person.id).platform;
          void this.#notify(inbound, updateId, notTaken(String(updateId)));
          return {};
        }
        await this.#backoff.wait(failureOf(error), attempt, signal);
      }
    }
  }

  /** A reaction to a message that is refused again. Never rejects. */
  async #mark({ address, messageId }: Arriving["inbound"]): Promise<void> {
    const { api, log, signal } = this.#deps;
    if (messageId === undefined) return;
    try {
      await api.setMessageReaction(
        address.chat,
        Number(messageId),
        [{ type: "emoji", emoji: refusedEmoji }],
        {},
        requestSignal(signal),
      );
    } catch (error) {
      log.debug({ chat: address.chat, cause: describe(error) }, "a reaction was not shown");
    }
  }

  /**
   * Sent once and not retried: the update is forgotten either way. Never rejects, as senders do
   * not.
   */
  async #notify(inbound: Arriving["inbound"], updateId: number, words: string): Promise<void> {
    const { sender, log } = this.#deps;
    const { address, messageId } = inbound;
    const isForUs = inbound.type !== "message" || inbound.isAddressed !== false;
    if (inbound.type === "edit" || inbound.type === "join" || !isForUs) return;
    const options = {
      nonce: `told-${updateId}`,
      final: true,
      ...(messageId === undefined ? {} : { replyTo: messageId }),
    };
    for (const chunk of sender.plain(words)) {
      const outcome = await sendUndecorated(sender, address, { chunk, options });
      if (outcome.type !== "sent")
        log.warn(
          { updateId, cause: outcome.cause },
          "couldn't notify a person that their message wasn't saved",
        );
    }
  }
}

/**
 * A fault of the message or of our code; one that repeats itself would stop the chat, and in the
 * end the bot, for good.
 */
const isHopeless = (thrown: unknown): boolean =>
  thrown instanceof PermanentError ||
  thrown instanceof TypeError ||
  thrown instanceof ReferenceError ||
  thrown instanceof RangeError;

function failureOf(error: unknown): Failure {
  if (!(error instanceof FileFetchError)) return storeFailure(error);
  return {
    kind: "file",
    explanation: "can't fetch a file from Telegram; retrying",
    cause: messageOf(error),
    afterMs: error.retryAfterMs,
  };
}

const storeFailure = (error: unknown): Failure => ({
  kind: "accept",
  explanation: "can't store messages; they wait at Telegram until I can",
  cause: messageOf(error),
});
