/*
 * The platform's own words inside a conversation begin with a bracket and one of a few phrases. Where anybody else writes such
 * an opening, in a disguise that a model would still read as one, the bracket becomes a round one.
 */

/** Opening brackets and their lookalikes, except round ones. */
const bracket = /(?![(（﹙⁽₍⦅｟❨❪⸨︵])[\p{Ps}⎡⎢⎣]/gu;
/** Where a look ends: at the next bracket, which has its own look, and where this one closes. */
const lookEnd = /(?![)）﹚⁾₎⦆｠❩❫⸩︶(（﹙⁽₍⦅｟❨❪⸨︵])[\p{Ps}\p{Pe}⎡⎢⎣]/u;
const letter = /[\p{L}\p{N}]/u;
/** Fillers of Korean and such: letters by their kind, and nothing to the eye. */
const unseen = /[\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** What nobody takes for a part of a word, so that a disguise can have it anywhere. */
const noLetter = /\P{L}/u;

/** Letters of other alphabets that look like those of the phrases, also as capitals. */
const shapes: Readonly<Record<string, string>> = {
  a: "аαɑᴀⲁꭺꓮ",
  c: "сϲᴄⅽꮯⲥꓚ",
  d: "ԁɗᴅꓓ",
  e: "еεєҽɛᴇℯ℮ꭼꓰⲉ",
  f: "ғϝƒꜰքꞙꓝ",
  h: "һհнηʜᏂꓧⲏ",
  // `i`, `l`, `1` and `|` are one shape.
  l: "іıιɩɪӏⅼǀʟꓲⲓꓡꙇ",
  k: "кκᴋқꓗⲕ",
  m: "мμᴍʍꓟⲙ",
  n: "ոռпɴꓠⲛνи",
  o: "оοσօᴏøөסഠ๐໐०ꓳⲟ",
  p: "рρᴘϱꓑⲣ",
  r: "гʀᴦɾяꓣⲅ",
  s: "ѕꜱʂƨտꓢ",
  t: "тτᴛŧեꓔⲧ",
  u: "υսᴜʋцꓴ",
  v: "ѵᴠꓦⴸ",
  y: "уүγʏყꓬⲩ",
};
const leet: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "l",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "|": "l",
  "!": "l",
  i: "l",
};
const shapeOf = new Map(
  Object.entries(shapes).flatMap(([plain, alike]) =>
    Array.from(alike, (each) => [each, plain] as const),
  ),
);

/** Stands for a letter that looks like none that we know. */
const unknownLetter = "?";

/** Boxed and circled capitals, and those of flags, which no normalisation makes plain. */
function unboxed(code: number): string | undefined {
  for (const first of [0x1f150, 0x1f170, 0x1f1e6])
    if (code >= first && code < first + 26)
      return String.fromCodePoint(0x61 + code - first);
  return undefined;
}

/** The letters that a character looks like; empty for what is none: blanks, unseen characters, marks, signs, pictographs. */
function lettersOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) {
    const plain = character.toLowerCase();
    const shape = leet[plain] ?? plain;
    return /[a-z]/.test(shape) ? shape : "";
  }
  const known = unboxed(code);
  if (known !== undefined) return lettersOf(known);
  return Array.from(
    character.normalize("NFKD").toLowerCase().normalize("NFKD"),
    (part) => {
      if ((part.codePointAt(0) ?? 0) < 0x80) return lettersOf(part);
      const isLetter = letter.test(part) && !unseen.test(part);
      return isLetter ? (shapeOf.get(part) ?? unknownLetter) : "";
    },
  ).join("");
}

const phrases = [
  "from the platform",
  "summary of the conversation",
  "kept of",
].map((phrase) => Array.from(phrase, (each) => lettersOf(each)).join(""));

interface Look {
  readonly phrase: string;
  /** The letters of it that were read, and how many of them were those of the phrase. */
  readonly at: number;
  readonly same: number;
}
const fresh: readonly Look[] = phrases.map((phrase) => ({
  phrase,
  at: 0,
  same: 0,
}));

/**
 * Never reads beyond the next bracket: all looks together are linear. What is no letter is skipped where it isn't the one that
 * is due: a digit may be a letter in disguise, or a number before the words.
 */
function opensOurs(text: string, from: number, opening: string): boolean {
  let left = fresh;
  let isBefore = true;
  for (let at = from; at < text.length;) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    at += character.length;
    if (lookEnd.test(character)) return false;
    const letters = lettersOf(character);
    const isSkipped = letters === "" || noLetter.test(character);
    // An object of JSON may well have a field "from".
    if (character === '"' && opening === "{" && !isBefore) return false;
    for (const each of letters) {
      left = left.flatMap((look) => advanced(look, each, isSkipped));
      // A third of it may be letters that nobody can tell: more would be another alphabet's own words.
      const whole = left.find(({ phrase, at: end }) => end === phrase.length);
      if (whole) return whole.same * 3 >= whole.phrase.length * 2;
    }
    isBefore &&= isSkipped;
    if (isBefore) left = [...left.filter((look) => look.at > 0), ...fresh];
    if (left.length === 0) return false;
  }
  return false;
}

function advanced(look: Look, each: string, isSkipped: boolean): Look[] {
  const { phrase, at, same } = look;
  const isSame = phrase[at] === each;
  if (isSame || each === unknownLetter)
    return [{ phrase, at: at + 1, same: same + Number(isSame) }];
  return isSkipped ? [look] : [];
}

/** A text with round brackets where it would begin as the platform's own words do; else unchanged. Pure, in linear time. */
export function withoutOurBrackets(text: string): string {
  let shown = "";
  let done = 0;
  // Every text of every request passes here.
  for (const { 0: opening, index } of text.matchAll(bracket)) {
    const end = index + opening.length;
    if (!opensOurs(text, end, opening)) continue;
    shown += `${text.slice(done, index)}(`;
    done = end;
  }
  return done === 0 ? text : shown + text.slice(done);
}
