import type { TelegramMessage } from "./update.ts";

/** Of each kind, how many are remembered. */
const maxRemembered = 1_000;
/** Seconds that may lie between two pieces of a text; Telegram's dates have no fractions. */
const pasteSeconds = 2;

/**
 * Which pieces of albums and of split texts are meant for the bot though they do not name it: one
 * piece does, and stands for those that come after it.
 */
export class AddressedBursts {
  /** `<chat> <album>`. */
  readonly #albums = new Set<string>();
  /** By `<chat> <topic> <writer>`: when the last long piece was written, Unix time in seconds. */
  readonly #pastes = new Map<string, number>();

  /** The piece names the bot, or belongs to one that does. */
  note(message: TelegramMessage, isLong: boolean): void {
    const { chat, media_group_id: album, date = 0 } = message;
    if (album !== undefined) this.#albums.add(`${chat.id} ${album}`);
    if (isLong) {
      this.#pastes.delete(writerIn(message));
      this.#pastes.set(writerIn(message), date);
    }
    for (const remembered of [this.#albums, this.#pastes])
      for (const oldest of remembered.keys()) {
        if (remembered.size <= maxRemembered) break;
        remembered.delete(oldest);
      }
  }

  has(message: TelegramMessage): boolean {
    const { chat, media_group_id: album, date = 0, text } = message;
    if (album !== undefined) return this.#albums.has(`${chat.id} ${album}`);
    const before = this.#pastes.get(writerIn(message));
    if (text === undefined || before === undefined) return false;
    return date - before <= pasteSeconds;
  }
}

const writerIn = ({
  chat,
  message_thread_id: thread,
  from,
  sender_chat: sender,
}: TelegramMessage): string => `${chat.id} ${thread ?? ""} ${sender?.id ?? from?.id ?? ""}`;
