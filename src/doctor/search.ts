import type { Settings } from "../config/settings.ts";
import { searchProblemText } from "../locales/search-problem.ts";
import { searchProblem } from "../tools/web-search/search-web.ts";
import { ok, type Check, type Examined } from "./check.ts";

/** One search where a provider is set; one with a key counts it. */
export function searchCheck({ webSearch }: Pick<Settings, "webSearch">): readonly Check[] {
  if (webSearch === undefined) return [];
  const { provider } = webSearch;
  const id = "search.answer";
  const run: Check["run"] = async (signal) => {
    const problem = await searchProblem(webSearch, signal);
    if (problem === undefined) return [ok(id, ({ search }) => search.works(provider))];
    const say: Examined["say"] = (locale) => {
      const { what, fix } = searchProblemText(problem, locale);
      return { what, why: locale.findings.search.why, fix };
    };
    return [{ id, status: "broken", say }];
  };
  return [{ id: "search", what: ({ search }) => search(provider), withinMs: 12_000, run }];
}
