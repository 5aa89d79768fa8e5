import { type Api, GrammyError, HttpError } from "grammy";
import type { Logger } from "pino";
import type { ChatMoves } from "../../../core/ports.ts";
import type { Acceptance, Accept, InboundTap } from "../../../core/inbound.ts";
import { messageOf, unreachable } from "../../../core/errors.ts";
import { localeFor } from "../../../locales/locale-for.ts";
import type { Locale } from "../../../locales/locale.ts";
import type { Sleep } from "../../../util/sleep.ts";
import { shorten } from "../../markdown/graphemes.ts";
import { describe } from "../send/describe.ts";
import type { Translation } from "./translate.ts";
import { requestSignal } from "../send/request-signal.ts";

export interface TapsDependencies {
  readonly api: Pick<Api, "answerCallbackQuery" | "editMessageReplyMarkup" | "leaveChat">;
  readonly moves: Pick<ChatMoves, "idOf">;
  readonly accept: Accept;
  readonly now: () => number;
  readonly log: Logger;
  readonly sleep: Sleep;
  readonly signal: AbortSignal;
}

type TranslatedTap = Extract<Translation, { readonly type: "tap" }>;

interface Answer {
  readonly text: string;
  /** Shown in a window that has to be closed, not just for a moment. */
  readonly isAlert: boolean;
}

/** UTF-16 units. https://core.telegram.org/bots/api#answercallbackquery */
const maxAnswerUnits = 200;
/** Milliseconds: a query must be answered within about 15 s, and a person watches. */
const timeoutMs = 8_000;

/** Decides taps, and answers every query exactly once, whatever happens. */
export class Taps {
  readonly #deps: TapsDependencies;

  constructor(deps: TapsDependencies) {
    this.#deps = deps;
  }

  async decide({ inbound, queryId, isReal }: TranslatedTap): Promise<void> {
    const acceptance = await this.#decision(inbound);
    await this.#answer(
      queryId,
      answerOf(acceptance, localeFor(inbound.person.language, inbound.person.id).platform),
    );
    if (acceptance?.type === "answered" && acceptance.leaves !== undefined)
      await this.#leave(acceptance.leaves);
    if (isReal && acceptance && "isStale" in acceptance) await this.#takeButtonsAway(inbound);
  }

  async decline(queryId: string, language?: string): Promise<void> {
    const text = localeFor(language, "telegram").telegram.buttonIsGone;
    await this.#answer(queryId, { text, isAlert: true });
  }

  /**
   * A tap that the store did not take in time must not count later: the person
   * was asked to tap again.
   */
  async #decision(tap: InboundTap): Promise<Acceptance | undefined> {
    const { accept, now, log, sleep, signal } = this.#deps;
    const decided = new AbortController();
    const ended = AbortSignal.any([signal, decided.signal]);
    const late = sleep(timeoutMs, ended).then(
      () => undefined,
      () => undefined,
    );
    const notAfterMs = now() + timeoutMs;
    const accepted = accept({ ...tap, notAfterMs }).catch((error: unknown) => {
      log.error({ tap: tap.id, cause: messageOf(error) }, "a tap could not be handed over");
      return undefined;
    });
    const acceptance = await Promise.race([accepted, late]);
    decided.abort();
    return acceptance;
  }

  /**
   * If a card was sent again after a crash, only the second is known by its id:
   * the first is updated when tapped.
   */
  async #takeButtonsAway({ address, messageId }: InboundTap): Promise<void> {
    const { api, log, signal } = this.#deps;
    try {
      await api.editMessageReplyMarkup(address.chat, Number(messageId), {}, requestSignal(signal));
    } catch (error) {
      log.debug(
        { chat: address.chat, cause: describe(error) },
        "the buttons of an old card stayed",
      );
    }
  }

  /** The group of an answered card. If it fails, the bot stays, and may be removed by hand. */
  async #leave(place: string): Promise<void> {
    const { api, moves, log, signal } = this.#deps;
    const chat = place.slice("telegram:chat:".length);
    try {
      await api.leaveChat(await moves.idOf(chat), requestSignal(signal));
    } catch (error) {
      log.warn({ chat, cause: describe(error) }, "could not leave a group");
    }
  }

  async #answer(queryId: string, answer: Answer, isSecond = false): Promise<void> {
    const { api, log, signal } = this.#deps;
    const text = shorten(answer.text, maxAnswerUnits);
    const others = {
      ...(text === "" ? {} : { text }),
      ...(answer.isAlert ? { show_alert: true } : {}),
    };
    try {
      await api.answerCallbackQuery(queryId, others, requestSignal(signal));
    } catch (error) {
      // It is unknown whether it arrived. Answering twice is harmless; without
      // an answer the button keeps spinning.
      if (!isSecond && isOnTheWay(error) && !signal.aborted)
        return await this.#answer(queryId, answer, true);
      log.warn({ cause: describe(error) }, "a tap could not be answered");
    }
  }
}

/** The answer, or the news of it, was lost on the way. */
const isOnTheWay = (thrown: unknown): boolean =>
  thrown instanceof HttpError || (thrown instanceof GrammyError && thrown.error_code >= 500);

function answerOf(acceptance: Acceptance | undefined, say: Locale["platform"]): Answer {
  if (acceptance === undefined) return { text: say.tryAgain, isAlert: true };
  switch (acceptance.type) {
    case "ignored":
    case "queued":
    case "duplicate":
      return { text: "", isAlert: false };
    case "answered":
      return { text: acceptance.text, isAlert: false };
    case "form":
      // Telegram has none: it says what to write instead.
      return { text: acceptance.text, isAlert: true };
    case "not-kept":
      return { text: acceptance.text, isAlert: true };
    case "refused":
      return { text: acceptance.text ?? say.notAllowed, isAlert: true };
    default:
      return unreachable(acceptance);
  }
}
