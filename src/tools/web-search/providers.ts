import { z } from "zod";

export const freshnesses = ["day", "week", "month", "year"] as const;

/** `webSearch` in `parley.yaml`, which was checked when it was read. */
export interface SearchSettings {
  readonly provider: "searxng" | "brave" | "tavily";
  /** Without a slash at its end. Absent: the provider's own. */
  readonly url?: string | undefined;
  readonly apiKey?: string | undefined;
}

export interface SearchQuery {
  readonly query: string;
  /** 1 to 10. */
  readonly count: number;
  readonly freshness?: (typeof freshnesses)[number] | undefined;
}

const text = z.string().optional().catch(undefined);
/** A result by the names of all providers; what isn't text counts as absent. */
const rawPage = z
  .object({ url: text, title: text, content: text, description: text })
  .extend({ publishedDate: text, page_age: text, published_date: text })
  .catch({});
const pages = z.object({ results: z.array(rawPage) });
/** Brave's `web` is absent where nothing was found. */
const braveAnswer = z.object({ type: z.literal("search"), web: pages.optional() });
export type RawPage = z.output<typeof rawPage>;

/** How one provider is asked, and how its answer is read. Pure. */
export interface SearchProvider {
  readonly label: string;
  /** Undefined: the settings have one. */
  readonly url?: string;
  /** Where the operator finds the key. Undefined: there is none. */
  readonly account?: string;
  /** @param base its address. */
  request(
    base: string,
    query: SearchQuery,
    apiKey: string,
  ): readonly [
    url: string,
    init?: { headers: Record<string, string>; method?: string; body?: string },
  ];
  /** @throws ZodError for an answer of another shape */
  read(answer: unknown): readonly RawPage[];
}

const braveFreshness = { day: "pd", week: "pw", month: "pm", year: "py" } as const;

export const searchProviders: Readonly<Record<SearchSettings["provider"], SearchProvider>> = {
  // https://docs.searxng.org/dev/search_api.html; the number of results can't be chosen.
  searxng: {
    label: "SearXNG",
    request: (base, { query, freshness }) => {
      // Two exclamation marks would lead the search to another site.
      const q = query.replaceAll(/(?<!\S)!!+/g, "");
      const parameters = { q, format: "json", ...(freshness && { time_range: freshness }) };
      return [`${base}/search?${new URLSearchParams(parameters).toString()}`];
    },
    read: (answer) => pages.parse(answer).results,
  },
  // https://api-dashboard.search.brave.com/api-reference/web/search/get
  brave: {
    label: "Brave Search",
    url: "https://api.search.brave.com",
    account: "https://api-dashboard.search.brave.com",
    request: (base, { query, count, freshness }, apiKey) => {
      const parameters = new URLSearchParams({
        q: query,
        count: `${count}`,
        result_filter: "web",
        text_decorations: "false",
        ...(freshness && { freshness: braveFreshness[freshness] }),
      });
      const headers = { "x-subscription-token": apiKey };
      return [`${base}/res/v1/web/search?${parameters.toString()}`, { headers }];
    },
    read: (answer) => braveAnswer.parse(answer).web?.results ?? [],
  },
  // https://docs.tavily.com/documentation/api-reference/endpoint/search
  tavily: {
    label: "Tavily",
    url: "https://api.tavily.com",
    account: "https://app.tavily.com",
    request: (base, { query, count, freshness }, apiKey) => {
      const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
      const body = JSON.stringify({ query, max_results: count, time_range: freshness });
      return [`${base}/search`, { method: "POST", headers, body }];
    },
    read: (answer) => pages.parse(answer).results,
  },
};
