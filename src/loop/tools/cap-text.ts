import type { ChatKey } from "../../core/chat.ts";
import { messageOf } from "../../core/errors.ts";
import { readOn } from "../../tools/read-more.ts";
import type { LoopDeps } from "../deps.ts";

/**
 * The part of a long text that the model sees at once, and how it reads the rest. Never rejects.
 */
export async function capText(
  { kept, log }: Pick<LoopDeps, "kept" | "log">,
  { chat, turn }: { readonly chat: ChatKey; readonly turn: number },
  whole: string,
  maxLength: number,
): Promise<string> {
  const text = whole.toWellFormed();
  if (text.length <= maxLength) return text;
  // Never half of a surrogate pair: the offset must be where the next page begins.
  const splits = /[\uD800-\uDBFF]/.test(text[maxLength - 1] ?? "");
  const offset = splits ? maxLength - 1 : maxLength;
  const shown = text.slice(0, offset);
  const total = text.length;
  try {
    const id = await kept.keep(chat, text, turn);
    return `${shown}\n${readOn({ id, offset, total })}`;
  } catch (error) {
    log.warn({ chat, error: messageOf(error) }, "couldn't save a long result");
    return `${shown}\n[cut: ${total} characters in all]`;
  }
}
