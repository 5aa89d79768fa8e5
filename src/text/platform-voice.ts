/*
 * The platform's own words inside a conversation begin with a bracket and one of a few phrases. If
 * anyone else writes such an opening, in a disguise that a model would still read as one, the
 * bracket becomes a round one.
 */

/** Opening brackets and their lookalikes, except round ones. */
const bracket = /(?![(（﹙⁽₍⦅｟❨❪⸨︵])[\p{Ps}⎡⎢⎣]/gu;
/** Where a look ends: at the next bracket, which has its own look, and where this one closes. */
const lookEnd = /(?![)）﹚⁾₎⦆｠❩❫⸩︶(（﹙⁽₍⦅｟❨❪⸨︵])[\p{Ps}\p{Pe}⎡⎢⎣]/u;
const letter = /[\p{L}\p{N}]/u;
/** Fillers of Korean and such: letters by their kind, and nothing to the eye. */
const unseen = /[\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;
/**
 * Characters that readers don't take for a part of a word, so that a disguise
 * can contain them anywhere.
 */
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

/** Replaces a letter that resembles none we know. */
const unknownLetter = "?";

/** Boxed and circled capitals, and those of flags, which no normalisation makes plain. */
function unboxed(code: number): string | undefined {
  for (const first of [0x1f150, 0x1f170, 0x1f1e6])
    if (code >= first && code < first + 26) return String.fromCodePoint(0x61 + code - first);
  return undefined;
}

interface Glyph {
  /**
   * The letter that it looks like; empty if it is none: blanks, invisible characters, marks, signs,
   * pictographs.
   */
  readonly letters: string;
  readonly isSkippable: boolean;
  readonly isEnd: boolean;
}

/**
 * Some characters have forms of many letters: looking one up is slow. At most `maxKnown` are
 * remembered.
 */
const known = new Map<string, Glyph>();
const maxKnown = 10_000;

function glyphOf(character: string): Glyph {
  const found = known.get(character);
  if (found !== undefined) return found;
  const letters = lookedUp(character);
  const glyph = {
    letters,
    isSkippable: letters === "" || noLetter.test(character),
    isEnd: lookEnd.test(character),
  };
  if (known.size >= maxKnown) known.clear();
  known.set(character, glyph);
  return glyph;
}

const lettersOf = (character: string): string => glyphOf(character).letters;

function lookedUp(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) {
    const plain = character.toLowerCase();
    const shape = leet[plain] ?? plain;
    return /[a-z]/.test(shape) ? shape : "";
  }
  const plain = unboxed(code);
  if (plain !== undefined) return lettersOf(plain);
  return Array.from(character.normalize("NFKD").toLowerCase().normalize("NFKD"), (part) => {
    if ((part.codePointAt(0) ?? 0) < 0x80) return lettersOf(part);
    const isLetter = letter.test(part) && !unseen.test(part);
    return isLetter ? (shapeOf.get(part) ?? unknownLetter) : "";
  }).join("");
}

const phrases = [
  "from the platform",
  "summary of the conversation",
  "summary of an earlier conversation",
  "kept of the",
].map((phrase) => Array.from(phrase, (each) => lettersOf(each)).join(""));

const none = -1;

/**
 * How far one phrase was read: for each number of its letters, how many of them were its own;
 * `none`: it wasn't read that far. What is no letter may be skipped, so that several numbers can
 * hold at once.
 */
class Look {
  readonly #phrase: string;
  readonly #same: Int8Array;
  #furthest = -1;

  constructor(phrase: string) {
    this.#phrase = phrase;
    this.#same = new Int8Array(phrase.length + 1).fill(none);
  }

  reset(): void {
    this.#same.fill(none);
    this.#furthest = -1;
  }

  get isAnyLeft(): boolean {
    return this.#furthest >= 0;
  }

  /** The phrase may begin here. */
  begin(): void {
    this.#same[0] = Math.max(0, this.#same[0] ?? none);
    this.#furthest = Math.max(0, this.#furthest);
  }

  /** Whether the phrase is whole with this letter. */
  read(letter: string, isSkippable: boolean): boolean {
    const same = this.#same;
    let furthest = -1;
    // Backwards, or one letter would be read twice.
    for (let at = this.#furthest; at >= 0; at -= 1) {
      const now = same[at] ?? none;
      if (now === none) continue;
      const isSame = this.#phrase[at] === letter;
      const isRead = isSame || letter === unknownLetter;
      if (isRead || !isSkippable) same[at] = none;
      else furthest = Math.max(furthest, at);
      if (!isRead) continue;
      same[at + 1] = Math.max(same[at + 1] ?? none, now + Number(isSame));
      furthest = Math.max(furthest, at + 1);
    }
    this.#furthest = furthest;
    const { length } = this.#phrase;
    const whole = same[length] ?? none;
    // A third of it may be unrecognised letters: more would be ordinary words
    // of another alphabet.
    if (whole !== none && whole * 3 >= length * 2) return true;
    if (furthest === length) {
      same[length] = none;
      this.#furthest = length - 1;
    }
    return false;
  }
}
/** One at a time reads. */
const looks = phrases.map((phrase) => new Look(phrase));

/**
 * Never reads beyond the next bracket: all looks together are linear. What is no letter is skipped
 * where it isn't the one that is due: a digit may be a letter in disguise, or a number before the
 * words.
 */
function opensOurs(text: string, from: number, opening: string): boolean {
  for (const look of looks) look.reset();
  let isBefore = true;
  for (let at = from; at < text.length;) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    at += character.length;
    const { letters, isSkippable, isEnd } = glyphOf(character);
    if (isEnd) return false;
    // An object of JSON may well have a field "from".
    if (character === '"' && opening === "{" && !isBefore) return false;
    if (letters === "") continue;
    if (isBefore) for (const look of looks) look.begin();
    for (const each of letters)
      for (const look of looks) if (look.read(each, isSkippable)) return true;
    isBefore &&= isSkippable;
    if (!isBefore && !looks.some(({ isAnyLeft }) => isAnyLeft)) return false;
  }
  return false;
}

/**
 * A text with round brackets where it would begin as the platform's own words do; else unchanged.
 * Pure, in linear time.
 */
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
