/**
 * What a person can see: anything but white space, control and format characters, combining marks
 * and whatever Unicode says is shown as nothing (variation selectors, Hangul fillers: U+115F,
 * U+1160, U+3164, U+FFA0), and but the empty Braille pattern, U+2800. Unassigned characters count:
 * they may be an emoji that is newer than our tables.
 */
const visible = /[^\p{White_Space}\p{Cc}\p{Cf}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether nothing of a text can be seen; platforms refuse a message that is blank. */
export const isBlank = (text: string): boolean => !visible.test(text);
