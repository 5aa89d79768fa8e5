/** Longer ones are rare. UTF-16 units. */
const longest = 100_000;
/** About what an entry takes besides its text, in UTF-16 units. */
const entryLength = 50;

/**
 * Caches a function of texts, so that a text that recurs is processed once.
 * @param maxLength UTF-16 units that are cached at least, entries included; up to twice as many are.
 */
export function remembering(
  give: (text: string) => string,
  maxLength = 4_000_000,
): (text: string) => string {
  let young = new Map<string, string>();
  let old = new Map<string, string>();
  let length = 0;
  return (text) => {
    if (text.length > longest) return give(text);
    const known = young.get(text);
    if (known !== undefined) return known;
    const given = old.get(text) ?? give(text);
    young.set(text, given);
    length += text.length + entryLength;
    if (length > maxLength) {
      old = young;
      young = new Map();
      length = 0;
    }
    return given;
  };
}
