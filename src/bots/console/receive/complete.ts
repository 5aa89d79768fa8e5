/**
 * What Tab makes of a command that is being typed: the letters that all candidates share. Never
 * more than one candidate, so that readline prints no list into the conversation.
 */
export function complete(typed: string, names: readonly string[]): [string[], string] {
  if (!/^\/[a-z0-9_]*$/.test(typed)) return [[], typed];
  const hits = names.map((name) => `/${name}`).filter((name) => name.startsWith(typed));
  const [first = ""] = hits;
  if (hits.length === 1) return [[`${first} `], typed];
  let length = first.length;
  while (hits.some((hit) => !hit.startsWith(first.slice(0, length)))) length -= 1;
  return [length > typed.length ? [first.slice(0, length)] : [], typed];
}
