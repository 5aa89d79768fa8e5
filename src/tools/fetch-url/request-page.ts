import { fetch, type Agent, type Response } from "undici";
import { PermanentError } from "../../core/errors.ts";
import { checkedUrl } from "./checked-url.ts";

const maxRedirects = 5;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const headers = {
  "user-agent": "Parley",
  accept: "text/html, application/xhtml+xml, application/json, text/*;q=0.9, */*;q=0.1",
  "accept-encoding": "gzip, deflate, br",
};

interface PageRequest {
  readonly url: string;
  readonly allowedPorts: readonly number[];
  readonly agent: Agent;
  readonly signal: AbortSignal;
}

/**
 * GETs a page, following at most five redirects, each of which is checked like the first URL.
 * @throws PermanentError; what `fetch` throws.
 */
export async function requestPage(request: PageRequest): Promise<{ url: URL; response: Response }> {
  const { allowedPorts, agent, signal } = request;
  let url = checkedUrl(request.url, allowedPorts);
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const response = await fetch(url, {
      dispatcher: agent,
      redirect: "manual",
      signal,
      headers,
    });
    const location = response.headers.get("location");
    if (!redirectStatuses.has(response.status) || location === null) return { url, response };
    await response.body?.cancel();
    url = checkedUrl(location, allowedPorts, url);
  }
  throw new PermanentError(`this URL redirects more than ${maxRedirects} times.`);
}
