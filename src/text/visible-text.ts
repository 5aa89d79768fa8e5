import { replaceUnseen } from "../core/unseen.ts";

/** Shows each unseen character as its code, `\u202e`; those in `kept` stay. Pure. */
export const visible = (text: string, kept = ""): string =>
  replaceUnseen(text, (character) => (kept.includes(character) ? character : codeOf(character)));

/** The codes of those characters, each as often as it is there. Pure. */
export function hiddenIn(text: string, kept = ""): readonly string[] {
  const codes: string[] = [];
  replaceUnseen(text, (character) => {
    if (!kept.includes(character)) codes.push(codeOf(character));
    return character;
  });
  return codes;
}

function codeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}
