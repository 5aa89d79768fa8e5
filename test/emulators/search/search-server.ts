import type { IncomingMessage, ServerResponse } from "node:http";
import { HttpEmulator, pathOf, readJsonObject, sendJson } from "../model/http-emulator.ts";

export type SearchService = "searxng" | "brave" | "tavily";

/** A page of the emulated web. */
export interface EmulatedPage {
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
  readonly date?: string;
}

/** A search as the service understood it. */
export interface Search {
  readonly query: string;
  /** Undefined: SearXNG takes none. */
  readonly count: number | undefined;
  /** By the service's own word. */
  readonly freshness: string | undefined;
}

type Answer = (incoming: IncomingMessage, response: ServerResponse) => void;

/** Refuses the request. */
class Refusal extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(`HTTP ${status}`);
    this.status = status;
    this.body = body;
  }
}

/** One of three search services on 127.0.0.1; see README.md for the sources of its answers. */
export class SearchServer implements AsyncDisposable {
  readonly pages: EmulatedPage[] = [];
  readonly searches: Search[] = [];
  readonly violations: string[] = [];
  /** SearXNG's `search.formats`. */
  hasJson = true;
  readonly #planted: Answer[] = [];
  readonly #key: string;
  readonly #service: SearchService;
  #http!: HttpEmulator;

  private constructor(service: SearchService, key: string) {
    this.#service = service;
    this.#key = key;
  }

