import type { SearchFix, SearchProblem } from "../core/search-problem.ts";
import type { Locale } from "./locale.ts";

/** What the operator can do about a web search that fails. Pure. */
export const searchFix = (fix: SearchFix, { findings }: Pick<Locale, "findings">): string => {
  const said = findings.search.fix;
  return fix.kind === "account" ? said.account(fix.url) : said[fix.kind];
};

/** The same, and what is the case. Pure. */
export const searchProblemText = (
  { cause, fix }: SearchProblem,
  locale: Pick<Locale, "findings">,
): { readonly what: string; readonly fix: string } => {
  const { fails, findsNothing } = locale.findings.search;
  return { what: cause === undefined ? findsNothing : fails(cause), fix: searchFix(fix, locale) };
};
