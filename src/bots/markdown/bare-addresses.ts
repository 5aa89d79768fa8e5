import {
  textAfter,
  type Code,
  type Construct,
  type Context,
  type Given,
  type State,
  type Syntax,
} from "./syntax.ts";

/** Punctuation of Chinese, Japanese and Korean, in which no one writes an address. */
export const widePunctuation =
  /[\u3001-\u3003\u3008-\u3011\u3014-\u301f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]/;

/** An address up to such punctuation, or up to a mark that words without a blank follow. */
const address = new RegExp(
  String.raw`^(?:https?:\/\/|www\.)[\p{L}\p{N}](?:(?!END)[^\s<])*(?=END)`.replaceAll(
    "END",
    String.raw`(?:${widePunctuation.source}|[*~]+\p{Lo})`,
  ),
  "iu",
);
/** UTF-16 units of the longest one. */
const maxUnits = 2_048;

/**
 * Addresses that are no link's, in scripts without blanks: `看https://example.com，谢谢` and
 * `**https://example.com**是`. GitHub's rules let them go on up to the next blank.
 */
export const bareAddresses = (syntax: Syntax): Syntax => ({
  text: Object.fromEntries(
    ["H", "h", "W", "w"].map((character) => {
      const code = character.charCodeAt(0);
      const all = [syntax.text?.[code] ?? []].flat();
      return [code, all.filter(({ name }) => name !== "emailAutolink").map(ended)];
    }),
  ),
});

type Token = ReturnType<Given[0]["exit"]>;
/** GitHub's types of tokens are none of micromark's. */
const tokenType = (name: string) => name as Token["type"];
const link = tokenType("literalAutolink");

function ended(construct: Construct): Construct {
  const kind = tokenType(`literalAutolink${construct.name === "wwwAutolink" ? "Www" : "Http"}`);
  return {
    ...construct,
    tokenize(this: Context, ...[effects, ok, nok]: Given): State {
      let left = 0;
      const inside: State = (code) => {
        if (left > 0) {
          left -= 1;
          effects.consume(code);
          return inside;
        }
        effects.exit(kind);
        effects.exit(link);
        return ok(code);
      };
      return (code) => {
        left = unitsOf(this, code);
        if (left === 0 || isInLabel(this)) return nok(code);
        effects.enter(link);
        effects.enter(kind);
        return inside(code);
      };
    },
  };
}

/** 0: GitHub's rules apply. */
function unitsOf(context: Context, code: Code): number {
  if (code === null || !/^(?:https?:|www\.)/i.test(textAfter(context, 6))) return 0;
  const [found = ""] = address.exec(textAfter(context, maxUnits)) ?? [];
  return found.replace(/[?!.,:;*_~'"]+$/, "").length;
}

const isOpen = ({ type, _balanced }: Token): boolean =>
  (type === "labelLink" || type === "labelImage") && _balanced !== true;

/** Whether a bracket before it may begin a link, which can't have another in its words. */
function isInLabel({ events }: Context): boolean {
  const last = events.findLast(([, token]) => token.type === link || isOpen(token))?.[1];
  return last !== undefined && last.type !== link;
}
