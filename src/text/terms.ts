/** Words that say nothing about what was talked of. */
const silent = new Set(
  "a an the and or but if of to in on at for from with by as is are was were be been being am do does did doing have has had having i you he she it we they me him her us them my your his its our their this that these those what which who when where why how not no so than too very can will just would could should there here about into over after before up down out off again then once all any both each few more most other some such only own same s t don d ll m re ve".split(
    " ",
  ),
);

/** English words whose forms no ending shows, each after its plain form. */
const irregular = new Map(
  `go went gone; buy bought; do done; see saw seen; take took taken; make made; get got gotten;
  give gave given; find found; think thought; feel felt; leave left; meet met; run ran; come came;
  become became; begin began begun; write wrote written; win won; lose lost; teach taught;
  bring brought; catch caught; sell sold; send sent; spend spent; build built; hear heard;
  hold held; keep kept; sing sang sung; swim swam swum; speak spoke spoken; drive drove driven;
  ride rode ridden; eat ate eaten; fall fell fallen; fly flew flown; grow grew grown; know knew known;
  draw drew drawn; wear wore worn; choose chose chosen; break broke broken; pay paid; say said;
  sleep slept; sit sat; stand stood; understand understood; lead led; mean meant; fight fought;
  forget forgot forgotten; wake woke woken; steal stole stolen; throw threw thrown; hang hung;
  stick stuck; feed fed; shoot shot; drink drank drunk; lend lent; child children; person people;
  man men; woman women; wife wives; life lives; foot feet; mouse mice; tooth teeth`
    .split(";")
    .flatMap((group) => {
      const [plain = "", ...forms] = group.trim().split(/\s+/);
      return forms.map((form) => [form, plain] as const);
    }),
);

/** A month by any of its names, so that "März" finds what was said in "March". */
const months = new Map(
  ["en", "de", "es", "fr", "ru"].flatMap((language) =>
    Array.from({ length: 12 }, (_, month) => {
      const format = new Intl.DateTimeFormat(language, {
        timeZone: "UTC",
        day: "numeric",
        month: "long",
      });
      const parts = format.formatToParts(Date.UTC(2024, month, 15));
      const name = parts.find(({ type }) => type === "month")?.value ?? "";
      return [plain(name), monthTerm(month)] as const;
    }),
  ),
);

/** Chinese, Japanese and Thai are written without spaces. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
/** Longer ones are cut: no one searches for all of it. */
const maxTermLength = 40;

/** What a text is found by: its words in a plain form, in order, each as often as it occurs. Pure. */
export const termsOf = (text: string): readonly string[] =>
  (plain(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])
    .flatMap((word) => (unspaced.test(word) ? segmentsOf(word) : [word]))
    .filter((word) => !silent.has(word))
    .map((word) => months.get(word) ?? stemOf(irregular.get(word) ?? word).slice(0, maxTermLength));

/** The same, each with where its word begins in the text, in UTF-16 units. Pure. */
export const placedTerms = (
  text: string,
): readonly { readonly term: string; readonly at: number }[] =>
  [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)]
    .flatMap(({ 0: word, index }) =>
      unspaced.test(word)
        ? [...segmenter.segment(word)].map((part) => ({
            word: part.segment,
            at: index + part.index,
          }))
        : [{ word, at: index }],
    )
    .flatMap(({ word, at }) => termsOf(word).map((term) => ({ term, at })));

/** What a month is found by. @param month from 0 */
export function monthTerm(month: number): string {
  return `#month${month + 1}`;
}

/** Without accents and capitals: people leave them out. */
function plain(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{Mn}/gu, "");
}

const segmentsOf = (word: string): readonly string[] =>
  [...segmenter.segment(word)].map(({ segment }) => segment);

/** Cuts the commonest endings. All forms of a word get the same stem, which needn't be a word. */
function stemOf(word: string): string {
  if (word.length < 4) return word;
  if (/\p{sc=Cyrillic}/u.test(word)) return word.replace(russianEnding, "");
  const singular = word.endsWith("ies") ? `${word.slice(0, -3)}y` : word;
  const ending = /(?<=.{3})(?:ingly|edly|ing|ed|es|(?<![sui])s)$|(?<=.{4})ly$/.exec(singular);
  const cut = ending === null ? singular : singular.slice(0, ending.index);
  const single = cut.replace(/([bdfgmnprt])\1$/, "$1");
  return single.length > 3 ? single.replace(/e$/, "").replace(/(?<=.{3})y$/, "i") : single;
}

const russianEnding =
  /(?<=.{3})(?:иями|ями|ами|ией|ого|его|ому|ему|ыми|ими|ешь|ишь|ете|ите|ть|ла|ло|ли|ет|ит|ут|ют|ат|ят|ая|яя|ое|ее|ые|ие|ый|ий|ой|ей|ую|юю|ых|их|ым|им|ом|ем|ам|ям|ах|ях|ия|ию|ии|ов|ев|а|я|о|е|ы|и|у|ю|ь|й|л)$/u;
