import { randomUUID } from "node:crypto";
import { parseChatKey, type ChatKey } from "../core/chat.ts";
import { pauseOf } from "../core/pause.ts";
import { readUnattended } from "../store/turns/chat-status.ts";
import { spokenIn } from "../core/outbox.ts";
import { localeFor } from "../locales/locale-for.ts";
import { unlessOutOfMemory } from "../store/redis/refusals.ts";
import type { Services } from "../services.ts";
import { notifyPaused } from "./notify-paused.ts";

/**
 * After this long without a worker, the person gets a notice that the message
 * is kept.
 */
const keptAfterMs = 15_000;
const keptWindowMs = 3_600_000;

/**
 * Tells a person that their message or command, which no worker has taken for a
 * while, is kept. Once for each.
 */
export async function notifyKept(
  services: Pick<Services, "store" | "people" | "post" | "pauses">,
  chat: ChatKey,
): Promise<void> {
  const entry = await readUnattended(services.store, chat);
  // It is no one's message that waits, but the clock's.
  if (entry?.kind === "message" && entry.schedule !== undefined) return;
  if (entry === undefined || services.store.clock.now() - entry.atMs < keptAfterMs) return;
  const pauses = await services.pauses.read();
  const pause = pauseOf(pauses, parseChatKey(chat).platform);
  if (pause !== undefined) {
    await notifyPaused(services, chat, pause, entry);
    return;
  }
  const isFirst = services.people
    .mayNotify(`kept:${chat}:${entry.id}`, randomUUID(), keptWindowMs)
    // Without memory to record the notice, don't send it at all rather than
    // repeatedly.
    .catch(unlessOutOfMemory(false));
  if (!(await isFirst)) return;
  const { turn } = localeFor(entry.person.language, entry.person.id);
  await services.post(chat, {
    kind: "notice",
    v: 1,
    id: `kept-${entry.id}`,
    ...spokenIn(entry.person.language),
    text: entry.kind === "message" ? turn.messageKept : turn.orderKept(entry.control),
    silent: true,
    ...(entry.group && entry.messageId !== undefined ? { replyTo: entry.messageId } : {}),
  });
}
