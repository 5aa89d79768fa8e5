import type { SendLimits } from "../../../core/ports.ts";

/**
 * Milliseconds between edits: the rate that Telegram accepts for long, and
 * about 20 a minute in groups.
 */
export const editIntervalMs = { private: 1_200, group: 3_500 };

/**
 * As Telegram's FAQ has it: 30 messages a second over all chats, 20 a minute in a group, about one
 * a second elsewhere, short bursts allowed. Edits count like messages.
 */
export const limits: SendLimits = {
  bot: { count: 30, perMs: 1_000, burst: 6 },
  chat: ({ chat }) =>
    chat.startsWith("-")
      ? { count: 20, perMs: 60_000, burst: 8 }
      : { count: 70, perMs: 60_000, burst: 10 },
};
