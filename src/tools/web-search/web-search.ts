import { z } from "zod";
import type { SearchFix } from "../../core/search-problem.ts";
import type { Tool } from "../../core/tool.ts";
import { defineTool } from "../define-tool.ts";
import { enveloped, nothingFound, summarisePage, webSearchSource } from "../fetch-url/envelope.ts";
import { freshnesses, type SearchSettings } from "./providers.ts";

/** How often the same failure is logged. Milliseconds. */
const logEveryMs = 60_000;

export interface SearchLog {
  error(line: { readonly error: Error; readonly fix: SearchFix }, message: string): void;
}

/** Searches the web by the operator's provider. @param log gets what only they can correct. */
export function webSearchTool(settings: SearchSettings, log: SearchLog): Tool {
  const loggedAtMs = new Map<string, number>();
  return defineTool({
    name: "web_search",
    description: "Finds web pages: title, address, snippet and date. fetch_url reads a page.",
    parameters: z.strictObject({
      query: z.string().trim().min(1).max(400).describe("What a search engine is asked"),
      count: z.int().min(1).max(10).default(5).describe("How many results"),
      freshness: z.enum(freshnesses).optional().describe("Only pages of the last day, week, …"),
    }),
    effect: "read",
    confirm: "never",
    history: "action",
    summarise: summarisePage,
    // No address is cut, however long the results are.
    maxResultLength: 36_000,
    timeoutMs: 20_000,
    async run(query, { signal }) {
      // Loaded when it is first needed: most processes never search.
      const { SearchError, searchWeb } = await import("./search-web.ts");
      try {
        const found = await searchWeb(settings, query, { signal });
        if (found.length === 0) return { text: nothingFound };
        const text = found.map((page) => JSON.stringify(page)).join("\n");
        return { text: enveloped(webSearchSource, text) };
      } catch (error) {
        if (error instanceof SearchError && error.fix !== undefined) {
          const nowMs = performance.now();
          if (nowMs - (loggedAtMs.get(error.message) ?? -Infinity) >= logEveryMs) {
            loggedAtMs.set(error.message, nowMs);
            log.error({ error, fix: error.fix }, "the web search failed");
          }
        }
        throw error;
      }
    },
  });
}
