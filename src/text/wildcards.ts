/**
 * Plain text with `*` for anything, matched without backtracking: each part is searched after the
 * previous one.
 */
export function wildcards(pattern: string): (text: string) => boolean {
  const parts = pattern.split("*");
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  return (text) => {
    if (last === undefined) return text === first;
    if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last))
      return false;
    let at = first.length;
    for (const part of rest) {
      const found = text.indexOf(part, at);
      if (found < 0 || found + part.length > text.length - last.length) return false;
      at = found + part.length;
    }
    return true;
  };
}
