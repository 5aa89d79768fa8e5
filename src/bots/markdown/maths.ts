import { environmentUnits, lineEnd, maxUnits, openUnits } from "./formula-lines.ts";
import {
  textAfter,
  type Code,
  type Construct,
  type Context,
  type Given,
  type State,
  type Syntax,
} from "./syntax.ts";

const dollar = 36;
const openParenthesis = 40;
const closeParenthesis = 41;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;

const isLineEnd = (code: Code): boolean => code === null || (code >= -5 && code <= -3);
const isSpace = (code: Code): boolean =>
  code === null || code < 0 || code === 32 || code === lineEnd.charCodeAt(0);
const charOf = (code: Code): string =>
  code === null ? "" : code < 0 ? " " : String.fromCharCode(code);
const isWord = (code: Code): boolean => /[\p{L}\p{N}$]/u.test(charOf(code));

/**
 * Formulas as models write them: `$…$`, `$$…$$`, `\(…\)` and `\[…\]` within a line, and `$$` or
 * `\[` around lines of their own. They become code, delimiters included, so that nothing in them is
 * taken for emphasis. Every construct gives up where another could begin, so that hostile text is
 * read once.
 */
export const maths: Syntax = {
  text: {
    [dollar]: [
      { name: "mathText", tokenize: tokenizeDollars },
      { name: "mathText", tokenize: tokenizeOpen },
    ],
    [backslash]: [
      { name: "mathText", tokenize: tokenizeEnvironment },
      { name: "mathText", tokenize: tokenizeBackslashes },
      { name: "mathText", tokenize: tokenizeOpen },
    ],
  },
  flow: {
    [dollar]: linesOfMaths([dollar, dollar], /\$\$[.,;]?\s*$/),
    [backslash]: linesOfMaths([backslash, openBracket], /\\\][.,;]?\s*$/),
  },
};

/**
 * As Pandoc has it, a dollar before a space opens nothing, and one behind a space or before a
 * letter or a figure closes nothing: prices stay prices.
 */
function tokenizeDollars(this: Context, ...[effects, ok, nok]: Given): State {
  const before = this.previous;
  let size = 0;
  let last: Code = null;
  const take = (code: Code, next: State): State => {
    last = code;
    effects.consume(code);
    return next;
  };
  const open: State = (code) => {
    if (code === dollar && size < 2) {
      size += 1;
      return take(code, open);
    }
    if (code === dollar || (size === 1 && isSpace(code))) return nok(code);
    return inside(code);
  };
  const inside: State = (code) => {
    if (isLineEnd(code)) return nok(code);
    if (code === backslash) return take(code, escaped);
    if (code !== dollar) return take(code, inside);
    if (size === 2) return take(code, second);
    return isSpace(last) ? nok(code) : take(code, end);
  };
  const escaped: State = (code) => (isLineEnd(code) ? nok(code) : take(code, inside));
  const second: State = (code) => (code === dollar ? take(code, end) : nok(code));
  const end: State = (code) => {
    if (isWord(code)) return nok(code);
    effects.exit("codeTextData");
    effects.exit("codeText");
    return ok(code);
  };
  return (code) => {
    if (isWord(before)) return nok(code);
    effects.enter("codeText");
    effects.enter("codeTextData");
    return open(code);
  };
}

/**
 * A backslash also keeps a bracket from being a link's: what it stands around must look like a
 * formula.
 */
const looksLikeFormula = {
  [openParenthesis]: (text: string): boolean =>
    /[\\^_=+<>{}\d]|[-*/|]/.test(text) || !/\S\s+\S/.test(text.trim()),
  [openBracket]: (text: string): boolean => /\\[A-Za-z]|[\^_=\ufdd0]/.test(text),
};

/** `\begin{…}` to `\end{…}`, in a line. */
function tokenizeEnvironment(this: Context, ...[effects, ok, nok]: Given): State {
  let left = 0;
  const inside: State = (code) => {
    if (left > 0) {
      left -= 1;
      effects.consume(code);
      return inside;
    }
    effects.exit("codeTextData");
    effects.exit("codeText");
    return ok(code);
  };
  return (code) => {
    const begin = /^\\begin\{([a-z]+\*?)\}/i.exec(textAfter(this, 40));
    left = begin ? environmentUnits(textAfter(this, maxUnits), begin[1] ?? "") : 0;
    if (left === 0) return nok(code);
    effects.enter("codeText");
    effects.enter("codeTextData");
    return inside(code);
  };
}

