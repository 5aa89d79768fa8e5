/** UTF-16 units of a message's content (Discord's "Create Message"). */
export const maxContentUnits = 2_000;

/**
 * Discord's JSON parser refuses halves of surrogate pairs and the null character: they become
 * U+FFFD.
 */
export const sendable = (text: string): string => text.toWellFormed().replaceAll("\0", "\uFFFD");
