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
