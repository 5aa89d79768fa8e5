/** The forms of a noun, by the categories of CLDR; what a language lacks is left out. */
export type NounForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/**
 * Writes numbers as the language does, in groups: `1,200`, `1.200`, `1 200`. The width of a space
 * between groups differs between versions of CLDR; a no-break space is in all fonts.
 */
export function numberIn(language: string): (count: number) => string {
  // Made when it is first needed: most processes need one or two of them.
  let format: Intl.NumberFormat | undefined;
  return (count) => {
    format ??= new Intl.NumberFormat(language, { maximumFractionDigits: 20 });
    return format.format(count).replaceAll("\u202F", "\u00A0");
  };
}

/** Less than this is only said to be less. */
const leastUsd = 0.000_001;

/** Writes US dollars as the language writes money: `$1,234.50`, `1.234,50 $`. */
export function moneyIn(language: string): {
  /** Cents, and below one dollar three significant digits: `$0.50`, `$0.0149`. */
  readonly money: (usd: number) => string;
  /** What a person has set, with all its digits: `$1.255`. */
  readonly exactMoney: (usd: number) => string;
} {
  const formats = new Map<number, Intl.NumberFormat>();
  const inDollars = (usd: number, digits: number): string => {
    const format =
      formats.get(digits) ??
      new Intl.NumberFormat(language, {
        style: "currency",
        currency: "USD",
        currencyDisplay: "narrowSymbol",
        minimumFractionDigits: Math.min(digits, 2),
        maximumFractionDigits: digits,
      });
    formats.set(digits, format);
    return format.format(usd).replaceAll("\u202F", "\u00A0");
  };
  return {
    money(usd) {
      if (usd === 0) return inDollars(0, 0);
      if (usd < leastUsd) return `<${inDollars(leastUsd, 6)}`;
      return inDollars(usd, usd >= 1 ? 2 : Math.min(6, 2 - Math.floor(Math.log10(usd))));
    },
    exactMoney: (usd) => inDollars(usd, usd === 0 ? 0 : 20),
  };
}

/**
 * Writes a count with its noun in the form that the language wants: `1 message`, `1,200 messages`.
 * Whole numbers and fractions.
 */
export function countedIn(language: string): (count: number, forms: NounForms) => string {
  const number = numberIn(language);
  let rules: Intl.PluralRules | undefined;
  return (count, forms) => {
    rules ??= new Intl.PluralRules(language);
    return `${number(count)} ${forms[rules.select(count)] ?? forms.other}`;
  };
}
