import type { ChatKey } from "../core/chat.ts";
import { messageOf } from "../core/errors.ts";
import type { ControlEntry, MessageEntry } from "../core/history.ts";
import { spokenIn } from "../core/outbox.ts";
import type { Pause } from "../core/pause.ts";
import { readRequester, readWaiting } from "../store/turns/chat-status.ts";
import { localeFor } from "../locales/locale-for.ts";
import { unlessUnreadable } from "../store/unreadable.ts";
import type { Services } from "../services.ts";

/**
 * Tells the author of the oldest waiting message in a paused chat that it is
 * kept. Once per pause: the notice is named after it. Fulfils with whether
 * there was such a message.
 */
export async function notifyPaused(
  { store, post }: Pick<Services, "store" | "post">,
  chat: ChatKey,
  pause: Pause,
  known?: MessageEntry | ControlEntry,
): Promise<boolean> {
  const entry = known ?? (await readWaiting(store, chat));
  if (entry === undefined) return false;
  await post(chat, {
    kind: "notice",
    v: 1,
    id: `paused-${pause.sinceMs}`,
    ...spokenIn(entry.person.language),
    text: localeFor(entry.person.language, entry.person.id).pause.kept,
    silent: true,
    ...(entry.group && entry.messageId !== undefined ? { replyTo: entry.messageId } : {}),
  });
  return true;
}

/**
 * Stops the turn that this worker runs, if any. Its requester is notified when it
 * has ended, unless its answer was complete by then.
 */
export async function haltTurn(
  { store, pauses, log }: Pick<Services, "store" | "pauses" | "log">,
  chat: ChatKey,
  pause: Pause,
): Promise<void> {
  const report = (what: string, error: unknown): void =>
    log.warn({ what, error: messageOf(error) }, "the person of a paused turn is unknown");
  // Stop it even if their language is unknown.
  const requester = await unlessUnreadable(report, chat, () => readRequester(store, chat));
  const language = requester?.language;
  await pauses.halt(chat, {
    kind: "notice",
    v: 1,
    id: `halted-${pause.sinceMs}`,
    ...spokenIn(language),
    text: localeFor(language, chat).pause.halted,
    silent: true,
  });
}
