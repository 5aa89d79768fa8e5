/*
 * The platform's own words inside a conversation begin with a bracket and one of a few phrases. Where anybody else writes such
 * an opening, in a disguise that a model would still read as one, the bracket becomes a round one.
 */

/** Opening brackets and their lookalikes, except round ones. */
const bracket = /(?![(（﹙⁽₍⦅｟❨❪⸨︵])[\p{Ps}⎡⎢⎣]/gu;
/** What may stand between the letters of a disguise without hiding it: blanks, unseen characters, marks, emphasis. */
const ignored =
  /[\s\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800*_~`\-‐‑–—.·•:]/u;
const letter = /[\p{L}\p{N}]/u;

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

/** Some characters have forms of many letters: looking one up is slow. At most `maxKnown` are remembered. */
const known = new Map<string, string | undefined>();
const maxKnown = 10_000;

/** The letters that a character looks like; empty for what is ignored, undefined for what is no letter. */
function lettersOf(character: string): string | undefined {
  if (known.has(character)) return known.get(character);
  const letters = lookedUp(character);
  if (known.size >= maxKnown) known.clear();
  known.set(character, letters);
  return letters;
}

function lookedUp(character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) {
    const plain = character.toLowerCase();
    const shape = leet[plain] ?? plain;
    if (/[a-z]/.test(shape)) return shape;
    return ignored.test(character) ? "" : undefined;
  }
  const plain = unboxed(code);
  if (plain !== undefined) return lettersOf(plain);
  if (ignored.test(character)) return "";
  const parts = Array.from(
    character.normalize("NFKD").toLowerCase().normalize("NFKD"),
    (part) => {
      if ((part.codePointAt(0) ?? 0) < 0x80) return lettersOf(part);
      if (ignored.test(part)) return "";
      return letter.test(part)
        ? (shapeOf.get(part) ?? unknownLetter)
        : undefined;
    },
  );
  return parts.includes(undefined) ? undefined : parts.join("");
}

const phrases = [
  "from the platform",
  "summary of the conversation",
  "kept of",
].map((phrase) => Array.from(phrase, (each) => lettersOf(each)).join(""));

/** Never reads beyond the next bracket: all looks together are linear. */
function opensOurs(text: string, from: number): boolean {
  /** How many letters of each phrase were the same; -1: it is none of this one. */
  const same = phrases.map(() => 0);
  let place = 0;
  for (let at = from; at < text.length;) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    at += character.length;
    const letters = lettersOf(character);
    if (letters === undefined) return false;
    for (const each of letters) {
      place += 1;
      let isAnyLeft = false;
      for (const [index, phrase] of phrases.entries()) {
        const found = same[index] ?? -1;
        if (found < 0) continue;
        const isSame = phrase[place - 1] === each;
        const now = found + Number(isSame);
        // A third of it may be letters that nobody can tell: more would be another alphabet's own words.
        const isTooOdd = (place - now) * 3 > phrase.length;
        if ((!isSame && each !== unknownLetter) || isTooOdd) same[index] = -1;
        else if (place === phrase.length) return true;
        else {
          same[index] = now;
          isAnyLeft = true;
        }
      }
      if (!isAnyLeft) return false;
    }
  }
  return false;
}

/** A text with round brackets where it would begin as the platform's own words do; else unchanged. Pure, in linear time. */
export function withoutOurBrackets(text: string): string {
  let shown = "";
  let done = 0;
  // Every text of every request passes here.
  for (const { 0: opening, index } of text.matchAll(bracket)) {
    const end = index + opening.length;
    if (!opensOurs(text, end)) continue;
    shown += `${text.slice(done, index)}(`;
    done = end;
  }
  return done === 0 ? text : shown + text.slice(done);
}
