import type { Settings } from "../config/settings.ts";
import { localeFor } from "../locales/locale-for.ts";
import { searchProblemText } from "../locales/search-problem.ts";
import { searchProblem } from "../tools/web-search/search-web.ts";
import { ok, type Check } from "./check.ts";

/** One search where a provider is set; one with a key counts it. */
export function searchCheck({ webSearch }: Pick<Settings, "webSearch">): readonly Check[] {
  if (webSearch === undefined) return [];
  const id = "search.answer";
  const what = `The web search (${webSearch.provider})`;
  const why = "The model can't look anything up.";
  const run: Check["run"] = async (signal) => {
    const problem = await searchProblem(webSearch, signal);
    return [
      problem
        ? { id, status: "broken", why, ...searchProblemText(problem, localeFor()) }
        : ok(id, `${what} finds pages.`),
    ];
  };
  return [{ id: "search", what, withinMs: 12_000, run }];
}
