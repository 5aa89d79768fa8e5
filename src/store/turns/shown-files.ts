import type { ChatKey } from "../../core/chat.ts";
import {
  inboxEntrySchema,
  maxShownImages,
  type Attachment,
  type MessageEntry,
} from "../../core/history.ts";
import type { PlacedEntry } from "../../core/ports.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { readable } from "../stored.ts";
import { lookBack } from "./find-edited.ts";

/** An earlier message of a chat. */
export interface ShownMessage {
  readonly messageId: string;
  /** The bot's answer, which a conversation shows as text. */
  readonly isAnswer?: boolean | undefined;
}

/** See `Inbox`. What a person points at and the view leaves out has to be fetched once more. */
export async function showsFiles(store: Store, chat: ChatKey, of: ShownMessage): Promise<boolean> {
  const search = new FileSearch(of);
  const waiting = await store.redis.lrange(chatKeys(chat).inbox, 0, -1);
  const entries = waiting.flatMap((json) => readable(inboxEntrySchema, json) ?? []);
  const found =
    entries
      .toReversed()
      .map((entry) => search.look({ position: Infinity, entry }))
      .find((each) => each !== undefined) ??
    (await lookBack(store, chat, (entry) => search.look(entry), { mayMatter }));
  if (found === undefined || found === "none") return false;
  const pictures = found.filter(({ kind }) => kind === "image");
  const { blobPrefix } = chatKeys(chat);
  const kept = await Promise.all(
    pictures.map(({ blob }) => store.redis.exists(`${blobPrefix}${blob}`)),
  );
  return kept.every((count) => count === 1);
}

/** Answers and results aren't looked at. */
const mayMatter = (json: string): boolean =>
  /^{"kind":"(?:message|reset|undo|compaction)"/.test(json);

/** Looks from the newest entry back. States: `looking → shown, with files | none`. */
class FileSearch {
  readonly #of: ShownMessage;
  #hiddenFrom = Infinity;
  #summarisedTo = -1;
  #images = 0;

  constructor(of: ShownMessage) {
    this.#of = of;
  }

  look({
    position,
    entry,
  }: {
    readonly position: number;
    readonly entry: PlacedEntry["entry"] | { readonly kind: "control" };
  }): readonly Attachment[] | "none" | undefined {
    switch (entry.kind) {
      case "reset":
        return "none";
      case "undo":
        this.#hiddenFrom = Math.min(this.#hiddenFrom, entry.fromSeq);
        return undefined;
      case "compaction":
        // Others only shorten results.
        if (entry.fromSeq <= entry.toSeq)
          this.#summarisedTo = Math.max(this.#summarisedTo, entry.toSeq);
        return undefined;
      case "message":
        if (position <= this.#summarisedTo) return "none";
        return position < this.#hiddenFrom || position === Infinity
          ? this.#lookAt(entry)
          : undefined;
      default:
        return undefined;
    }
  }

  #lookAt({ messageId, attachments = [] }: MessageEntry) {
    const { messageId: wanted, isAnswer = false } = this.#of;
    if (messageId === wanted && !isAnswer) {
      const isLost =
        attachments.some(({ kind }) => kind === "image") && this.#images >= maxShownImages;
      return attachments.length === 0 || isLost ? "none" : attachments;
    }
    // Numbers grow within a chat: a message before the answer is shown, and so is the answer.
    if (isBefore(messageId, wanted)) return isAnswer ? [] : "none";
    this.#images += attachments.filter(({ kind }) => kind === "image").length;
    return undefined;
  }
}

const isBefore = (messageId: string | undefined, other: string): boolean =>
  messageId !== undefined &&
  [messageId, other].every((id) => /^\d{1,20}$/.test(id)) &&
  BigInt(messageId) < BigInt(other);