/** A formula without an end: all of its line, which `joinFormulas` has made of its paragraph. */
function tokenizeOpen(this: Context, ...[effects, ok, nok]: Given): State {
  const before = this.previous;
  const inside: State = (code) => {
    if (!isLineEnd(code)) {
      effects.consume(code);
      return inside;
    }
    effects.exit("codeTextData");
    effects.exit("codeText");
    return ok(code);
  };
  return (code) => {
    if (code === dollar && isWord(before)) return nok(code);
    if (openUnits(textAfter(this, maxUnits)) === 0) return nok(code);
    effects.enter("codeText");
    effects.enter("codeTextData");
    return inside(code);
  };
}

function tokenizeBackslashes(this: Context, ...[effects, ok, nok]: Given): State {
  let opener: typeof openParenthesis | typeof openBracket = openParenthesis;
  let text = "";
  const take = (code: Code, next: State): State => {
    effects.consume(code);
    return next;
  };
  const open: State = (code) => {
    if (code !== openParenthesis && code !== openBracket) return nok(code);
    opener = code;
    return take(code, inside);
  };
  const inside: State = (code) => {
    if (isLineEnd(code)) return nok(code);
    if (code === backslash) return take(code, escaped);
    text += charOf(code);
    return take(code, inside);
  };
  const escaped: State = (code) => {
    if (isLineEnd(code) || code === opener) return nok(code);
    const closer = opener === openParenthesis ? closeParenthesis : closeBracket;
    if (code === closer) {
      const isFormula = text.trim() !== "" && looksLikeFormula[opener](text);
      return isFormula ? take(code, end) : nok(code);
    }
    text += `\\${charOf(code)}`;
    return take(code, inside);
  };
  const end: State = (code) => {
    effects.exit("codeTextData");
    effects.exit("codeText");
    return ok(code);
  };
  return (code) => {
    effects.enter("codeText");
    effects.enter("codeTextData");
    return take(code, open);
  };
}

/**
 * From a line that is nothing but the opening mark to one that ends with the closing mark, or the
 * text's end, as a fence.
 */
function linesOfMaths(mark: readonly [number, number], lastLine: RegExp): Construct {
  return {
    name: "mathFlow",
    concrete: true,
    tokenize: function tokenize(this: Context, ...[effects, ok, nok]: Given): State {
      let line = "";
      let seen = 0;
      const open: State = (code) => {
        if (seen < mark.length && code !== mark[seen]) return nok(code);
        if (seen === mark.length && !isLineEnd(code) && !isSpace(code)) return nok(code);
        if (isLineEnd(code)) {
          if (this.interrupt) return ok(code);
          return atLineEnd(code);
        }
        seen = Math.min(mark.length, seen + 1);
        effects.consume(code);
        return open;
      };
      const atLineEnd: State = (code) => {
        effects.exit("codeFlowValue");
        if (code === null || lastLine.test(line)) return end(code);
        return effects.check({ tokenize: isNextLineOurs, partial: true }, goOn, end)(code);
      };
      const goOn: State = (code) => {
        effects.enter("lineEnding");
        effects.consume(code);
        effects.exit("lineEnding");
        line = "";
        return begin;
      };
      const begin: State = (code) => {
        if (code === null) return end(code);
        if (isLineEnd(code))
          return effects.check({ tokenize: isNextLineOurs, partial: true }, goOn, end)(code);
        effects.enter("codeFlowValue");
        return inside(code);
      };
      const inside: State = (code) => {
        if (isLineEnd(code)) return atLineEnd(code);
        line += charOf(code);
        effects.consume(code);
        return inside;
      };
      const end: State = (code) => {
        effects.exit("codeIndented");
        return ok(code);
      };
      return (code) => {
        effects.enter("codeIndented");
        effects.enter("codeFlowValue");
        return open(code);
      };
    },
  };
}

/** A line that lazily continues a quote's paragraph is none of the quote's formula. */
function isNextLineOurs(this: Context, ...[effects, ok, nok]: Given): State {
  const next: State = (code) => (this.parser.lazy[this.now().line] ? nok(code) : ok(code));
  return (code) => {
    if (code === null) return nok(code);
    effects.enter("lineEnding");
    effects.consume(code);
    effects.exit("lineEnding");
    return next;
  };
}