  static async start(service: SearchService, { key = "planted-search-key" } = {}) {
    const server = new SearchServer(service, key);
    server.#http = await HttpEmulator.start((incoming, response) =>
      server.#handle(incoming, response),
    );
    return server;
  }

  get url(): string {
    return this.#http.origin;
  }

  /** Requests so far, of any kind. */
  get hits(): number {
    return this.#http.hits.length;
  }

  /** The next request gets this. */
  next(answer: Answer): void {
    this.#planted.push(answer);
  }

  /** The next request is one too many. */
  limitRate(): void {
    this.next((_, response) => sendJson(response, 429, errors[this.#service](429, "RATE_LIMITED")));
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const planted = this.#planted.shift();
    if (planted !== undefined) return planted(incoming, response);
    try {
      const search = await this.#read(incoming);
      this.searches.push(search);
      sendJson(response, 200, answers[this.#service](search, this.pages));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.violations.push(`${error.status} ${JSON.stringify(error.body)}`);
      if (typeof error.body === "string")
        response.writeHead(error.status, { "content-type": "text/html" }).end(error.body);
      else sendJson(response, error.status, error.body);
    }
  }

  async #read(incoming: IncomingMessage): Promise<Search> {
    switch (this.#service) {
      case "searxng":
        return this.#readSearxng(incoming);
      case "brave":
        return this.#readBrave(incoming);
      case "tavily":
        return await this.#readTavily(incoming);
      default:
        return this.#service satisfies never;
    }
  }

  #readSearxng(incoming: IncomingMessage): Search {
    expectRoute(incoming, "GET", "/search");
    const given = queryOf(incoming);
    const { q = "", format, time_range: freshness, ...others } = given;
    // As `webapp.py` does: the format is asked for first, and a bad parameter is a page.
    if (format === "json" && !this.hasJson)
      throw new Refusal(403, "<!doctype html><title>403 Forbidden</title>");
    if (format !== "json") throw new Refusal(400, "<!doctype html><title>SearXNG</title>");
    const isKnown = [undefined, "day", "week", "month", "year"].includes(freshness);
    if (q === "" || !isKnown || Object.keys(others).length > 0)
      throw new Refusal(400, { error: "Invalid settings" });
    return { query: q, count: undefined, freshness };
  }

  #readBrave(incoming: IncomingMessage): Search {
    expectRoute(incoming, "GET", "/res/v1/web/search");
    const key = incoming.headers["x-subscription-token"];
    const invalid = (...loc: string[]) =>
      new Refusal(422, errors.brave(422, "VALIDATION", { errors: [{ loc }] }));
    if (key === undefined) throw invalid("header", "x-subscription-token");
    if (key !== this.#key) throw new Refusal(422, errors.brave(422, "SUBSCRIPTION_TOKEN_INVALID"));
    const { q = "", count = "20", freshness, ...others } = queryOf(incoming);
    const { result_filter: filter, text_decorations: decorations, ...unknown } = others;
    if (q === "" || q.length > 400 || q.split(/\s+/).length > 50) throw invalid("query", "q");
    if (!/^(?:1?\d|20)$/.test(count) || count === "0") throw invalid("query", "count");
    if (freshness !== undefined && !/^p[dwmy]$/.test(freshness))
      throw invalid("query", "freshness");
    if (filter !== "web" || decorations !== "false") throw invalid("query", "result_filter");
    for (const name of Object.keys(unknown)) throw invalid("query", name);
    return { query: q, count: Number(count), freshness };
  }

  async #readTavily(incoming: IncomingMessage): Promise<Search> {
    expectRoute(incoming, "POST", "/search");
    if (incoming.headers.authorization !== `Bearer ${this.#key}`)
      throw new Refusal(401, errors.tavily(401, "Unauthorized: missing or invalid API key."));
    const invalid = (what: string) => new Refusal(400, errors.tavily(400, what));
    if (incoming.headers["content-type"] !== "application/json") throw invalid("content type");
    const {
      query,
      max_results: count,
      time_range: freshness,
      ...others
    } = (await readJsonObject(incoming)) ?? {};
    if (typeof query !== "string" || query === "" || query.length > 400)
      throw invalid("Query is missing or too long. Max query length is 400 characters.");
    if (typeof count !== "number" || count < 0 || count > 20) throw invalid("Invalid max results.");
    const isText = freshness === undefined || typeof freshness === "string";
    if (!isText || !/^(?:day|week|month|year)$/.test(freshness ?? "day"))
      throw invalid("Invalid time range.");
    for (const name of Object.keys(others)) throw invalid(`Unknown: ${name}`);
    return { query, count, freshness };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#http[Symbol.asyncDispose]();
  }
}

function expectRoute(incoming: IncomingMessage, method: string, path: string): void {
  if (incoming.method !== method || pathOf(incoming) !== path)
    throw new Refusal(404, { detail: "Not Found" });
}

const queryOf = (incoming: IncomingMessage): Partial<Record<string, string>> =>
  Object.fromEntries(new URL(incoming.url ?? "/", "http://127.0.0.1").searchParams);

const errors = {
  searxng: (_status: number, error: string) => ({ error }),
  brave: (status: number, code: string, meta: object = {}) => ({
    type: "ErrorResponse",
    error: {
      id: "5d832250-9396-4f6e-b84a-2a1fe524cd7d",
      status,
      code,
      detail:
        code === "SUBSCRIPTION_TOKEN_INVALID"
          ? "The provided subscription token is invalid."
          : "Unable to validate request parameter(s)",
      meta,
    },
    time: 1_663_072_993,
  }),
  tavily: (_status: number, error: string) => ({ detail: { error } }),
};

const answers: Record<SearchService, (search: Search, found: readonly EmulatedPage[]) => unknown> =
  {
    searxng: ({ query }, found) => ({
      query,
      number_of_results: 0,
      results: found.map(({ url, title, snippet, date }, index) => ({
        url,
        title,
        content: snippet,
        publishedDate: date === undefined ? null : `${date}T00:00:00`,
        engine: "duckduckgo",
        template: "default.html",
        parsed_url: ["https", "", "", "", "", ""],
        engines: ["duckduckgo"],
        positions: [index + 1],
        score: 1,
        category: "general",
      })),
      answers: [],
      corrections: [],
      infoboxes: [],
      suggestions: [],
      unresponsive_engines: [],
    }),
    brave: ({ query, count }, found) => ({
      type: "search",
      query: { original: query, more_results_available: false },
      mixed: { type: "mixed", main: [], top: [], side: [] },
      // Left out where nothing was found.
      ...(found.length > 0 && {
        web: {
          type: "search",
          results: found.slice(0, count).map(({ url, title, snippet, date }) => ({
            title,
            url,
            is_source_local: false,
            description: snippet,
            ...(date !== undefined && { page_age: `${date}T00:00:00`, age: "March 1, 2026" }),
            profile: { name: "x", url, long_name: "x", img: "https://imgs.example/x" },
            language: "en",
            family_friendly: true,
            type: "search_result",
            subtype: "generic",
          })),
          family_friendly: true,
        },
      }),
    }),
    tavily: ({ query, count }, found) => ({
      query,
      follow_up_questions: null,
      answer: null,
      images: [],
      results: found.slice(0, count).map(({ url, title, snippet, date }) => ({
        url,
        title,
        content: snippet,
        score: 0.9,
        raw_content: null,
        ...(date !== undefined && { published_date: date }),
      })),
      response_time: 1.2,
      request_id: "123e4567-e89b-12d3-a456-426614174111",
    }),
  };
