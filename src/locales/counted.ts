/** The forms of a noun, by the categories of CLDR; what a language lacks is left out. */
export type NounForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/**
 * Writes a count with its noun in the form that the language wants: `1 turn`, `2 turns`. Whole
 * numbers and fractions.
 */
export const countedIn = (language: string) => writer(language, String);

/** The same, with long numbers in groups as the language writes them: `1,200 characters`. */
export const groupedIn = (language: string) =>
  writer(language, (count) => count.toLocaleString(language));

function writer(
  language: string,
  shown: (count: number) => string,
): (count: number, forms: NounForms) => string {
  // Made when it is first needed: most processes need one or two of them.
  let rules: Intl.PluralRules | undefined;
  return (count, forms) => {
    rules ??= new Intl.PluralRules(language);
    return `${shown(count)} ${forms[rules.select(count)] ?? forms.other}`;
  };
}
