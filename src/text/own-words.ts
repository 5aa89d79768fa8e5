/** Words that add nothing to what is said, in the six languages of the texts. */
const neutral = new Set(
  (
    "the and for are was has had have that this with from says said user users person they their his her " +
    "der die das und ist hat dass mit von nutzer person ihr sein " +
    "los las una del que con por usuario persona " +
    "les des une est que avec pour utilisateur personne " +
    "это что как для она они пользователь человек " +
    "的 是 在 和 了 他 她 用户"
  ).split(" "),
);

/** The shortest word of an alphabet that counts. UTF-16 units. */
const minLength = 3;

const words = new Intl.Segmenter("und", { granularity: "word" });

const normal = (text: string): string => text.normalize("NFKC").toLowerCase();

/** The words that carry a text's meaning: numbers, and what is no short or neutral word. Pure. */
export const significantWords = (text: string): ReadonlySet<string> =>
  new Set(
    [...words.segment(normal(text))].flatMap(({ segment, isWordLike }) => {
      const isShort =
        segment.length < minLength &&
        !/[\p{N}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(
          segment,
        );
      return isWordLike === true && !isShort && !neutral.has(segment) ? [segment] : [];
    }),
  );

/**
 * Whether everything that a text says was said in others: each of its significant words is among
 * theirs. False for a text without such words. Pure.
 */
export function areWordsOf(text: string, said: readonly string[]): boolean {
  const wanted = significantWords(text);
  return wanted.size > 0 && wanted.isSubsetOf(significantWords(said.join("\n")));
}
