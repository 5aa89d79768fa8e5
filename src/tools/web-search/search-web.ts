import { fetch } from "undici";
import { PermanentError } from "../../core/errors.ts";
import type { SearchFix, SearchProblem } from "../../core/search-problem.ts";
import { isTooDeep } from "../../text/json-object.ts";
import { fetchFailure } from "../fetch-url/fetch-failure.ts";
import { guardedAgent, systemResolve } from "../fetch-url/guarded-agent.ts";
import { isPublicAddress } from "../fetch-url/public-address.ts";
import { readBody } from "../fetch-url/read-body.ts";
import { cleanLine } from "../mcp/clean-text.ts";
import { searchProviders } from "./providers.ts";
import type { RawPage, SearchProvider, SearchQuery, SearchSettings } from "./providers.ts";

/** UTF-16 units, of an address as JSON; ten results at their longest have about 35,000 as JSON. */
const lengths = { title: 150, snippet: 500, url: 2_000 };

/** Why a search failed, as a sentence for the model. */
export class SearchError extends PermanentError {
  override readonly name = "SearchError";
  /** What the operator must do. Undefined: nothing; it may pass. */
  readonly fix: SearchFix | undefined;

  constructor(message: string, fix?: SearchFix, options?: ErrorOptions) {
    super(message, options);
    this.fix = fix;
  }
}

/**
 * Pages of the web, at most `count`: title, whole address, snippet and, if it is known, date as
 * YYYY-MM-DD. An address of the settings may be private; redirects are never followed.
 * @param limitMs of everything together.
 * @throws SearchError; the signal's reason
 */
export async function searchWeb(
  settings: SearchSettings,
  query: SearchQuery,
  { signal, limitMs = 10_000 }: { readonly signal: AbortSignal; readonly limitMs?: number },
) {
  const provider = searchProviders[settings.provider];
  const { label } = provider;
  const startFix = provider.account ? undefined : ({ kind: "start" } as const);
  const isAllowedAddress = settings.url === undefined ? isPublicAddress : () => true;
  const agent = guardedAgent({ isAllowedAddress, resolve: systemResolve }, limitMs);
  const limit = AbortSignal.timeout(limitMs);
  try {
    const base = settings.url ?? provider.url ?? "";
    const [url, init] = provider.request(base, query, settings.apiKey ?? "");
    const response = await fetch(url, {
      ...init,
      headers: { "user-agent": "Parley", accept: "application/json", ...init?.headers },
      redirect: "manual",
      dispatcher: agent,
      signal: AbortSignal.any([signal, limit]),
    });
    const { bytes, cut } = await readBody(response, 1024 * 1024);
    const text = new TextDecoder().decode(bytes);
    if (!response.ok) throw refusal(response.status, text, provider);
    if (cut) throw new SearchError(`${label}'s answer was longer than 1 MB and not read.`);
    if (/^\s*</.test(text))
      throw new SearchError(`${label} answered with a web page in place of JSON.`, wrongUrl);
    const answer: unknown = JSON.parse(text);
    if (isTooDeep(answer)) throw new SearchError(`${label}'s answer was nested too deeply.`);
    return provider.read(answer).flatMap(foundPage).slice(0, query.count);
  } catch (error) {
    if (signal.aborted || error instanceof SearchError) throw error;
    if (limit.aborted)
      throw new SearchError(`${label} took longer than ${limitMs / 1_000} s.`, startFix);
    // What these two say quotes the answer.
    if (error instanceof SyntaxError || (error instanceof Error && error.name === "ZodError"))
      throw new SearchError(`${label}'s answer can't be read: it is cut off or of another shape.`);
    const { message } = fetchFailure(error);
    throw new SearchError(`${label} can't be used: ${message}`, startFix, { cause: error });
  } finally {
    await agent.destroy();
  }
}

const wrongUrl = { kind: "address" } as const;

function refusal(status: number, text: string, { label, account }: SearchProvider): SearchError {
  // Brave answers a wrong key with 422. Tavily's 432 and 433 are for plans that are used up.
  const isWrongKey = status === 422 && /subscription.token/i.test(text);
  if (isWrongKey || [401, 402, 403, 432, 433].includes(status)) {
    const own = { kind: status === 403 ? "json" : "login" } as const;
    return new SearchError(
      `${label} refused the search (HTTP ${status}). Only the operator can change that: don't try again.`,
      account === undefined ? own : { kind: "account", url: account },
    );
  }
  if (status === 400 || status === 422)
    return new SearchError(`${label} didn't accept the query. Make it shorter and plainer.`);
  if (status === 429)
    return new SearchError(`${label} gets too many searches. Wait before you search again.`);
  const isElsewhere = status === 404 || status < 400;
  return new SearchError(`${label} failed (HTTP ${status}).`, isElsewhere ? wrongUrl : undefined);
}

/** Not what `fetch_url` would refuse, and no part of an address. Pure. */
function foundPage(raw: RawPage) {
  const url = URL.parse(raw.url ?? "");
  if (url === null || !/^https?:$/.test(url.protocol)) return [];
  if (JSON.stringify(url.href).length - 2 > lengths.url) return [];
  if (url.username !== "" || url.password !== "") return [];
  const title = cleanLine(raw.title ?? "", lengths.title);
  const snippet = cleanLine(raw.content ?? raw.description ?? "", lengths.snippet);
  const said = raw.publishedDate ?? raw.page_age ?? raw.published_date ?? "";
  const [date] = /^\d{4}-\d\d-\d\d/.exec(said) ?? [];
  return [{ title, url: url.href, snippet, ...(date === undefined ? {} : { date }) }];
}

/** One search, as a check. Undefined: it works. @throws the signal's reason */
export async function searchProblem(
  settings: SearchSettings,
  signal: AbortSignal,
): Promise<SearchProblem | undefined> {
  try {
    const found = await searchWeb(settings, { query: "weather", count: 1 }, { signal });
    return found.length > 0 ? undefined : { fix: { kind: "engines" } };
  } catch (error) {
    if (!(error instanceof SearchError)) throw error;
    return { cause: error.message, fix: error.fix ?? { kind: "again" } };
  }
}
