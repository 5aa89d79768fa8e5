// oxlint-disable no-underscore-dangle -- fields of micromark
import { attention } from "micromark-core-commonmark";
import {
  textAfter,
  textBefore,
  type Construct,
  type Context,
  type Given,
  type State,
  type Syntax,
} from "./syntax.ts";

const asterisk = 42;
const tilde = 126;

/**
 * Letters, marks and digits of scripts without capitals, and the punctuation of Chinese, Japanese and
 * Korean. Such scripts have no blanks between words, or add particles to a quoted word. Full-width
 * Latin letters are among them.
 */
const attaching = String.raw`[[[\p{Lo}\p{Lm}\p{M}\p{Nd}\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}]--[\p{scx=Zyyy}\p{scx=Zinh}\p{scx=Latn}\p{scx=Grek}\p{scx=Cyrl}]]\u3001-\u303f\ufe10-\ufe1f\ufe30-\ufe4f\uff01-\uffee]`;
const punctuation = String.raw`[\p{P}\p{S}]`;

const startsWord = new RegExp(`^${attaching}`, "v");
/** Variation selectors belong to the letter before them. */
const endsWord = new RegExp(String.raw`${attaching}[\ufe00-\ufe0e\u{e0100}-\u{e01ef}]?$`, "v");
const opensWithPunctuation = new RegExp(`^${punctuation}`, "v");
const closesWithPunctuation = new RegExp(`${punctuation}$`, "v");
const opensWithWord = new RegExp(`^${punctuation}*${attaching}`, "v");
const closesWithWord = new RegExp(`${attaching}${punctuation}*$`, "v");

/** UTF-16 units that are looked at on each side of a mark. */
const windowUnits = 8;

/**
 * Emphasis, strong and deleted words in any script. CommonMark lets a mark next to punctuation count
 * only before or after a blank, as in `**Note:** text`. That suits scripts with blanks: `**注意：**正文`,
 * `**หมายเหตุ:**ข้อความ` and `**한국어(괄호)**은` would show their marks. Here such a mark counts if the letter
 * on its other side, or the nearest one within the marked words, belongs to another script than Latin,
 * Greek or Cyrillic. Marks are only added to CommonMark's; `_` keeps its rules.
 */
export const emphasisIn = (syntax: Syntax): Syntax => ({
  text: {
    [asterisk]: inAnyScript(attention),
    [tilde]: [syntax.text?.[tilde] ?? []].flat().map(inAnyScript),
  },
});

type Token = ReturnType<Given[0]["exit"]>;

function inAnyScript(construct: Construct): Construct {
  return {
    ...construct,
    tokenize(this: Context, ...[effects, ok, nok]: Given): State {
      const before = textBefore(this, windowUnits);
      let mark: Token | undefined;
      const exit: typeof effects.exit = (type) => (mark = effects.exit(type));
      const done: State = (code) => {
        if (mark) addSides(mark, before, textAfter(this, windowUnits));
        return ok(code);
      };
      return construct.tokenize.call(this, { ...effects, exit }, done, nok);
    },
  };
}

function addSides(mark: Token, before: string, after: string): void {
  const isBetweenWords = /\S$/.test(before) && /^\S/.test(after);
  if (!isBetweenWords) return;
  if (opensWithPunctuation.test(after) && (endsWord.test(before) || opensWithWord.test(after)))
    mark._open = true;
  if (closesWithPunctuation.test(before) && (startsWord.test(after) || closesWithWord.test(before)))
    mark._close = true;
}
