/**
 * What people cannot see or tell from a space, or what moves or hides what they see: controls,
 * formats, what is ignored where it is shown, line and paragraph separators, every blank but the
 * space itself. An emoji's own presentation selector is no trick.
 */
const unseen =
  /(?!(?<=\p{Extended_Pictographic})\uFE0F)(?! )[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Shows each such character as its code, `\u202e`; those in `kept` stay. Pure. */
export const visible = (text: string, kept = ""): string =>
  text.replace(unseen, (character) => (kept.includes(character) ? character : codeOf(character)));

/** The codes of those characters, each as often as it is there. Pure. */
export const hiddenIn = (text: string, kept = ""): readonly string[] =>
  (text.match(unseen) ?? []).flatMap((character) =>
    kept.includes(character) ? [] : [codeOf(character)],
  );

function codeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}
