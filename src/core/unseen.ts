/**
 * Characters that can't be seen alone, but change how the letters around them look, as people write
 * their languages. Sources: UTS 46, CONTEXTJ; Unicode 14, Canonical_Combining_Class (9) and Joining_Type;
 * UTS 51; UTS 37.
 */

/** Signs that end a consonant (viramas); a joiner or non-joiner after one chooses its form. */
const virama = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84\u1039\u103a\u1714\u1715\u1734\u17d2\u1a60\u1b44\u1baa\u1bab\u1bf2\u1bf3\u2d7f\ua806\ua82c\ua8c4\ua953\ua9c0\uaaf6\uabed\u{10a3f}\u{11046}\u{11070}\u{1107f}\u{110b9}\u{11133}\u{11134}\u{111c0}\u{11235}\u{112ea}\u{1134d}\u{11442}\u{114c2}\u{115bf}\u{1163f}\u{116b6}\u{1172b}\u{11839}\u{1193d}\u{1193e}\u{119e0}\u{11a34}\u{11a47}\u{11a99}\u{11c3f}\u{11d44}\u{11d45}\u{11d97}]`;

/** Joining_Type D or L, in scripts of today: letters that join the next one. */
const joinsNext = String.raw`[\u0620\u0626\u0628\u062a-\u062e\u0633-\u063f\u0641-\u0647\u0649\u064a\u066e\u066f\u0678-\u0687\u069a-\u06bf\u06c1\u06c2\u06cc\u06ce\u06d0\u06d1\u06fa-\u06fc\u06ff\u0712-\u0714\u071a-\u071d\u071f-\u0727\u0729\u072b\u072d\u072e\u074e-\u0758\u075c-\u076a\u076d-\u0770\u0772\u0775-\u0777\u077a-\u077f\u07ca-\u07ea\u0841-\u0845\u0848\u084a-\u0853\u0855\u0860\u0862-\u0865\u0868\u0886\u0889-\u088d\u08a0-\u08a9\u08af\u08b0\u08b3-\u08b8\u08ba-\u08c8\u1807\u1820-\u1878\u1887-\u18a8\u18aa\u{1e900}-\u{1e943}]`;
/** Joining_Type D or R: letters that join the one before. */
const joinsLast = String.raw`[\u0620\u0622-\u063f\u0641-\u064a\u066e\u066f\u0671-\u0673\u0675-\u06d3\u06d5\u06ee\u06ef\u06fa-\u06fc\u06ff\u0710\u0712-\u072f\u074d-\u077f\u07ca-\u07ea\u0840-\u0858\u0860\u0862-\u0865\u0867-\u086a\u0870-\u0882\u0886\u0889-\u088e\u08a0-\u08ac\u08ae-\u08c8\u1807\u1820-\u1878\u1887-\u18a8\u18aa\u{1e900}-\u{1e943}]`;

/** Anything that takes room and ink. */
const ink = String.raw`[[\p{L}\p{M}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]`;

const thin = String.raw`[\u00a0\u2007\u2009\u202f]`;
const notAscii = String.raw`[\p{L}--[a-zA-Z]]`;
const wide = String.raw`[[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\uff01-\uffee]--[\u3000\u3164\uffa0]]`;

/** Places where an unseen character is no trick; each pattern begins with it. */
const inPlace: readonly string[] = [
  // UTS 46: a joiner after a virama, a non-joiner between letters that would join.
  String.raw`[\u200c\u200d](?<=${virama}.)`,
  String.raw`\u200c(?<=${joinsNext}\p{Mn}{0,8}\u200c)(?=\p{Mn}{0,8}${joinsLast})`,
  // The first form of a Persian he that stands alone; ra before ya-phala and Kannada's ra.
  String.raw`\u200d(?<=\u0647\u200d)(?![\p{L}\p{M}])`,
  String.raw`\u200d(?<=[\u09b0\u0cb0]\u200d)(?=[\u09cd\u0ccd])`,
  // Emoji or text, and the variants of one ideograph or of a Mongolian letter.
  String.raw`[\ufe0e\ufe0f](?<=\p{Extended_Pictographic}.)`,
  String.raw`\ufe0f(?<=[0-9#*]\ufe0f)(?=\u20e3)`,
  String.raw`[\ufe00-\ufe02\u{e0100}-\u{e011f}](?<=\p{Unified_Ideograph}.)`,
  String.raw`[\u180b-\u180d\u180f](?<=\p{sc=Mong}.)(?<![\u180b-\u180f].)`,
  // Signs that are written around numbers, which Unicode counts among the formats.
  String.raw`[\u0600-\u0605\u06dd\u0890\u0891\u08e2\u{110bd}\u{110cd}]`,
  // One no-break or thin blank where typography has it: not between Latin letters, as in a path.
  String.raw`${thin}(?<=${ink}.)(?=[\p{Nd}«»‹›!?;:%‰°€$£¥₽–—…№]|${notAscii})`,
  String.raw`${thin}(?<=(?:[\p{Nd}«»‹›!?;:.%‰°€$£¥₽–—…№§]|${notAscii}).)(?=${ink})`,
  // One wide blank next to what is as wide, and up to two before a paragraph.
  String.raw`\u3000(?<=${wide}.)(?=${ink})`,
  String.raw`\u3000(?<=${ink}.)(?=${wide})`,
  String.raw`\u3000(?<=^\u3000{1,2})(?=\u3000?\p{sc=Han})`,
];

const tagFlags = String.raw`\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`;
const element = String.raw`\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?`;

/**
 * What people cannot see or tell from a space, or what moves or hides what they see: controls,
 * formats, what is ignored where it is shown, line and paragraph separators, every blank but the
 * space itself.
 */
const unseen = String.raw`[[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]--[ ]]`;
const pattern = new RegExp(
  `(?:${[tagFlags, ...inPlace].join("|")})|(${element}(?:\\u200d${element})+)|(${unseen})`,
  "gmv",
);

/**
 * Replaces each unseen character, except where a script or an emoji needs it: there it changes what
 * people see. Pure.
 */
export const replaceUnseen = (text: string, show: (character: string) => string): string =>
  text.replace(pattern, (whole: string, joined?: string, character?: string) => {
    if (character !== undefined) return show(character);
    if (joined === undefined || isOneEmoji(joined)) return whole;
    return joined.replaceAll("\u200d", show);
  });

/** Whether it holds such a character. Pure. */
export function hasUnseen(text: string): boolean {
  let isFound = false;
  replaceUnseen(text, (character) => {
    isFound = true;
    return character;
  });
  return isFound;
}

/** Whether joined emoji are one that is recommended for general use; apps leave out selectors. */
function isOneEmoji(joined: string): boolean {
  const qualified = joined
    .replaceAll("\ufe0f", "")
    .replaceAll(/[\p{Emoji}--\p{Emoji_Presentation}](?!\p{Emoji_Modifier})/gv, "$&\ufe0f");
  return /^\p{RGI_Emoji}$/v.test(qualified);
}
