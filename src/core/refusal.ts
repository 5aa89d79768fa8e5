/**
 * Parts of a message that aren't its words: a platform that refuses one of them may take the rest.
 * `thread`: the topic of a private chat; `flags`: silent sending and link previews.
 */
export const decorations = [
  "file",
  "blocks",
  "markup",
  "reply",
  "thread",
  "flags",
  "buttons",
] as const;
export type Decoration = (typeof decorations)[number];

/**
 * Why a platform takes nothing of an entry. `closed`: the topic or thread takes no messages;
 * `gone`: the chat or topic no longer exists, or the bot isn't in it; `forbidden`: the bot lacks the
 * permission; `blocked`: the person doesn't take its messages; `moderated`: the server's filter
 * stopped the words.
 */
export const refusalReasons = ["closed", "gone", "forbidden", "blocked", "moderated"] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/**
 * The decoration that a refusal is about: the one that it names or, where it names none that the
 * message has, the first that may be the cause. Pure.
 * @param named by the refusal.
 * @param has what the refused request contained.
 * @param isUnclear the refusal may be about any part of the request.
 */
export function decorationToDrop(
  named: Decoration | undefined,
  has: ReadonlySet<Decoration>,
  isUnclear: boolean,
): Decoration | undefined {
  if (named !== undefined && has.has(named)) return named;
  return isUnclear ? decorations.find((each) => has.has(each)) : undefined;
}
