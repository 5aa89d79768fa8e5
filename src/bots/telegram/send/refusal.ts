import { decorationToDrop, type Decoration, type RefusalReason } from "../../../core/refusal.ts";

/**
 * Descriptions of 400s by what they are about: sentences of tdlib and telegram-bot-api (Client.cpp)
 * and codes of Telegram's servers. The first that matches counts: "reply markup" are buttons.
 */
const parts: readonly (readonly [RegExp, Decoration])[] = [
  [/button|keyboard|reply[ _]markup/i, "buttons"],
  [/thread|topic/i, "thread"],
  [/\brepl(?:y|ied)\b|REPLY_|quote/i, "reply"],
  [/entit/i, "markup"],
  [/link preview|web ?page|disable_notification/i, "flags"],
  [/\bfile\b|FILE_|document|MEDIA_/i, "file"],
];

/** Descriptions of 400s that no other form of the message changes. */
const reasons: readonly (readonly [RegExp, RefusalReason])[] = [
  [/TOPIC_CLOSED|topic (?:is )?closed/i, "closed"],
  [/thread not found|TOPIC_(?:DELETED|ID_INVALID)|topic (?:is |was )?deleted/i, "gone"],
  [
    /(?:chat|user) not found|chat was (?:deactivated|deleted)|PEER_ID_INVALID|CHANNEL_INVALID/i,
    "gone",
  ],
  [
    /CHANNEL_PRIVATE|CHAT_ID_INVALID|USER_ID_INVALID|INPUT_USER_DEACTIVATED|not a (?:chat )?member/i,
    "gone",
  ],
  [/rights|CHAT_(?:WRITE|SEND|ADMIN|GUEST|RESTRICTED)|USER_BANNED|RESTRICTED/i, "forbidden"],
  [/USER_IS_BLOCKED|user is deactivated|PRIVACY|initiate/i, "blocked"],
];

/** The same for 403s. */
const forbidden: readonly (readonly [RegExp, RefusalReason])[] = [
  [/was kicked|not a member|chat was deleted/i, "gone"],
  [/blocked|deactivated|initiate|PRIVACY/i, "blocked"],
];

/** 400s about the words, or about the message to edit. */
const isAboutWords =
  /too long|TOO_LONG|(?:text|message) (?:is empty|must be)|MESSAGE_EMPTY|can't be edited|to edit|UTF-8|upgraded/i;

/**
 * 400s that say nothing about the message: codes of Telegram's servers that are to be tried again
 * (core.telegram.org/api/errors), passed on by the Bot API server.
 */
export const isPassing = (code: number, description: string): boolean =>
  code === 409 ||
  (code === 400 &&
    /FLOOD|SLOWMODE|_WAIT|RPC_|WORKER_BUSY|TIMEOUT|temporar|try again|internal/i.test(description));

/** The part that may be left out, or the reason why nothing helps. Pure. @param has the parts of the request. */
export function aboutRefusal(
  code: number,
  description: string,
  has: ReadonlySet<Decoration>,
): { readonly about?: Decoration; readonly reason?: RefusalReason } {
  if (code === 403) return { reason: find(forbidden, description) ?? "forbidden" };
  // A server that doesn't know rich messages answers 404, and one in front of it 413 to large files.
  if (code === 404) return has.has("blocks") ? { about: "blocks" } : {};
  if (code === 413) return has.has("file") ? { about: "file" } : {};
  if (code !== 400) return {};
  const reason = find(reasons, description);
  // The same words as text may fit where blocks are too long.
  const isUnclear = !reason && (has.has("blocks") || !isAboutWords.test(description));
  const about = decorationToDrop(find(parts, description), has, isUnclear);
  if (about !== undefined) return { about };
  return reason === undefined ? {} : { reason };
}

const find = <Found>(
  list: readonly (readonly [RegExp, Found])[],
  description: string,
): Found | undefined => list.find(([pattern]) => pattern.test(description))?.[1];
