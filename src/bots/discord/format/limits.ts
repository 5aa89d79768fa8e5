/** UTF-16 units of a message's content (Discord's "Create Message"). */
export const maxContentUnits = 2_000;

/** What Discord's JSON reader would refuse: halves of surrogate pairs and the null character become U+FFFD. */
export const sendable = (text: string): string =>
  text.toWellFormed().replaceAll("\0", "\uFFFD");
