import type { Logger } from "pino";
import { chatKey } from "../../../core/chat.ts";
import {
  messageOf,
  PermanentError,
  unreachable,
} from "../../../core/errors.ts";
import type {
  Accept,
  InboundCommand,
  InboundMessage,
} from "../../../core/inbound.ts";
import type { Sender } from "../../../core/ports.ts";
import type { OwnIdentity } from "./addressed.ts";
import { Lanes } from "./lanes.ts";
import { Patience, type PatienceDependencies } from "./patience.ts";
import type { Taps } from "./taps.ts";
import { translate, type Translation } from "./translate.ts";
import type { WordlessReply } from "./wordless-reply.ts";

export interface ReceiverDependencies extends PatienceDependencies {
  readonly bot: OwnIdentity;
  readonly accept: Accept;
  readonly taps: Taps;
  readonly wordless: WordlessReply;
  readonly sender: Sender;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Gives each update to those it is for. A chat's messages are handed over one by one in their order, each again and again
 * until it is safe; different chats, and all taps, wait for nobody.
 */
export class Receiver {
  readonly #deps: ReceiverDependencies;
  readonly #patience: Patience;
  readonly #lanes = new Lanes();

  constructor(deps: ReceiverDependencies) {
    this.#deps = deps;
    this.#patience = new Patience(deps, "handing messages over");
  }

  /** Fulfils once the update may be forgotten by Telegram; rejects only when the signal aborted before that. */
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

  async #route(
    translation: Translation,
    updateId: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { taps, wordless } = this.#deps;
    switch (translation.type) {
      case "nothing":
        return;
      case "wordless":
        return wordless.reply(translation);
      case "tap":
        return await taps.decide(translation);
      case "stray-tap":
        return await taps.decline(translation.queryId);
      case "arrival": {
        const { inbound } = translation;
        return await this.#lanes.run(chatKey(inbound.address), () =>
          this.#handOver(inbound, updateId, signal),
        );
      }
      default:
        return unreachable(translation);
    }
  }

  /** What we can't read today we can't read tomorrow: such an update is left out, not tried for ever. */
  #translate(update: { readonly update_id: number }): Translation {
    const { bot, log } = this.#deps;
    try {
      return translate(update, bot, Date.now());
    } catch (error) {
      log.error(
        { updateId: update.update_id, cause: messageOf(error) },
        "skipped an update that could not be read",
      );
      return { type: "nothing" };
    }
  }

  async #handOver(
    inbound: InboundMessage | InboundCommand,
    updateId: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { accept, log } = this.#deps;
    for (let attempt = 1; ; attempt += 1) {
      signal.throwIfAborted();
      try {
        const acceptance = await accept(inbound);
        this.#patience.itWorks();
        // The outbox is full with the store: these words go straight to the person.
        if (acceptance.type === "not-kept")
          void this.#tell(inbound, updateId, acceptance.text);
        return;
      } catch (error) {
        const cause = messageOf(error);
        if (isHopeless(error)) {
          log.error(
            { updateId, cause },
            "skipped a message that cannot be accepted",
          );
          // The chat does not wait for it.
          const words = `Sorry, I could not take this message. (${updateId})`;
          void this.#tell(inbound, updateId, words);
          return;
        }
        const trouble = {
          kind: "accept",
          explanation:
            "messages cannot be stored; they wait at Telegram until they can",
          cause,
        };
        await this.#patience.wait(trouble, attempt, signal);
      }
    }
  }

  /** Sent once and not retried: the update is forgotten either way. Never rejects, as senders do not. */
  async #tell(
    { address, messageId }: InboundMessage | InboundCommand,
    updateId: number,
    words: string,
  ): Promise<void> {
    const { sender, log } = this.#deps;
    const options = {
      nonce: `told-${updateId}`,
      final: true,
      ...(messageId === undefined ? {} : { replyTo: messageId }),
    };
    for (const chunk of sender.plain(words)) {
      const outcome = await sender.send(address, chunk, options);
      if (outcome.type !== "sent")
        log.warn(
          { updateId, cause: outcome.cause },
          "the person could not be told of a message that is not kept",
        );
    }
  }
}

/** A fault of the message or of our code; one that repeats itself would stop the chat, and in the end the bot, for good. */
const isHopeless = (thrown: unknown): boolean =>
  thrown instanceof PermanentError ||
  thrown instanceof TypeError ||
  thrown instanceof RangeError;
